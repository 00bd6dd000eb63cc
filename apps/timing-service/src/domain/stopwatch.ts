import { secondsBetween } from './instant.ts';

/** Enough for any agent. A leak of names fails before it harms other agents, and a list is not too long for one answer. */
export const STOPWATCHES_PER_AGENT = 1_000;

/** Wall-clock instants, so that a stopwatch survives a restart of the server. */
export interface Stopwatch {
  readonly name: string;
  readonly agentId: string;
  readonly project: string | null;
  readonly startedMs: number;
  readonly stoppedMs: number | null;
}

/**
 * Which stopwatch is meant. Each project of an agent has names of its own. One that is to be read, stopped or deleted is looked for
 * among those seen in the project: first that of the project itself, then the one that was made last.
 */
export interface StopwatchName {
  readonly agentId: string;
  readonly project: string | null;
  readonly name: string;
}

export interface StopwatchStore {
  /** Starts anew or resets; `full` when the agent has `limit` others already and nothing was written. */
  start(stopwatch: Stopwatch, limit: number): Promise<'started' | 'restarted' | 'full'>;
  find(which: StopwatchName): Promise<Stopwatch | null>;
  /** Stops a running stopwatch, not before its start. Returns the stopwatch; null when there is none. */
  stop(which: StopwatchName, stoppedMs: number): Promise<Stopwatch | null>;
  /** Returns what was deleted; null when there is none. */
  delete(which: StopwatchName): Promise<Stopwatch | null>;
  /** An agent's stopwatches that are seen in a project, in order of creation. */
  list(whose: { agentId: string; project: string | null }): Promise<Stopwatch[]>;
}

export function elapsedSeconds(stopwatch: Stopwatch, nowMs: number): number {
  return secondsBetween(stopwatch.startedMs, stopwatch.stoppedMs ?? nowMs);
}
