import { type Clock, ConflictError, NotFoundError } from '@agent-faculties/service-kit';
import type { ChangeFeed } from './change-feed.ts';
import { STOPWATCHES_PER_AGENT, type Stopwatch, type StopwatchName, type StopwatchStore } from './stopwatch.ts';

export interface StopwatchDeps {
  readonly clock: Clock;
  readonly stopwatches: StopwatchStore;
  readonly feed: ChangeFeed;
  /** Called when a stop comes before the start, which only a clock that was set back explains. */
  readonly onClockStep?: (stopwatch: Stopwatch) => void;
}

/** @throws ConflictError when the agent has too many */
export async function startStopwatch(deps: StopwatchDeps, which: StopwatchName) {
  const { agentId, project } = which;
  const stopwatch: Stopwatch = { ...which, startedMs: deps.clock.now(), stoppedMs: null };
  const result = await deps.stopwatches.start(stopwatch, STOPWATCHES_PER_AGENT);
  if (result === 'full') {
    throw new ConflictError(
      `The agent '${agentId}' has ${STOPWATCHES_PER_AGENT} stopwatches: delete one that is no longer needed.`,
      { code: 'too_many_stopwatches' },
    );
  }
  deps.feed.publish({ kind: 'stopwatch', agentId, project, stopwatch });
  return { stopwatch, restarted: result === 'restarted' };
}

/** @throws NotFoundError */
export async function readStopwatch(deps: StopwatchDeps, which: StopwatchName): Promise<Stopwatch> {
  return (await deps.stopwatches.find(which)) ?? noSuchStopwatch(which);
}

/** @throws NotFoundError */
export async function stopStopwatch(deps: StopwatchDeps, which: StopwatchName): Promise<Stopwatch> {
  const nowMs = deps.clock.now();
  const stopwatch = await deps.stopwatches.stop(which, nowMs);
  if (!stopwatch) return noSuchStopwatch(which);
  if (nowMs < stopwatch.startedMs) deps.onClockStep?.(stopwatch);
  const { agentId, project } = stopwatch;
  deps.feed.publish({ kind: 'stopwatch', agentId, project, stopwatch });
  return stopwatch;
}

/** @throws NotFoundError */
export async function deleteStopwatch(deps: StopwatchDeps, which: StopwatchName): Promise<void> {
  const { agentId, project, name } = (await deps.stopwatches.delete(which)) ?? noSuchStopwatch(which);
  deps.feed.publish({ kind: 'stopwatch-deleted', agentId, project, name });
}

function noSuchStopwatch({ agentId, project, name }: StopwatchName): never {
  const where = project === null ? '' : ` in the project '${project}'`;
  throw new NotFoundError(`The agent '${agentId}' has no stopwatch named '${name}'${where}: start it first.`, {
    code: 'unknown_stopwatch',
  });
}
