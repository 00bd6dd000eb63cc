import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EMPTY, PRIVATE, PUBLIC } from '../../../src/search/columns/slot-table.ts';
import { EVERYONE, PostingBuffer, PostingLists } from '../../../src/search/lexical/posting-lists.ts';

const SLOTS = 5_000;
const posting = fc.record({
  list: fc.nat({ max: 3 }),
  slot: fc.nat({ max: SLOTS - 1 }),
  count: fc.integer({ min: 1, max: 255 }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(posting, { maxLength: 200 }) },
  { weight: 1, arbitrary: fc.record({ emptyEvery: fc.integer({ min: 2, max: 50 }), swept: fc.nat({ max: 3 }) }) },
);

test('hold what plain arrays hold, through sweeps, for everyone and for one caller', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat({ max: 2 }), (steps, caller) => {
      const state = Uint8Array.from({ length: SLOTS }, (_, slot) => (slot % 3 === 0 ? PRIVATE : PUBLIC));
      const agent = Int32Array.from({ length: SLOTS }, (_, slot) => slot % 4);
      const lists = new PostingLists();
      const ids = [0, 1, 2, 3].map(() => lists.create());
      const twin: { slot: number; count: number }[][] = [[], [], [], []];
      const buffer = new PostingBuffer();
      for (const action of steps) {
        if (Array.isArray(action)) {
          for (const { list, slot, count } of action) {
            if (state[slot] === EMPTY) continue;
            lists.append(ids[list] as number, slot, count);
            twin[list]?.push({ slot, count });
          }
        } else {
          for (let slot = 0; slot < SLOTS; slot += action.emptyEvery) state[slot] = EMPTY;
          const { swept } = action;
          twin[swept] = (twin[swept] ?? []).filter(({ slot }) => state[slot] !== EMPTY);
          const before = lists.lengthOf(ids[swept] as number);
          const survives = lists.sweep(ids[swept] as number, { state, agent, caller: EVERYONE }, buffer);
          expect(survives).toBe(before === 0 || (twin[swept] ?? []).length > 0);
          if (!survives) ids[swept] = lists.create();
        }
      }
      for (const who of [EVERYONE, caller]) {
        for (const [list, entries] of twin.entries()) {
          lists.read(ids[list] as number, { state, agent, caller: who }, buffer);
          const seen = entries.filter(
            ({ slot }) =>
              state[slot] === PUBLIC || (state[slot] === PRIVATE && (who === EVERYONE || agent[slot] === who)),
          );
          expect(lists.count(ids[list] as number, { state, agent, caller: who })).toBe(seen.length);
          expect([...buffer.slots.subarray(0, buffer.length)]).toEqual(seen.map(({ slot }) => slot));
          expect([...buffer.counts.subarray(0, buffer.length)]).toEqual(seen.map(({ count }) => count));
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('take 5 bytes an entry and some slack', () => {
  const lists = new PostingLists();
  const list = lists.create();
  for (let slot = 0; slot < 1_000_000; slot++) lists.append(list, slot, 1);
  expect(lists.bytes).toBeLessThan(5.5 * 1_000_000);
});
