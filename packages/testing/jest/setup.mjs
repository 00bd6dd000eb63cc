// Before the first test of a run; its workers inherit the environment.
import { tmpdir } from 'node:os';
import { buildDashboards } from '../../../scripts/lib/dashboards.mjs';
import { makeTestFolder } from './test-folder.mjs';

export default async function setup() {
  process.env.TMPDIR = makeTestFolder(tmpdir(), process.pid);
  process.env.RUN_FOLDER_TEST = process.env.TMPDIR;
  // Whatever the zone of the machine, days are the same; a file of tests may name another zone.
  process.env.TZ = 'UTC';
  // Services run from the sources, and so must their pages.
  await buildDashboards();
}
