// After the last test of a run.
import { dirname } from 'node:path';
import { removeTestFolder } from './test-folder.mjs';

export default function teardown() {
  const folder = process.env.TMPDIR;
  // A process that watches begins again.
  process.env.TMPDIR = dirname(folder);
  delete process.env.RUN_FOLDER_TEST;
  removeTestFolder(folder);
}
