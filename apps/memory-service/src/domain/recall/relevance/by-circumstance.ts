import type { Candidate } from '../evidence/evidence.ts';
import { type Circumstance, fitsCircumstance } from '../question/circumstance.ts';
import type { Relevance } from './relevance.ts';

interface Asking {
  readonly circumstance: Circumstance | null;
}

/**
 * Tells the relevance of a candidate by its circumstance, where the question asks for nothing else: what fits is `medium` at least, and
 * what does not is `low`. Its words are those of any such question.
 * @param judged by evidence
 */
export function byCircumstance(
  { circumstance }: Asking,
  { candidates, judged }: { candidates: readonly Candidate[]; judged: (index: number) => Relevance },
): (index: number) => Relevance {
  if (!circumstance) return judged;
  return (index) => {
    const fits = fitsCircumstance(circumstance, (candidates[index] as Candidate).evidence);
    if (fits === false) return 'low';
    const relevance = judged(index);
    return fits && relevance === 'low' ? 'medium' : relevance;
  };
}
