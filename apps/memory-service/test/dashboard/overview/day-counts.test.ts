import { expect, test } from '@jest/globals';

interface Lane {
  readonly agent_id: string;
  readonly kind: string;
  readonly counts: number[];
}
interface Timeline {
  readonly since: string;
  readonly until: string;
  readonly total: number;
  readonly lanes: Lane[];
}
interface DayCounts {
  daysDrawn(firstMs: number, endMs: number): number;
  runsOfDays(starts: number[]): { since: number; until: number; days: number }[];
  joined(parts: { days: number; timeline: Timeline }[]): Timeline;
  countsOfLastDays(timeline: { lanes: Lane[] }, days: number): Map<string, number>;
  daysOf(timeline: { since: string; until: string; lanes: Lane[] }): number[];
  seriesOf(lanes: Lane[], field: 'agent_id' | 'kind'): { name: string; values: number[] }[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/overview/day-counts.js', import.meta.url).href;
const { daysDrawn, runsOfDays, joined, countsOfLastDays, daysOf, seriesOf }: DayCounts = await import(FILE);

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

test('days are counted together where they are equally long, so that none begins in another', () => {
  // Berlin in 2026: the clocks went back on 25 October, which had 25 hours.
  const starts = ['24T22', '25T23', '26T23', '27T23'].map((hour) => Date.parse(`2026-10-${hour}:00Z`));
  const [first, second, third, end] = [Date.parse('2026-10-23T22:00Z'), ...starts] as [number, number, number, number];
  expect(runsOfDays([Date.parse('2026-10-22T22:00Z'), first, ...starts])).toEqual([
    { since: Date.parse('2026-10-22T22:00Z'), until: second, days: 2 },
    { since: second, until: third, days: 1 },
    { since: third, until: starts[3], days: 2 },
  ]);
  expect(runsOfDays([third, end])).toHaveLength(1);
});

test('timelines that follow each other are one, with nothing on the days on which an agent was silent', () => {
  const part = (day: number, days: number, total: number, lanes: Lane[]) => ({
    days,
    timeline: { since: `2026-10-${day}`, until: `2026-10-${day + days}`, total, lanes },
  });
  const ann = { agent_id: 'ann', kind: 'episodic' };
  const bob = { agent_id: 'bob', kind: 'episodic' };
  const parts = [
    part(23, 2, 3, [{ ...ann, counts: [1, 2] }]),
    part(25, 1, 4, [{ ...bob, counts: [4] }]),
    part(26, 2, 5, [{ ...ann, counts: [5, 0] }]),
  ];
  expect(joined(parts)).toEqual({
    since: '2026-10-23',
    until: '2026-10-28',
    total: 12,
    lanes: [
      { ...ann, counts: [1, 2, 0, 5, 0] },
      { ...bob, counts: [0, 0, 4, 0, 0] },
    ],
  });
});
