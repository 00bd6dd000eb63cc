import { expect, test } from '@jest/globals';

type Task = {
  agent_id: string;
  correlation_id: string;
  state: 'active' | 'ended' | 'abandoned';
  started_at: string;
  ended_at: string | null;
  abandoned_at?: string;
};
type Span = { fromMs: number; toMs: number };
type Bar = { task: Task; row: number; from: number; to: number };
// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/timeline/lane-layout.js', import.meta.url).href;
const { packLane }: { packLane(tasks: Task[], range: Span & { narrowest: number }): { bars: Bar[]; hidden: number } } =
  await import(FILE);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
const SPAN = { fromMs: Date.parse(at(10)), toMs: Date.parse(at(20)) };
const task = (id: string, startMinute: number, fields: Partial<Task> = {}): Task => ({
  ...{ agent_id: 'ann', correlation_id: id, state: 'active', started_at: at(startMinute), ended_at: null },
  ...fields,
});
const ended = (id: string, from: number, to: number) => task(id, from, { state: 'ended', ended_at: at(to) });
const abandoned = (id: string, from: number, to: number) =>
  task(id, from, { state: 'abandoned', abandoned_at: at(to) });

test('a bar lies where the task ran, an abandoned one until it was given up', () => {
  const tasks = [ended('ended', 11, 15), abandoned('abandoned', 12, 13), task('runs', 14), ended('next', 13, 14)];
  const { bars } = packLane(tasks, { ...SPAN, narrowest: 0.01 });
  expect(bars.map(({ task, row, from, to }) => [task.correlation_id, row, from, to])).toEqual([
    ['ended', 0, 0.1, 0.5],
    ['abandoned', 1, 0.2, 0.3],
    ['next', 1, 0.3, 0.4],
    ['runs', 1, 0.4, 1],
  ]);
});

test('one of which nobody kept when it was given up is shown where it began', () => {
  const { bars } = packLane([task('old', 12, { state: 'abandoned' })], { ...SPAN, narrowest: 0.01 });
  expect(bars.map(({ from, to }) => [from, to - from])).toEqual([[0.2, expect.closeTo(0.01)]]);
});

test('what was given up hides nothing that ran later', () => {
  const tasks = [
    ...Array.from({ length: 9 }, (_, index) => abandoned(`a${index}`, index, index + 1)),
    task('runs', 15),
  ];
  expect(packLane(tasks, { ...SPAN, narrowest: 0.01 })).toMatchObject({
    bars: [{ task: { correlation_id: 'runs' } }],
    hidden: 0,
  });
});
