import type { Candidate } from '../evidence/evidence.ts';
import { type Circumstance, fitsCircumstance, isPlannedNoMore } from '../question/circumstance.ts';

interface Asking {
  readonly circumstance: Circumstance | null;
}

/** What a memory loses that was not said when and by whom is asked: more than all that words and meaning could give it. */
const MISFIT = 10;
/** What one loses that was said later, or holds no more: as much as all of the words that it may have of the time. */
const LATER = 1;

/**
 * What circumstance takes off each candidate; 0 for all of a question that has a subject. What is planned
 * no more stands behind all plans that hold.
 * @param isPast whether the question is about what held at another moment
 */
export function misfitPenalties(
  { circumstance }: Asking,
  candidates: readonly Candidate[],
  { isPast }: { isPast: boolean },
): readonly number[] {
  return candidates.map(({ evidence, stored }) => {
    const fits = circumstance === null || fitsCircumstance(circumstance, evidence);
    if (fits === false) return -MISFIT;
    return fits === null || isPlannedNoMore(circumstance, stored.memory, { isPast }) ? -LATER : 0;
  });
}
