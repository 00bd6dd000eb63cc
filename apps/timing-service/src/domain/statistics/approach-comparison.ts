import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { OrderedSample } from '@agent-faculties/stats-math';
import {
  type BootstrapTerm,
  bootstrapSum,
  median,
  orderedSample,
  quantileSorted,
  type RandomSource,
  seededRandom,
  seedFromText,
} from '@agent-faculties/stats-math';
import type { TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import { curveOf } from './duration-curve.ts';
import type { DurationHistory, DurationSample } from './duration-history.ts';
import { errorWithoutLookUps } from './exact-durations.ts';
import {
  ENOUGH_RUNS,
  type MeanDifference,
  type MeanTime,
  meanDifference,
  meanOfCurve,
  meanOfGuess,
  meanOfRuns,
} from './mean-difference.ts';
import { type Confidence, confidenceOf, isCensored } from './percentile.ts';
import { basisOf } from './recent-runs.ts';
import { longestCounted } from './stuck-runs.ts';

/** Standard error of a probability at most 0.5 %. */
export const DRAWS = 10_000;
/** Steps drawn in one turn of the event loop, each 10,000 times: about 3 ms. The largest comparison has 5,000. */
const STEPS_PER_TURN = 5;
/** Histories up to this size are copied (8 KiB each): 10,000 picks from a plain array take a third less time. */
const COPIED_SIZE = 1_024;
/** Past estimates that correct a new one. */
const RATIO_LIMIT = 1_000;
/** Ranks of a survival curve that stand for the runs of a type, where some of them were cut off. */
const CURVE_RANKS = 1_000;
/**
 * The least probability that the fastest approach takes less time than the second, for it to be called clear: a medium effect
 * (Vargha and Delaney 2000, A critique and improvement of the CL common language effect size statistics).
 */
const CLEAR_PROBABILITY = 0.64;
/** Of a standard normal value, 2.5 % lie above: by chance, one in twenty comparisons of what takes equally long is so far off. */
const CHANCE_Z = 1.96;
/** Durations are whole microseconds: means that differ by less are the same. */
const LEAST_DIFFERENCE_SECONDS = 1e-6;

export interface StepInput {
  readonly taskType: string;
  readonly estimatedSeconds: number | null;
}

export interface ApproachInput {
  readonly name: string;
  readonly steps: StepInput[];
}

export interface Step extends StepInput {
  /** Median of history, or the estimate corrected by past ratios, or the estimate; null with neither. */
  readonly adjustedSeconds: number | null;
  readonly sampleCount: number;
  readonly confidence: Confidence;
  readonly source: 'history' | 'scaled_estimate' | 'estimate' | 'none';
}

export interface Approach {
  readonly name: string;
  readonly steps: Step[];
  /** Null unless every step has history or an estimate. */
  readonly totals: Totals | null;
}

export interface Totals {
  readonly adjustedSeconds: number;
  readonly mean: number;
  readonly p50: number;
  readonly p80: number;
  readonly p95: number;
  readonly probabilityFastest: number;
}

/** What takes the least time on average, beside what is recommended, or where that is the same, the next. */
export interface OnAverage extends MeanDifference {
  readonly approach: string;
  /** Takes longer on average, by the seconds. */
  readonly other: string;
}

export interface Comparison {
  /** Ranked ones by total of the medians, then the unranked ones. */
  readonly approaches: Approach[];
  readonly recommendation: string | null;
  readonly savingsVsWorst: number;
  readonly verdict: 'clear' | 'too_close_to_call' | 'insufficient_data';
  /** P(the most probable fastest takes less time than the second); null with fewer than two ranked. */
  readonly probabilityBeatsSecond: number | null;
  /** Null with fewer than two ranked. */
  readonly onAverage: OnAverage | null;
  /** Where something else than what is recommended takes less time on average. */
  readonly warning: string | null;
  /** What the durations may be off by, as a share of them; 0: they are exact. */
  readonly error: number;
}

interface ComparisonDeps {
  readonly history: DurationHistory;
  readonly tasks: TaskStore;
}

/**
 * Monte Carlo over history: a draw picks one past duration for each step and adds them up. Medians do not add up (five
 * log-normal steps of median 1 have a sum of medians of 5 and a median of the sum of 7), sums of draws do.
 * @throws InvalidInputError for two approaches of one name
 */
export async function compareApproaches(
  deps: ComparisonDeps,
  { whose, approaches, nowMs }: { whose: Whose; approaches: ApproachInput[]; nowMs: number },
): Promise<Comparison> {
  requireDistinctNames(approaches);
  const past = await deps.tasks.pastEstimates(whose, RATIO_LIMIT);
  const ratios = orderedSample(Float64Array.from(past, ({ ratio }) => ratio).sort());
  const { histories, error } = await readHistories(deps, { whose, approaches, nowMs });
  const random = seededRandom(seedFromText(JSON.stringify([whose.agentId, approaches])));
  const drawn: DrawnApproach[] = [];
  for (const { name, steps } of approaches) {
    const resolved = steps.map((step) => resolveStep(step, histories.get(step.taskType) as StepHistory, ratios));
    const terms = resolved.map(({ term }) => term).filter((term) => term !== null);
    const sums = terms.length === steps.length ? await drawSums(terms, random) : null;
    const means = resolved.flatMap(({ mean }) => mean ?? []);
    const unknown = 1 - steps.reduce((share, { taskType }) => share * (1 - (histories.get(taskType)?.unknown ?? 0)), 1);
    drawn.push(withSpread({ name, steps: resolved.map(({ step }) => step), sums, means, unknown }));
    await nextTurn();
  }
  return { ...judged(drawn), error };
}

/** How long a step takes by what is known of its type. */
interface StepHistory {
  readonly durations: OrderedSample;
  /** How many ended ok. */
  readonly count: number;
  /** The share of runs of which is known only that they take longer than all that are known. */
  readonly unknown: number;
  /** Null where none ended ok. */
  readonly mean: MeanTime | null;
}

/** Loads each task type once, one after the other: a hundred at a time would load in one turn of the event loop. */
async function readHistories(
  deps: ComparisonDeps,
  { whose, approaches, nowMs }: { whose: Whose; approaches: ApproachInput[]; nowMs: number },
): Promise<{ histories: Map<string, StepHistory>; error: number }> {
  const histories = new Map<string, StepHistory>();
  let error = 0;
  for (const { steps } of approaches) {
    for (const { taskType } of steps) {
      if (histories.has(taskType)) continue;
      const { sample } = await basisOf(deps, { whose, taskType, nowMs });
      error = Math.max(error, errorWithoutLookUps(sample));
      histories.set(taskType, stepHistory(taskType, sample, nowMs));
    }
    await nextTurn();
  }
  return { histories, error };
}

function stepHistory(taskType: string, sample: DurationSample, nowMs: number): StepHistory {
  const { sorted } = sample.ended.ok;
  const count = sorted.size;
  if (count > 0 && isCensored(sample)) return fromCurve(taskType, sample, nowMs);
  const durations = count > COPIED_SIZE ? sorted : orderedSample(Float64Array.from(sorted));
  return { durations, count, unknown: 0, mean: count === 0 ? null : meanOfRuns(taskType, sample.ended.ok) };
}

/**
 * Draws from the survival curve, so that what was cut off counts as longer than it took: with the ok runs alone, an approach that often
 * times out would be as fast as its fast runs. Where the curve does not come down to 0, the longest run stands for the rest, as the last
 * time of a sample does in Efron (1981, Censored data and the bootstrap).
 */
function fromCurve(taskType: string, sample: DurationSample, nowMs: number): StepHistory {
  const { ok } = sample.ended;
  const count = ok.sorted.size;
  const curve = curveOf(sample, nowMs);
  const longest = longestCounted(sample);
  const ranked = Float64Array.from(
    { length: CURVE_RANKS },
    (_, index) => curve.quantileValue((index + 0.5) / CURVE_RANKS) ?? longest,
  );
  const unknown = curve.survivalAt(ok.sorted.at(count - 1)).survival;
  const mean = meanOfCurve(taskType, { curve, ranked, runs: count });
  return { durations: orderedSample(ranked), count, unknown, mean };
}

interface DrawnApproach {
  readonly name: string;
  readonly steps: Step[];
  readonly sums: Float64Array | null;
  /** Of the steps of which something is known. */
  readonly means: readonly MeanTime[];
  /** The share of its draws in which a step takes longer than anybody knows. */
  readonly unknown: number;
  readonly spread: Omit<Totals, 'probabilityFastest'> | null;
}

function requireDistinctNames(approaches: ApproachInput[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of approaches.entries()) {
    if (seen.has(name)) {
      const where = `body/approaches/${index}/name`;
      const message = `'${name}' names two approaches: give each a name of its own`;
      throw new InvalidInputError(`${where}: ${message}.`, { faults: [{ where, message }] });
    }
    seen.add(name);
  }
}

/** Where the time of a step comes from. Past ratios of actual to estimate correct an estimate (Spolsky 2007). */
function resolveStep(
  step: StepInput,
  { durations, count: sampleCount, mean }: StepHistory,
  ratios: OrderedSample,
): { step: Step; term: BootstrapTerm | null; mean: MeanTime | null } {
  const common = { ...step, sampleCount, confidence: confidenceOf(sampleCount) };
  const estimate = step.estimatedSeconds;
  if (sampleCount > 0) {
    return { step: { ...common, adjustedSeconds: median(durations), source: 'history' }, term: durations, mean };
  }
  if (estimate === null) return { step: { ...common, adjustedSeconds: null, source: 'none' }, term: null, mean };
  const key = `${step.taskType}\0${estimate}`;
  if (ratios.size > 0) {
    return {
      step: { ...common, adjustedSeconds: estimate * median(ratios), source: 'scaled_estimate' },
      term: { size: ratios.size, at: (index) => estimate * ratios.at(index) },
      mean: meanOfGuess(key, estimate * meanOf(ratios)),
    };
  }
  return {
    step: { ...common, adjustedSeconds: estimate, source: 'estimate' },
    term: { size: 1, at: () => estimate },
    mean: meanOfGuess(key, estimate),
  };
}

function meanOf(values: OrderedSample): number {
  let sum = 0;
  for (let index = 0; index < values.size; index++) sum += values.at(index);
  return sum / values.size;
}

async function drawSums(terms: BootstrapTerm[], random: RandomSource): Promise<Float64Array> {
  // A large history is live: a task that ends between two turns joins it, which does not harm the draws.
  const sums = new Float64Array(DRAWS);
  for (let first = 0; first < terms.length; first += STEPS_PER_TURN) {
    bootstrapSum({ terms: terms.slice(first, first + STEPS_PER_TURN), random, out: sums });
    await nextTurn();
  }
  return sums;
}

function withSpread(approach: Omit<DrawnApproach, 'spread'>): DrawnApproach {
  const { steps, sums, means } = approach;
  if (!sums) return { ...approach, spread: null };
  const sorted = orderedSample(Float64Array.from(sums).sort());
  const spread = {
    adjustedSeconds: steps.reduce((sum, step) => sum + (step.adjustedSeconds ?? 0), 0),
    mean: means.reduce((sum, { seconds }) => sum + seconds, 0),
    p50: quantileSorted(sorted, 0.5),
    p80: quantileSorted(sorted, 0.8),
    p95: quantileSorted(sorted, 0.95),
  };
  return { ...approach, spread };
}

function judged(drawn: DrawnApproach[]): Omit<Comparison, 'error'> {
  const wins = probabilitiesFastest(drawn);
  const approaches = drawn.map(({ name, steps, spread }, index): Approach => {
    return { name, steps, totals: spread && { ...spread, probabilityFastest: wins[index] ?? 0 } };
  });
  const ranked = approaches
    .filter((approach) => approach.totals !== null)
    .sort((a, b) => (a.totals?.adjustedSeconds ?? 0) - (b.totals?.adjustedSeconds ?? 0));
  const unranked = approaches.filter((approach) => approach.totals === null);
  const likely = [...ranked].sort((a, b) => chance(b) - chance(a));
  const [first, second] = likely.map(({ name }) => drawn.find((approach) => approach.name === name));
  const beatsSecond = first && second ? shareBelow(first.sums, second.sums) : null;
  const verdict = verdictOf({ first, second, beatsSecond, ranked });
  // The least total of medians, as in OpenTime, unless the draws show clearly that another one is faster.
  const recommended = verdict === 'clear' ? likely[0] : ranked[0];
  const onAverage = averageOf(recommended?.name, drawn);
  return {
    approaches: [...ranked, ...unranked],
    recommendation: recommended?.name ?? null,
    savingsVsWorst: (ranked.at(-1)?.totals?.adjustedSeconds ?? 0) - (recommended?.totals?.adjustedSeconds ?? 0),
    verdict,
    probabilityBeatsSecond: beatsSecond,
    onAverage,
    warning: warningOf(onAverage, { recommended: recommended?.name, verdict }),
  };
}

function averageOf(recommended: string | undefined, drawn: readonly DrawnApproach[]): OnAverage | null {
  const ranked = drawn.filter(({ sums }) => sums !== null);
  const taken = ranked.find(({ name }) => name === recommended);
  if (!taken) return null;
  const [least] = ranked
    .filter((one) => one !== taken)
    .map((one) => ({ one, ...meanDifference(taken.means, one.means) }))
    .sort((a, b) => b.seconds - a.seconds);
  if (!least) return null;
  if (least.seconds >= LEAST_DIFFERENCE_SECONDS) {
    const { seconds, interval } = least;
    return { approach: least.one.name, other: taken.name, seconds, interval };
  }
  return { approach: taken.name, other: least.one.name, ...meanDifference(least.one.means, taken.means) };
}

/** What is mostly the fastest may be so slow at times that another one takes less time on average. */
function warningOf(
  onAverage: OnAverage | null,
  { recommended, verdict }: { recommended: string | undefined; verdict: Comparison['verdict'] },
): string | null {
  if (onAverage === null || onAverage.approach === recommended) return null;
  const { approach, other, interval } = onAverage;
  const isSure = (interval[0] ?? 0) > 0;
  if (verdict === 'clear') {
    const sentence = `'${other}' is mostly the fastest and now and then very slow: on average '${approach}' takes less time`;
    return isSure ? `${sentence}.` : `${sentence} so far, which may be chance.`;
  }
  return isSure
    ? `Which is mostly the fastest is not clear, but on average '${approach}' takes less time than '${other}': take it where many runs add up.`
    : null;
}

function chance(approach: Approach): number {
  return approach.totals?.probabilityFastest ?? 0;
}

/**
 * Clear: the fastest takes less time than the second more often than not, by a difference that matters, and that is not chance. Of chance,
 * the rank-sum test is the measure (Mann and Whitney 1947). It takes the fewest runs behind a step for the runs of an approach; more
 * runs of the other steps only make it surer, as the variances that the steps bring add up to at most that of the sum (Hoeffding 1948).
 */
function verdictOf({ first, second, beatsSecond, ranked }: Judged): Comparison['verdict'] {
  const thin = ranked.some(({ steps }) => steps.some(({ sampleCount }) => sampleCount < ENOUGH_RUNS));
  if (!first || thin) return 'insufficient_data';
  if (!second || beatsSecond === null) return 'clear';
  const [n, m] = [fewestRuns(first.steps), fewestRuns(second.steps)];
  const byChance = CHANCE_Z * Math.sqrt((n + m + 1) / (12 * n * m));
  const isClear = beatsSecond - first.unknown >= CLEAR_PROBABILITY && beatsSecond - 0.5 > byChance;
  return isClear ? 'clear' : 'too_close_to_call';
}

interface Judged {
  readonly first: DrawnApproach | undefined;
  readonly second: DrawnApproach | undefined;
  readonly beatsSecond: number | null;
  readonly ranked: readonly Approach[];
}

/** A type that is in several steps counts for less: its runs decide several times. */
function fewestRuns(steps: readonly Step[]): number {
  const times = (type: string) => steps.filter(({ taskType }) => taskType === type).length;
  return Math.min(...steps.map(({ taskType, sampleCount }) => sampleCount / times(taskType)));
}

/** For each approach the share of draws in which it takes least time; a tie is shared. Zero for unranked ones. */
function probabilitiesFastest(drawn: DrawnApproach[]): number[] {
  const rivals = drawn.flatMap(({ sums }, index) => (sums ? [{ sums, index }] : []));
  const wins = drawn.map(() => 0);
  // Plain loops: with an array for each draw, 50 approaches blocked all requests for a quarter of a second.
  for (let draw = 0; draw < DRAWS && rivals.length > 0; draw++) {
    let least = Number.POSITIVE_INFINITY;
    let winners = 0;
    for (const { sums } of rivals) {
      const time = sums[draw] as number;
      if (time < least) winners = 0;
      if (time <= least) winners++;
      least = Math.min(least, time);
    }
    for (const { sums, index } of rivals) {
      if (sums[draw] === least) wins[index] = (wins[index] as number) + 1 / winners;
    }
  }
  return wins.map((won) => won / DRAWS);
}

function shareBelow(first: Float64Array | null, second: Float64Array | null): number | null {
  if (!first || !second) return null;
  let below = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const difference = (first[draw] as number) - (second[draw] as number);
    below += difference < 0 ? 1 : difference === 0 ? 0.5 : 0;
  }
  return below / DRAWS;
}
