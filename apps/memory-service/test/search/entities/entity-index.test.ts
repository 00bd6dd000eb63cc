import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Memory, Scope } from '../../../src/domain/memory/memory.ts';
import { isVisibleTo } from '../../../src/domain/memory/visibility.ts';
import { EntityIndex } from '../../../src/search/entities/entity-index.ts';
import { anyProject } from '../../sample-memory.ts';

type Naming = Pick<Memory, 'entities' | 'agentId' | 'scope' | 'project'>;

const naming = (names: string[], agentId = 'ann', scope: Scope = 'TEAM'): Naming => ({
  entities: names.map((name) => ({ name, type: 'other' })),
  agentId,
  scope,
  project: null,
});

const viewers = ['ann', 'bob', 'eve'].flatMap((agentId) =>
  [null, 'shop', 'web'].map((project) => ({ agentId, project })),
);

const everything = (agentId: string) => ({ viewer: anyProject(agentId), accepts: () => true });

describe('the entity index', () => {
  test('finds the longest name in a text, whatever its case', () => {
    const index = new EntityIndex();
    index.add(0, naming(['Apollo']));
    index.add(1, naming(['Apollo Gateway']));
    expect(index.namedIn('is the APOLLO gateway up?', anyProject('ann'))).toEqual(['apollo gateway']);
    expect(index.namedIn('is apollo up?', anyProject('ann'))).toEqual(['apollo']);
    expect(index.namedIn('is it up?', anyProject('ann'))).toEqual([]);
  });

  test('counts a memory once that names one entity in two ways, and has nothing of it left without that', () => {
    const index = new EntityIndex();
    const [first, twice] = [naming(['Dana']), naming(['Kestrel', 'kestrel', 'KESTREL'])];
    index.add(1, first);
    for (const ordinal of [0, 2]) index.add(ordinal, twice);
    expect(index.fan('kestrel', anyProject('ann'))).toBe(2);
    expect(index.keysOf(0)).toEqual(['kestrel']);
    for (const ordinal of [0, 2]) index.remove(ordinal, twice);
    expect(index.fan('kestrel', anyProject('ann'))).toBe(0);
    expect(index.namedIn('where is the Kestrel?', anyProject('ann'))).toEqual([]);
  });

  test.each([
    ["what about Dana's team.", 'dana'],
    ['ask @dana!', 'dana'],
    ['who fixed #12?', '#12'],
    ['is pull request 12 merged', '#12'],
    ['restart the auth service', 'auth-service'],
    ['restart auth-service, please', 'auth-service'],
    ['the lord of the rings', 'lord of the rings'],
    ['我们的Redis怎么样', 'redis'],
    ['Will is here', 'will'],
  ])('finds in %j the name %j', (text, key) => {
    const index = new EntityIndex();
    index.add(0, naming(['Dana', '#12', 'auth-service', 'Lord of the Rings', 'Redis', 'Will']));
    expect(index.namedIn(text, anyProject('ann'))).toEqual([key]);
  });

  test.each(['will it rain', 'the 12 tests', 'danas', 'of the rings', ''])('finds none in %j', (text) => {
    const index = new EntityIndex();
    index.add(0, naming(['Dana', '#12', 'Lord of the Rings', 'Will']));
    expect(index.namedIn(text, anyProject('ann'))).toEqual([]);
  });

  test('does not let newer memories that are not accepted hide older ones', () => {
    const index = new EntityIndex();
    index.add(0, naming(['Apollo']));
    for (let ordinal = 1; ordinal <= 2_000; ordinal++) index.add(ordinal, naming(['Apollo'], 'bob', 'PRIVATE'));
    expect([...index.linkedTo('apollo', (ordinal) => ordinal === 0)]).toEqual([0]);
    expect([...index.linkedTo('apollo', () => true)]).toHaveLength(500);
    const hits = index.hits(['apollo'], { viewer: anyProject('ann'), accepts: (ordinal) => ordinal === 0 });
    expect([...hits]).toEqual([[0, 1]]);
  });

  test('finds a name of several words again after all its memories were gone', () => {
    const index = new EntityIndex();
    for (let round = 0; round < 3; round++) {
      index.add(round, naming(['Red Fox']));
      expect(index.namedIn('the red fox', anyProject('ann'))).toEqual(['red fox']);
      index.remove(round, naming(['Red Fox']));
      expect(index.namedIn('the red fox', anyProject('ann'))).toEqual([]);
    }
  });

  test('proposes what the named entities are linked to, the rarer name first', () => {
    const index = new EntityIndex();
    for (let ordinal = 0; ordinal < 20; ordinal++) index.add(ordinal, naming(['Apollo']));
    index.add(20, naming(['Dana']));
    index.add(21, naming(['Apollo', 'Dana']));
    const hits = index.hits(index.namedIn('What did Dana say of Apollo?', anyProject('ann')), everything('ann'));
    expect(hits.get(21)).toBe(1);
    expect(hits.get(20)).toBeGreaterThan(hits.get(0) as number);
  });

  test("knows nothing of what only another agent's PRIVATE memories name", () => {
    const index = new EntityIndex();
    index.add(0, naming(['Nightshade'], 'ann', 'PRIVATE'));
    index.add(1, naming(['Apollo'], 'bob', 'TEAM'));
    expect(index.namedIn('Nightshade and Apollo', anyProject('bob'))).toEqual(['apollo']);
    expect(index.fan('nightshade', anyProject('bob'))).toBe(0);
    expect(index.namedIn('Nightshade and Apollo', anyProject('ann'))).toEqual(['nightshade', 'apollo']);
  });

  test('agrees with a list of memories after any adds and removes', () => {
    const names = ['Apollo', 'Dana', 'ACME-12', 'Zoë', 'v1.2.3', 'Red Fox', 'Red Hat'];
    const memory = fc.record({
      entities: fc.subarray(names).map((chosen) => chosen.map((name) => ({ name, type: 'other' as const }))),
      agentId: fc.constantFrom('ann', 'bob'),
      scope: fc.constantFrom<Scope>('TEAM', 'SHARED', 'PRIVATE'),
      project: fc.constantFrom(null, 'shop', 'till'),
    });
    const steps = fc.array(fc.tuple(memory, fc.nat({ max: 12 })), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (changes) => {
        const index = new EntityIndex();
        const twin = new Map<number, Naming>();
        for (const [change, ordinal] of changes) {
          const known = twin.get(ordinal);
          if (known) index.remove(ordinal, known);
          twin.delete(ordinal);
          if (known && ordinal % 2 === 0) continue;
          index.add(ordinal, change);
          twin.set(ordinal, change);
        }
        for (const viewer of viewers) {
          for (const name of names) {
            const key = name.toLowerCase();
            const seen = [...twin].filter(
              ([, { entities, ...memory }]) =>
                entities.some((entity) => entity.name === name) && isVisibleTo(viewer, memory),
            );
            expect(index.fan(key, viewer)).toBe(seen.length);
            expect(index.namedIn(`about ${name} now`, viewer)).toEqual(seen.length > 0 ? [key] : []);
            const linked = [...index.linkedTo(key, (ordinal) => seen.some(([known]) => known === ordinal))];
            expect(linked).toEqual(seen.map(([ordinal]) => ordinal).sort((a, b) => b - a));
          }
        }
      }),
    );
  });
});
