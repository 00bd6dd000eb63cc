import type { ModelKind } from '../../embedding/text-embedding.ts';
import { CROWD_AMONG } from '../evidence/crowding.ts';
import type { Weigh } from '../evidence/evidence.ts';
import { FUSION_WEIGHTS, scorer, sumOf } from '../evidence/fusion.ts';
import type { Question } from '../question/question.ts';
import { BEST_LOOKED_AT, figuresOfRelevance } from '../relevance/relevance.ts';
import { BEST_REPLIED } from '../relevance/replies.ts';

/**
 * How much lower than that of the best the score of a candidate is that is kept too: what is taken off for a crowd, and added as a
 * boost, seldom makes up for more.
 */
const MARGIN = 0.1;

/** The best one has the later mentions that count; what is taken off for a crowd may make it another one. */
const MENTIONED = 2;

/**
 * How recall weighs the evidence for a question, so that the store leaves out candidates that cannot be among the best, and do not reply
 * to one. Not where more candidates count beside their scores: where several things are asked for, or what fits a circumstance.
 */
export function weighingOf(
  question: Question,
  { kind, places }: { readonly kind: ModelKind; readonly places: number },
): Weigh | undefined {
  if (question.asksSeveral || question.circumstance !== null) return undefined;
  return (about) => {
    const model = about.hasVectors ? kind : 'none';
    const partsOf = scorer({ question, retrieved: about, weights: FUSION_WEIGHTS[model] });
    return {
      score: (evidence) => sumOf(partsOf(evidence)),
      figures: figuresOfRelevance(question, model),
      places: Math.max(places, CROWD_AMONG, BEST_LOOKED_AT),
      margin: MARGIN,
      replied: BEST_REPLIED,
      mentioned: MENTIONED,
    };
  };
}
