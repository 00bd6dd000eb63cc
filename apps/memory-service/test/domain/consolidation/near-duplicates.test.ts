import { describe, expect, test } from '@jest/globals';
import { meaningKey } from '../../../src/domain/consolidation/near-duplicates.ts';
import type { Memory } from '../../../src/domain/memory.ts';
import { sampleMemory } from '../../storage/sample-memory.ts';

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
    expect(keyOf('The proxy listens on port 80.')).not.toBe(keyOf('The proxy listens on port 80.', { name: 'Zoe' }));
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
