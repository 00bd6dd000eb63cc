import { describe, expect, test } from '@jest/globals';
import { validate, version } from 'uuid';
import { ManualClock, timeOfId, timeOrderedIds } from '../../src/index.ts';

const withDashes = (id: string) => id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');

describe('timeOrderedIds', () => {
  test('are UUIDs of version 7 without dashes that begin with the time', () => {
    const id = timeOrderedIds(new ManualClock(0x0189_abcd_ef01)).next();
    expect(id).toMatch(/^0189abcdef01[0-9a-f]{20}$/);
    expect([validate(withDashes(id)), version(withDashes(id))]).toEqual([true, 7]);
  });

  test('tell when they were made, and others do not', () => {
    expect(timeOfId(timeOrderedIds(new ManualClock(0x0189_abcd_ef01)).next())).toBe(0x0189_abcd_ef01);
    const version4 = '9b2e4f1c7a3d4e5f8a1b2c3d4e5f6a7b';
    expect([version4, 'c17', ''].map(timeOfId)).toEqual([null, null, null]);
  });

  test('increase strictly while the clock stands, goes on and is set back', () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const source = timeOrderedIds(clock);
    const ids: string[] = [];
    for (let step = 0; step < 3000; step += 1) {
      if (step % 500 === 0) clock.advance(step % 1000 === 0 ? -60_000 : 61_000.25);
      ids.push(source.next());
    }
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});
