import { ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sortedInSlices } from '../../../src/domain/concurrency/sorted-in-slices.ts';
import { TimeSlicer } from '../../../src/domain/concurrency/time-slicer.ts';

const slicer = () => new TimeSlicer({ clock: new ManualClock(0), pause: async () => {}, isStopped: () => false });

test('sorts as Array.prototype.sort does, equals in their order', async () => {
  const lists = fc.array(fc.nat(50), { minLength: 0, maxLength: 9_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(lists, async (numbers) => {
      const items = numbers.map((number, place) => ({ number, place }));
      const compare = (a: { number: number }, b: { number: number }) => a.number - b.number;
      expect(await sortedInSlices(items, { compare, slicer: slicer() })).toEqual(items.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});
