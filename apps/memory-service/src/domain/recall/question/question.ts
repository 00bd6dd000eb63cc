import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { STOP_WORDS } from '../../text/stop-words.ts';
import { distinctTermsInSteps, termsOf } from '../../text/terms.ts';
import type { TimePeriod } from '../../text/time-expressions.ts';
import { type AskedKind, askedOf, asksWords, kindAsked, owesValue, tellingOf, termsTell } from './asked-kind.ts';
import { timesAsked } from './asked-times.ts';
import { askedValue } from './asked-value.ts';
import { withoutOrder } from './asks.ts';
import { type Circumstance, circumstanceAsked, onlySubject } from './circumstance.ts';
import type { SpeakerNames } from './speaker-names.ts';
import { subjectAskedAbout } from './subject-asked-about.ts';

/** The number of words of a question that are compared with names of speakers. */
const WORDS_COMPARED = 200;
/** Characters behind a name in which a verb of speech is looked for. */
const LONGEST_SAYING = 12;
const WORD = /[\p{L}\p{N}_-]+/gu;
const UPPER_CASE = /\p{Lu}/u;
/** "When" as a question word: at the beginning or before an auxiliary verb, and not in "how many when you don't say". */
const ASKS_WHEN =
  /^\s*(?:and |so )?when\b|\bwhen (?:is|was|were|are|will|did|do|does|has|have|had|can|could|should|would)\b|\b(?:how long|how often|since when|(?:what|which) (?:date|day|time|month|year|week))\b/i;

/** Questions for the words of the user: "I" is the user, who asks through an agent. */
const OF_THE_USER = /\b(?:I|my|me|mine|myself)\b/i;
/**
 * "Tell me who", "How do I", "I need": who asks so asks for nobody's words. "How should I" and "Show me how to" may ask for what the
 * user wished.
 */
const OF_WHO_ASKS =
  /\b(?:(?:tell|remind|let|send) me|(?:how (?:do|can|could)|can|could|may) I|(?<!did )I (?:need|want|wonder|am (?:about|going|trying)|would like)|I['’](?:d like|m (?:about|going|trying)))\b/gi;
const ME = /^(?:me|us|myself|ourselves)$/i;

/** Questions for the words of the assistant: "did you"; "can you" and "would you" ask for something new. */
const OF_THE_ASSISTANT =
  /\b(?:did|had|have|were|was) you\b|\byou (?:said|told|gave|[a-z]{3,}ed)\b|\byour (?:advice|answer|suggestion|recommendation|explanation)s?\b/i;

/**
 * Names of agents in a question: an id with a joint as it is ("code-bot"), any id after "the", and a part of an id ("the desk")
 * only before a verb. The first pattern skips places inside a word, because a long word would take quadratic time.
 */
const JOINED_ID = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)+/gu;
const THE_AGENT = /\bthe ([\p{L}\p{N}_.-]+)(?: ([\p{L}\p{N}]+))?/giu;
const ACTS = /\b(?:did|does|has|had|have|will|would|should) $/i;
/** Before a name in lower case: "did ops say"; behind "should" and "will" a noun is as likely, as in "should release notes". */
const NAME_FOLLOWS = /\b(?:did|does|has|had) $/i;
/** Characters of the longer of these words, with what stands around it. */
const LONGEST_ACT = 6;
/** Behind a name in lower case: "ann's plan", "ops' report"; "the reviewer said" has a verb of speech. */
const OWNS_OR_SAYS =
  /^(?:['’](?:s|(?=\s))| (?:says?|said|thinks?|thought|told|wrote|reported|decided|suggested|proposed)(?![\p{L}\p{N}]))/u;

/** Questions for one present value, and not for the past, a cause or a list. */
const ASKS_A_VALUE =
  /^(?:\w+ ){0,3}?(?:what|which|who|where|when|how (?!do|does|did|is|are|was|were|can|could|to|come|would|should|will|has|have|had|about)\w+)\b/i;
/** In a query that is no question: "price of a ticket", "Ann's deadline". */
const OF_SOMETHING = /\b(?:of|for)\b|['’]s\b/i;
/** What somebody said once holds, whatever is said later. */
const NOT_OF_THE_PRESENT =
  /\bwho (?:asked|complained|found|mentioned|noticed|objected|proposed|reported|said|suggested|thought|told|wanted|warned|wrote)\b|\b(?:was|were|did|had|first|originally|initially|before|previous(?:ly)?|earlier|used to|history|ever|old|former(?:ly)?|all|list|(?:what|which|the) order|summar\w*|how (?:has|have)|across|different|every|each|why|caused|explain|compare|between|happen(?:s|ed)?)\b/i;
const WORDS_OF_A_PLAIN_QUESTION = 25;
/** A question word where a question begins: first, after a comma or the like, or after "and"; maybe behind "for" or "at". */
const BEGINS_A_QUESTION =
  /(?:^|[,;:?.]\s*(?:and |or |but )?|\b(?:and|or) )(?:(?:at|for|from|by|in|on|to|of|until|since|with) )?(?:what|why|how|when|who|whom|which|where|whose)\b/gi;
/**
 * Questions for several things: "which books", "what are", "what kinds of", "both", "how many". A plural is a word that ends in one s and
 * stands before the verb: "Which watch does Jonas have?" asks for one.
 */
const ASKS_A_LIST =
  /^\s*(?:(?:in|at|on|from|with|for|by|to) )?(?:what|which)(?: (?!(?:do|does|did|is|was|has|had|will|would|can|could|should|must)\b)[\w-]+){0,2}? (?!(?:is|was|has|does|this|his|its|always|news)\b)[a-z-]{2,}[^s\W]s\b|^\s*what are\b|\bwhat (?:kind|type|sort)s? of\b|\bboth\b|\bhow many\b/i;
/** The number of characters in which the form of a query is looked for. */
const FORM_LOOKED_AT = 500;

/** "Where was the key on 3 May?", "Who was on call last week?": what was so then, whenever that was told. */
const ASKS_STATE =
  /^\W*(?:and |so )?(?:(?:where|who|what) |(?:which|what|whose) .{1,40}? )(?:was|were)\b(?!.* (?:said|told|discussed|mentioned|reported|decided|agreed|done)\b)/i;

/** Two letters in one piece, or a sign that is a word by itself, such as a Chinese character; "x", "7?" and "!" have neither. */
const SAYS_SOMETHING = /[\p{L}\p{N}]\S*[\p{L}\p{N}]|[^\p{P}\p{Z}\s\p{Lu}\p{Ll}\p{N}]/u;
const ONE_WORD_IN_LOWER_CASE = /^(?=.*\p{Ll})\S+$/u;

/** A query as recall reads it. */
export interface Question {
  readonly text: string;
  /** The distinct terms, in order, as the index holds them. */
  readonly terms: readonly string[];
  /** Those that tell its subject: no function words, none of its form, such as "long" in "how long", and no words of the time that it names. */
  readonly telling: readonly string[];
  /** The terms of the speakers that it names. */
  readonly names: readonly string[];
  /** Whether there is a meaning to compare: a letter, a digit or one function word is as near to "ok" and "hi" as to anything short. */
  readonly hasMeaning: boolean;
  /** The text to embed; where it names a known speaker, in the first person of that speaker. */
  readonly denseText: string;
  /** Key of the one known speaker that it names; null when it names none or several. */
  readonly speaker: string | null;
  /** Whose words it asks for where it names nobody: "what did I say", "what did you suggest"; null: nobody's. */
  readonly saidBy: 'user' | 'assistant' | null;
  /** Whether it asks when, how long or how often. */
  readonly asksWhen: boolean;
  /** Whether it asks for a present value and names no time. */
  readonly asksPresent: boolean;
  /** Whether it asks several questions at once: "what broke, and who mended it". */
  readonly asksSeveral: boolean;
  /** Whether it asks for several things of a kind, which are told here and there: "which books has she read". */
  readonly asksList: boolean;
  /** Whether a short memory with all its telling words is about what it asks, if the memory tells what is asked for. */
  readonly wordsTell: boolean;
  /** The kind of value or taste that it asks for; `other` in a question for all that is known of a subject. */
  readonly asked: AskedKind;
  /**
   * The term for the kind of things of which it asks for one, which the answer need not say: "database" in "which database does the shop
   * use"; null where there is none, or where it is needed to tell the subject.
   */
  readonly ofKind: string | null;
  /** Whether what answers it tells a value of that kind. */
  readonly owesValue: boolean;
  /** Whether it asks what was so in the time that it names, and not what happened then. */
  readonly asksState: boolean;
  /** Whether it asks what somebody said of something: "What did Ann say about the fee?" */
  readonly asksWordsOf: boolean;
  /** The time before now that it names, such as "in May 2023". */
  readonly period: TimePeriod | null;
  /** Whether the time that it names lies ahead, or may. */
  readonly asksAhead: boolean;
  /** The terms of the days that it names, before now or ahead; none where it names none. */
  readonly days: readonly string[];
  /** What it asks for where it has no subject: "What did Ann say yesterday?"; null where it has one. */
  readonly circumstance: Circumstance | null;
}

/** Reads a query. `now` (epoch milliseconds) is what "yesterday" refers to. */
export function readQuestion(text: string, context: { speakers: SpeakerNames; now: number }): Question {
  return atOnce(readQuestionInSteps(text, context));
}

/** What `readQuestion` gives, in steps. */
export function* readQuestionInSteps(text: string, context: { speakers: SpeakerNames; now: number }): Steps<Question> {
  const spoken = spokenOf(text, context.speakers);
  const times = timesAsked(text, context.now);
  const { past: period } = times;
  yield;
  const ofRole = spoken.size === 0 ? saidBy(text.slice(0, FORM_LOOKED_AT)) : null;
  const subject = subjectAskedAbout(text);
  // The days of a year are no terms: an agenda would find nothing.
  const ahead = times.days.length > 0 ? times.ahead : null;
  const asking = { named: spoken, speakers: context.speakers, period, ahead, ofRole };
  const alone = subject !== null && ME.test(subject) ? ofMe(asking) : askedAlone(text, asking);
  const isBeside = alone.circumstance === null && times.readIn !== text;
  const { named, circumstance } = (isBeside ? askedBeside(times.readIn, asking) : null) ?? alone;
  const keys = new Set(named.values());
  const denseText = named.size === 0 ? text : inFirstPerson(text, named);
  yield;
  const ofSubject = subject === null ? [] : [...new Set(termsOf(subject))];
  const sought = withoutOrder(text);
  const terms = ofSubject.length > 0 ? ofSubject : yield* distinctTermsInSteps(sought);
  const isAhead = times.ahead !== null && (!times.isAnyAhead || circumstance?.isAhead === true);
  const days = times.isAnyAhead && !isAhead ? [] : times.days;
  const namesTime = period !== null || days.length > 0;
  const asked = ofSubject.length > 0 ? 'other' : askedOf(text);
  const ofForm = tellingOf(sought, terms, { namesTime });
  const ofKind = ofSubject.length > 0 ? null : kindAsked(text, ofForm, asked);
  const telling = ofForm.filter((term) => term !== ofKind);
  const form = times.readIn.slice(0, FORM_LOOKED_AT);
  const asksWhen = ASKS_WHEN.test(times.readIn);
  yield;
  return {
    text,
    terms,
    names: [...named.keys()].flatMap(termsOf),
    hasMeaning: named.size > 0 || hasMeaning(text, terms),
    denseText,
    speaker: keys.size === 1 ? ([...keys][0] as string) : null,
    saidBy: keys.size === 0 ? ofRole : null,
    asksWhen,
    asksPresent: !namesTime && asksPresent(form),
    asksSeveral: (text.slice(0, FORM_LOOKED_AT).match(BEGINS_A_QUESTION)?.length ?? 0) > 1,
    telling,
    wordsTell: ofSubject.length > 0 || termsTell(text, telling, { asked, namesTime }),
    asked,
    ofKind,
    owesValue: owesValue(text, asked),
    asksWordsOf: keys.size === 1 && asksWords(text),
    asksState: period !== null && ASKS_STATE.test(form),
    asksList: !asksWhen && ASKS_A_LIST.test(form),
    period,
    asksAhead: isAhead,
    days,
    circumstance,
  };
}

/** One function word in capitals may be a name, such as WHO. */
function hasMeaning(text: string, terms: readonly string[]): boolean {
  return SAYS_SOMETHING.test(text) && (terms.length > 0 || !ONE_WORD_IN_LOWER_CASE.test(text.trim()));
}

interface Asking {
  readonly named: ReadonlyMap<string, string>;
  readonly speakers: SpeakerNames;
  readonly period: TimePeriod | null;
  readonly ahead: TimePeriod | null;
  readonly ofRole: Question['saidBy'];
}

/** "What do you know about me?" asks for what the user said. */
function ofMe({ named }: Asking): { named: ReadonlyMap<string, string>; circumstance: Circumstance } {
  const ever = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, ofAnyYear: false };
  return {
    named,
    circumstance: { ...ever, isAhead: false, isOfSpeaker: false, isOfTalk: false, saidBy: 'user', isBeside: false },
  };
}

/** What a question without a subject asks for, and whom it names: any agent where it has no other word, as in "what did ops say". */
function askedAlone(
  text: string,
  { named, speakers, period, ahead, ofRole }: Asking,
): { named: ReadonlyMap<string, string>; circumstance: Circumstance | null } {
  const only = named.size === 0 ? onlySubject(text) : null;
  const agent = only === null ? null : speakers.findAgent(only);
  const all = only !== null && agent !== null ? new Map([[only, agent]]) : named;
  const names = [...all.keys()];
  const isOfOne = new Set(all.values()).size <= 1;
  const saidBy = all.size === 0 ? ofRole : null;
  const circumstance = isOfOne ? circumstanceAsked(text, { names, period, ahead, saidBy }) : null;
  return { named: circumstance ? all : named, circumstance };
}

/** The same of what a message asks that tells something too: null where that has a subject. */
function askedBeside(
  part: string,
  asking: Asking,
): { named: ReadonlyMap<string, string>; circumstance: Circumstance } | null {
  const spoken = spokenOf(part, asking.speakers);
  const ofRole = spoken.size === 0 ? saidBy(part.slice(0, FORM_LOOKED_AT)) : null;
  const { named, circumstance } = askedAlone(part, { ...asking, named: spoken, ofRole });
  return circumstance && { named, circumstance: { ...circumstance, isBeside: true } };
}

function asksPresent(text: string): boolean {
  const isPlain = (ASKS_A_VALUE.test(text) || namesAValue(text)) && !NOT_OF_THE_PRESENT.test(text);
  return isPlain && text.trim().split(/\s+/, WORDS_OF_A_PLAIN_QUESTION + 1).length <= WORDS_OF_A_PLAIN_QUESTION;
}

function namesAValue(text: string): boolean {
  return !text.includes('?') && OF_SOMETHING.test(text) && askedValue(text) !== 'other';
}

function saidBy(text: string): Question['saidBy'] {
  if (OF_THE_ASSISTANT.test(text)) return 'assistant';
  return OF_THE_USER.test(text.replace(OF_WHO_ASKS, '')) ? 'user' : null;
}

function spokenOf(text: string, speakers: SpeakerNames): Map<string, string> {
  return new Map([...namedAgents(text, speakers), ...namedSpeakers(text, speakers)]);
}

/**
 * Words of the text that name a speaker, with the key of the speaker. Words with a capital count, and others where the text has none
 * or their place is that of a name: "What did ops do?", "ann's plan for Paris". Of those function words do not count: "will" is no
 * name in "when will bob come".
 */
function namedSpeakers(text: string, speakers: SpeakerNames): Map<string, string> {
  const found = new Map<string, string>();
  const anyCase = !UPPER_CASE.test(text);
  const looked = text.slice(0, WORDS_COMPARED * 20);
  for (const { 0: word, index } of looked.matchAll(WORD)) {
    const isInPlace = isInPlaceOfName(looked, word, index) && !STOP_WORDS.has(word);
    const mayBeName = UPPER_CASE.test(word) || isInPlace || (anyCase && !STOP_WORDS.has(word));
    if (!mayBeName) continue;
    // A word such as "data" names an agent that only tells what others say where it has the place of a name, and nowhere else.
    const key = speakers.find(word) ?? (isInPlace ? speakers.findTeller(word) : null);
    if (key !== null) found.set(word, key);
  }
  return found;
}

function isInPlaceOfName(text: string, word: string, index: number): boolean {
  return (
    NAME_FOLLOWS.test(text.slice(Math.max(0, index - LONGEST_ACT), index)) ||
    OWNS_OR_SAYS.test(text.slice(index + word.length, index + word.length + LONGEST_SAYING))
  );
}

/** Parts of the text that name an agent, with the key of the agent. */
function namedAgents(text: string, speakers: SpeakerNames): Map<string, string> {
  const found = new Map<string, string>();
  const looked = text.slice(0, WORDS_COMPARED * 20);
  for (const [id] of looked.matchAll(JOINED_ID)) {
    const key = speakers.findAgent(id);
    if (key !== null) found.set(id, key);
  }
  for (const { 0: both, 1: word = '', 2: next, index } of looked.matchAll(THE_AGENT)) {
    const ofTwo = next === undefined ? null : speakers.findAgent(`${word} ${next}`);
    const key =
      ofTwo ?? speakers.findAgent(word) ?? (ACTS.test(looked.slice(0, index)) ? speakers.findAgentByPart(word) : null);
    if (key !== null) found.set(ofTwo === null ? both.slice(0, 'the '.length + word.length) : both, key);
  }
  return found;
}

/**
 * What people say of themselves is in the first person, so a question about them comes closest to it in the first person.
 * Source: docs/benchmarks/recall.md: 16 points of recall at 10 for vectors alone.
 */
function inFirstPerson(text: string, named: ReadonlyMap<string, string>): string {
  // The longer form first: "the code-bot" before "code-bot".
  const names = [...named.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
  return text
    .replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})['’]s?(?![\\p{L}\\p{N}])`, 'gu'), 'my')
    .replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'gu'), 'I')
    .replace(/\b(?:her|his|their)\b/gi, 'my')
    .replace(/\b(?:she|he)\b/gi, 'I');
}

function escaped(name: string): string {
  return name.replace(/[.]/g, '\\.');
}
