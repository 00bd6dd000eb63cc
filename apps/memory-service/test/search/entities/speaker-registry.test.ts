import { expect, test } from '@jest/globals';
import type { Scope } from '../../../src/domain/memory/memory.ts';
import { NONE } from '../../../src/search/columns/slot-table.ts';
import { SpeakerRegistry } from '../../../src/search/entities/speaker-registry.ts';
import { Partitions } from '../../../src/search/partitions.ts';
import { anyProject } from '../../sample-memory.ts';

const partitions = new Partitions();
const of = (agentId: string, scope: Scope) => partitions.numberOf({ agentId, project: null, scope });
const PARTITIONS = { ann: of('ann', 'TEAM'), bob: of('bob', 'TEAM'), annsOwn: of('ann', 'PRIVATE') };
const ANN = partitions.sightOf(anyProject('ann'));
const BOB = partitions.sightOf(anyProject('bob'));
const EVE = partitions.sightOf(anyProject('eve'));
const person = (name: string) => ({ name, isAgent: false });
const agent = (name: string) => ({ name, isAgent: true });

test('a speaker is found by name, by each word of it and in any case, while a memory of theirs is there', () => {
  const speakers = new SpeakerRegistry();
  const number = speakers.add(person('Carla Diaz'), PARTITIONS.ann);
  const { find } = speakers.inSight(BOB);
  expect(['Carla Diaz', 'carla', 'DIAZ', 'Car'].map((word) => find(word))).toEqual([
    'carla diaz',
    'carla diaz',
    'carla diaz',
    null,
  ]);
  expect(speakers.numberOf('carla diaz')).toBe(number);
  speakers.remove(number, PARTITIONS.ann);
  expect(find('Carla')).toBeNull();
});

test('a name that two speakers share names neither', () => {
  const speakers = new SpeakerRegistry();
  speakers.add(person('John Smith'), PARTITIONS.ann);
  speakers.add(person('John Doe'), PARTITIONS.ann);
  expect(speakers.inSight(BOB).find('John')).toBeNull();
  expect(speakers.inSight(BOB).find('Doe')).toBe('john doe');
});

test("who spoke only in others' private memories is unknown, and does not make a name ambiguous", () => {
  const speakers = new SpeakerRegistry();
  speakers.add(person('Carla'), PARTITIONS.annsOwn);
  speakers.add(person('Carla Diaz'), PARTITIONS.bob);
  expect(speakers.inSight(ANN).find('Carla')).toBeNull();
  expect(speakers.inSight(BOB).find('Carla')).toBe('carla diaz');
  expect(speakers.inSight(EVE).find('Carla')).toBe('carla diaz');
});

test('a word is known that begins a name of somebody in sight, or a part of it', () => {
  const speakers = new SpeakerRegistry();
  speakers.add(person('Carla Diaz'), PARTITIONS.annsOwn);
  speakers.add(agent('visitor-desk'), PARTITIONS.bob);
  const calls = (sight: Parameters<typeof speakers.inSight>[0]) =>
    ['Carl', 'diaz', 'arla', 'desk', 'visitor-d'].filter((word) => speakers.inSight(sight).hasOneCalled(word));
  expect(calls(ANN)).toEqual(['Carl', 'diaz', 'desk', 'visitor-d']);
  expect(calls(BOB)).toEqual(['desk', 'visitor-d']);
});

test('an agent is found by its id however its parts are joined, and by a part where a part is asked for', () => {
  const speakers = new SpeakerRegistry();
  const number = speakers.add(agent('visitor-desk'), PARTITIONS.ann);
  speakers.add(agent('visitor_guide'), PARTITIONS.ann);
  const { find, findAgent, findAgentByPart } = speakers.inSight(BOB);
  expect([findAgent('Visitor-Desk'), findAgent('visitor desk'), find('visitor_desk')]).toEqual(
    Array(3).fill('visitor-desk'),
  );
  expect([findAgent('desk'), find('desk'), findAgentByPart('visitor')]).toEqual([null, null, null]);
  expect(findAgentByPart('desk')).toBe('visitor-desk');
  expect(speakers.numberOf('visitor-desk')).toBe(number);
});

test("a part of an agent's id takes no name from a person", () => {
  const speakers = new SpeakerRegistry();
  speakers.add(agent('carla-bot'), PARTITIONS.ann);
  speakers.add(person('Carla'), PARTITIONS.ann);
  expect(speakers.inSight(BOB).find('Carla')).toBe('carla');
});

test('an agent that told what others said is found as a teller alone, while such a memory is in sight', () => {
  const speakers = new SpeakerRegistry();
  const number = speakers.addTeller('ops', PARTITIONS.annsOwn);
  const { find, findAgent, findAgentByPart, findTeller } = speakers.inSight(ANN);
  expect([find('ops'), findAgent('ops'), findAgentByPart('ops'), findTeller('Ops')]).toEqual([null, null, null, 'ops']);
  expect([speakers.toldBy('ops', ANN), speakers.toldBy('ops', BOB), speakers.memoriesOf('ops', ANN)]).toEqual([
    1, 0, 0,
  ]);
  expect(speakers.inSight(BOB).findTeller('ops')).toBeNull();
  speakers.removeTeller(number, PARTITIONS.annsOwn);
  expect(findTeller('ops')).toBeNull();
});

test('memories of a speaker are those in sight', () => {
  const speakers = new SpeakerRegistry();
  speakers.add(person('Carla'), PARTITIONS.annsOwn);
  speakers.add(person('Carla'), PARTITIONS.bob);
  expect([ANN, BOB, EVE].map((sight) => speakers.memoriesOf('carla', sight))).toEqual([2, 1, 1]);
  expect(speakers.memoriesOf('dan', ANN)).toBe(0);
  expect(speakers.memoriesOf(null, ANN)).toBe(0);
});

test('nobody has no number', () => {
  const speakers = new SpeakerRegistry();
  expect(speakers.add(null, PARTITIONS.ann)).toBe(NONE);
  expect(speakers.add(person('  '), PARTITIONS.ann)).toBe(NONE);
  expect(speakers.numberOf(null)).toBe(NONE);
});
