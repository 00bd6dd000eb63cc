import type { Candidate } from '../evidence/evidence.ts';
import { type Circumstance, fitsCircumstance } from '../question/circumstance.ts';

interface Asking {
  readonly circumstance: Circumstance | null;
}

/** What a memory loses that was not said when and by whom is asked: more than all that words and meaning could give it. */
const MISFIT = 10;
/** What one loses that was said later: as much as all of the words that it may have of the time. */
const LATER = 1;

/** What circumstance takes off each candidate; 0 for all of a question that has a subject. */
export function misfitPenalties({ circumstance }: Asking, candidates: readonly Candidate[]): readonly number[] {
  return candidates.map(({ evidence }) => {
    const fits = circumstance === null || fitsCircumstance(circumstance, evidence);
    if (fits === null) return -LATER;
    return fits ? 0 : -MISFIT;
  });
}
