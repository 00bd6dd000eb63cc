import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isBefore } from '../../../src/domain/memory/order-of-time.ts';
import { TimeOrder } from '../../../src/store/records/time-order.ts';

describe('the order of time', () => {
  test('is the order of a sorted list, whatever is added and removed', () => {
    const steps = fc.array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({ at: fc.integer({ min: 0, max: 6 }), id: fc.integer({ min: 0, max: 999 }) }),
        },
        fc.record({ remove: fc.nat() }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        const dated: { createdAt: number; id: string }[] = [];
        const order = new TimeOrder((ordinal) => dated[ordinal] as { createdAt: number; id: string });
        let naive: number[] = [];
        for (const step of all) {
          if ('remove' in step) {
            const ordinal = naive[step.remove % Math.max(1, naive.length)];
            if (ordinal === undefined) continue;
            order.remove(ordinal);
            naive = naive.filter((other) => other !== ordinal);
          } else {
            const id = `${String(step.id).padStart(3, '0')}-${dated.length}`;
            dated.push({ createdAt: step.at, id });
            order.add(dated.length - 1);
            naive.push(dated.length - 1);
          }
          naive.sort((a, b) => {
            const [x, y] = [dated[a], dated[b]] as [
              { createdAt: number; id: string },
              { createdAt: number; id: string },
            ];
            return x.createdAt - y.createdAt || (x.id < y.id ? -1 : 1);
          });
          expect(order.snapshot()).toEqual(naive);
        }
      }),
    );
  });

  test('gives copies, which later changes leave alone', () => {
    const order = new TimeOrder((ordinal) => ({ createdAt: ordinal, id: 'x' }));
    order.add(1);
    const before = order.snapshot();
    order.add(0);
    before.push(9);
    expect([before, order.snapshot()]).toEqual([
      [1, 9],
      [0, 1],
    ]);
  });

  test('lets the id decide between two of the same millisecond', () => {
    expect(isBefore({ createdAt: 1, id: 'b' }, { createdAt: 2, id: 'a' })).toBe(true);
    expect(isBefore({ createdAt: 1, id: 'a' }, { createdAt: 1, id: 'b' })).toBe(true);
    expect(isBefore({ createdAt: 1, id: 'a' }, { createdAt: 1, id: 'a' })).toBe(false);
  });
});
