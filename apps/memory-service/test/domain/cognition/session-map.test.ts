import { describe, expect, test } from '@jest/globals';
import { SessionMap } from '../../../src/domain/cognition/session-map.ts';

const caller = (agentId: string, sessionId: string | null, project: string | null = null) => ({
  agentId,
  sessionId,
  project,
  space: 'default',
});

describe('a session map', () => {
  test('keeps agents, sessions, projects and the absence of each apart', () => {
    const map = new SessionMap<string>({ most: 10 });
    const callers = [
      caller('a', 'b'),
      caller('a', null),
      caller('a', 'null'),
      caller('a","b', null),
      caller('b', 'a'),
      caller('a', ''),
      caller('a', 'b', 'p'),
      caller('a', null, 'p'),
    ];
    callers.forEach((one, index) => {
      map.getOrCreate(one, () => `value ${index}`);
    });
    expect(callers.map((one) => map.get(one))).toEqual(callers.map((_, index) => `value ${index}`));
    expect(map.get(caller('c', null))).toBeUndefined();
    expect(map.get(caller('a', 'b', '*'))).toBe('value 0');
  });

  test('drops what was used least recently and says so', () => {
    const dropped: string[] = [];
    const map = new SessionMap<string>({ most: 2, dropped: (value) => dropped.push(value) });
    map.getOrCreate(caller('a', null), () => 'first');
    map.getOrCreate(caller('b', null), () => 'second');
    map.get(caller('a', null));
    map.getOrCreate(caller('c', null), () => 'third');
    expect(dropped).toEqual(['second']);
    expect([...map.values()]).toEqual(['first', 'third']);
    expect(map.size).toBe(2);
  });
});
