import { describe, expect, test } from '@jest/globals';

interface Window {
  readonly since: number;
  readonly until: number;
}
interface TimeWindow {
  columnsOf(spanMs: number, most: number): number;
  zoomed(span: Window, factor: number, share?: number): Window;
  shifted(span: Window, share: number): Window;
  windowOf(width: number, shown: { span: Window; heldAt: number | null; lastAt: number | null }): Window;
  inLines(spans: { from: number; to: number }[], gap: number): { line: number }[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/timeline/time-window.js', import.meta.url).href;
const { columnsOf, zoomed, shifted, windowOf, inLines }: TimeWindow = await import(FILE);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test.each([
  ['an hour', HOUR_MS, 120],
  ['a day', DAY_MS, 120],
  ['a week: two hours each', 7 * DAY_MS, 84],
  ['a month: six hours each', 30 * DAY_MS, 120],
  // 120 would be of 18 hours each, of which every fourth or so has no working hour in it.
  ['a quarter: a day each', 91 * DAY_MS + 30 * 60_000, 91],
  ['a year: a week each', 365 * DAY_MS, 52],
  ['thirty years', 30 * 365 * DAY_MS, 120],
])('columns of %s', (_, spanMs, columns) => {
  expect(columnsOf(spanMs, 120)).toBe(columns);
});

const SPAN = { since: 0, until: 100 * HOUR_MS };

test.each([
  ['closer, around its middle', 0.5, 0.5, { since: 25 * HOUR_MS, until: 75 * HOUR_MS }],
  ['farther, around its end', 2, 1, { since: -100 * HOUR_MS, until: 100 * HOUR_MS }],
  ['closer than two minutes', 0.000_001, 0, { since: 0, until: 120_000 }],
])('a window %s', (_, factor, share, window) => {
  expect(zoomed(SPAN, factor, share)).toEqual(window);
});

test('a window moves by a share of its width', () => {
  expect(shifted(SPAN, -0.25)).toEqual({ since: -25 * HOUR_MS, until: 75 * HOUR_MS });
});

describe('a window of a day', () => {
  test('lies around the moment of what was held', () => {
    const shown = { span: SPAN, heldAt: 50 * HOUR_MS, lastAt: null };
    expect(windowOf(DAY_MS, shown)).toEqual({ since: 38 * HOUR_MS, until: 62 * HOUR_MS });
  });

  test('ends with what is shown where nothing is known of what was said last', () => {
    expect(windowOf(DAY_MS, { span: SPAN, heldAt: null, lastAt: null }).until).toBe(SPAN.until);
  });

  test('ends a little after what was said last, and within what is shown', () => {
    const until = (lastAt: number) => windowOf(DAY_MS, { span: SPAN, heldAt: null, lastAt }).until;
    expect(until(50 * HOUR_MS)).toBe(50 * HOUR_MS + 0.02 * DAY_MS);
    expect(until(200 * HOUR_MS)).toBe(SPAN.until);
    // As wide as what is shown from its begin, where all was said before.
    expect(until(HOUR_MS)).toBe(DAY_MS);
  });
});

test('spans that overlap, or nearly touch, stand in lines of their own', () => {
  const spans = [
    { from: 0, to: 10 },
    { from: 5, to: 8 },
    { from: 9, to: 12 },
    { from: 11, to: 20 },
  ];
  expect(inLines(spans, 1).map(({ line }) => line)).toEqual([0, 1, 1, 0]);
});
