import { CONSIDERS } from '../../text/sentences/told-part.ts';
import type { Value } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { MONTH, ORDINAL_DAY, WEEKDAY } from '../../text/words/calendar.ts';
import { STOP_WORDS } from '../../text/words/stop-words.ts';
import { tellingTerms } from '../../text/words/telling-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';
import type { AskedValue } from '../question/asked-value.ts';
import { hasOtherValue, hasValue, valuesAsked } from './other-value.ts';
import { type ReadStatement, type TwoStatements, toldBeside } from './read-statement.ts';

/** What tells that something is so from a time on, or no longer. */
const WORDS_OF_CHANGE = new RegExp(
  `\\b(?:${[
    'now|instead|in place of|rather than|no longer|no more|any ?more|these days|newly|another one|this time|after all|in the end|for good|as of',
    `(?:from|since) (?:now|today|tomorrow|tonight|yesterday|this (?:morning|afternoon|evening|week|month|year)|${WEEKDAY})(?: on)?`,
    'from (?:[\\w.]+ ){1,4}on(?:wards?)?|(?:up|down) (?:to|from)|set (?:[\\w.]+ ){1,4}to',
    'reassigned|replace[ds]|moves?|moved|moving|switch(?:ed|es)|changed|changes? to|shift(?:ed|s)|migrated|renamed|renumbered|succeed(?:ed|s)|successor|became|becomes',
    'raised?|raises|lowere?[ds]?|increase[ds]?|reduced?|reduces|doubled|halved|upgraded|downgraded|bumped|rolled back|shortened',
    'extend(?:ed|s)|prolonged|renewed|postponed|delayed|rescheduled|brought forward|(?:put|pushed) (?:off|back)',
    '(?:takes?|took|taken|hands?|handed|passed) (?:over|on)|handed|gave|left|leaves|retire[ds]|quits?|resigned|stepped down|stop(?:s|ped)|drop(?:s|ped)|cancell?ed|refuse[ds]|scrapped|abolished|removed|(?:is|are) (?:out|gone)|got rid of|take (?:it|that) back',
  ].join('|')})\\b`,
  'i',
);
/** A day on which something begins, and no span that has an end too. */
const BEGINNING = `(?:the )?(?:${ORDINAL_DAY}|first of|(?:\\d{1,2} )?${MONTH}|next (?:week|month|term|season|year))\\b(?![^.!?]{0,20}\\b(?:to|till|until)\\b| ?[-–])`;
/** What tells of a change only where something else says that a statement takes up another one. */
const HINTS_OF_CHANGE = new RegExp(
  [
    `\\b(?:from|starting|beginning|effective) ${BEGINNING}`,
    '\\b(?:new|correction|change of plans?|make (?:it|that|the [a-z]+)|back (?:to|down|up))\\b|^no,',
    // What does not change stands beside what does: "day 9 minutes, night stays"; but "12 euros stays" is no change.
    '\\b(?<!\\d (?:[a-z]+ )?)stays?(?=\\W*(?:$|[.,;]))',
    '(?:^|\\bI )(?:sold|finished|bought)\\b',
    '\\btoo (?:big|dear|early|expensive|heavy|high|large|late|little|long|loose|low|short|slow|small|strict|tight)\\b',
    '\\b(?:went|goes|gone) (?:down|for|to|up|with)\\b|\\bgives? up\\b|\\b(?:close[sd]|expire[sd]) (?:down|for|its|their)\\b|\\b(?:close[sd]|expire[sd])\\W*$',
    '^then\\b|\\b(?:then|it is)\\W*$',
  ].join('|'),
  'i',
);
/** A change of what the question asks for, and of nothing that is named: "Switched from npm to bun", "We have moved from Redis to Valkey". */
const CHANGE_WITHOUT_SUBJECT =
  /^\W*(?:(?:i|we|they|user)(?:['’]ve| have| has)? )?(?:just |now )?(?:changed|migrated|moved|replaced|switched)\b/i;
/** What is only considered, or comes in addition: "might", "Tomasz handles travel too". */
const UNSETTLED = new RegExp(`${CONSIDERS}|\\b(?:as well|also)\\b|\\btoo(?=\\s*(?:[,.;!?]|$))`, 'i');
/** Why something is so, up to the end of its sentence; "since" and "as" begin a time too, unless a comma stands before them. */
const REASONS = /(?:,? (?:because|owing to|thanks to|so that)|, (?:so|since|as)) [^.!?]*/gi;
/** What something came in the place of: "moved from Redis to Valkey", "Valkey instead of Redis", "Valkey, not Redis". */
const IN_PLACE_OF =
  /(?:\b(?:from|instead of|in place of|rather than|replace[ds]?)|, not)\s+(?:(?:the|our|an?|at|on|for|till|until)\s+)?([\p{L}\p{N}][\p{L}\p{N}_.:-]*)/giu;
/** What is so no more: "no late fees any more", "we no longer ship on Fridays", "make ship is removed". */
const ENDED = [
  /\bno ((?:[\p{L}\p{N}'’-]+ ){0,3}[\p{L}\p{N}'’-]+) (?:any ?more|from now on)\b/giu,
  /\bno longer ((?:[\p{L}\p{N}'’-]+ ){0,7}[\p{L}\p{N}'’-]+)/giu,
  /(?<![\p{L}\p{N}'’-])((?:(?!(?:an?|my|our|that|the|these|this|those|your) )[\p{L}\p{N}'’-]+ ){1,4})(?:is|are|was|were|has been|have been) (?:abolished|cancell?ed|discontinued|dropped|gone|removed|retired|scrapped)\b/giu,
];
/** Words that tell nothing of their own. */
const PASSED_OVER = new Set('she go goes went turned turn put puts set sets'.split(' '));
/** Why or since when it is so no more. */
const BEHIND_THING = / (?:after|as|because|from|since)\b.*$/i;
const EACH_WORD_OF_CHANGE = new RegExp(WORDS_OF_CHANGE, 'gi');

/** Whether a statement has plain words of change, such as "now" and "instead". */
export function tellsOfChange(text: string): boolean {
  return WORDS_OF_CHANGE.test(text);
}

/** Whether a statement that takes up another one tells of a change, if only by a hint: "new", "from August", "too low", "back to". */
export function hintsAtChange(text: string): boolean {
  return tellsOfChange(text) || HINTS_OF_CHANGE.test(text);
}

/** Whether a statement begins with a change and does not say what of. */
export function leavesOutSubject(text: string): boolean {
  return CHANGE_WITHOUT_SUBJECT.test(text);
}

/** Whether a statement tells nothing that is only considered, or comes in addition to what is so. */
export function isSettled(text: string): boolean {
  return !UNSETTLED.test(text);
}

/**
 * Whether all that a statement of change adds to an older one, but for the reason, is one thing of the kind that is asked for. What
 * adds more speaks of something else: "Bob is now the owner of search", "Billing now sends letters".
 * @param subject stems of the words of the question that tell it @param told.read `readStatement`, or what remembers what that gives
 */
export function addsOneThing(
  asked: AskedValue,
  subject: ReadonlySet<string>,
  { older, change, read }: { older: ReadStatement; change: string; read: (text: string) => ReadStatement },
): boolean {
  const stems = older.words.flatMap(({ isContent, stem }) => (isContent ? stem : []));
  const known = new Set([...subject, ...stems]);
  const said = change.replace(REASONS, ' ');
  const words = wordsOf(said.replace(EACH_WORD_OF_CHANGE, ' '));
  const isAdded = ({ isContent, lower, stem }: Word) => isContent && !PASSED_OVER.has(lower) && !known.has(stem);
  const hasAnyOf = (all: ReadonlySet<string>) => words.some(({ stem }) => all.has(stem));
  if (asked === 'other') return hasAnyOf(new Set(stems)) && addsOneName(words, isAdded);
  return hasAnyOf(known) && !words.some(isAdded) && addsOneValue(asked, { older, newer: read(said) });
}

/** "The fee is 140", "We raised the fee to 155". */
function addsOneValue(asked: AskedValue, told: TwoStatements): boolean {
  return valuesAsked(asked, told.newer).length === 1 && hasOtherValue(asked, told);
}

/** "Ann is the owner of billing", "Billing has moved to Bob". */
function addsOneName(words: readonly Word[], isAdded: (word: Word) => boolean): boolean {
  const name = words.slice(words.findIndex(isAdded), words.findLastIndex(isAdded) + 1);
  return name.length > 0 && name.every((word) => isAdded(word) && mayBeName(word));
}

/** Whether a statement of change names what it takes the place of: a thing that the older one tells beside what is asked, and no time. */
export function namesReplaced(subject: ReadonlySet<string>, older: ReadStatement, change: string): boolean {
  const told = toldBeside(subject, older);
  const isThing = (word: string) => tellingTerms(termsOf(word), { namesTime: true }).length > 0;
  return [...change.matchAll(IN_PLACE_OF)].some(
    ([, word = '']) => isThing(word) && wordsOf(word).some(({ stem }) => told.has(stem)),
  );
}

/**
 * Whether a statement of change names the value that it takes the place of, which the older one tells, and another one of the kind that is
 * asked for: "Thursdays instead of Wednesdays", "at 12 on Saturdays, not 13". "From 9 to 17" may be a span.
 */
export function namesReplacedValue(asked: AskedValue, { older, newer }: TwoStatements, change: string): boolean {
  const isNew = (value: Value) => !hasValue(older, value);
  return (
    valuesAsked(asked, newer).some(isNew) &&
    [...change.matchAll(IN_PLACE_OF)].some(
      ([told, value = '']) =>
        !/^from/i.test(told) && valuesOf(wordsOf(value)).some((one) => one.from === 0 && hasValue(older, one)),
    )
  );
}

/**
 * Whether a statement says that something is so no more of which each word stands in the older one: two words, or one that the question
 * has too. "The backup job is removed" says nothing of the backup server.
 */
export function endsIt(subject: ReadonlySet<string>, older: ReadStatement, change: string): boolean {
  const told = new Set(older.words.map(({ stem }) => stem));
  return ENDED.some((ended) =>
    [...change.matchAll(ended)].some(([, what = '']) => {
      const words = wordsOf(what.replace(BEHIND_THING, ''));
      const stems = new Set(words.flatMap(({ lower, stem }) => (STOP_WORDS.has(lower) ? [] : stem)));
      if (![...stems].every((stem) => told.has(stem))) return false;
      return stems.size > 1 || [...stems].some((stem) => subject.has(stem));
    }),
  );
}

/** Whether the newer statement has a name that neither the question nor the older one has. */
export function addsName(subject: ReadonlySet<string>, { older, newer }: TwoStatements): boolean {
  const known = new Set([...subject, ...older.words.map(({ stem }) => stem)]);
  return newer.words.some(({ isName, stem }) => isName && !known.has(stem));
}

/** The first word of a sentence has a capital anyway. */
function mayBeName({ isName, startsSentence, text, lower }: Word): boolean {
  return isName || (startsSentence && text !== lower);
}
