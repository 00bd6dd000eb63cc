import { isSettled, tellsOfChange } from './tells-of-change.ts';

/** What agrees to what was said just before, or settles it: "yes, do that", "the second one", "So 4,500.", "12 then". */
const SETTLES = new RegExp(
  [
    "^\\W*(?:(?:yes|yep|yeah|ok(?:ay)?|right|fine|good|great|sure|agreed|done|deal|perfect|no|so)\\b[,.!: ]*)*(?:(?:do|take|use|try|we(?:['’]ll)?|i['’]ll|go(?: (?:with|for|ahead))?|option|then|the (?:\\w+ )?(?:ones?|options?)|the (?:first|second|third|last|latter|former|other)(?=\\W*$|[,.;:!]| please)|all|both|that one)\\b|$)",
    '\\b(?:then|it is|agreed|instead)\\W*(?:$|[.,;])',
    '\\bdo (?:that|it|so|both)\\b',
  ].join('|'),
  'i',
);

/** "Let's do five" settles, "let's see" does not. */
const LETS_DO = /\blet['’]?s\b(?! (?:ask|consider|discuss|look|see|talk|think|wait)\b)/gi;
/** Turns down what was proposed: "no, 20 MB is too much". "No problem" agrees. */
const REFUSES = /^\W*(?:(?:no|nope|nah)\b(?! (?:more|problem|worries|objection)s?\b)|not\b)/i;
/** Leaves all as it is: "leave it", "we stay with what we have"; "keep them for 90 days" does not. */
const LEAVES =
  /\bleave (?:it|them|that|things|everything)\b(?! (?:to|at|for|with)\b)|\bkeep (?:it|them|that|things|everything|what) (?:as|like|the same|that way|we have)\b|\bstay(?:s|ing)? (?:with|as|the same)\b|\bas (?:it|they|things) (?:is|are)\b|\bas before\b|\bforget (?:it|that|about)\b|\bnot worth\b|\bno need\b/i;
/** What a value takes the place of, or is not: "five instead of six", "not at 9:45". "Not before nine" denies no value. */
const DENIED =
  /\b(?:instead of|in place of|rather than|not) (?:(?:at|on|in|by|for|to) )?(?:the )?[\p{L}\p{N}.,:]*[\p{L}\p{N}]/giu;
/** A sentence that guesses or supposes, or begins with "if". */
const GUESSES =
  /^\W*if\b|\b(?:roughly|approximately|probably|presumably|my guess|at a guess|i (?:guess|suppose|bet)|i['’]d (?:say|guess|bet))\b/i;
const JOKES = /\b(?:(?:ha){2,}h?|lol|joking|kidding)\b|[😂🤣😜]/iu;
/** A clause of what was, is not, is too much or little, or is what a person does: "we had eight then", "9:45 is too late", "I do mine on Fridays". */
const NO_DECISION = new RegExp(
  [
    '\\b(?:had|was|were|did|used to)\\b',
    "n['’]t\\b|\\b(?:cannot|never|(?:am|are|can|do|does|has|have|is|may|should|will) not)\\b",
    "(?:\\b(?:is|are|feels?|looks?|seems?|sounds?)|['’]s) too\\b",
    "^\\W*(?:i|he|she|they|my|mine|his|her|their)\\b(?!['’]ll\\b| (?:will|want|say)\\b)",
  ].join('|'),
  'i',
);
const END_OF_SENTENCE = /(?<=[.;!?])\s+/;
/** Where a clause ends: "No, four is enough" counts four of nothing. */
const END_OF_CLAUSE = /(?<=[,.;:!?])\s+/;

/** Whether a reply tells nothing that is only considered, or comes in addition. */
export function isDecided(text: string): boolean {
  return isSettled(text.replace(LETS_DO, ' '));
}

/** Whether a reply settles in so many words what was said just before. */
export function settles(text: string): boolean {
  return SETTLES.test(text);
}

/** Whether a reply turns down what was said just before: none of its values is decided for. */
export function refuses(text: string): boolean {
  return REFUSES.test(text);
}

/** Whether a reply leaves all as it is, or is a joke. */
export function decidesNothing(text: string): boolean {
  return LEAVES.test(text) || JOKES.test(text);
}

/** The clauses of a reply that may decide, without the values that they deny: none that guesses, reports or denies. */
export function decidingClauses(text: string): string[] {
  return text
    .split(END_OF_SENTENCE)
    .flatMap((sentence) => (GUESSES.test(sentence) ? [] : sentence.split(END_OF_CLAUSE)))
    .filter((clause) => !NO_DECISION.test(clause) || tellsOfChange(clause))
    .map((clause) => clause.replace(DENIED, ' '));
}
