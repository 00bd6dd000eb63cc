// After the last test of a run.
import { removeTestFolder } from './test-folder.mjs';

export default function teardown() {
  removeTestFolder(process.env.TMPDIR);
}
