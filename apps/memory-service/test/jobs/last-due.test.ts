import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import cron from 'node-cron';
import { lastDue } from '../../src/jobs/last-due.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Zones with summer time in the north and in the south, with an offset of half an hour, with a change by half an hour, with a change at midnight, and without summer time. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Auckland',
];

const at = (iso: string) => Date.parse(iso);
const due = (expression: string, timezone: string, nowMs: number, afterMs = Number.NEGATIVE_INFINITY) =>
  lastDue({ task: cron.createTask(expression, () => {}, { timezone }), timezone, nowMs, afterMs });

// The naive twin knows of cron only what a field of numbers means. It looks at each minute of the wall clock.

interface Fields {
  readonly minute: readonly number[] | null;
  readonly hour: readonly number[] | null;
  readonly day: readonly number[] | null;
  readonly month: readonly number[] | null;
  /** 0 is Sunday. */
  readonly weekday: readonly number[] | null;
}

const expressionOf = ({ minute, hour, day, month, weekday }: Fields) =>
  [minute, hour, day, month, weekday].map((values) => values?.join(',') ?? '*').join(' ');

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const clocks = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    }),
  ]),
);

function wallClock(ms: number, timezone: string): Record<keyof Fields, number> {
  const parts = clocks.get(timezone)?.formatToParts(ms) ?? [];
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    minute: Number(part('minute')),
    hour: Number(part('hour')),
    day: Number(part('day')),
    month: Number(part('month')),
    weekday: WEEKDAYS.indexOf(part('weekday')),
  };
}

/** All times of the schedule, the last one first. */
function* naive(fields: Fields, timezone: string, { nowMs, afterMs }: { nowMs: number; afterMs: number }) {
  for (let ms = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS; ms > afterMs; ms -= MINUTE_MS) {
    const clock = wallClock(ms, timezone);
    const fits = (Object.keys(clock) as (keyof Fields)[]).every((key) => fields[key]?.includes(clock[key]) ?? true);
    if (fits) yield ms;
  }
}

/** Whether the wall clock shows the same at both, as it does in the hour that comes twice. */
const showsTheSame = (a: number, b: number, timezone: string) =>
  Math.abs(a - b) <= HOUR_MS && JSON.stringify(wallClock(a, timezone)) === JSON.stringify(wallClock(b, timezone));

const some = (min: number, max: number) =>
  fc.option(fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }));
const fields: fc.Arbitrary<Fields> = fc.record({
  minute: fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 3 }),
  hour: some(0, 23),
  day: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, some(1, 31)),
  month: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, some(1, 12)),
  weekday: fc.oneof(fc.constant(null), fc.constant([1, 2, 3, 4, 5]), some(0, 6)),
});
/** Any moment, and moments around the changes of the clocks and the leap day. */
const moment = fc.oneof(
  fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2028-12-31T00:00:00Z') }),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00:00Z',
        '2026-10-25T01:00:00Z',
        '2026-03-08T07:00:00Z',
        '2026-11-01T06:00:00Z',
        '2026-04-04T15:00:00Z',
        '2026-10-03T15:30:00Z',
        '2026-04-05T03:00:00Z',
        '2026-09-06T04:00:00Z',
        '2024-02-29T03:00:00Z',
      ),
      fc.integer({ min: -6 * HOUR_MS, max: DAY_MS }),
    )
    .map(([change, distance]) => at(change) + distance),
);

describe('the last time that a schedule named', () => {
  test('is that of a twin that looks at each minute, in every zone, after every restart', () => {
    fc.assert(
      fc.property(
        fields,
        fc.constantFrom(...ZONES),
        moment,
        fc.integer({ min: 0, max: 4 * DAY_MS }),
        (schedule, timezone, nowMs, awayMs) => {
          const expression = expressionOf(schedule);
          fc.pre(cron.validate(expression));
          const span = { nowMs, afterMs: nowMs - awayMs };
          const found = due(expression, timezone, nowMs, span.afterMs);
          const [expected = null] = naive(schedule, timezone, span);
          if (found === null || expected === null) {
            // A time that the wall clock shows twice counts once, so the twin leaves out one whose first occurrence was before the restart.
            if (expected !== null) expect(showsTheSame(expected, expected - HOUR_MS, timezone)).toBe(true);
            else expect(found).toBeNull();
            return;
          }
          expect(found).toBeLessThanOrEqual(nowMs);
          if (!showsTheSame(found, expected, timezone)) expect(found).toBe(expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    ['of weekdays, on a Saturday', '0 3 * * 1-5', 'UTC', '2026-11-21T10:00:00Z', '2026-11-20T03:00:00Z'],
    ['of weekdays, on a Monday before it', '0 3 * * 1-5', 'UTC', '2026-11-23T02:59:59Z', '2026-11-20T03:00:00Z'],
    ['at that very moment', '0 3 * * *', 'UTC', '2026-11-21T03:00:00Z', '2026-11-21T03:00:00Z'],
    ['a moment before', '0 3 * * *', 'UTC', '2026-11-21T02:59:59.999Z', '2026-11-20T03:00:00Z'],
    ['once a month', '30 1 1 * *', 'Europe/Berlin', '2026-11-21T10:00:00Z', '2026-11-01T00:30:00Z'],
    ['on the last day of a month', '0 3 L * *', 'UTC', '2026-11-21T10:00:00Z', '2026-10-31T03:00:00Z'],
    ['three days before it', '0 3 L-3 * *', 'UTC', '2026-11-21T10:00:00Z', '2026-10-28T03:00:00Z'],
    ['on the weekday nearest to the 15th', '0 3 15W * *', 'UTC', '2026-11-21T10:00:00Z', '2026-11-16T03:00:00Z'],
    ['on the last Friday', '0 3 * * 5L', 'UTC', '2026-11-21T10:00:00Z', '2026-10-30T03:00:00Z'],
    ['on the first Monday', '0 3 1-7 * Monday', 'UTC', '2026-11-21T10:00:00Z', '2026-11-02T03:00:00Z'],
    ['in a month by its name', '0 3 * January *', 'UTC', '2026-11-21T10:00:00Z', '2026-01-31T03:00:00Z'],
    ['on a leap day', '0 3 29 2 *', 'UTC', '2026-11-21T10:00:00Z', '2024-02-29T03:00:00Z'],
    ['before the clocks go forward', '0 3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-28T02:00:00Z'],
    ['after the clocks went forward', '0 3 * * *', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29T01:00:00Z'],
    ['that the clocks have skipped', '30 2 * * *', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T01:30:00Z'],
    ['before the clocks go back', '0 3 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-24T01:00:00Z'],
    ['after the clocks went back', '0 3 * * *', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-25T02:00:00Z'],
  ])('%s', (_, expression, timezone, now, expected) => {
    expect(new Date(due(expression, timezone, at(now)) ?? 0).toISOString()).toBe(new Date(expected).toISOString());
  });

  test('is none where it never came, or lies before what is of interest', () => {
    expect(due('0 3 8-14 * 1#1', 'UTC', at('2026-11-21T10:00:00Z'))).toBeNull();
    expect(due('0 3 29 2 1', 'UTC', at('2026-11-21T10:00:00Z'), at('2025-01-01T00:00:00Z'))).toBeNull();
    expect(due('0 3 * * *', 'UTC', at('2026-11-21T10:00:00Z'), at('2026-11-21T03:00:00Z'))).toBeNull();
  });
});
