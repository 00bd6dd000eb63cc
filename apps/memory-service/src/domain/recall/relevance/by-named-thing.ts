import { recallText } from '../../memory/memory.ts';
import { UNITS } from '../../text/values/number.ts';
import { wordsOf } from '../../text/words/words.ts';
import type { Candidate } from '../evidence/evidence.ts';
import { moreRelevant, type Relevance } from './relevance.ts';

/** Characters of a question and of a memory in which identifiers are looked for. */
const QUESTION_LOOKED_AT = 500;
const MEMORY_LOOKED_AT = 2_000;
/** Words that stand before the number of a thing. Behind "we" or "to", some are verbs: "did we order 30 chairs?" */
const NAMED =
  '(?:#|(?<!\\b(?:to|we|i|you|they|will|would|can|could|should|must|please) )\\b(?:pr|mr|issue|ticket|order|invoice|case|build|bug) #?)';
/** A number with its unit, or a round one, is an amount. */
const UNIT = ` ?(?:[€$£¥%]|(?:${[...UNITS.keys()].filter((unit) => /^[a-z]{2,}$/.test(unit)).join('|')})\\b)`;
/**
 * What names one of many: "KB-392", "OM.1922.8", "48213", "#311", "PR 311", the commit 41d0ae2. A number alone has five digits at least:
 * fewer are a year or an amount, and what begins with a digit is one with its unit.
 */
const IDENTIFIER = new RegExp(
  `(?<![\\p{L}\\p{N}.,:_/$€£¥-])(?:${[
    // The digit is looked for first, and in what may be one name: in a text of "a?a?" each letter would read on for itself.
    '(?=\\p{L}[\\p{L}\\d._/-]{0,40}\\d)\\p{L}[\\p{L}\\d]{0,40}(?:[-_./][\\p{L}\\d]{1,40}){0,5}',
    '\\d(?=\\d{0,38}[a-f])[\\da-f]{6,39}',
    `(?!\\d*000(?!\\d))\\d{5,}(?:-\\d+)?(?!${UNIT})`,
    `${NAMED}\\d{2,}`,
  ].join('|')})(?![\\p{L}\\p{N}]|[.,:]\\d)`,
  'giu',
);
/** Fewer tell too little for others to be of the same kind: with "Q4" stand "B2" and "V1". */
const LEAST_DIGITS = 2;
/** "hex F7", "error E18". */
const SHORT_CODE = /^\p{Lu}{1,3}-?\d$/u;
/** Of a question that asks what there is of the one that it names. "What is the FY26 budget for travel?" asks for something else of it. */
const MOST_OTHER_WORDS = 1;
/** With the word before it, which tells what it is: "commit 41d0ae2". */
const WITH_WORD_BEFORE = new RegExp(`(?:[\\p{L}]+ )?${IDENTIFIER.source}`, IDENTIFIER.flags);
/** What asks for others than the one that it names: "What is new since v22.1.0?", "Which ticket replaced T-104?" */
const OF_OTHERS =
  /\b(?:since|after|before|until|than|between|besides?|except|others?|another|instead|replac\w+|supersed\w+|follow\w*|next|previous|compar\w+|similar|like|duplicates?)\b/i;

/**
 * Takes what names only others of the kind that the question names for irrelevant: "order 48213" where 48466 is asked for; and what names
 * the one itself for relevant, if the question says little more. What names none of that kind may speak of it. Nothing is taken so where
 * no memory names what is asked for, or the question asks for others.
 * @param judged the relevance by index of the candidate
 */
export function byNamedThing(
  { text, owesValue }: { readonly text: string; readonly owesValue: boolean },
  { candidates, judged }: { readonly candidates: readonly Candidate[]; readonly judged: (index: number) => Relevance },
): (index: number) => Relevance {
  const looked = text.slice(0, QUESTION_LOOKED_AT);
  const asked = identifiersIn(looked);
  if (asked.length === 0 || OF_OTHERS.test(looked)) return judged;
  const kinds = new Set(asked.filter(hasKind).map(kindOf));
  const named = candidates.map((candidate) =>
    identifiersIn(recallText(candidate.stored.memory).slice(0, MEMORY_LOOKED_AT)),
  );
  const isAsked = (identifier: string) => asked.includes(identifier);
  if (!named.some((some) => some.some(isAsked))) return judged;
  // What names K04 mostly does not say what it weighs.
  const least: Relevance = asksOfItAlone(looked) && !owesValue ? 'medium' : 'low';
  return (index) => {
    const names = named[index] as string[];
    if (names.some(isAsked)) return moreRelevant(least, judged(index));
    return names.some((one) => hasKind(one) && kinds.has(kindOf(one))) ? 'low' : judged(index);
  };
}

function asksOfItAlone(question: string): boolean {
  const others = wordsOf(question.replace(WITH_WORD_BEFORE, ' ')).filter(({ isContent }) => isContent);
  return others.length <= MOST_OTHER_WORDS;
}

/** In lower case, without the word or sign before the number. */
function identifiersIn(text: string): string[] {
  // Each has a digit, which is found a hundred times as fast.
  if (!/\d/.test(text)) return [];
  return (text.match(IDENTIFIER) ?? [])
    .map((one) => one.replace(/^(?:#|[a-z]+ #?)/i, ''))
    .filter((one) => hasKind(one) || SHORT_CODE.test(one))
    .map((one) => one.toLowerCase());
}

/** Whether it is one of a kind that its form tells. */
function hasKind(identifier: string): boolean {
  return (identifier.match(/\d/g)?.length ?? 0) >= LEAST_DIGITS;
}

/** The same for "48213" and "48466", and for "kb-392" and "kb-14". */
function kindOf(identifier: string): string {
  return /\p{L}/u.test(identifier) ? identifier.replace(/\d+/g, '0') : `${identifier.length} digits`;
}
