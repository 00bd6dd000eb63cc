import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTurns } from '@agent-faculties/service-kit';
import { median, type OrderedSample } from '@agent-faculties/stats-math';
import type { EventStore } from '../event.ts';
import { secondsBetween } from '../instant.ts';
import type { TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import { curveOfNext } from './duration-curve.ts';
import { cutOffCount, type DurationHistory, type DurationSample } from './duration-history.ts';
import { calculated, errorWithoutLookUps } from './exact-durations.ts';
import { isCensored, percentileOf } from './percentile.ts';
import { basisOf, type DurationChange } from './recent-runs.ts';
import { stuckShare } from './stuck-runs.ts';
import {
  asIfOfNewType,
  type KnownType,
  mostSimilar,
  namedMedian,
  type Prediction,
  predictFrom,
  predictFromNames,
  type SimilarType,
  wordsOf,
} from './unseen-type.ts';

/** Types that are compared with an unknown one; each is compared with each, which takes 5 ms. */
const MOST_TYPES = 100;
/** Durations of one type that are looked at. */
const MOST_RANKS = 41;
/** Past estimates that correct a new one. */
const MOST_ESTIMATES = 1_000;
/** Fewer of one type say nothing of another type: the first task may have been a trial that was ended at once. */
export const LEAST_ESTIMATES = 3;
const SIMILAR_SHOWN = 5;
/** The share of runs that an interval over the runs of one type covers. */
const COVERAGE = 0.8;

/** A probability that is reached exactly is not missed by its last digit. */
const ROUNDING = 1e-9;

/** If the interval over the agent's own runs covers less than this, the estimate takes the runs of all agents. */
const LEAST_COVERAGE = 0.5;

export interface DurationEstimate {
  /** history: of this type; similar_names: of types with words in common, or of all; own_estimate: what was sent, corrected. */
  readonly source: 'history' | 'similar_names' | 'own_estimate' | 'none';
  /** Whose tasks it rests on. */
  readonly of: 'agent' | 'all' | null;
  readonly seconds: number | null;
  /** Null ends where too little is known. */
  readonly interval: readonly [number | null, number | null];
  /** The share of future runs that end ok and lie in the interval; null without one. */
  readonly coverage: number | null;
  /** Tasks, of all types, that it rests on. */
  readonly sampleCount: number;
  readonly similar: readonly (SimilarType & { readonly medianSeconds: number; readonly count: number })[];
  /** Actual by estimated seconds, as it usually is. */
  readonly ratio: number | null;
  /** The greatest relative error of the durations behind the estimate; 0: they are exact. */
  readonly error: number;
  /** Of the history that it rests on; null where its newest runs are like those before. */
  readonly change: DurationChange | null;
}

export interface EstimateDeps {
  readonly history: DurationHistory;
  readonly events: EventStore;
  readonly tasks: TaskStore;
}

export interface EstimateInput {
  readonly whose: Whose;
  readonly taskType: string;
  /** What the agent thinks itself. */
  readonly estimatedSeconds: number | null;
  readonly nowMs: number;
}

const NOTHING: DurationEstimate = {
  source: 'none',
  of: null,
  seconds: null,
  interval: [null, null],
  coverage: null,
  sampleCount: 0,
  similar: [],
  ratio: null,
  error: 0,
  change: null,
};

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
    const { result, error } = await calculated(sample, (exact) => fromHistory(exact, nowMs));
    return { ...result, of, error, change };
  }
  return noLessThan(known, await unseenDuration(deps, input));
}

async function unseenDuration(deps: EstimateDeps, input: EstimateInput): Promise<DurationEstimate> {
  const { whose, estimatedSeconds } = input;
  let first: DurationEstimate | null = null;
  for (const [of, scope] of scopesOf(whose)) {
    const likely = await fromOthers(deps, { ...input, whose: scope });
    if ((likely?.coverage ?? 0) >= LEAST_COVERAGE) return { ...(likely as DurationEstimate), of };
    if (likely) first ??= { ...likely, of };
  }
  if (first) return first;
  return estimatedSeconds === null ? NOTHING : { ...NOTHING, source: 'own_estimate', seconds: estimatedSeconds };
}

/** The longest time that a run has taken without an ok end, so far or until it was cut off, in seconds; 0 without any. */
function longestCutOff({ ended, activeStartsMs }: DurationSample, nowMs: number): number {
  const longest = [ended.timeout, ended.cancelled].map(({ sorted }) =>
    sorted.size > 0 ? sorted.at(sorted.size - 1) : 0,
  );
  const running = activeStartsMs.size > 0 ? secondsBetween(activeStartsMs.at(0), nowMs) : 0;
  return Math.max(...longest, running);
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
    ...(isRefuted && { interval: NOTHING.interval, coverage: NOTHING.coverage }),
  };
}

function scopesOf(whose: Whose): readonly (readonly ['agent' | 'all', Whose])[] {
  const all = ['all', { ...whose, agentId: null }] as const;
  return whose.agentId === null ? [all] : [['agent', whose], all];
}

/** The middle of the runs that ended ok, or of the survival curve where runs were cut off, with an interval for the next run. */
function fromHistory(sample: DurationSample, nowMs: number): Omit<DurationEstimate, 'of'> {
  const { sorted } = sample.ended.ok;
  const known = { ...NOTHING, source: 'history' as const, sampleCount: sorted.size };
  if (!isCutOffLate(sample, nowMs)) return { ...known, seconds: median(sorted), ...plainInterval(sorted) };
  const middle = percentileOf(sample, 0.5, nowMs);
  return { ...known, seconds: middle.seconds, ...(!middle.isLowerEnd && intervalOfNext(sample, nowMs)) };
}

type Interval = Pick<DurationEstimate, 'interval' | 'coverage'>;

/**
 * A prediction interval for one more run whose ends are durations: of n runs, the one from rank r to rank n + 1 - r holds it with
 * probability (n + 1 - 2 r) / (n + 1) (Hahn and Meeker, Statistical Intervals, section 5.4).
 */
function plainInterval(sorted: OrderedSample): Interval | null {
  const runs = sorted.size;
  const rank = Math.max(1, Math.floor(((1 - COVERAGE) / 2) * (runs + 1)));
  const coverage = (runs + 1 - 2 * rank) / (runs + 1);
  return coverage > 0 ? { interval: [sorted.at(rank - 1), sorted.at(runs - rank)], coverage } : null;
}

/**
 * The same where runs were cut off: `curveOfNext` says with which probability one more run ends beyond each end. Where it does not fall
 * far enough, the interval ends at the longest ok run and covers less. The plain curve would promise too much: it ends at 0 where the
 * longest run ended ok, even if all others were cut off before that. Stuck runs are left out, as in percentiles.
 */
function intervalOfNext(sample: DurationSample, nowMs: number): Interval | null {
  const { sorted } = sample.ended.ok;
  const ending = 1 - stuckShare(sample, nowMs);
  const curve = curveOfNext(sample, nowMs);
  const tail = ((1 - COVERAGE) / 2) * ending;
  const above = curve.quantileValue(tail + ROUNDING);
  const low = sorted.at(above === null ? 0 : Math.max(0, sorted.countBelow(above) - 1));
  const high = curve.quantileValue(ending - tail - ROUNDING) ?? sorted.at(sorted.size - 1);
  const coverage = (curve.survivalAt(low).survival - curve.survivalAt(high).survival) / ending;
  return coverage > 0 ? { interval: [low, high], coverage } : null;
}

/** Whether a run was cut off, or still runs, after more time than the shortest ok run took. Shorter ones say nothing. */
function isCutOffLate(sample: DurationSample, nowMs: number): boolean {
  return isCensored(sample) && longestCutOff(sample, nowMs) > sample.ended.ok.sorted.at(0);
}

/** From names or from the agent's own estimate, whichever was nearer the truth for other types. Null where nothing has ended. */
async function fromOthers(deps: EstimateDeps, input: EstimateInput): Promise<Omit<DurationEstimate, 'of'> | null> {
  const byEstimate = await fromEstimate(deps, input);
  const byNames = await fromNames(deps, input);
  // Types of other names know less of this one than who is about to do it, however uncertain that estimate is.
  if (!byEstimate?.coverage && input.estimatedSeconds !== null && byNames?.similar.length === 0) return byEstimate;
  if (!byEstimate || !byNames) return byEstimate ?? byNames;
  const best = widthOf(byEstimate) <= widthOf(byNames) ? byEstimate : byNames;
  return { ...best, similar: byNames.similar, ratio: byEstimate.ratio, error: byNames.error };
}

/** The width of the interval in logarithms, as errors are. Divided by the coverage, so that low coverage does not look narrow. */
function widthOf({ interval: [low, high], coverage }: Omit<DurationEstimate, 'of'>): number {
  if (low === null || high === null || coverage === null) return Number.POSITIVE_INFINITY;
  return Math.log(high / low) / coverage;
}

async function fromEstimate({ tasks }: EstimateDeps, { whose, estimatedSeconds }: EstimateInput) {
  if (estimatedSeconds === null) return null;
  const past = await tasks.pastEstimates(whose, MOST_ESTIMATES);
  const groups = new Map<string, number[]>();
  for (const { taskType, ratio } of past) {
    if (ratio > 0) groups.set(taskType, [...(groups.get(taskType) ?? []), Math.log(ratio)]);
  }
  if (groups.size === 0 || (groups.size === 1 && past.length < LEAST_ESTIMATES)) return null;
  const error = predictFrom([...groups.values()]);
  const ratio = Math.exp(error?.middle ?? middleOf([...groups.values()].flat()));
  return {
    ...NOTHING,
    source: 'own_estimate' as const,
    ...(error ? around(Math.log(estimatedSeconds), error) : { seconds: estimatedSeconds * ratio }),
    sampleCount: past.length,
    ratio,
  };
}

async function fromNames({ history, events }: EstimateDeps, { whose, taskType, nowMs }: EstimateInput) {
  const words = wordsOf(taskType);
  const others = (await events.taskTypes(whose)).filter((known) => known !== taskType);
  const likeness = await inTurns(mostSimilar(words, others, MOST_TYPES));
  const known: (KnownType & SimilarType & { readonly sample: DurationSample })[] = [];
  let inexact = 0;
  for (const type of likeness) {
    // Those in the same words come first, and where there is one the others tell nothing.
    if (type.similarity < 1 && known[0]?.similarity === 1) break;
    const sample = await history.sample(whose, type.taskType);
    inexact = Math.max(inexact, errorWithoutLookUps(sample));
    const logs = logsOf(sample, nowMs);
    if (logs.length > 0) known.push({ ...type, count: sample.ended.ok.sorted.size, logs, sample });
    await nextTurn();
  }
  if (known.length === 0) return null;
  const same = known.filter(({ similarity }) => similarity === 1).sort((one, other) => other.count - one.count)[0];
  if (same) return await asSameType(same.sample, same, nowMs);
  const prediction = known.length > 1 ? predictFrom(asIfOfNewType(words, known)) : null;
  const similar = known.filter(({ similarity }) => similarity > 0).slice(0, SIMILAR_SHOWN);
  return {
    ...NOTHING,
    source: 'similar_names' as const,
    ...(prediction
      ? seen(around(0, prediction), known)
      : { seconds: Math.exp(predictFromNames(words, known.map(namedMedian))) }),
    sampleCount: known.reduce((sum, { count }) => sum + count, 0),
    error: inexact,
    similar: similar.map(shown),
  };
}

/** "npm tests" takes as long as "npm test": types in the same words are one kind of work, and those beside it tell nothing of it. */
async function asSameType(sample: DurationSample, type: KnownType & SimilarType, nowMs: number) {
  const { result, error } = await calculated(sample, (exact) => fromHistory(exact, nowMs));
  return { ...result, source: 'similar_names' as const, error, similar: [shown(type)] };
}

function shown({ taskType, similarity, logs, count }: KnownType & SimilarType) {
  return { taskType, similarity, medianSeconds: Math.exp(middleOf(logs)), count };
}

function around(log: number, { low, middle, high, coverage }: Prediction) {
  const ends = [Math.exp(log + low), Math.exp(log + high)] as const;
  return { seconds: Math.exp(log + middle), interval: ends, coverage };
}

/** Keeps the estimate between the shortest and the longest run behind it: names alone could extrapolate beyond them. */
function seen({ seconds, interval: [low, high], coverage }: ReturnType<typeof around>, known: readonly KnownType[]) {
  const ends = known.map(({ logs }) => [logs[0] as number, logs.at(-1) as number] as const);
  const least = Math.exp(Math.min(...ends.map(([shortest]) => shortest)));
  const most = Math.exp(Math.max(...ends.map(([, longest]) => longest)));
  const within = Math.min(Math.max(seconds, least), most);
  return { seconds: within, interval: [Math.min(low, within), Math.max(high, within)] as const, coverage };
}

/** Durations of 0 have no logarithm and are left out. Of runs that were cut off, what the survival curve says. */
function logsOf(sample: DurationSample, nowMs: number): number[] {
  const { sorted } = sample.ended.ok;
  const cutOff = sorted.size > 0 && isCutOffLate(sample, nowMs);
  const runs = sorted.size + (cutOff ? cutOffCount(sample) : 0);
  const ranks = Math.min(runs, MOST_RANKS);
  const at = (index: number) =>
    cutOff
      ? percentileOf(sample, (index + 0.5) / ranks, nowMs).seconds
      : sorted.at(ranks === 1 ? 0 : Math.round((index * (sorted.size - 1)) / (ranks - 1)));
  return Array.from({ length: ranks }, (_, index) => at(index)).flatMap((seconds) =>
    seconds > 0 ? [Math.log(seconds)] : [],
  );
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
