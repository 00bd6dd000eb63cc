import { mostInATurn } from '@agent-faculties/testing';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { Successors } from '../../../src/domain/transfer/successors.ts';
import { anyProject, sampleMemory, sampleStrength } from '../../sample-memory.ts';

const linked = (id: string, changes: Partial<Memory> = {}) =>
  sampleMemory(1, { id, scope: 'TEAM', agentId: 'ann', supersededBy: null, consolidatedInto: null, ...changes });

const absorbing = (id: string, ...ids: readonly string[]) =>
  linked(id, { absorbed: ids.map((one) => ({ memory: linked(one), strength: sampleStrength(1) })) });

/** For each memory of the batch: whether it would become its own successor, after what is stored and what comes before it. */
async function circles(stored: readonly Memory[], batch: readonly (Memory | null)[], viewer = 'ann') {
  const find = async (id: string) => {
    const memory = stored.find((one) => one.id === id || one.absorbed?.some((absorbed) => absorbed.memory.id === id));
    return memory ? { memory, strength: sampleStrength(1) } : null;
  };
  const successors = new Successors({ find }, anyProject(viewer), batch);
  return Promise.all(batch.map(async (memory, position) => memory && (await successors.formCircle(memory, position))));
}

test.each<[string, Memory[], (Memory | null)[], (boolean | null)[]]>([
  ['itself', [], [linked('a', { supersededBy: 'a' })], [true]],
  ['one that is not there', [], [linked('a', { supersededBy: 'b' })], [false]],
  ['one that comes later', [], [linked('a', { supersededBy: 'b' }), linked('b', { supersededBy: 'a' })], [false, true]],
  ['one in the store', [linked('b', { supersededBy: 'a' })], [linked('a', { supersededBy: 'b' })], [true]],
  ['one by another link', [linked('b', { consolidatedInto: 'a' })], [linked('a', { supersededBy: 'b' })], [false]],
  ['a rejected record between', [], [null, linked('a', { consolidatedInto: 'a' })], [null, true]],
  [
    'what came before in place of what is stored',
    [linked('b', { supersededBy: 'a' })],
    [linked('b', { supersededBy: 'c' }), linked('a', { supersededBy: 'b' })],
    [false, false],
  ],
  ['one that it has absorbed', [absorbing('a', 'x')], [linked('a', { supersededBy: 'x' })], [true]],
  [
    'one that names what it has absorbed',
    [absorbing('a', 'x')],
    [linked('b', { supersededBy: 'x' }), linked('a', { supersededBy: 'b' })],
    [false, true],
  ],
  [
    'one of which another one was absorbed by what came before',
    [absorbing('b', 'x')],
    [linked('b', { supersededBy: 'a' }), linked('a', { supersededBy: 'x' })],
    [false, true],
  ],
])('a successor that is %s', async (_what, stored, batch, expected) => {
  expect(await circles(stored, batch)).toEqual(expected);
});

test('a link of a memory that the caller may not see tells nothing', async () => {
  const hidden = linked('b', { supersededBy: 'a', scope: 'PRIVATE', agentId: 'bob' });
  expect(await circles([hidden], [linked('a', { supersededBy: 'b' })])).toEqual([false]);
  expect(await circles([hidden], [linked('a', { supersededBy: 'b' })], 'bob')).toEqual([true]);
});

test('a circle elsewhere ends the search', async () => {
  const stored = [linked('b', { supersededBy: 'c' }), linked('c', { supersededBy: 'b' })];
  expect(await circles(stored, [linked('a', { supersededBy: 'b' })])).toEqual([false]);
});

test('long chains of a whole batch are walked over several turns of the event loop', async () => {
  const chain = Array.from({ length: 500 }, (_, i) => linked(`c${i}`, { supersededBy: `c${i + 1}` }));
  const stored = new Map(chain.map((memory) => [memory.id, { memory, strength: sampleStrength(1) }]));
  const batch = Array.from({ length: 50 }, (_, i) => linked(`m${i}`, { supersededBy: 'c0' }));
  const most = await mostInATurn(async (counted) => {
    const find = async (id: string) => {
      counted();
      return stored.get(id) ?? null;
    };
    const successors = new Successors({ find }, anyProject('ann'), batch);
    await Promise.all(batch.map((memory, position) => successors.formCircle(memory, position)));
  });
  expect(most).toBeGreaterThan(100);
  expect(most).toBeLessThan(2_500);
});

test('agrees with walking the links of a graph', async () => {
  const ids = ['a', 'b', 'c', 'd'];
  const link = fc.option(fc.constantFrom(...ids, 'elsewhere'));
  await fc.assert(
    fc.asyncProperty(fc.array(link, { minLength: 4, maxLength: 4 }), async (links) => {
      const batch = ids.map((id, index) => linked(id, { supersededBy: links[index] ?? null }));
      const naive = batch.map((memory, position) => {
        // Later memories of the batch are not stored yet.
        const next = new Map(batch.slice(0, position).map(({ id, supersededBy }) => [id, supersededBy]));
        const seen = new Set<string>();
        for (let at = memory.supersededBy; at !== null; at = next.get(at) ?? null) {
          if (at === memory.id) return true;
          if (seen.has(at)) return false;
          seen.add(at);
        }
        return false;
      });
      expect(await circles([], batch)).toEqual(naive);
    }),
  );
});
