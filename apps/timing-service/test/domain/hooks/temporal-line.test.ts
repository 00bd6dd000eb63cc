import { expect, test } from '@jest/globals';
import { type Temporal, temporalLine } from '../../../src/domain/hooks/temporal-line.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 9, 35);
const line = (fields: Partial<Temporal> = {}) =>
  temporalLine({
    nowMs: NOW_MS,
    timeZone: 'Europe/Berlin',
    isServerZone: false,
    sinceLastSeconds: null,
    habits: [],
    ...fields,
  });

test('says the time on the wall of the user, summer time and midnight too', () => {
  expect(line()).toBe('It is Sunday 2026-11-22 10:35 (Europe/Berlin).');
  expect(line({ nowMs: Date.UTC(2026, 6, 1, 22, 5) })).toBe('It is Thursday 2026-07-02 00:05 (Europe/Berlin).');
  expect(line({ isServerZone: true })).toBe("It is Sunday 2026-11-22 10:35 (Europe/Berlin, the server's time zone).");
});

test.each([
  [null, ''],
  [-5, ''],
  [59, ''],
  [60, '60 s'],
  [119.4, '119 s'],
  [120, '2 min'],
  [7_199, '120 min'],
  [7_200, '2 h'],
  [144_000, '40 h'],
  [259_200, '3 d'],
])('a pause of %s s is "%s"', (sinceLastSeconds, words) => {
  const said = line({ sinceLastSeconds });
  expect(said).toBe(
    `It is Sunday 2026-11-22 10:35 (Europe/Berlin).${words && ` The user's last message was ${words} ago.`}`,
  );
});

test('says how long commands take, and where a p95 is not known', () => {
  const habits = [
    { taskType: 'npm test', medianSeconds: 38, p95Seconds: 71, runs: 24, areNewest: false },
    { taskType: 'tool:`x`', medianSeconds: 5.04, p95Seconds: null, runs: 3, areNewest: false },
    { taskType: 'npm run build', medianSeconds: 90, p95Seconds: 100, runs: 40, areNewest: true },
  ];
  expect(line({ habits })).toBe(
    'It is Sunday 2026-11-22 10:35 (Europe/Berlin). `npm test` takes 38 s (median), p95 71 s, 24 runs. ' +
      "`tool:'x'` takes 5 s (median), p95 longer than any so far, 3 runs. " +
      '`npm run build` takes 90 s (median), p95 100 s, the newest 40 runs.',
  );
});
