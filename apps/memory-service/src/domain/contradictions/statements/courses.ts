import type { Value } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';

/** What a short statement says of whether something stays as it is: "we keep Stripe for payments", "payments move to Adyen". */
export interface Course {
  /** Stems of what it is about: who does it, and for what. */
  readonly about: ReadonlySet<string>;
  /** The stems of these that say who, and for what. */
  readonly who: ReadonlySet<string>;
  readonly purpose: ReadonlySet<string>;
  /** Positions of what is kept, given up, and taken in its place. */
  readonly kept: readonly number[];
  readonly left: readonly number[];
  readonly taken: readonly number[];
  /** The word before what somebody stays with: with, on, in. */
  readonly by: string;
}

interface Told {
  readonly course: Course | null;
}

/** A longer statement says more than one thing, and the forms take cubic time. */
const MOST_CHARACTERS = 120;
const ENDS =
  'for|in|on|at|as|to|into|onto|from|off|with|by|until|till|because|since|if|when|while|but|and|or|so|that|which|over|away';
/** Some words, up to one that begins something else; a full stop within a number ends nothing. */
const some = (name: string) => String.raw`(?<${name}>(?:(?!\b(?:${ENDS})\b)(?:[^,;:.!?]|\.(?=\d)))+?)`;
/** "Payments: we ...", "After the review of payments, we ...", "For payments we ..." */
const BEFORE = String.raw`(?:(?<label>[^,:;]{2,60}?)(?:[:,]\s+|\s[–—-]\s+|\s(?=(?:we|they)\b)))?`;
const WHO = `${some('who')} (?:(?:is|are|has|have|will) )?(?:(?:now|just|still) )?`;
const FOR = `(?: (?:for|in|on) ${some('topic')})?`;
const TO = `(?: ${some('moved')})?(?: (?:away )?(?:from|off) ${some('left')})?(?: over)? (?:to|onto|into) ${some('taken')}`;
/** "Next month", "from now on": when it happens. */
const WHEN = String.raw`(?: (?:next|this) \p{L}+| from (?:[\p{L}\d]+ ){1,2}on(?:wards?)?)?`;
const form = (said: string) => new RegExp(`^${BEFORE}${WHO}${said}${FOR}${WHEN}[.!]?$`, 'isud');
const KEEPS = [
  form(`(?:keep|keeps|keeping|retain|retains|retaining)(?: (?:using|with|to))? ${some('kept')}`),
  form(
    `(?:stays?|staying|remains?|remaining|sticks?|sticking|continues?|continuing) (?<by>with|on|to|in|at) ${some('kept')}`,
  ),
];
const LEAVES = [
  form(`(?:switch(?:es|ed|ing)?|(?:migrat|mov|chang)(?:e|es|ed|ing))${TO}`),
  form(
    `(?:(?:mov|migrat|switch)(?:e|es|ed|ing)? (?:off|away from)|drop(?:s|ped|ping)?|abandon(?:s|ed|ing)?|scrap(?:s|ped|ping)?|giv(?:e|es|en|ing) up|(?:phas(?:e|es|ed|ing)) out|replac(?:e|es|ed|ing)) ${some('left')}(?: (?:with|by) ${some('taken')})?`,
  ),
];
/** "Kim stays in the team" and "Kim moves to Bergen" are of two things. */
const SOMEBODY = /^\p{Lu}\p{L}+$/u;
const ARTICLE = /^(?:an?|the|this|that|these|those|our|my|your|his|her|its|their)$/;

/** null where it says something else. */
export function courseIn(text: string, words: readonly Word[], values: readonly Value[]): Course | null {
  const match = text.length > MOST_CHARACTERS ? null : firstOf([...KEEPS, ...LEAVES], text);
  if (!match) return null;
  const { who = '', by = '' } = match.groups ?? {};
  const positions = (name: string) => positionsIn(words, match.indices?.groups?.[name]);
  const topic = positions('topic');
  // "We keep the logs for 30 days" says for how long, "stays there for a while" too; "payments move in March" says when.
  const isOfTime =
    match.groups?.topic !== undefined &&
    (!topic.some((at) => words[at]?.isContent) ||
      values.some(({ from, to }) => topic.some((at) => at >= from && at <= to)));
  const isKept = match.groups?.kept !== undefined;
  if ((isOfTime && isKept) || (/^(?:in|at)$/i.test(by) && SOMEBODY.test(who))) return null;
  const stems = (...names: string[]) =>
    names.flatMap(positions).flatMap((at) => (words[at]?.isContent || words[at]?.isName ? [words[at].stem] : []));
  const [does, purpose] = [new Set(stems('who')), new Set(stems('label', 'moved', ...(isOfTime ? [] : ['topic'])))];
  return {
    about: new Set([...does, ...purpose]),
    who: does,
    purpose,
    kept: positions('kept'),
    left: positions('left'),
    taken: positions('taken'),
    by: by.toLowerCase(),
  };
}

/** Whether one of two statements says that something is kept, and the other one that something is given up or taken. */
export function areOfTwoCourses(a: Pick<Told, 'course'>, b: Pick<Told, 'course'>): boolean {
  return a.course !== null && b.course !== null && isKept(a.course) !== isKept(b.course);
}

export function isKept({ kept }: Course): boolean {
  return kept.length > 0;
}

function firstOf(forms: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const one of forms) {
    const match = one.exec(text);
    if (match) return match;
  }
  return null;
}

/** The positions of the words of a part of the text, without articles. */
function positionsIn(words: readonly Word[], span: readonly number[] | undefined): number[] {
  const [from = 0, to = 0] = span ?? [];
  return words.flatMap(({ start, end, lower }, at) => (start >= from && end <= to && !ARTICLE.test(lower) ? [at] : []));
}
