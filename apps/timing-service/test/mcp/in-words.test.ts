import { expect, test } from '@jest/globals';
import { clockInWords, comparisonInWords, usual } from '../../src/mcp/in-words.ts';

test('what is usual says of a p95 that nobody has seen the end of that it is at least so long', () => {
  const summary = { median_seconds: 38, p95_seconds: 71, count: 24 } as Parameters<typeof usual>[0];
  expect(usual(summary)).toBe('38 s mostly, p95 71 s (24 runs)');
  expect(usual({ ...summary, at_least: ['p95_seconds'] })).toBe('38 s mostly, p95 at least 71 s (24 runs)');
});

test('the clock says which day of the week it is, of the time in UTC', () => {
  expect(clockInWords('2026-11-29T23:59:59.000000+00:00')).toBe('It is 2026-11-29T23:59:59.000000+00:00, a Sunday.');
  expect(clockInWords('2026-11-30T00:00:00.000000+00:00')).toBe('It is 2026-11-30T00:00:00.000000+00:00, a Monday.');
});

test('a difference that is sure on average is told, where no way is mostly the fastest', () => {
  type Told = Parameters<typeof comparisonInWords>[0];
  const on_average = { approach: 'new', other: 'old', difference_seconds: 30, interval: [20, 40] };
  const compared = {
    approaches: [],
    recommendation: 'new',
    verdict: 'too_close_to_call',
    on_average,
    warning: null,
  } as unknown as Told;
  expect(comparisonInWords(compared, 'this agent')).toBe(
    'Which is mostly the fastest is too close to call, but on average new takes 30 s less than old (95 %: 20 s to 40 s): ' +
      'take that where many runs add up.',
  );
  const unsure = { ...compared, on_average: { ...on_average, interval: [-5, 65] } } as Told;
  expect(comparisonInWords(unsure, 'this agent')).toMatch(/^The difference may be chance, or is too small to matter/);
});

test('a way whose runs were cut off takes at least so long, and is at most so likely the fastest', () => {
  const approach = { steps: [], mean_seconds: 27, p95_seconds: 30, ranked: true };
  const compared = {
    approaches: [
      { ...approach, name: 'cut', at_least: ['mean_seconds', 'p95_seconds'], probability_fastest: 1 },
      { ...approach, name: 'whole', mean_seconds: 100, p95_seconds: 110, probability_fastest: 0 },
    ],
    recommendation: 'cut',
    verdict: 'too_close_to_call',
    on_average: null,
    warning: null,
  } as unknown as Parameters<typeof comparisonInWords>[0];
  expect(comparisonInWords(compared, 'this agent').split('\n').slice(1)).toEqual([
    '- cut: at least 27 s on average, p95 at least 30 s, the fastest with a probability of at most 100 %',
    '- whole: 100 s on average, p95 110 s, the fastest with a probability of 0 %',
  ]);
});
