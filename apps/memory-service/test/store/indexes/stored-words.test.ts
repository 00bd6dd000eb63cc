import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { initialStrength } from '../../../src/domain/cognition/retention.ts';
import { SameWords } from '../../../src/domain/ingest/same-words.ts';
import { StoredWords } from '../../../src/store/indexes/stored-words.ts';
import { Records } from '../../../src/store/records/records.ts';
import { sampleMemory } from '../../sample-memory.ts';

const STRENGTH = initialStrength(0.5);

const words = fc.nat({ max: 2 });
const step = fc.oneof(
  fc.record({ add: words, absorbs: fc.option(words), isEdited: fc.boolean() }),
  fc.record({ remove: fc.nat() }),
  fc.record({ change: fc.nat(), to: words }),
  { weight: 3, arbitrary: fc.record({ ask: words, isReady: fc.boolean() }) },
);

/** Of one agent in one session, at one time. */
function said(number: number, content: number) {
  return sampleMemory(1, { id: `id ${number}`, content: `words ${content}` });
}

test('a question finds what guards that noted each memory at once find', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const records = new Records();
      const stored = new StoredWords(records);
      /** Ids of memories with words that may be repeated, by ordinal. */
      const repeatable = new Map<number, { id: string; content: string }[]>();
      let made = 0;
      const note = (ordinal: number, memory: ReturnType<typeof said>) => {
        stored.note(ordinal, memory);
        const noted = [memory, ...(memory.absorbed ?? []).map((absorbed) => absorbed.memory)];
        repeatable.set(ordinal, memory.gistEdited ? [] : noted);
      };
      for (const one of steps) {
        const ordinals = [...repeatable.keys()];
        if ('add' in one) {
          const absorbed = one.absorbs === null ? [] : [{ memory: said(made++, one.absorbs), strength: STRENGTH }];
          const memory = { ...said(made++, one.add), gistEdited: one.isEdited, absorbed };
          note(records.add(memory, STRENGTH), memory);
        } else if ('ask' in one) {
          if (one.isReady) await stored.ready();
          const expected = [...repeatable.values()].flat().filter(({ content }) => content === `words ${one.ask}`);
          const found = stored.find(said(999, one.ask));
          if (expected.length === 0) expect(found).toBeNull();
          else expect(expected.map(({ id }) => id)).toContain(found);
        } else if (ordinals.length > 0) {
          const ordinal = ordinals[('remove' in one ? one.remove : one.change) % ordinals.length] as number;
          const { memory } = records.at(ordinal);
          for (const { memory: other } of memory.absorbed ?? []) stored.forget(other.id);
          if ('remove' in one) {
            stored.forget(memory.id);
            records.remove(ordinal);
            repeatable.delete(ordinal);
          } else {
            const changed = { ...memory, content: `words ${one.to}` };
            records.replace(ordinal, changed);
            note(ordinal, changed);
          }
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('of memories with the same words the one that came last is found, as by a guard that noted each at once', async () => {
  const records = new Records();
  const stored = new StoredWords(records);
  const guard = new SameWords();
  for (let number = 0; number < 5_000; number++) {
    const memory = said(number, number % 7);
    stored.note(records.add(memory, STRENGTH), memory);
    guard.note(memory);
  }
  await stored.ready();
  for (let content = 0; content < 8; content++) {
    expect(stored.find(said(9_999, content))).toBe(guard.find(said(9_999, content)));
  }
});

test('memories that would be forgotten again are not noted', async () => {
  const records = new Records();
  const words = new SameWords({ most: 2_500 });
  const stored = new StoredWords(records, words);
  const note = jest.spyOn(words, 'note');
  for (let number = 0; number < 6_000; number++) records.add(said(number, number), STRENGTH);
  await stored.ready();
  expect(note).toHaveBeenCalledTimes(2_500);
  expect([3_499, 3_500, 5_999].map((content) => stored.find(said(9_999, content)))).toEqual([
    null,
    'id 3500',
    'id 5999',
  ]);
});

test('long texts are noted in turns of their own, those of absorbed memories too', async () => {
  const records = new Records();
  const stored = new StoredWords(records);
  const note = jest.spyOn(SameWords.prototype, 'note');
  const long = (number: number) => ({ ...said(number, number), content: `${number} ${'word '.repeat(40_000)}` });
  for (let number = 0; number < 10; number += 2) {
    const memory = { ...long(number), absorbed: [{ memory: long(number + 1), strength: STRENGTH }] };
    stored.note(records.add(memory, STRENGTH), memory);
  }
  const noted: number[] = [];
  let turnOfOthers = setImmediate(function count() {
    noted.push(note.mock.calls.length);
    turnOfOthers = setImmediate(count);
  });
  await stored.ready();
  clearImmediate(turnOfOthers);
  const inTurns = noted.map((until, turn) => until - (noted[turn - 1] ?? 0));
  expect(Math.max(...inTurns, note.mock.calls.length - (noted.at(-1) ?? 0))).toBe(4);
  expect(stored.find(long(9))).toBe('id 9');
  expect(note).toHaveBeenCalledTimes(10);
  note.mockRestore();
});
