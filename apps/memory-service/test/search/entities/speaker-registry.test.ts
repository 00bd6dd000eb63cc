import { expect, test } from '@jest/globals';
import { NONE } from '../../../src/search/columns/slot-table.ts';
import { SpeakerRegistry } from '../../../src/search/entities/speaker-registry.ts';

const ANN = 0;
const BOB = 1;
const person = (name: string) => ({ name, isAgent: false });
const agent = (name: string) => ({ name, isAgent: true });

test('a speaker is found by name, by each word of it and in any case, while a memory of theirs is there', () => {
  const speakers = new SpeakerRegistry();
  const number = speakers.count(person('Carla Diaz'), { by: 1, agent: ANN, isPrivate: false });
  const { find } = speakers.visibleTo(BOB);
  expect(['Carla Diaz', 'carla', 'DIAZ', 'Car'].map((word) => find(word))).toEqual([
    'carla diaz',
    'carla diaz',
    'carla diaz',
    null,
  ]);
  expect(speakers.numberOf('carla diaz')).toBe(number);
  speakers.count(person('Carla Diaz'), { by: -1, agent: ANN, isPrivate: false });
  expect(find('Carla')).toBeNull();
});

test('a name that two speakers share names neither', () => {
  const speakers = new SpeakerRegistry();
  speakers.count(person('John Smith'), { by: 1, agent: ANN, isPrivate: false });
  speakers.count(person('John Doe'), { by: 1, agent: ANN, isPrivate: false });
  expect(speakers.visibleTo(BOB).find('John')).toBeNull();
  expect(speakers.visibleTo(BOB).find('Doe')).toBe('john doe');
});

test("who spoke only in others' private memories is unknown, and does not make a name ambiguous", () => {
  const speakers = new SpeakerRegistry();
  speakers.count(person('Carla'), { by: 1, agent: ANN, isPrivate: true });
  speakers.count(person('Carla Diaz'), { by: 1, agent: BOB, isPrivate: false });
  expect(speakers.visibleTo(ANN).find('Carla')).toBeNull();
  expect(speakers.visibleTo(BOB).find('Carla')).toBe('carla diaz');
  expect(speakers.visibleTo(NONE).find('Carla')).toBe('carla diaz');
});

test('an agent is found by its id however its parts are joined, and by a part where a part is asked for', () => {
  const speakers = new SpeakerRegistry();
  const number = speakers.count(agent('visitor-desk'), { by: 1, agent: ANN, isPrivate: false });
  speakers.count(agent('visitor_guide'), { by: 1, agent: ANN, isPrivate: false });
  const { find, findAgent, findAgentByPart } = speakers.visibleTo(BOB);
  expect([findAgent('Visitor-Desk'), findAgent('visitor desk'), find('visitor_desk')]).toEqual(
    Array(3).fill('visitor-desk'),
  );
  expect([findAgent('desk'), find('desk'), findAgentByPart('visitor')]).toEqual([null, null, null]);
  expect(findAgentByPart('desk')).toBe('visitor-desk');
  expect(speakers.numberOf('visitor-desk')).toBe(number);
});

test("a part of an agent's id takes no name from a person", () => {
  const speakers = new SpeakerRegistry();
  speakers.count(agent('carla-bot'), { by: 1, agent: ANN, isPrivate: false });
  speakers.count(person('Carla'), { by: 1, agent: ANN, isPrivate: false });
  expect(speakers.visibleTo(BOB).find('Carla')).toBe('carla');
});

test('memories of a speaker are those that the caller sees', () => {
  const speakers = new SpeakerRegistry();
  speakers.count(person('Carla'), { by: 1, agent: ANN, isPrivate: true });
  speakers.count(person('Carla'), { by: 1, agent: BOB, isPrivate: false });
  expect([ANN, BOB, NONE].map((caller) => speakers.memoriesOf('carla', caller))).toEqual([2, 1, 1]);
  expect(speakers.memoriesOf('dan', ANN)).toBe(0);
  expect(speakers.memoriesOf(null, ANN)).toBe(0);
});

test('nobody has no number', () => {
  const speakers = new SpeakerRegistry();
  expect(speakers.count(null, { by: 1, agent: ANN, isPrivate: false })).toBe(NONE);
  expect(speakers.count(person('  '), { by: 1, agent: ANN, isPrivate: false })).toBe(NONE);
  expect(speakers.numberOf(null)).toBe(NONE);
});
