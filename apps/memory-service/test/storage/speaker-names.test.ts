import { expect, test } from '@jest/globals';
import { NONE } from '../../src/storage/slot-table.ts';
import { SpeakerRegistry } from '../../src/storage/speaker-names.ts';

const ANN = 0;
const BOB = 1;

test('a speaker is found by name, by each word of it and in any case, while a memory of theirs is there', () => {
  const speakers = new SpeakerRegistry();
  const number = speakers.count('Carla Diaz', { by: 1, agent: ANN, isPrivate: false });
  const { find } = speakers.visibleTo(BOB);
  expect(['Carla Diaz', 'carla', 'DIAZ', 'Car'].map((word) => find(word))).toEqual([
    'carla diaz',
    'carla diaz',
    'carla diaz',
    null,
  ]);
  expect(speakers.numberOf('carla diaz')).toBe(number);
  speakers.count('Carla Diaz', { by: -1, agent: ANN, isPrivate: false });
  expect(find('Carla')).toBeNull();
});

test('a name that two speakers share names neither', () => {
  const speakers = new SpeakerRegistry();
  speakers.count('John Smith', { by: 1, agent: ANN, isPrivate: false });
  speakers.count('John Doe', { by: 1, agent: ANN, isPrivate: false });
  expect(speakers.visibleTo(BOB).find('John')).toBeNull();
  expect(speakers.visibleTo(BOB).find('Doe')).toBe('john doe');
});

test("who spoke only in others' private memories is unknown, and does not make a name ambiguous", () => {
  const speakers = new SpeakerRegistry();
  speakers.count('Carla', { by: 1, agent: ANN, isPrivate: true });
  speakers.count('Carla Diaz', { by: 1, agent: BOB, isPrivate: false });
  expect(speakers.visibleTo(ANN).find('Carla')).toBeNull();
  expect(speakers.visibleTo(BOB).find('Carla')).toBe('carla diaz');
  expect(speakers.visibleTo(NONE).find('Carla')).toBe('carla diaz');
});

test('nobody has no number', () => {
  const speakers = new SpeakerRegistry();
  expect(speakers.count(null, { by: 1, agent: ANN, isPrivate: false })).toBe(NONE);
  expect(speakers.count('  ', { by: 1, agent: ANN, isPrivate: false })).toBe(NONE);
  expect(speakers.numberOf(null)).toBe(NONE);
});
