import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExpiryHeap } from '../../../src/store/indexes/expiry-heap.ts';

const step = fc.oneof(
  fc.record({ note: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null, freq: 4 }) }),
  fc.record({ takeUntil: fc.integer({ min: 0, max: 9 }) }),
);

test('gives what is due, the earliest first, as a sorted list does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new ExpiryHeap();
      let list: { at: number; id: string }[] = [];
      for (const [index, one] of steps.entries()) {
        if ('note' in one) {
          queue.note({ id: `${one.note}/${index}`, expiresAt: one.note });
          if (one.note !== null) list.push({ at: one.note, id: `${one.note}/${index}` });
          continue;
        }
        const taken: string[] = [];
        while (queue.isDue(one.takeUntil)) taken.push(queue.take());
        const due = list.filter(({ at }) => at <= one.takeUntil).map(({ id }) => id);
        list = list.filter(({ at }) => at > one.takeUntil);
        expect(taken.map((id) => id.split('/')[0])).toEqual(due.map((id) => id.split('/')[0]).sort());
        expect(taken.toSorted()).toEqual(due.sort());
      }
    }),
    { numRuns: 500 },
  );
  expect(() => new ExpiryHeap().take()).toThrow(RangeError);
});
