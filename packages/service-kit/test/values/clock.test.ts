import { describe, expect, test } from '@jest/globals';
import { refinedClock, systemClock } from '../../src/values/clock.ts';

/** A true time of which the wall clock shows whole milliseconds and the monotonic one the rest. */
function sources(start: number) {
  const time = { trueMs: start, wallStepMs: 0 };
  const clock = refinedClock({
    wall: () => Math.floor(time.trueMs + time.wallStepMs),
    monotonic: () => time.trueMs - start,
  });
  return { time, clock };
}

describe('refinedClock', () => {
  test('refines whole milliseconds and stays within 2 ms of the wall clock', () => {
    const { time, clock } = sources(1_000_000.9);
    const readings = new Set<number>();
    for (let step = 0; step < 1000; step += 1) {
      time.trueMs += 0.37;
      const reading = clock.now();
      readings.add(reading);
      expect(reading).toBeGreaterThanOrEqual(Math.floor(time.trueMs));
      expect(reading).toBeLessThanOrEqual(Math.floor(time.trueMs) + 2);
    }
    expect(readings.size).toBe(1000);
  });

  test.each([3_600_000, -3_600_000, 5, -5])('follows a step of the wall clock by %d ms at once', (stepMs) => {
    const { time, clock } = sources(1_000_000.5);
    clock.now();
    time.wallStepMs = stepMs;
    expect(Math.abs(clock.now() - (time.trueMs + stepMs))).toBeLessThanOrEqual(2);
  });

  test('does not add up the drift of a wall clock that runs slow', () => {
    const { time, clock } = sources(1_000_000.5);
    for (let step = 0; step < 1000; step += 1) {
      time.trueMs += 1;
      time.wallStepMs -= 0.1;
      expect(Math.abs(clock.now() - (time.trueMs + time.wallStepMs))).toBeLessThanOrEqual(3);
    }
  });
});

describe('systemClock', () => {
  test('shows the time of the machine', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now() + 2);
  });
});
