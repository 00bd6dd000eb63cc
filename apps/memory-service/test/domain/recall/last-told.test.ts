import { expect, test } from '@jest/globals';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { lastTold } from '../../../src/domain/recall/last-told.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';
import { InMemoryStore } from '../../space/in-memory-store.ts';
import { add } from '../../store/change-store.ts';

const said = (number: number, changes: Partial<Memory>) =>
  sampleMemory(number, {
    agentId: 'ann',
    sessionId: 's',
    scope: 'TEAM',
    project: null,
    kind: 'episodic',
    sources: [],
    expiresAt: null,
    gistEdited: false,
    ...changes,
  });

async function told(memories: readonly Memory[], asked: 'session' | 'news') {
  const store = new InMemoryStore();
  for (const memory of memories) await add(store, memory);
  const list = await lastTold(store, {
    asked,
    caller: { agentId: 'ann', sessionId: null, project: null, space: 'default' },
    filter: { viewer: anyProject('ann') },
    now: Number.POSITIVE_INFINITY,
    before: Number.POSITIVE_INFINITY,
    topK: 10,
    explains: false,
    isWanted: ({ id }) => id !== said(9, {}).id,
  });
  return list.map(({ stored }) => Number(stored.memory.id.slice(-12)));
}

test.each(['session', 'news'] as const)('what was derived from others was not told, for %s', async (asked) => {
  expect(await told([said(1, {}), said(2, {}), said(3, { kind: 'semantic' })], asked)).toEqual([2, 1]);
});

test.each(['session', 'news'] as const)('what the request does not want is left out, for %s', async (asked) => {
  expect(await told([said(1, {}), said(9, { sessionId: 'other' })], asked)).toEqual([1]);
});

test('a "yes" tells something behind a question, and no more behind one for the last session', async () => {
  const shortly = (number: number, content: string) => said(number, { content, gist: content });
  const talk = ['Shall we drop the header?', 'Yes.', 'Why?', 'Where did we leave off?', 'Ok', 'The header goes.', 'ok'];
  expect(
    await told(
      talk.map((content, index) => shortly(index + 1, content)),
      'session',
    ),
  ).toEqual([6, 2, 1]);
});
