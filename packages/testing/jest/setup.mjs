// Before the first test of a run; its workers inherit the environment.
import { tmpdir } from 'node:os';
import { makeTestFolder } from './test-folder.mjs';

export default function setup() {
  process.env.TMPDIR = makeTestFolder(tmpdir(), process.pid);
  process.env.RUN_FOLDER_TEST = process.env.TMPDIR;
  // Whatever the zone of the machine, days are the same; a file of tests may name another zone.
  process.env.TZ = 'UTC';
}
