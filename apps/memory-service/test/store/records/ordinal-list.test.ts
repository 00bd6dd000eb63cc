import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OrdinalLinks, OrdinalList } from '../../../src/store/records/ordinal-list.ts';

test('lists that share their links are what sets are, whatever is added and removed', () => {
  const step = fc.record({ list: fc.nat({ max: 2 }), ordinal: fc.nat({ max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const links = new OrdinalLinks();
      const both = [0, 1, 2].map(() => ({ list: new OrdinalList(links), set: new Set<number>() }));
      for (const { list, ordinal } of steps) {
        const holder = both.find(({ set }) => set.has(ordinal));
        const target = holder ?? both[list];
        if (holder) holder.list.remove(ordinal);
        else target?.list.add(ordinal);
        if (!target?.set.delete(ordinal)) target?.set.add(ordinal);
        for (const { list: linked, set } of both) {
          expect([...linked]).toEqual([...set]);
          expect(linked.size).toBe(set.size);
        }
      }
    }),
  );
});
