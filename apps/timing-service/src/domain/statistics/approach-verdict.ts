import type { Step } from './approach-step.ts';
import {
  ENOUGH_RUNS,
  type MeanDifference,
  type MeanTime,
  meanDifference,
  ownSteps,
  unknownShare,
} from './mean-difference.ts';

/**
 * The least probability that the fastest approach takes less time than the second, for it to be called clear: a medium effect
 * (Vargha and Delaney 2000, A critique and improvement of the CL common language effect size statistics).
 */
const CLEAR_PROBABILITY = 0.64;
/** Of a standard normal value, 2.5 % lie above: by chance, one in twenty comparisons of what takes equally long is so far off. */
const CHANCE_Z = 1.96;
/** Durations are whole microseconds: means that differ by less are the same. */
const LEAST_DIFFERENCE_SECONDS = 1e-6;

/** An approach with the totals that were drawn for it. */
export interface DrawnApproach {
  readonly name: string;
  readonly steps: Step[];
  /** A total for each draw; null unless every step has history or an estimate. */
  readonly sums: Float64Array | null;
  /** Of the steps of which something is known. */
  readonly means: readonly MeanTime[];
  readonly spread: Omit<Totals, 'probabilityFastest'> | null;
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
  /** Those that are known only from below: runs of a step were cut off, and nobody knows how long they would have taken. */
  readonly atLeast: readonly TotalFigure[];
  readonly probabilityFastest: number;
}

export type TotalFigure = 'mean' | 'p50' | 'p80' | 'p95';

/** What takes the least time on average, beside what is recommended, or where that is the same, the next. */
export interface OnAverage extends MeanDifference {
  readonly approach: string;
  /** Takes longer on average, by the seconds. */
  readonly other: string;
}

/** Which approach to take, by what was drawn of each. */
export interface Verdict {
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
}

/** Pure: the same draws give the same verdict. */
export function judged(drawn: DrawnApproach[]): Verdict {
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
  const verdict = verdictOf({ first, second, beatsSecond, approaches });
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
    warning: drawn.length === 0 ? NOTHING_GIVEN : warningOf(onAverage, { recommended: recommended?.name, verdict }),
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

const NOTHING_GIVEN = 'No approach was given, so there is nothing to compare.';

/** What is mostly the fastest may be so slow at times that another one takes less time on average. */
function warningOf(
  onAverage: OnAverage | null,
  { recommended, verdict }: { recommended: string | undefined; verdict: Verdict['verdict'] },
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
function verdictOf({ first, second, beatsSecond, approaches }: Judged): Verdict['verdict'] {
  const ranked = approaches.filter(({ totals }) => totals !== null);
  const thin = ranked.some(({ steps }) => steps.some(({ sampleCount }) => sampleCount < ENOUGH_RUNS));
  if (!first || thin) return 'insufficient_data';
  // Where only one of several approaches is known, nothing tells which is the fastest.
  if (!second || beatsSecond === null) return approaches.length === 1 ? 'clear' : 'insufficient_data';
  const [own, others] = [ownSteps(first.means, second.means), ownSteps(second.means, first.means)];
  const [n, m] = [fewestRuns(own), fewestRuns(others)];
  // (n + m + 1) / 12 n m, written so that one of them may be infinite: of nothing but steps of both, all is known.
  const byChance = CHANCE_Z * Math.sqrt((1 / n + 1 / m + 1 / (n * m)) / 12);
  const unknown = unknownShare(own);
  const isClear = beatsSecond - unknown >= CLEAR_PROBABILITY && beatsSecond - 0.5 > byChance;
  return isClear ? 'clear' : 'too_close_to_call';
}

interface Judged {
  readonly first: DrawnApproach | undefined;
  readonly second: DrawnApproach | undefined;
  readonly beatsSecond: number | null;
  readonly approaches: readonly Approach[];
}

/** A type that is in several steps counts for less: its runs decide several times. */
function fewestRuns(steps: readonly MeanTime[]): number {
  const times = (type: string) => steps.filter(({ key }) => key === type).length;
  return Math.min(...steps.map(({ key, runs }) => runs / times(key)));
}

/** For each approach the share of draws in which it takes least time; a tie is shared. Zero for unranked ones. */
function probabilitiesFastest(drawn: DrawnApproach[]): number[] {
  const rivals = drawn.flatMap(({ sums }, index) => (sums ? [{ sums, index }] : []));
  const draws = rivals[0]?.sums.length ?? 0;
  const wins = drawn.map(() => 0);
  // Plain loops: with an array for each draw, 50 approaches blocked all requests for a quarter of a second.
  for (let draw = 0; draw < draws; draw++) {
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
  return wins.map((won) => (draws === 0 ? 0 : won / draws));
}

function shareBelow(first: Float64Array | null, second: Float64Array | null): number | null {
  if (!first || !second) return null;
  let below = 0;
  for (let draw = 0; draw < first.length; draw++) {
    const difference = (first[draw] as number) - (second[draw] as number);
    below += difference < 0 ? 1 : difference === 0 ? 0.5 : 0;
  }
  return below / first.length;
}
