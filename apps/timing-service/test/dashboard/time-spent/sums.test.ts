import { expect, test } from '@jest/globals';

type Times = {
  tasks: number;
  spent_seconds: number;
  busy_seconds: number;
  longest_seconds: number;
  [group: string]: unknown;
};
type Group = { name: string; spentSeconds: number; busySeconds: number; tasks: number; oddSeconds: number };
// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/time-spent/sums.js', import.meta.url).href;
const {
  byDay,
  groupsOf,
  seriesOf,
  unitFor,
}: {
  byDay(groups: Times[], days: string[], what: 'spent_seconds' | 'busy_seconds'): number[];
  groupsOf(groups: Times[], by: string): Group[];
  seriesOf(groups: Group[], parts: Times[], by: string, days: string[]): { name: string; values: number[] }[];
  unitFor(mostSeconds: number): { seconds: number; sign: string };
} = await import(FILE);

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const times = (spent: number, busy: number, of: Record<string, unknown>): Times => ({
  ...{ tasks: 1, spent_seconds: spent, busy_seconds: busy, longest_seconds: spent },
  ...of,
});
const BY_PROJECT = groupsOf([times(110, 45, { project: null }), times(60, 50, { project: 'blog' })], 'project');

test('what belongs to no project has a name', () => {
  expect(BY_PROJECT).toEqual([
    { name: 'no project', spentSeconds: 110, busySeconds: 45, tasks: 1, oddSeconds: 0 },
    { name: 'blog', spentSeconds: 60, busySeconds: 50, tasks: 1, oddSeconds: 0 },
  ]);
});

test('one task that takes most of the time of its type, and ten times what the others take, is told apart', () => {
  const oddOf = (tasks: number, spent: number, longest: number, by = 'task_type') =>
    groupsOf([{ ...times(spent, spent, { task_type: 'build' }), tasks, longest_seconds: longest }], by)[0]?.oddSeconds;
  expect(oddOf(5, 32_440, 32_400)).toBe(32_400);
  expect(oddOf(2, 110, 100)).toBe(0);
  expect(oddOf(2, 111, 101)).toBe(101);
  // Among many tasks it is no matter.
  expect(oddOf(1_000, 20_000, 9_000)).toBe(0);
  expect(oddOf(1, 32_400, 32_400)).toBe(0);
  expect(oddOf(5, 32_440, 32_400, 'agent')).toBe(0);
});

test('a day on which a group did nothing is a nought of its series', () => {
  const parts = [
    times(60, 50, { day: '2026-03-01', project: 'blog' }),
    times(10, 10, { day: '2026-03-01', project: null }),
    times(100, 40, { day: '2026-03-03', project: null }),
  ];
  expect(seriesOf(BY_PROJECT, parts, 'project', DAYS)).toEqual([
    { name: 'no project', values: [10, 0, 100] },
    { name: 'blog', values: [60, 0, 0] },
  ]);
  expect(byDay([times(70, 55, { day: '2026-03-02' })], DAYS, 'busy_seconds')).toEqual([0, 55, 0]);
});

test('outcomes are all told, always in one order, since each has its colour', () => {
  const groups = [times(9, 9, { outcome: 'active' }), times(5, 5, { outcome: 'error' })];
  expect(groupsOf(groups, 'outcome').map(({ name, spentSeconds }) => [name, spentSeconds])).toEqual([
    ['ok', 0],
    ['error', 5],
    ['timeout', 0],
    ['cancelled', 0],
    ['running', 9],
    ['abandoned', 0],
  ]);
});

test.each([
  [0, 's'],
  [119, 's'],
  [120, 'min'],
  [7_199, 'min'],
  [7_200, 'h'],
  [900_000, 'h'],
])('columns of up to %d s are drawn in %s', (mostSeconds, sign) => {
  expect(unitFor(mostSeconds).sign).toBe(sign);
});
