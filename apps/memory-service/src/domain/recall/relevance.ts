import type { Evidence, Gathered } from './evidence.ts';
import type { ModelKind } from './fusion.ts';

/** high: surely about what was asked; medium: perhaps; low: nothing says so, it only came out best of what there is. */
export type Relevance = 'high' | 'medium' | 'low';

interface Calibration {
  /** Weight of cosines beside shares of words. */
  readonly meaning: number;
  readonly medium: number;
  readonly high: number;
  /** A cosine that is medium by itself, whatever the words: a paraphrase. */
  readonly cosine: number;
}

/**
 * Read off questions asked of the wrong conversation: at `medium`, five of six such questions find nothing, and 95 % of the
 * evidence that the right ones find among the first ten stays; at `high`, one wrong question in a hundred finds anything.
 * Source: docs/benchmarks.md, "Recall", "Silence".
 */
const CALIBRATIONS: Readonly<Record<ModelKind, Calibration>> = {
  contextual: { meaning: 3, medium: 2.75, high: 4.1, cosine: 0.45 },
  static: { meaning: 1, medium: 1.4, high: 2.2, cosine: 0.6 },
  none: { meaning: 0, medium: 0.6, high: 1.1, cosine: 1 },
};

/**
 * Tells how relevant a candidate is, from absolute evidence and never from its rank: how much of the question stands in it
 * and how close its meaning is, and the same for the best that the store has at all. A store that knows nothing of a
 * question answers with low ones.
 */
export function relevanceJudge(gathered: Gathered, model: ModelKind): (evidence: Evidence) => Relevance {
  const { meaning, medium, high, cosine } = CALIBRATIONS[model];
  let bestWindow = 0;
  let bestMeaning = 0;
  for (const { window, mixedCosine } of gathered.candidates) {
    bestWindow = Math.max(bestWindow, window);
    bestMeaning = Math.max(bestMeaning, mixedCosine);
  }
  const known = gathered.bestTurn + bestWindow + meaning * bestMeaning;
  return (evidence) => {
    const { coherence: g, turn } = evidence;
    const words = turn + g * evidence.window + (1 - g) * turn;
    const support = known + words + meaning * (g * evidence.mixedCosine + (1 - g) * evidence.cosine);
    if (support >= high) return 'high';
    return support >= medium || evidence.cosine >= cosine ? 'medium' : 'low';
  };
}
