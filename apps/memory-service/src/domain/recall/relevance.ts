import type { ModelKind } from '../embedding/text-embedding.ts';
import type { Candidate, Evidence, Retrieved } from './evidence.ts';

/** high: almost surely about the question; medium: perhaps; low: no evidence, only the best of what there is. */
export type Relevance = 'high' | 'medium' | 'low';

interface Calibration {
  /** Weight of a cosine relative to shares of words. */
  readonly meaning: number;
  readonly medium: number;
  readonly high: number;
  /** The least evidence of the memory itself, however much the store knows about the question. */
  readonly own: number;
  /** A cosine that makes a memory medium without any words in common: a paraphrase. */
  readonly cosine: number;
  /** The same for the closest memory, where it stands apart from the others. */
  readonly closest: number;
}

/** The least distance of the closest memory to those after the first few, which may have the same subject. */
const APART = 0.1;
const OTHERS = { from: 5, until: 15 };

/** The least evidence as a share of the best memory's: what ranks far behind a good answer is seldom an answer. */
const SHARE_OF_BEST = 0.35;

/**
 * Chosen on questions that were asked of the wrong conversation. At `medium`, five of six such questions find nothing, and 95 % of
 * the evidence that the right questions find among the first ten is kept. At `high`, one wrong question in a hundred finds
 * anything, and nine of ten questions on a subject of the store that nobody answered find nothing. `own` and the share of the
 * best cost half a point of that evidence and halve the contexts of a store of mixed subjects.
 * Source: docs/benchmarks.md, "Recall", "Silence".
 */
const CALIBRATIONS: Readonly<Record<ModelKind, Calibration>> = {
  contextual: { meaning: 3, medium: 2.75, high: 5, own: 0.9, cosine: 0.45, closest: 0.4 },
  static: { meaning: 1, medium: 1.4, high: 2.2, own: 0.3, cosine: 0.6, closest: 1 },
  none: { meaning: 0, medium: 0.6, high: 1.1, own: 0.15, cosine: 1, closest: 1 },
};

/**
 * Tells the relevance of a candidate from absolute evidence and never from its rank: how much of the question it holds and how
 * close its meaning is, and the same for the best memory of the store. A store that knows nothing about a question answers with
 * low relevance.
 */
export function relevanceJudge(retrieved: Retrieved, model: ModelKind): (evidence: Evidence) => Relevance {
  const { meaning, medium, high, own, cosine, closest } = CALIBRATIONS[model];
  let bestWindow = 0;
  let bestMeaning = 0;
  let bestCosine = 0;
  let bestBrought = 0;
  for (const { evidence } of retrieved.candidates) {
    bestWindow = Math.max(bestWindow, evidence.window);
    bestMeaning = Math.max(bestMeaning, evidence.mixedCosine);
    bestCosine = Math.max(bestCosine, evidence.cosine);
    bestBrought = Math.max(bestBrought, broughtBy(evidence, meaning));
  }
  const known = retrieved.bestTurn + bestWindow + meaning * bestMeaning;
  const least = Math.max(own, SHARE_OF_BEST * bestBrought);
  const apart = Math.max(closest, cosineOfOthers(retrieved) + APART);
  return (evidence) => {
    const isClosest = evidence.cosine >= bestCosine && evidence.cosine >= apart;
    const brought = broughtBy(evidence, meaning);
    if (brought >= least && known + brought >= high) return 'high';
    return (brought >= least && known + brought >= medium) || evidence.cosine >= cosine || isClosest ? 'medium' : 'low';
  };
}

/** The mean of the sixth to the fifteenth best; 0 where there are fewer. */
function cosineOfOthers({ candidates }: Retrieved): number {
  // A plain array of numbers: other ways take ten times as long.
  const cosines = new Float64Array(candidates.length);
  for (let index = 0; index < cosines.length; index++)
    cosines[index] = (candidates[index] as Candidate).evidence.cosine;
  cosines.sort();
  const others = cosines.subarray(
    Math.max(0, cosines.length - OTHERS.until),
    Math.max(0, cosines.length - OTHERS.from),
  );
  return others.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, others.length);
}

/** The evidence of a memory: how much of the question it holds by itself and with its window, and how close its meaning is. */
function broughtBy({ coherence: g, turn, window, cosine, mixedCosine }: Evidence, meaning: number): number {
  return turn + g * window + (1 - g) * turn + meaning * (g * mixedCosine + (1 - g) * cosine);
}
