import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PostingBuffer, PostingLists } from '../../../src/search/lexical/posting-lists.ts';

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

test('hold what plain arrays hold, through sweeps, in any sight', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }),
      (steps, levels) => {
        const partition = Int32Array.from({ length: SLOTS }, (_, slot) => 1 + (slot % 4));
        const everything = Uint8Array.of(0, 1, 1, 1, 1);
        const lists = new PostingLists();
        const ids = [0, 1, 2, 3].map(() => lists.create());
        const twin: { slot: number; count: number }[][] = [[], [], [], []];
        const buffer = new PostingBuffer();
        for (const action of steps) {
          if (Array.isArray(action)) {
            for (const { list, slot, count } of action) {
              if (partition[slot] === 0) continue;
              lists.append(ids[list] as number, slot, count);
              twin[list]?.push({ slot, count });
            }
          } else {
            for (let slot = 0; slot < SLOTS; slot += action.emptyEvery) partition[slot] = 0;
            const { swept } = action;
            twin[swept] = (twin[swept] ?? []).filter(({ slot }) => partition[slot] !== 0);
            const before = lists.lengthOf(ids[swept] as number);
            const survives = lists.sweep(ids[swept] as number, { partition, sight: everything }, buffer);
            expect(survives).toBe(before === 0 || (twin[swept] ?? []).length > 0);
            if (!survives) ids[swept] = lists.create();
          }
        }
        for (const sight of [everything, Uint8Array.of(0, ...levels)]) {
          for (const [list, entries] of twin.entries()) {
            lists.read(ids[list] as number, { partition, sight }, buffer);
            const seen = entries.filter(({ slot }) => sight[partition[slot] as number] !== 0);
            expect(lists.count(ids[list] as number, { partition, sight })).toBe(seen.length);
            expect([...buffer.slots.subarray(0, buffer.length)]).toEqual(seen.map(({ slot }) => slot));
            expect([...buffer.counts.subarray(0, buffer.length)]).toEqual(seen.map(({ count }) => count));
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('take 5 bytes an entry and some slack', () => {
  const lists = new PostingLists();
  const list = lists.create();
  for (let slot = 0; slot < 1_000_000; slot++) lists.append(list, slot, 1);
  expect(lists.bytes).toBeLessThan(5.5 * 1_000_000);
});
