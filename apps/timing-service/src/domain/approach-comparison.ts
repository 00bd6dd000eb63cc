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
import type { DurationHistory } from './duration-history.ts';
import { errorWithoutLookUps } from './exact-durations.ts';
import { type Confidence, confidenceOf } from './percentile.ts';
import type { TaskStore } from './task.ts';
import type { Whose } from './whose.ts';

/** Standard error of a probability at most 0.5 %. */
export const DRAWS = 10_000;
/** Steps drawn in one turn of the event loop, each 10,000 times: about 3 ms. The largest comparison has 5,000. */
const STEPS_PER_TURN = 5;
/** Histories up to this size are copied (8 KiB each): 10,000 picks from a plain array take a third less time. */
const COPIED_SIZE = 1_024;
/** Past estimates that correct a new one. */
const RATIO_LIMIT = 1_000;
/** Probability from which the fastest approach is called clear. */
const CLEAR_PROBABILITY = 0.8;
/** A step with fewer runs than this makes any verdict a guess: five equal samples look certain and are not. */
const ENOUGH_SAMPLES = 5;

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

export interface Comparison {
  /** Ranked ones by total of the medians, then the unranked ones. */
  readonly approaches: Approach[];
  readonly recommendation: string | null;
  readonly savingsVsWorst: number;
  readonly verdict: 'clear' | 'too_close_to_call' | 'insufficient_data';
  /** P(the most probable fastest takes less time than the second); null with fewer than two ranked. */
  readonly probabilityBeatsSecond: number | null;
  /** What the durations may be off by, as a share of them; 0: they are exact. */
  readonly error: number;
}

/**
 * Monte Carlo over history: a draw picks one past duration for each step and adds them up. Medians do not add up (five
 * log-normal steps of median 1 have a sum of medians of 5 and a median of the sum of 7), sums of draws do.
 * @throws InvalidInputError for two approaches of one name
 */
export async function compareApproaches(
  deps: { history: DurationHistory; tasks: TaskStore },
  { whose, approaches }: { whose: Whose; approaches: ApproachInput[] },
): Promise<Comparison> {
  requireDistinctNames(approaches);
  const past = await deps.tasks.pastEstimates(whose, RATIO_LIMIT);
  const ratios = orderedSample(Float64Array.from(past, ({ ratio }) => ratio).sort());
  const { histories, error } = await readHistories(deps.history, whose, approaches);
  const random = seededRandom(seedFromText(JSON.stringify([whose.agentId, approaches])));
  const drawn: DrawnApproach[] = [];
  for (const { name, steps } of approaches) {
    const resolved = steps.map((step) => resolveStep(step, histories.get(step.taskType) as OrderedSample, ratios));
    const terms = resolved.map(({ term }) => term).filter((term) => term !== null);
    const sums = terms.length === steps.length ? await drawSums(terms, random) : null;
    drawn.push(withSpread({ name, steps: resolved.map(({ step }) => step), sums }));
    await nextTurn();
  }
  return { ...judged(drawn), error };
}

/** Loads each task type once, one after the other: a hundred at a time would load in one turn of the event loop. */
async function readHistories(
  history: DurationHistory,
  whose: Whose,
  approaches: ApproachInput[],
): Promise<{ histories: Map<string, OrderedSample>; error: number }> {
  const histories = new Map<string, OrderedSample>();
  let error = 0;
  for (const { steps } of approaches) {
    for (const { taskType } of steps) {
      if (histories.has(taskType)) continue;
      const sample = await history.sample(whose, taskType);
      const { sorted } = sample.ended.ok;
      error = Math.max(error, errorWithoutLookUps(sample));
      histories.set(taskType, sorted.size > COPIED_SIZE ? sorted : orderedSample(Float64Array.from(sorted)));
    }
    await nextTurn();
  }
  return { histories, error };
}

interface DrawnApproach {
  readonly name: string;
  readonly steps: Step[];
  readonly sums: Float64Array | null;
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
  history: OrderedSample,
  ratios: OrderedSample,
): { step: Step; term: BootstrapTerm | null } {
  const sampleCount = history.size;
  const common = { ...step, sampleCount, confidence: confidenceOf(sampleCount) };
  const estimate = step.estimatedSeconds;
  if (sampleCount > 0) {
    return { step: { ...common, adjustedSeconds: median(history), source: 'history' }, term: history };
  }
  if (estimate === null) return { step: { ...common, adjustedSeconds: null, source: 'none' }, term: null };
  if (ratios.size > 0) {
    return {
      step: { ...common, adjustedSeconds: estimate * median(ratios), source: 'scaled_estimate' },
      term: { size: ratios.size, at: (index) => estimate * ratios.at(index) },
    };
  }
  return {
    step: { ...common, adjustedSeconds: estimate, source: 'estimate' },
    term: { size: 1, at: () => estimate },
  };
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

function withSpread({ name, steps, sums }: Omit<DrawnApproach, 'spread'>): DrawnApproach {
  if (!sums) return { name, steps, sums, spread: null };
  const sorted = orderedSample(Float64Array.from(sums).sort());
  const spread = {
    adjustedSeconds: steps.reduce((sum, step) => sum + (step.adjustedSeconds ?? 0), 0),
    mean: sums.reduce((sum, value) => sum + value, 0) / sums.length,
    p50: quantileSorted(sorted, 0.5),
    p80: quantileSorted(sorted, 0.8),
    p95: quantileSorted(sorted, 0.95),
  };
  return { name, steps, sums, spread };
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
  const [first, second] = likely;
  const verdict = verdictOf(likely);
  // The least total of medians, as in OpenTime, unless the draws show clearly that another one is faster.
  const recommended = verdict === 'clear' ? first : ranked[0];
  const sumsOf = (approach: Approach | undefined) => drawn.find(({ name }) => name === approach?.name)?.sums ?? null;
  return {
    approaches: [...ranked, ...unranked],
    recommendation: recommended?.name ?? null,
    savingsVsWorst: (ranked.at(-1)?.totals?.adjustedSeconds ?? 0) - (recommended?.totals?.adjustedSeconds ?? 0),
    verdict,
    probabilityBeatsSecond: second ? shareBelow(sumsOf(first), sumsOf(second)) : null,
  };
}

function chance(approach: Approach): number {
  return approach.totals?.probabilityFastest ?? 0;
}

function verdictOf(likely: Approach[]): Comparison['verdict'] {
  const first = likely[0];
  const thin = likely.some(({ steps }) => steps.some(({ sampleCount }) => sampleCount < ENOUGH_SAMPLES));
  if (!first || thin) return 'insufficient_data';
  return chance(first) >= CLEAR_PROBABILITY ? 'clear' : 'too_close_to_call';
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
