// One folder for all that the tests of a run leave in the temporary directory, so that it goes with the run, failed tests and killed
// programs included.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** `af-tests-PID-…`: short, because addresses of sockets in it may have 107 bytes. */
const NAME = /^af-tests-(\d+)-/;
const RETRIES = 5;

/** Also removes those of runs that were killed. @returns the path of a new one in a directory */
export function makeTestFolder(directory, pid) {
  for (const name of readdirSync(directory)) {
    const owner = Number(NAME.exec(name)?.[1]);
    if (owner > 0 && !isAlive(owner)) removeIfOurs(join(directory, name));
  }
  const folder = mkdtempSync(join(directory, `af-tests-${pid}-`));
  // PostgreSQL and nginx run as users of their own, and only have to get through.
  chmodSync(folder, 0o711);
  return folder;
}

/** One of another user stays until that user runs the tests again. */
function removeIfOurs(folder) {
  try {
    removeTestFolder(folder);
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
  }
}

/** A browser that was killed may still be writing. */
export function removeTestFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: RETRIES });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
