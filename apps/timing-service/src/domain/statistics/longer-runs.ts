import { wilsonInterval } from '@agent-faculties/stats-math';
import type { DurationSample } from './duration-history.ts';
import { INTERVAL_CONFIDENCE } from './percentile.ts';

/** Runs that took longer than a time, by how they ended. What was cut off before it ended says nothing of that. */
export interface LongerRuns {
  readonly ok: number;
  readonly error: number;
}

export function longerRuns({ ended }: DurationSample, seconds: number): LongerRuns {
  const longer = ({ sorted }: (typeof ended)['ok']) => sorted.size - sorted.countAtMost(seconds);
  return { ok: longer(ended.ok), error: longer(ended.error) };
}

/** Whether most runs of the kind fail, and not only most of the few that were seen: the least is four of four. */
export function mostFail({ ok, error }: LongerRuns): boolean {
  const trials = ok + error;
  return trials > 0 && wilsonInterval({ successes: error, trials, confidence: INTERVAL_CONFIDENCE }).low > 0.5;
}
