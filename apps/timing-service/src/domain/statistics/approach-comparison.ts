import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidInputError } from '@agent-faculties/service-kit';
import {
  type BootstrapTerm,
  bootstrapSum,
  orderedSample,
  quantileSorted,
  seededRandom,
  seedFromText,
} from '@agent-faculties/stats-math';
import type { TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import { resolveStep, type StepHistory, type StepInput, stepHistory } from './approach-step.ts';
import { type DrawnApproach, judged, type TotalFigure, type Verdict } from './approach-verdict.ts';
import type { DurationHistory } from './duration-history.ts';
import { errorWithoutLookUps } from './exact-durations.ts';
import { unknownShare } from './mean-difference.ts';
import { basisOf } from './recent-runs.ts';

export type { Approach } from './approach-verdict.ts';

/** Standard error of a probability at most 0.5 %. */
export const DRAWS = 10_000;
/** Steps drawn in one turn of the event loop, each 10,000 times: about 3 ms. The largest comparison has 5,000. */
const STEPS_PER_TURN = 5;
/** Past estimates that correct a new one. */
const RATIO_LIMIT = 1_000;

export interface ApproachInput {
  readonly name: string;
  readonly steps: StepInput[];
}

export interface Comparison extends Verdict {
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
  const drawn: DrawnApproach[] = [];
  for (const { name, steps } of approaches) {
    const resolved = steps.map((step) => resolveStep(step, histories.get(step.taskType) as StepHistory, ratios));
    const drawable = resolved.flatMap(({ term, mean }) => (term && mean ? { term, key: mean.key } : []));
    const sums = drawable.length === steps.length ? await drawSums(drawable) : null;
    const means = resolved.flatMap(({ mean }) => mean ?? []);
    drawn.push(withSpread({ name, steps: resolved.map(({ step }) => step), sums, means }));
    await nextTurn();
  }
  return { ...judged(drawn), error };
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

/**
 * A step that several approaches have is drawn alike for all of them (common random numbers: Law, Simulation Modeling and Analysis):
 * whichever way is taken, it takes as long. Drawn anew for each, a long step of both would hide how the others differ.
 */
async function drawSums(
  steps: readonly { readonly term: BootstrapTerm; readonly key: string }[],
): Promise<Float64Array> {
  // A large history is live: a task that ends between two turns joins it, which does not harm the draws.
  const sums = new Float64Array(DRAWS);
  const times = new Map<string, number>();
  for (const [index, { term, key }] of steps.entries()) {
    if (index > 0 && index % STEPS_PER_TURN === 0) await nextTurn();
    const nth = times.get(key) ?? 0;
    times.set(key, nth + 1);
    bootstrapSum({ terms: [term], random: seededRandom(seedFromText(JSON.stringify([key, nth]))), out: sums });
  }
  return sums.map(toWholeMicroseconds);
}

/** The same steps in another order add up to the same: that is a tie, which the last digit must not decide. */
function toWholeMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

const SHARES: readonly (readonly [TotalFigure, number])[] = [
  ['mean', 1],
  ['p50', 0.5],
  ['p80', 0.8],
  ['p95', 0.95],
];

/** @param unknown the share of totals of which is known only that they are longer than all that are known */
function knownFromBelow(unknown: number): TotalFigure[] {
  return SHARES.filter(([, share]) => unknown > 0 && 1 - unknown < share).map(([figure]) => figure);
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
    atLeast: knownFromBelow(unknownShare(means)),
  };
  return { ...approach, spread };
}
