import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTurns } from '@agent-faculties/service-kit';
import { type DurationEstimate, type EstimateDeps, type EstimateInput, NO_ESTIMATE } from './duration-estimate.ts';
import { cutOffCount, type DurationSample } from './duration-history.ts';
import { estimateFromHistory, isCutOffLate } from './estimate-from-history.ts';
import { calculated, errorWithoutLookUps } from './exact-durations.ts';
import { percentileOf } from './percentile.ts';
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

/** From names or from the agent's own estimate, whichever was nearer the truth for other types. Null where nothing has ended. */
export async function estimateFromOthers(
  deps: EstimateDeps,
  input: EstimateInput,
): Promise<Omit<DurationEstimate, 'of'> | null> {
  const byEstimate = await fromEstimate(deps, input);
  const byNames = await fromNames(deps, input);
  // Types of other names know less of this one than who is about to do it, however uncertain that estimate is.
  if (!byEstimate?.coverage && input.estimatedSeconds !== null && byNames?.source === 'other_types') return byEstimate;
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
    ...NO_ESTIMATE,
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
    ...NO_ESTIMATE,
    source: similar.length > 0 ? ('similar_names' as const) : ('other_types' as const),
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
  const { result, error } = await calculated(sample, (exact) => estimateFromHistory(exact, nowMs));
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
