import type { ModelKind } from '../../embedding/text-embedding.ts';
import { recallText } from '../../memory/memory.ts';
import type { Candidate, Retrieved } from '../evidence/evidence.ts';
import { bestOf } from '../evidence/top-scores.ts';
import type { Question } from '../question/question.ts';
import { moreRelevant, type Relevance } from '../relevance/relevance.ts';
import type { Ranked } from '../replacement/pair.ts';
import { tellsOfChange } from '../replacement/tells-of-change.ts';

/** Shares of the way up to the best answer. */
interface Shares {
  /** Of what has a name in common with it. */
  readonly named: number;
  /** Of what has rare words in common with it alone. */
  readonly ofWords: number;
}
interface Calibration {
  readonly plain: Shares;
  /** Of a statement with words of change. */
  readonly ofChange: Shares;
}
/** Where the best answer is right less often, a rare word of it does not lead on, and a name half as far. */
const BY_NAMES: Calibration = { plain: { named: 0.15, ofWords: 0 }, ofChange: { named: 0.3, ofWords: 0 } };
const CALIBRATIONS: Readonly<Record<ModelKind, Calibration>> = {
  contextual: { plain: { named: 0.3, ofWords: 0.18 }, ofChange: { named: 0.5, ofWords: 0.3 } },
  static: BY_NAMES,
  none: BY_NAMES,
};
/** One word is in common by chance, if no change tells otherwise. */
const LEAST_WORDS = 2;
/** The most words of a mention; a longer text says other things too. */
const MOST_WORDS = 60;
/** Characters in which words of change are looked for. */
const LOOKED_AT = 500;

/** Lists go by the index of the candidate. */
export interface Mentions {
  /** What a candidate gains as a later mention; mostly 0. */
  readonly lifts: ArrayLike<number>;
  /** The index of the best answer; null where there is none. */
  readonly best: number | null;
  /** What each of them takes up, which is the best answer. */
  readonly takenUp: ReadonlyMap<number, NonNullable<Ranked['takesUp']>>;
}

/**
 * What short memories gain that were said after the best answer and take up what it tells, by a name that few memories have or by rare
 * words: "Sandhu's receptionist rang, moved to 3 December" has no word of "When is the dentist?", and the name of the dentist whom
 * "Check-up with Mr Sandhu on Thursday" tells. A question about a past time has no use for it. Chosen in coarse steps; docs/benchmarks/recall.md.
 * @param of.scores by candidate
 * @complexity O(candidates)
 */
export function mentionLifts(
  { period }: Pick<Question, 'period'>,
  { candidates, laterMentions }: Pick<Retrieved, 'candidates' | 'laterMentions'>,
  { scores, model }: { readonly scores: readonly number[]; readonly model: ModelKind },
): Mentions {
  const lifts = new Float64Array(candidates.length);
  const takenUp = new Map<number, NonNullable<Ranked['takesUp']>>();
  const [best = null] = bestOf(scores, 1);
  if (best === null || period !== null) return { lifts, best, takenUp };
  const candidate = candidates[best] as Candidate;
  for (const { index, isNamed, words } of laterMentions(candidate)) {
    const { evidence, stored } = candidates[index] as Candidate;
    if (evidence.words > MOST_WORDS) continue;
    const isOfChange = tellsOfChange(recallText(stored.memory).slice(0, LOOKED_AT));
    if (!isNamed && !isOfChange && words < LEAST_WORDS) continue;
    const { named, ofWords } = CALIBRATIONS[model][isOfChange ? 'ofChange' : 'plain'];
    const share = isNamed ? named : ofWords;
    if (share === 0) continue;
    takenUp.set(index, { candidate, isNamed, isOfChange });
    lifts[index] = share * ((scores[best] as number) - (scores[index] as number));
  }
  return { lifts, best, takenUp };
}

/** Makes what tells of a change relevant where the best answer is: a context with that alone may tell what is so no more. */
export function asShownMentions(
  { best, takenUp }: Mentions,
  judged: (index: number) => Relevance,
): (index: number) => Relevance {
  if (best === null || takenUp.size === 0) return judged;
  return (index) => {
    const relevance = judged(index);
    return takenUp.get(index)?.isOfChange && judged(best) !== 'low' ? moreRelevant(relevance, 'medium') : relevance;
  };
}
