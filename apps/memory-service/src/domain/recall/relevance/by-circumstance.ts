import type { Candidate } from '../evidence/evidence.ts';
import { type Circumstance, fitsCircumstance, isPlannedNoMore } from '../question/circumstance.ts';
import type { Relevance } from './relevance.ts';

interface Asking {
  readonly circumstance: Circumstance | null;
}

/**
 * Tells the relevance of a candidate by its circumstance, where the question asks for nothing else: what fits is `medium` at least, and
 * what does not, or is planned no more, is `low`. Its words are those of any such question.
 * @param judged by evidence
 */
export function byCircumstance(
  { circumstance }: Asking,
  {
    candidates,
    judged,
    isPast,
  }: { candidates: readonly Candidate[]; judged: (index: number) => Relevance; isPast: boolean },
): (index: number) => Relevance {
  if (!circumstance) return judged;
  return (index) => {
    const { evidence, stored } = candidates[index] as Candidate;
    const fits = fitsCircumstance(circumstance, evidence);
    if (fits === false || isPlannedNoMore(circumstance, stored.memory, { isPast })) return 'low';
    const relevance = judged(index);
    return fits && relevance === 'low' ? 'medium' : relevance;
  };
}
