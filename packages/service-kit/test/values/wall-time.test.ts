/** @jest-environment-options {"timeZone": "America/Los_Angeles"} */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf, instantOf, timeZoneName, wallTime } from '../../src/values/wall-time.ts';

const HOUR_MS = 3_600_000;
const FORMAT = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Los_Angeles',
  dateStyle: 'short',
  timeStyle: 'medium',
});
/** Seconds of 1950 to 2090. */
const instants = fc.integer({ min: -631_152_000, max: 3_786_912_000 }).map((second) => second * 1000);

describe('the time zone of the process', () => {
  test('is the one that TZ names', () => {
    expect(timeZoneName()).toBe('America/Los_Angeles');
  });

  // A process reads TZ when it starts. The function needs nothing of its file.
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['', 'UTC'],
    [':/etc/localtime', 'UTC'],
    ['Mars/Olympus', 'UTC'],
    ['UTC+3', 'Etc/GMT+3'],
    ['UTC-2', 'Etc/GMT-2'],
    ['XYZ-15', 'UTC'],
  ])('is, where TZ is %j, one that Intl takes: %s', (TZ, expected) => {
    const name = execFileSync(process.execPath, ['-p', `(${timeZoneName})()`], { env: { TZ }, encoding: 'utf8' });
    expect(name.trim()).toBe(expected);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: expected })).not.toThrow();
  });

  test('shows the wall time and the day that Intl.DateTimeFormat shows', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const shown = FORMAT.format(instant);
        expect(new Date(wallTime(instant)).toISOString().slice(0, 19).replace('T', ' ')).toBe(shown);
        expect(dayOf(instant)).toBe(shown.slice(0, 10));
      }),
      { numRuns: 1_000 },
    );
  });

  test('leads from a wall time to its instant', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const found = instantOf(wallTime(instant));
        expect(wallTime(found)).toBe(wallTime(instant));
        expect([0, HOUR_MS]).toContain(instant - found);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['one that spring skips', '2026-03-08T02:30:00Z', '2026-03-08T10:30:00.000Z'],
    ['the first of two in autumn', '2026-11-01T01:30:00Z', '2026-11-01T08:30:00.000Z'],
    ['midnight', '2026-11-29T00:00:00Z', '2026-11-29T08:00:00.000Z'],
    ['the year 50', '0050-06-01T00:00:00Z', '0050-06-01T07:52:58.000Z'],
  ])('%s', (_, wall, instant) => {
    expect(new Date(instantOf(Date.parse(wall))).toISOString()).toBe(instant);
  });
});
