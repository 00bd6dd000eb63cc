import { expect, test } from '@jest/globals';

interface Lane {
  readonly agent: string;
  readonly count: number;
  readonly counts: number[];
  readonly held: number[];
  readonly sessions: object[];
  readonly points: object[];
}
interface Lanes {
  lanesOf(timeline: object): Lane[];
  topOf(lanes: Lane[]): number;
  heldCount(timeline: object): number;
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/timeline/lanes.js', import.meta.url).href;
const { lanesOf, topOf, heldCount }: Lanes = await import(FILE);

const timeline = {
  lanes: [
    { agent_id: 'ann', kind: 'episodic', counts: [1, 0], held: [1, 0] },
    { agent_id: 'bob', kind: 'episodic', counts: [2, 3], held: [0, 3] },
    { agent_id: 'ann', kind: 'semantic', counts: [0, 1], held: [0, 1] },
  ],
  sessions: [{ agent_id: 'ann', session_id: 's' }],
  points: null,
};

test('an agent has one lane for all kinds, and the one that said most comes first', () => {
  expect(lanesOf(timeline)).toEqual([
    { agent: 'bob', count: 5, counts: [2, 3], held: [0, 3], sessions: [], points: [] },
    { agent: 'ann', count: 2, counts: [1, 1], held: [1, 1], sessions: timeline.sessions, points: [] },
  ]);
});

test('each memory stands in the lane of its agent', () => {
  const points = [{ agent_id: 'bob', id: 'one' }];
  expect(lanesOf({ ...timeline, points }).map((lane) => lane.points)).toEqual([points, []]);
});

test('columns are as high as the highest of all lanes, and one where there is none', () => {
  expect(topOf(lanesOf(timeline))).toBe(3);
  expect(topOf([])).toBe(1);
});

test('what holds is counted over all lanes and columns', () => {
  expect(heldCount(timeline)).toBe(5);
});
