/**
 * Repeats work, which never rejects, with pauses between. All spaces of the process begin together, at
 * full multiples of the pause, so that they ask the database in one statement.
 */
export function everySoOften(waitMs: () => number, work: () => Promise<void>): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = work().then(next);
    }, untilNext(waitMs()));
    timer.unref();
  };
  next();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Milliseconds until the next full multiple that is at least half a pause away: a timer may be a little early. */
function untilNext(waitMs: number): number {
  const left = waitMs - (performance.now() % waitMs);
  return Math.ceil(left < waitMs / 2 ? left + waitMs : left);
}
