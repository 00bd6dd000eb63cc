import type { ModelKind } from '../embedding/text-embedding.ts';
import type { Candidate, Evidence, Retrieved } from './evidence.ts';

/** high: surely about what was asked; medium: perhaps; low: nothing says so, it only came out best of what there is. */
export type Relevance = 'high' | 'medium' | 'low';

interface Calibration {
  /** Weight of cosines beside shares of words. */
  readonly meaning: number;
  readonly medium: number;
  readonly high: number;
  /** What a memory has to bring itself, however much the store knows of the question. */
  readonly own: number;
  /** A cosine that is medium by itself, whatever the words: a paraphrase. */
  readonly cosine: number;
  /** The same for the one that is closest of all, where it stands apart from the others. */
  readonly closest: number;
}

/** How far the closest stands above those that come after the first few, which may be about it too. */
const APART = 0.1;
const OTHERS = { from: 5, until: 15 };

/** The same as a share of what the best memory brings: what comes up beside a good answer is seldom one too. */
const SHARE_OF_BEST = 0.35;

/**
 * Read off questions asked of the wrong conversation: at `medium`, five of six such questions find nothing, and 95 % of the
 * evidence that the right ones find among the first ten stays; at `high`, one wrong question in a hundred finds anything, and nine of ten
 * questions about what the store speaks of, but nobody answered, find nothing. `own`
 * and the share of the best cost half a point of that evidence and halve the contexts of a store of mixed subjects.
 * Source: docs/benchmarks.md, "Recall", "Silence".
 */
const CALIBRATIONS: Readonly<Record<ModelKind, Calibration>> = {
  contextual: { meaning: 3, medium: 2.75, high: 5, own: 0.9, cosine: 0.45, closest: 0.4 },
  static: { meaning: 1, medium: 1.4, high: 2.2, own: 0.3, cosine: 0.6, closest: 1 },
  none: { meaning: 0, medium: 0.6, high: 1.1, own: 0.15, cosine: 1, closest: 1 },
};

/**
 * Tells how relevant a candidate is, from absolute evidence and never from its rank: how much of the question stands in it
 * and how close its meaning is, and the same for the best that the store has at all. A store that knows nothing of a
 * question answers with low ones.
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

/** Mean of the sixth to the fifteenth best; 0 where there are no so many. */
function cosineOfOthers({ candidates }: Retrieved): number {
  // Of numbers alone, filled by hand: anything else takes ten times as long.
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

/** How much of the question a memory holds by itself and with its window, and how close its meaning is. */
function broughtBy({ coherence: g, turn, window, cosine, mixedCosine }: Evidence, meaning: number): number {
  return turn + g * window + (1 - g) * turn + meaning * (g * mixedCosine + (1 - g) * cosine);
}
