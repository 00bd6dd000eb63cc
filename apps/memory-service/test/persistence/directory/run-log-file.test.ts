import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Report } from '../../../src/domain/consolidation/report.ts';
import { RunLogFile } from '../../../src/persistence/directory/run-log-file.ts';
import { directoryOf, scratchFolder } from '../../scratch-folder.ts';

const REPORT: Report = {
  id: 'run-1',
  dryRun: false,
  startedAt: 1_795_253_400_123,
  tookMs: 12,
  stopped: false,
  problem: 'The disk is full.',
  examined: [],
  clusters: [],
  deduplicated: [{ owner: { scope: 'TEAM', agentId: 'ann', project: null }, id: 'a', absorbed: ['b'] }],
  created: [],
  rebuilt: [],
  removed: [],
  pruned: [],
  pruneSkipped: null,
  contradictions: null,
  skipped: [],
};

let path: string;
let removeScratch: () => void;
beforeEach(() => {
  ({ path, removeScratch } = scratchFolder());
});
afterEach(() => removeScratch());

test('a report, a night and who took a run back outlive a restart, each by itself', async () => {
  const log = await RunLogFile.open(directoryOf(path));
  expect([log.last, log.lastNight]).toEqual([null, null]);
  await log.noteNight({ startedAt: 1, isWhole: false });
  await log.note(REPORT);
  const again = await RunLogFile.open(directoryOf(path));
  expect([again.last, again.lastNight]).toEqual([REPORT, { startedAt: 1, isWhole: false }]);
  await again.noteNight({ startedAt: 1, isWhole: true });
  const third = await RunLogFile.open(directoryOf(path));
  expect([third.last, third.lastNight]).toEqual([REPORT, { startedAt: 1, isWhole: true }]);
  expect(third.undoers).toBeNull();
  const undoers = { run: 'run-1', viewers: [{ agentId: 'ann', project: null }] };
  await third.noteUndoers(undoers);
  const fourth = await RunLogFile.open(directoryOf(path));
  expect([fourth.last, fourth.undoers]).toEqual([REPORT, undoers]);
});

test('a report of an earlier version had no problem, and knew of no night', async () => {
  const { problem: _, ...earlier } = REPORT;
  writeFileSync(join(path, 'consolidation.json'), JSON.stringify({ last_report: earlier }));
  const log = await RunLogFile.open(directoryOf(path));
  expect([log.last, log.lastNight]).toEqual([{ ...REPORT, problem: null }, null]);
});
