import type { Evidence, LeftOut, Weighing } from '../domain/recall/evidence/evidence.ts';
import { bestOf, greatest } from '../domain/recall/evidence/top-scores.ts';

/** Of fewer candidates a place, too many are measured to make up for their bounds. */
const WORTH_WEIGHING = 4;

/** Indexes are those of candidates; -1 where it is none. */
interface Beside<E> {
  /** Makes the evidence of one exact. */
  readonly exactly: (index: number) => E;
  /** What follows one in its thread. */
  readonly after: (one: E) => number;
  /** What was said after one of something that it names. */
  readonly mentioning: (one: E) => readonly number[];
}

/**
 * Measures the candidates that may be among the best, in their order. Of the others an upper bound is too low already, so that what
 * takes longest is not measured.
 * @param most the evidence of each candidate, with shares as high as they can be
 * @param weighing absent: all are measured
 */
export function promising<E extends Evidence>(
  most: readonly E[],
  { exactly, after, mentioning }: Beside<E>,
  weighing: Weighing | undefined,
): { readonly evidence: E[]; readonly leftOut: LeftOut | null } {
  if (!weighing || most.length < WORTH_WEIGHING * weighing.places) {
    return { evidence: most.map((_, at) => exactly(at)), leftOut: null };
  }
  const { score, figures, places, margin, replied, mentioned } = weighing;
  const scores = byIndex(most, score);
  const figuresAtMost = figures.map((figure) => byIndex(most, figure));
  const isMeasured = new Uint8Array(most.length);
  const measureFrom = (least: number): E[] => {
    const found: E[] = [];
    for (let index = 0; index < scores.length; index++) {
      if ((scores[index] as number) < least) continue;
      if (isMeasured[index] === 0) exactly(index);
      isMeasured[index] = 1;
      found.push(most[index] as E);
    }
    return found;
  };
  const best = measureFrom(lowestOf(scores, places));
  const evidence = measureFrom(lowestOf(byIndex(best, score), places) - margin);
  const found = evidence.map(score);
  const replies = bestOf(found, replied).map((at) => after(evidence[at] as E));
  const mentions = bestOf(found, mentioned).flatMap((at) => mentioning(evidence[at] as E));
  for (const beside of [...replies, ...mentions]) {
    if (beside === -1 || isMeasured[beside] === 1) continue;
    isMeasured[beside] = 1;
    evidence.push(exactly(beside));
  }
  if (evidence.length === most.length) return { evidence, leftOut: null };
  const highest = figures.map((figure, number) => {
    const atMost = figuresAtMost[number] as Float64Array;
    let high = Math.max(0, ...greatest(byIndex(evidence, figure), 1));
    for (let index = 0; index < atMost.length; index++) {
      if (isMeasured[index] === 0 && (atMost[index] as number) > high) high = Math.max(high, figure(exactly(index)));
    }
    return high;
  });
  return { evidence, leftOut: { score: highestOf(scores, isMeasured), figures: highest } };
}

/** A loop, because an array of the engine's own making would allocate an object for each. */
function byIndex<E>(of: readonly E[], figure: (one: E) => number): Float64Array {
  const figures = new Float64Array(of.length);
  for (let index = 0; index < of.length; index++) figures[index] = figure(of[index] as E);
  return figures;
}

/** The lowest of the `count` greatest scores. */
function lowestOf(scores: Float64Array, count: number): number {
  return greatest(scores, count).at(-1) as number;
}

/** The highest score of those that are not measured. */
function highestOf(scores: Float64Array, isMeasured: Uint8Array): number {
  let high = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < scores.length; index++)
    if (isMeasured[index] === 0) high = Math.max(high, scores[index] as number);
  return high;
}
