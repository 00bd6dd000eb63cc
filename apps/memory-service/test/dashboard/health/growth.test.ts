import { expect, test } from '@jest/globals';

interface Timeline {
  readonly since: string;
  readonly until: string;
  readonly lanes: { kind: string; counts: number[] }[];
}
interface Growth {
  endsOf(timeline: Timeline, spans: number): number[];
  sumsOf(timeline: Timeline, kind: string, spans: number): number[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/health/growth.js', import.meta.url).href;
const { endsOf, sumsOf }: Growth = await import(FILE);

const timeline = {
  since: '2026-11-01T00:00:00.000Z',
  until: '2026-11-04T00:00:00.000Z',
  lanes: [
    { kind: 'episodic', counts: [1, 0, 2] },
    { kind: 'semantic', counts: [5, 0, 0] },
    { kind: 'episodic', counts: [0, 4, 0] },
  ],
};

test('a column stands for the end of its span', () => {
  expect(endsOf(timeline, 3)).toEqual([2, 3, 4].map((day) => Date.UTC(2026, 10, day)));
});

test('the store grows by what each agent said, kind by kind', () => {
  expect(sumsOf(timeline, 'episodic', 3)).toEqual([1, 5, 7]);
  expect(sumsOf(timeline, 'semantic', 3)).toEqual([5, 5, 5]);
  expect(sumsOf({ ...timeline, lanes: [] }, 'episodic', 3)).toEqual([0, 0, 0]);
});
