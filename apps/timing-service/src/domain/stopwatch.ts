import { secondsBetween } from './instant.ts';

/** Wall-clock instants, so that a stopwatch survives a restart of the server. */
export interface Stopwatch {
  readonly name: string;
  readonly agentId: string;
  readonly startedMs: number;
  readonly stoppedMs: number | null;
}

export interface StopwatchStore {
  /** Starts anew or resets; `full` when the agent has `limit` others already and nothing was written. */
  start(stopwatch: Stopwatch, limit: number): Promise<'started' | 'restarted' | 'full'>;
  find(agentId: string, name: string): Promise<Stopwatch | null>;
  /** Stops a running stopwatch, not before its start. Returns the stopwatch; null when there is none. */
  stop(agentId: string, name: string, stoppedMs: number): Promise<Stopwatch | null>;
  delete(agentId: string, name: string): Promise<boolean>;
  /** In order of creation. */
  list(agentId: string): Promise<Stopwatch[]>;
}

export function elapsedSeconds(stopwatch: Stopwatch, nowMs: number): number {
  return secondsBetween(stopwatch.startedMs, stopwatch.stoppedMs ?? nowMs);
}
