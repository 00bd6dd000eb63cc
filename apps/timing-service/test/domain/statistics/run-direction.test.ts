import { describe, expect, test } from '@jest/globals';
import { directionAgainst, directionAmong } from '../../../src/domain/statistics/run-direction.ts';
import { STARTED_MS, sampleTask } from '../sample-task.ts';
import { sampleOf } from './sample-durations.ts';

const ok = (seconds: number) => sampleTask({ state: 'ended', outcome: 'ok', durationSeconds: seconds });
const cutOff = (seconds: number) => sampleTask({ state: 'ended', outcome: 'timeout', durationSeconds: seconds });
const times = <Item>(count: number, item: Item) => Array<Item>(count).fill(item);

describe('the newest of some runs', () => {
  // By hand: 20 runs that beat 20 others have U = 400 of 400; z = 200 / sqrt(400 * 41 / 12) = 5.4.
  test.each([
    ['slower', 11, 10],
    ['faster', 9, 10],
    [null, 10, 10],
  ])('are %s at %d s than others at %d s', (direction, newest, before) => {
    expect(directionAmong([...times(20, ok(newest)), ...times(20, ok(before))], STARTED_MS)).toBe(direction);
  });

  test('are neither where fewer than 20 are on a side', () => {
    expect(directionAmong([...times(20, ok(99)), ...times(19, ok(10))], STARTED_MS)).toBeNull();
    expect(directionAmong(times(19, ok(99)), STARTED_MS)).toBeNull();
  });

  test('are neither where they were cut off before the others ended: those speak for no direction', () => {
    expect(directionAmong([...times(20, cutOff(5)), ...times(20, ok(10))], STARTED_MS)).toBeNull();
    expect(directionAmong([...times(20, cutOff(11)), ...times(20, ok(10))], STARTED_MS)).toBe('slower');
  });

  test('that still run count with the time that they have run', () => {
    const running = sampleTask({ startedMs: STARTED_MS - 11_000 });
    expect(directionAmong([...times(20, running), ...times(20, ok(10))], STARTED_MS)).toBe('slower');
  });
});

test('the newest runs are held against a sample without themselves', () => {
  const others = [...times(22, 10), ...times(8, 12)];
  // By hand: they beat 22 of 30, U = 440 of 600; z = 140 / sqrt(600 * 51 / 12) = 2.8. With themselves among the others it would be 1.8.
  const sample = sampleOf({ ok: [...others, ...times(20, 11)] });
  expect(directionAgainst(sample, times(20, ok(11)), STARTED_MS)).toBe('slower');
});
