import { expect, test } from '@jest/globals';
import { elapsedSeconds } from '../../src/domain/stopwatch.ts';
import { STARTED_MS } from './sample-task.ts';

test.each([
  ['a running one has the time until now', null, 1_500, 1.5],
  ['a stopped one has the time until it stopped', 2_000, 9_000, 2],
  ['none has less than no time', null, -60_000, 0],
])('%s', (_what, stoppedAfterMs, nowAfterMs, seconds) => {
  const stoppedMs = stoppedAfterMs === null ? null : STARTED_MS + stoppedAfterMs;
  const stopwatch = { name: 'tea', agentId: 'ann', project: null, startedMs: STARTED_MS, stoppedMs };
  expect(elapsedSeconds(stopwatch, STARTED_MS + nowAfterMs)).toBe(seconds);
});
