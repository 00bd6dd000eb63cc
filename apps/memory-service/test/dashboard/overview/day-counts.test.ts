import { expect, test } from '@jest/globals';

interface Lane {
  readonly agent_id: string;
  readonly kind: string;
  readonly counts: number[];
}
interface DayCounts {
  daysDrawn(firstMs: number, endMs: number): number;
  countsOfLastDays(timeline: { lanes: Lane[] }, days: number): Map<string, number>;
  daysOf(timeline: { since: string; until: string; lanes: Lane[] }): number[];
  seriesOf(lanes: Lane[], field: 'agent_id' | 'kind'): { name: string; values: number[] }[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/overview/day-counts.js', import.meta.url).href;
const { daysDrawn, countsOfLastDays, daysOf, seriesOf }: DayCounts = await import(FILE);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LANES = [
  { agent_id: 'ann', kind: 'episodic', counts: [1, 2, 4] },
  { agent_id: 'bob', kind: 'episodic', counts: [0, 0, 1] },
  { agent_id: 'ann', kind: 'semantic', counts: [0, 0, 8] },
];

test.each([
  ['two weeks at least', 1, 14],
  ['as many as there are', 91, 91],
  ['half a year at most', 400, 180],
])('a chart draws %s', (_, days, drawn) => {
  expect(daysDrawn(0, days * DAY_MS)).toBe(drawn);
  // The clock change makes one day an hour longer or shorter.
  expect(daysDrawn(HOUR_MS, days * DAY_MS)).toBe(drawn);
  expect(daysDrawn(-HOUR_MS, days * DAY_MS)).toBe(drawn);
});

test('what was learnt on the last days counts by agent, all kinds together', () => {
  expect([...countsOfLastDays({ lanes: LANES }, 1)]).toEqual([
    ['ann', 12],
    ['bob', 1],
  ]);
  expect(countsOfLastDays({ lanes: LANES }, 7).get('ann')).toBe(15);
});

test('a series sums up what is of one agent, or of one kind', () => {
  expect(seriesOf(LANES, 'agent_id')).toEqual([
    { name: 'ann', values: [1, 2, 12] },
    { name: 'bob', values: [0, 0, 1] },
  ]);
  expect(seriesOf(LANES, 'kind')).toEqual([
    { name: 'episodic', values: [1, 2, 5] },
    { name: 'semantic', values: [0, 0, 8] },
  ]);
});

test('a day is known by its middle, with lanes or without', () => {
  const span = { since: '2026-11-01T00:00:00.000Z', until: '2026-11-04T00:00:00.000Z' };
  const middles = [1, 2, 3].map((day) => Date.UTC(2026, 10, day, 12));
  expect(daysOf({ ...span, lanes: LANES })).toEqual(middles);
  expect(daysOf({ ...span, lanes: [] })).toEqual(middles);
});
