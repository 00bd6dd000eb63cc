import { ManualClock } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { TimeSlicer } from '../../../../src/domain/concurrency/time-slicer.ts';
import { absorbing } from '../../../../src/domain/consolidation/duplicates/absorb.ts';
import { meaningKey, nearDuplicates } from '../../../../src/domain/consolidation/duplicates/near-duplicates.ts';
import type { Memory } from '../../../../src/domain/memory/memory.ts';
import type { StoredMemory } from '../../../../src/domain/memory/memory-store.ts';
import { sampleMemory, sampleStrength } from '../../../sample-memory.ts';

const keyOf = (content: string, changes: Partial<Memory> = {}) =>
  meaningKey(
    sampleMemory(1, {
      content,
      gist: content,
      gistEdited: false,
      kind: 'episodic',
      scope: 'TEAM',
      supersededBy: null,
      ...changes,
    }),
  );

describe('what says the same', () => {
  test.each([
    ["We won't support Node 18.", 'We will not support Node 18!'],
    ['It’s “green” on CI since 10:30.', "it's green on CI since 10:30"],
    ['The build takes 1,200 seconds.', 'Build takes 1200 seconds'],
    ['Well, the cache really is write-through.', 'The cache is write-through.'],
  ])('%s = %s', (one, other) => {
    expect(keyOf(one)).not.toBeNull();
    expect(keyOf(one)).toBe(keyOf(other));
  });

  test.each([
    ['The limit is 5 MB.', 'The limit is 5 GB.'],
    ['The limit is < 5 MB.', 'The limit is > 5 MB.'],
    ['The area is 10² metres.', 'The area is 102 metres.'],
    ['Only Ann may deploy.', 'Ann may deploy.'],
    ['The freeze was lifted.', 'The freeze is lifted.'],
    ['Ann reports to Bob.', 'Bob reports to Ann.'],
    ['We never deploy on Friday.', 'We deploy on Friday.'],
    ['Use Node 20.11 here in CI.', 'Use Node 20.1 here in CI.'],
    ['Alarms are muted at 1.5 volts.', 'Alarms are muted at 15 volts.'],
    ['The proxy listens on 0.0.0.0:80.', 'The proxy listens on 0.0.0.0:8080.'],
  ])('%s is not %s', (one, other) => {
    expect(keyOf(one)).not.toBeNull();
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test('depends on who speaks where it is about the speaker, or points back', () => {
    const other = { agentId: 'someone-else' };
    expect(keyOf('The proxy listens on port 80.')).toBe(keyOf('The proxy listens on port 80.', other));
    expect(keyOf('My proxy listens on port 80.')).not.toBe(keyOf('My proxy listens on port 80.', other));
    expect(keyOf('Dad works at Bosch.')).not.toBe(keyOf('Dad works at Bosch.', other));
    expect(keyOf('The proxy listens on port 80.')).not.toBe(keyOf('The proxy listens on port 80.', { name: 'Zoe' }));
    expect(keyOf('The proxy listens on port 80.')).not.toBe(keyOf('The proxy listens on port 80.', { source: 'user' }));
    expect(keyOf('It listens on port 80 again.')).not.toBe(
      keyOf('It listens on port 80 again.', { sessionId: 'another' }),
    );
  });

  test('depends on the day where it tells a time by that', () => {
    const nextDay = { createdAt: sampleMemory(1).createdAt + 86_400_000 };
    expect(keyOf('Backups ran fine yesterday evening.')).not.toBe(
      keyOf('Backups ran fine yesterday evening.', nextDay),
    );
    expect(keyOf('Backups run on the standby.')).toBe(keyOf('Backups run on the standby.', nextDay));
  });

  test.each(['Is the proxy up on port 80?', 'Sounds good!', 'Thanks a lot.', 'x'.repeat(3_000)])(
    '%.40s never is a duplicate',
    (content) => {
      expect(keyOf(content)).toBeNull();
    },
  );
});

describe('a group', () => {
  const groupsOf = (memories: readonly StoredMemory[]) =>
    nearDuplicates(memories, {
      decidedAmong: async () => new Set(),
      slicer: new TimeSlicer({ clock: new ManualClock(0), pause: async () => {}, isStopped: () => false }),
    });
  const repeated = (count: number, metadata: Memory['metadata']): StoredMemory[] =>
    Array.from({ length: count }, (_, number) => {
      const text = { content: 'The proxy listens on port 80.', gist: 'The proxy listens on port 80.' };
      const memory = sampleMemory(number, {
        ...text,
        gistEdited: false,
        kind: 'episodic',
        scope: 'TEAM',
        role: null,
        name: null,
        supersededBy: null,
        metadata,
      });
      return { memory, strength: sampleStrength(number) };
    });

  test.each([
    ['many', 450, {}],
    ['long ones', 40, { log: 'x'.repeat(60_000) }],
  ])('of %s ends where its survivor would be too long, and is found the same again', async (_, count, metadata) => {
    let memories = repeated(count, metadata);
    for (const isAgain of [false, true]) {
      const groups = await groupsOf(memories);
      expect(groups.length > 1).toBe(!isAgain);
      const absorbed = new Set(groups.flatMap(({ others }) => others));
      const survivors = new Map(groups.map((group) => [group.survivor, absorbing(group, 0)]));
      memories = memories.filter((one) => !absorbed.has(one)).map((one) => survivors.get(one) ?? one);
      for (const { memory } of memories) {
        expect(memory.absorbed?.length ?? 0).toBeLessThanOrEqual(100);
        expect(JSON.stringify(memory).length).toBeLessThan(300 * 1024);
      }
    }
    const ids = memories.flatMap(({ memory }) => [memory.id, ...(memory.absorbed ?? []).map((one) => one.memory.id)]);
    expect(ids.sort()).toEqual(repeated(count, {}).map(({ memory }) => memory.id));
  });
});
