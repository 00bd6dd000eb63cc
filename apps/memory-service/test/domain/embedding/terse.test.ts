import { expect, test } from '@jest/globals';
import { dot } from '../../../src/domain/embedding/direction.ts';
import { isTerse, vectorsOfMemory } from '../../../src/domain/embedding/terse.ts';
import { NO_EMBEDDING, type TextEmbedding } from '../../../src/domain/embedding/text-embedding.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { sampleMemory } from '../../sample-memory.ts';
import { InMemoryStore } from '../../space/in-memory-store.ts';
import { add } from '../../store/change-store.ts';

const PLAIN = {
  agentId: 'ann',
  sessionId: 's',
  scope: 'TEAM',
  project: null,
  kind: 'episodic',
  gistEdited: false,
  expiresAt: null,
} as const;

function said(number: number, content: string, changes: Partial<Memory> = {}): Memory {
  return sampleMemory(number, { ...PLAIN, content, gist: content, sources: [], ...changes });
}

/** Gives each text a direction of its own, and keeps the texts. */
function recording() {
  const texts: string[] = [];
  const vectorsOf = async (text: string) => {
    if (!texts.includes(text)) texts.push(text);
    return [Float32Array.from({ length: 4 }, (_, axis) => Number(axis === texts.indexOf(text)))];
  };
  return { texts, embedding: { ...NO_EMBEDDING, vectorsOf } as TextEmbedding };
}

test.each([
  ['six words', said(1, 'Then let us make it 20.'), true],
  ['seven words', said(1, 'Then let us make it 20 euros.'), false],
  ['no session', said(1, '20 for all.', { sessionId: null }), false],
  ['a derived memory', said(1, '20 for all.', { kind: 'semantic' }), false],
  [
    'an edited gist of few words',
    said(1, 'A long message about the baskets of all members.', { gist: '20.', gistEdited: true }),
    true,
  ],
  ['a long text without blanks', said(1, '\u732b'.repeat(81)), false],
])('%s', (_what, memory, expected) => {
  expect(isTerse(memory)).toBe(expected);
});

test('the vector of a terse memory lies half way to what it means behind the one before it', async () => {
  const store = new InMemoryStore({ hasModel: true });
  await add(store, said(1, 'What is a basket for members?'));
  const { texts, embedding } = recording();
  const { vectors, expected } = await vectorsOfMemory({ embedding, store }, said(2, '20 for all.'));
  const [vector] = vectors;
  expect(texts).toEqual(['20 for all.', 'What is a basket for members? 20 for all.']);
  expect(expected.map(({ id }) => id)).toEqual([said(1, '').id]);
  expect(Array.from(vector as Float32Array)).toEqual([Math.SQRT1_2, Math.SQRT1_2, 0, 0].map(Math.fround));
  expect(dot(vector as Float32Array, vector as Float32Array)).toBeCloseTo(1, 6);
});

test('of a long message before, its last 60 words count', async () => {
  const store = new InMemoryStore({ hasModel: true });
  await add(store, said(1, Array.from({ length: 200 }, (_, word) => `w${word}`).join(' ')));
  const { texts, embedding } = recording();
  await vectorsOfMemory({ embedding, store }, said(2, 'Yes.'));
  const words = texts[1]?.split(' ') ?? [];
  expect([words.length, words[0], words.at(-2), words.at(-1)]).toEqual([61, 'w140', 'w199', 'Yes.']);
});

test.each([
  ['nothing was said before', []],
  ['what was said before expires', [said(1, 'What is a basket?', { expiresAt: 1_890_000_000_000 })]],
  ['another agent said it', [said(1, 'What is a basket?', { agentId: 'bob' })]],
  ['only its agent sees it', [said(1, 'What is a basket?', { scope: 'PRIVATE' })]],
] as const)('a terse memory has the vectors of its own text where %s', async (_why, before) => {
  const store = new InMemoryStore({ hasModel: true });
  for (const memory of before) await add(store, memory);
  const { texts, embedding } = recording();
  const { expected } = await vectorsOfMemory({ embedding, store }, said(2, '20 for all.'));
  expect([texts, expected]).toEqual([['20 for all.'], []]);
});
