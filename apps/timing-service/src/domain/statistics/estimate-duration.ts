import type { Whose } from '../whose.ts';
import { type DurationEstimate, type EstimateDeps, type EstimateInput, NO_ESTIMATE } from './duration-estimate.ts';
import { estimateFromHistory, longestCutOff } from './estimate-from-history.ts';
import { estimateFromOthers } from './estimate-from-others.ts';
import { calculated, errorWithoutLookUps } from './exact-durations.ts';
import { basisOf } from './recent-runs.ts';

/** If the interval over the agent's own runs covers less than this, the estimate takes the runs of all agents. */
const LEAST_COVERAGE = 0.5;

/** How long a task will take: by its own history, else by that of all agents, else by what is like it. */
export async function estimateDuration(deps: EstimateDeps, input: EstimateInput): Promise<DurationEstimate> {
  const { whose, taskType, nowMs } = input;
  let known = { seconds: 0, error: 0 };
  for (const [of, scope] of scopesOf(whose)) {
    const { sample, change } = await basisOf(deps, { whose: scope, taskType, nowMs });
    if (sample.ended.ok.sorted.size === 0) {
      known = { seconds: longestCutOff(sample, nowMs), error: errorWithoutLookUps(sample) };
      continue;
    }
    const { result, error } = await calculated(sample, (exact) => estimateFromHistory(exact, nowMs));
    return { ...result, of, error, change };
  }
  return noLessThan(known, await unseenDuration(deps, input));
}

async function unseenDuration(deps: EstimateDeps, input: EstimateInput): Promise<DurationEstimate> {
  const { whose, estimatedSeconds } = input;
  let first: DurationEstimate | null = null;
  for (const [of, scope] of scopesOf(whose)) {
    const likely = await estimateFromOthers(deps, { ...input, whose: scope });
    if ((likely?.coverage ?? 0) >= LEAST_COVERAGE) return { ...(likely as DurationEstimate), of };
    if (likely) first ??= { ...likely, of };
  }
  if (first) return first;
  return estimatedSeconds === null
    ? NO_ESTIMATE
    : { ...NO_ESTIMATE, source: 'own_estimate', seconds: estimatedSeconds };
}

/** Raises an estimate from other types to the longest run of this type that was cut off: that run shows it to be too short. */
function noLessThan(known: { readonly seconds: number; readonly error: number }, estimate: DurationEstimate) {
  if (estimate.seconds === null || known.seconds <= estimate.seconds) return estimate;
  const [, high] = estimate.interval;
  const isRefuted = high === null || high < known.seconds;
  return {
    ...estimate,
    seconds: known.seconds,
    error: Math.max(known.error, estimate.error),
    ...(isRefuted && { interval: NO_ESTIMATE.interval, coverage: NO_ESTIMATE.coverage }),
  };
}

function scopesOf(whose: Whose): readonly (readonly ['agent' | 'all', Whose])[] {
  const all = ['all', { ...whose, agentId: null }] as const;
  return whose.agentId === null ? [all] : [['agent', whose], all];
}
