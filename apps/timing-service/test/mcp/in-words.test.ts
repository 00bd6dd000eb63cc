import { expect, test } from '@jest/globals';
import { clockInWords, usual } from '../../src/mcp/in-words.ts';

test('what is usual says of a p95 that nobody has seen the end of that it is at least so long', () => {
  const summary = { median_seconds: 38, p95_seconds: 71, count: 24 } as Parameters<typeof usual>[0];
  expect(usual(summary)).toBe('38 s mostly, p95 71 s (24 runs)');
  expect(usual({ ...summary, at_least: ['p95_seconds'] })).toBe('38 s mostly, p95 at least 71 s (24 runs)');
});

test('the clock says which day of the week it is, of the time in UTC', () => {
  expect(clockInWords('2026-11-29T23:59:59.000000+00:00')).toBe('It is 2026-11-29T23:59:59.000000+00:00, a Sunday.');
  expect(clockInWords('2026-11-30T00:00:00.000000+00:00')).toBe('It is 2026-11-30T00:00:00.000000+00:00, a Monday.');
});
