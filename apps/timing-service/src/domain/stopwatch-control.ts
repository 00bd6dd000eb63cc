import { type Clock, ConflictError, NotFoundError } from '@agent-faculties/service-kit';
import type { ChangeFeed } from './change-feed.ts';
import type { Stopwatch, StopwatchStore } from './stopwatch.ts';

/** Enough for any agent. A leak of names fails before it harms other agents. */
export const STOPWATCHES_PER_AGENT = 1_000;

export interface StopwatchDeps {
  readonly clock: Clock;
  readonly stopwatches: StopwatchStore;
  readonly feed: ChangeFeed;
  /** Called when a stop comes before the start, which only a clock that was set back explains. */
  readonly onClockStep?: (stopwatch: Stopwatch) => void;
}

/** @throws ConflictError when the agent has too many */
export async function startStopwatch(deps: StopwatchDeps, agentId: string, name: string) {
  const stopwatch: Stopwatch = { name, agentId, startedMs: deps.clock.now(), stoppedMs: null };
  const result = await deps.stopwatches.start(stopwatch, STOPWATCHES_PER_AGENT);
  if (result === 'full') {
    throw new ConflictError(
      `The agent '${agentId}' has ${STOPWATCHES_PER_AGENT} stopwatches: delete one that is no longer needed.`,
      { code: 'too_many_stopwatches' },
    );
  }
  deps.feed.publish({ kind: 'stopwatch', agentId, stopwatch });
  return { stopwatch, restarted: result === 'restarted' };
}

/** @throws NotFoundError */
export async function readStopwatch(deps: StopwatchDeps, agentId: string, name: string): Promise<Stopwatch> {
  return (await deps.stopwatches.find(agentId, name)) ?? noSuchStopwatch(agentId, name);
}

/** @throws NotFoundError */
export async function stopStopwatch(deps: StopwatchDeps, agentId: string, name: string): Promise<Stopwatch> {
  const nowMs = deps.clock.now();
  const stopwatch = await deps.stopwatches.stop(agentId, name, nowMs);
  if (!stopwatch) return noSuchStopwatch(agentId, name);
  if (nowMs < stopwatch.startedMs) deps.onClockStep?.(stopwatch);
  deps.feed.publish({ kind: 'stopwatch', agentId, stopwatch });
  return stopwatch;
}

/** @throws NotFoundError */
export async function deleteStopwatch(deps: StopwatchDeps, agentId: string, name: string): Promise<void> {
  if (!(await deps.stopwatches.delete(agentId, name))) noSuchStopwatch(agentId, name);
  deps.feed.publish({ kind: 'stopwatch-deleted', agentId, name });
}

function noSuchStopwatch(agentId: string, name: string): never {
  throw new NotFoundError(`The agent '${agentId}' has no stopwatch named '${name}': start it first.`, {
    code: 'unknown_stopwatch',
  });
}
