import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MILLISECONDS = 200;

/** Runs work while holding a lock file, so that two set-ups at once wait for each other. A dead holder's lock is taken over. */
export async function withLock(path, { onWait, work }) {
  for (let waited = false; !tryTake(path); waited = true) {
    if (!waited) onWait();
    await sleep(POLL_MILLISECONDS);
  }
  const release = () => rmSync(path, { force: true });
  const releaseAndExit = (signal) => {
    release();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', releaseAndExit).once('SIGTERM', releaseAndExit);
  try {
    return await work();
  } finally {
    release();
    process.off('SIGINT', releaseAndExit).off('SIGTERM', releaseAndExit);
  }
}

function tryTake(path) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = readHolder(path);
  if (holder === null || isAlive(holder)) return false;
  rmSync(path, { force: true });
  return tryTake(path);
}

/** The process id in the lock; null while it is being written or just released. */
function readHolder(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || null;
  } catch {
    return null;
  }
}

function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
