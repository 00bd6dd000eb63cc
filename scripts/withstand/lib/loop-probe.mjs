// Loaded into a service with --import: notes each turn of its event loop in which the main thread worked for long. A line in the
// file LOOP_PROBE_FILE: when the turn ended (epoch milliseconds), milliseconds of work. Work is time on a core, where the
// system tells it, so that a busy machine does not count; else time that passed.
import { appendFileSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;
const NOTED_FROM_MS = 15;

// Child processes and threads of the service inherit the flag.
if (isMainThread && process.argv[1]?.endsWith('main.js')) watch(process.env.LOOP_PROBE_FILE);

function watch(file) {
  const worked = workClock();
  let before = worked();
  setInterval(() => {
    const now = worked();
    if (now - before >= NOTED_FROM_MS) appendFileSync(file, `${Date.now()} ${(now - before).toFixed(1)}\n`);
    before = worked();
  }, EVERY_MS).unref();
}

/** Milliseconds that the main thread has worked. */
function workClock() {
  try {
    const statistics = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const buffer = Buffer.alloc(128);
    return () => {
      const length = readSync(statistics, buffer, 0, buffer.length, 0);
      return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
    };
  } catch {
    return () => performance.now();
  }
}
