import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IdOrdinals } from '../../../src/store/records/id-ordinals.ts';
import type { PackedBlock } from '../../../src/store/records/packed-memories.ts';

/** Few, so that they meet again; some that are nearly the form of this service's. */
const plain = (number: number) => number.toString(16).padStart(32, '0');
const id = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map(plain),
  fc.integer({ min: 0, max: 40 }).map((number) => `f${plain(number).slice(1)}`),
  fc.constantFrom(
    '',
    'ann',
    plain(7).slice(1),
    `${plain(7)}0`,
    'A'.repeat(32),
    'g'.repeat(32),
    '猫'.repeat(32),
    'é'.repeat(32),
  ),
);
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ set: id }) },
    { weight: 2, arbitrary: fc.record({ add: id }) },
    { weight: 2, arbitrary: fc.record({ delete: id }) },
  ),
  { maxLength: 300 },
);

/** A block with one memory, of this id. */
function blockOf(id: string): PackedBlock {
  return {
    unpack: () => {
      throw new Error('nobody asks for it');
    },
    idOf: () => id,
    readId: (_, into) => {
      if (!/^[0-9a-f]{32}$/.test(id)) return false;
      for (let word = 0; word < 4; word++) into[word] = Number.parseInt(id.slice(8 * word, 8 * word + 8), 16) | 0;
      return true;
    },
  };
}

test('ordinals are found by id as in a map, however ids come and go', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const ordinals = new IdOrdinals();
      const naive = new Map<string, number>();
      for (const [ordinal, step] of all.entries()) {
        if ('delete' in step) {
          ordinals.delete(step.delete);
          naive.delete(step.delete);
        } else if ('add' in step) {
          const isNew = !naive.has(step.add);
          expect(ordinals.add(blockOf(step.add), 0, ordinal)).toBe(isNew);
          if (isNew) naive.set(step.add, ordinal);
        } else {
          ordinals.set(step.set, ordinal);
          naive.set(step.set, ordinal);
        }
        const asked = 'set' in step ? step.set : 'add' in step ? step.add : step.delete;
        expect([ordinals.get(asked), ordinals.size]).toEqual([naive.get(asked), naive.size]);
      }
      for (let number = 0; number <= 41; number++) expect(ordinals.get(plain(number))).toBe(naive.get(plain(number)));
    }),
    { numRuns: 300 },
  );
});

test('many ids come, go and come again', () => {
  const ordinals = new IdOrdinals();
  for (let number = 0; number < 5_000; number++) ordinals.set(plain(number), number);
  for (let number = 0; number < 5_000; number += 2) ordinals.delete(plain(number));
  for (let number = 0; number < 5_000; number += 4) ordinals.set(plain(number), number + 5_000);
  const expected = (number: number) => (number % 2 === 1 ? number : number % 4 === 0 ? number + 5_000 : undefined);
  const all = Array.from({ length: 5_000 }, (_, number) => number);
  expect(all.map((number) => ordinals.get(plain(number)))).toEqual(all.map(expected));
  expect(ordinals.size).toBe(3_750);
});
