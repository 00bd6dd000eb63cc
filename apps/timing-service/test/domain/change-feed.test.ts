import { expect, test } from '@jest/globals';
import { type Change, ChangeFeed } from '../../src/domain/change-feed.ts';
import { STARTED_MS, sampleEnd, sampleTask } from './sample-task.ts';

const numbered: Change = {
  kind: 'timing',
  agentId: 'ann',
  project: null,
  event: { ...sampleEnd(), sequence: 1 },
  task: null,
};
const unnumbered: Change[] = [
  {
    kind: 'stopwatch',
    agentId: 'ann',
    project: null,
    stopwatch: { name: 'tea', agentId: 'ann', project: null, startedMs: STARTED_MS, stoppedMs: null },
  },
  { kind: 'stopwatch-deleted', agentId: 'ann', project: null, name: 'tea' },
  { kind: 'abandoned', agentId: 'ann', project: null, task: sampleTask() },
  { kind: 'reset' },
];

test('every listener is told every change in order, until it ends its subscription', () => {
  const feed = new ChangeFeed();
  const told: [string, Change][] = [];
  const end = feed.subscribe((change) => told.push(['first', change]));
  feed.subscribe((change) => told.push(['second', change]));
  expect(feed.listeners).toBe(2);
  feed.publish(numbered);
  end();
  end();
  expect(feed.listeners).toBe(1);
  feed.publish({ kind: 'reset' });
  expect(told).toEqual([
    ['first', numbered],
    ['second', numbered],
    ['second', { kind: 'reset' }],
  ]);
});

test('changes that are in no sequence are counted, also while nobody listens', () => {
  const feed = new ChangeFeed();
  feed.publish(numbered);
  expect(feed.unnumbered).toBe(0);
  for (const change of unnumbered) feed.publish(change);
  expect(feed.unnumbered).toBe(4);
});
