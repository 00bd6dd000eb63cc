import { calendarTerms, tellingTerms, withoutTimes } from '../../text/words/telling-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';
import { type AskedValue, askedValue, tellsValue } from './asked-value.ts';

/** What a memory has to tell beside the telling words of a question: a value, a name, or what somebody likes or does not like. */
export type AskedKind = AskedValue | Taste | Address | 'name' | 'price' | 'span' | 'identifier';
type Taste = 'liking' | 'dislike';
type Address = 'email' | 'ip' | 'link' | 'phone';

/** A kind that the form of a question asks for, and that the form of an answer tells. */
interface Recognized<Kind extends AskedKind> {
  readonly asked: Kind;
  readonly question: RegExp;
  readonly answer: RegExp;
}

/** The number of characters in which the form of a query is looked for. */
const LOOKED_AT = 500;
/** "How long", "how high": a measure, which the answer gives as a value. */
const MEASURE = /\bhow (\w+)/i;
/** "How many days": the answer may be in weeks. */
const UNIT_OF_TIME = /\bhow many (seconds|minutes|hours|days|weeks|months|years)\b/i;
/** "What does Fenna earn?" asks for a number by its verb. */
const ASKS_AN_AMOUNT = /\bwhat (?:do|does|did|will|would) .{1,60} (?:charge|earn|pay|spend|weigh)\b|\bwages?\b/i;
/** "How much rent do we pay?": the verb leaves it to the thing to say what the question is about. */
const PAYS_OF =
  /\bhow (?:much|many) (?!(?:do|does|did|will|would|must|should)\b)\w.{0,60}? (?:do|does|did|will|would|must|should) .{1,60}? (pay)\b/i;
/** "What does the hotel cost?", "the price of the hotel": what answers it may say "840 €" and nothing of a cost. */
const PRICE_OF =
  /\b(?:what|how much) (?:do|does|did|will|would) .{1,60}? (costs?)\b|\b(cost|price)s? (?:of|for)\b|['’]s (cost|price)s?\b/i;
/** "How much money is left?": the answer gives an amount. */
const MONEY_ASKED = /\bhow much (money)\b/i;
/** An amount of money, with cents or without, or a word that says that a number is one. */
const MONEY =
  /[$€£¥]|\b\d+[.,]\d\d(?![\d.,]?\d)|\b(?:euros?|dollars?|pounds?|francs?|cents?|pence|bucks?|eur|usd|gbp|chf|costs?|prices?|pa(?:id|y|ys)|charges?)\b/i;
/** "Which weekday do we release?": the answer names the day. "What time zone do we use?" asks for a thing of another name. */
const TIME_OF_WHICH =
  /\b(?:which|what) (weekdays?|days?(?: of the week)?|dates?|times?(?: of (?:the )?day)?|hours?|months?)\b(?! (?:ends?|formats?|pickers?|plans?|rates?|sheets?|slots?|stamps?|tables?|trips?|zones?)\b)/i;
/** "What is the deadline of the review?" asks as "when is the review" does; what answers it may say "due". */
const DATE_OF =
  /(?:^\W*|\bthe )(time) (?:of|for)\b|\b(?:(deadline|(?:due )?date) (?:of|for)\b|['’]s (deadline|due date)\b)|\bwhen\b.{1,60}? (appointment)\b/i;
/** "When did Ann move?": the time at which somebody told it answers that. */
const ASKS_WHEN_IT_WAS = /\bwhen (?:did|was|were|has|have|had)\b/i;
/** "What is the order number?", "the door code" ask for what names one of many, as "2026-RP-17" does; "the number of guests" for an amount. */
const OF_ONE_OF_MANY = /(?<!\b(?:an?|is|my|our|that|the|this|which|what|your) )(?<=\w )(?:number|code)s?\b(?! of\b)/i;
const HAS_DIGIT = /\d/;
/** Amounts that are no numbers. */
const AMOUNT = /\b(?:half|dozen|free|nothing|none|once|twice|every|daily|weekly|monthly|yearly)\b/i;
const ASKS_HOW_LONG = /\bhow long\b/i;
/** "How long did the outage last?": what tells it says that it took an hour. */
const LASTS = /\bhow long (?:do|does|did|will|would|has|have|had) .{1,60}? (last(?:ed)?)\b/i;
/** How long something took, by its two ends: "down from 02:10 to 05:35". */
const FROM_TO = /\bfrom (?:about )?(?:\w+ )?\d.{0,30}? (?:to|until|till) (?:about )?(?:\w+ )?\d/i;
/** How long something will be so, by its end: "on leave till 15 January", "closed until Friday". */
const UNTIL =
  /\b(?:until|till?) (?:about )?(?:the )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:early |mid-?|late )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:this|next|tomorrow|tonight)\b)/i;
/** Times of a day that are no exact ones. */
const PART_OF_DAY =
  /\b(?:(?:after)?noon|morning|evening|(?:to|mid)?night|lunch(?:time)?|dawn|dusk|sun(?:rise|set)|early|late)\b/i;
/** "Who makes the tea?": verbs that leave what is made to say what the question is about. */
const WHO_DOES =
  /^\W*(?:(?:so|and) )?who (makes?|made|has|have|runs?|ran|takes?|took|keeps?|handles?|works?|worked)\b/i;
/** "What does Priya prefer?": many words tell a taste, so none of them has to stand in the answer. */
const TASTES: readonly Recognized<Taste>[] = [
  {
    asked: 'dislike',
    question: /\b(?:what|who|which)\b.{0,40}? (?:do|does) .{1,40}? (hate|dislike|avoid|not like)\b/i,
    answer:
      /\b(?:hat(?:es?|ed)|dislikes?|loathes?|detests?|avoids?|(?:can['’]?t|cannot) (?:stand|bear)|(?:n['’]t|not|never|no longer) (?:likes?|eats?|drinks?|wants?)|(?:sick|tired|no fan) of)\b/i,
  },
  {
    asked: 'liking',
    question: /\b(?:what|who|which)\b.{0,40}? (?:do|does) .{1,40}? (prefer|like|love|enjoy)\b/i,
    answer:
      /\b(?:prefer(?:s|red|ences?)?|lik(?:es?|ing)|lov(?:es?|ing)|enjoys?|favou?rites?|(?:fond|fan) of|keen on)\b/i,
  },
];
/** "What is the IP of staging?", "Ann's email address": what answers it is known by its form, and need not say what it is. */
const ADDRESSES: readonly Recognized<Address>[] = [
  { asked: 'email', question: addressOf('e-?mail(?: address)?'), answer: /\S@[\p{L}\d-]+\.\p{L}/u },
  {
    asked: 'ip',
    question: addressOf('ip(?: address)?'),
    // "10:30:00" is a time of day.
    answer:
      /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)|(?<![\p{L}\d:])(?!\d{1,2}:\d\d:\d\d(?!:))[\da-f]{1,4}:(?:[\da-f]{0,4}:){1,6}[\da-f]{0,4}/iu,
  },
  {
    asked: 'link',
    question: addressOf('(?:urls?|links?|web ?site|web address)'),
    answer:
      /\bhttps?:\/\/\S|\bwww\.\S|(?<![\p{L}\d@.-])[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{Ll}{2,}(?:[/:]\S|(?![\p{L}\d-]))/u,
  },
  {
    asked: 'phone',
    question: addressOf('(?:tele)?phone(?: number)?|(?:mobile|cell) number'),
    // "2026-12-03" and "3.12.2026" are dates.
    answer:
      /(?<!\d[./-]?)(?!(?:\d{4}-\d\d-\d\d|\d{1,2}([./-])\d{1,2}\1\d{4})(?!\d))(?:\d[ ()/.-]{0,2}){5,}|\bext(?:ension)?\.? ?\d/i,
  },
];
/** A day without a date: "the third of each month", "at the end of the quarter", "within 14 days", "monthly". */
const IS_DUE = new RegExp(
  `\\b(?:${[
    '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|fifteenth|twentieth|last|\\d{1,2}(?:st|nd|rd|th)?)(?: (?:working |business )?day)? of (?:the|each|every) (?:month|quarter|year)',
    '(?:beginning|start|middle|end) of (?:the|each|every|this|next) (?:week|month|quarter|year)',
    '(?:within|in|after) (?:an?|two|three|four|five|six|seven|ten|twelve|\\d+) (?:working |business )?(?:day|week|month)s?',
    '\\d+ (?:working |business )?(?:days|weeks|months) (?:after|before|from)',
    '(?:every|each) (?:day|week|fortnight|month|quarter|year)|daily|weekly|fortnightly|monthly|quarterly|yearly|annually',
  ].join('|')})\\b`,
  'i',
);
const VALUES: ReadonlySet<AskedKind> = new Set([
  ...(['clock', 'weekday', 'date', 'number', 'price', 'span', 'identifier'] as const),
  ...ADDRESSES.map(({ asked }) => asked),
]);

/**
 * A question for the address of a thing: "what is the ... of staging", "staging's ...", "Ann's ...". "The budget for the website" is
 * none, and "What is the phone for?" asks what it serves.
 */
function addressOf(words: string): RegExp {
  const what = "\\bwhat(?:['’]?s| is| was| are) ";
  const word = '(?!(?:about|at|for|from|in|of|on|to|with) )\\S+ ';
  return new RegExp(`${what}(?:${word}){1,6}?(${words})(?= (?:of|for|to)\\b(?!\\W*$)|\\W*$)`, 'iu');
}

/** "What did ops say about Paris?": what ops said of it need not tell that it was said. */
const OF_SPEECH =
  /\b(?:what|which)\b.{1,60}? (say|said|tell|told|think|thought|know|knew|explain(?:ed)?|announced?|warn(?:ed)?|report(?:ed)?|mention(?:ed)?|write|wrote|suggest(?:ed)?|proposed?|recommend(?:ed)?|answer(?:ed)?|reply|replied)\b/i;
/**
 * "Who asked for no spiders?", "Whose idea was the shed?": what says who it was need not say that it was said. "Who was told of the leak?"
 * asks for somebody else.
 */
const WHO_SAID =
  /^\W*(?:(?:so|and) )?(?:who (?:(?!(?:are|gets?|got|is|was|were) )\w+ )?(asked|suggested|proposed|wanted|recommended|mentioned|requested|insisted|noted|noticed|reported|said|told)|whose (idea|suggestion|proposal|wish|request|decision))\b/i;
/** "When was the boiler last serviced?", "When is the next game?": what tells it mostly names the day alone. */
const LAST_OR_NEXT = /\bwhen(?:['’]s|\b).{1,60}? (last|next)\b|\b(last time)\b/i;
/** "What is the dog called?", "What is the name of the dog?" */
const ASKS_NAME = /^\W*what(?:['’]s| is| are| was| were) (?:.{1,60}? )?(called(?=\W*$)|names?)\b/i;
const SAYS_NAME = /\b(?:call(?:s|ed)?|(?:nick)?names?|(?:nick)?named)\b/i;
const BETWEEN = /^(?:is|are|was|were)$/;
/** "The flag for the new checkout is checkout_v2": what tells more of the thing may stand before its name, in so many words. */
const OF_IT = /^(?:at|behind|for|from|in|of|on|to|with)$/;
const WORDS_OF_IT = 6;
const UPPER_CASE = /\p{Lu}/u;
const DETERMINED = /\b(?:the|an?|our|my|your|his|her|its|their) ([\p{L}\p{N}_-]+)/gu;
/** "What kind of cake does Ada like?" asks which one, as "which cake" does. */
const WHICH_KIND = /\b(?:which|what) (kinds?|sorts?|types?) of\b/i;
/** "Which database does the shop use?", "What log format do we use?": a kind of things; who names one of them need not say its kind. */
const OF_A_KIND =
  /\b(?:which|what) (?:(?:kinds?|sorts?|types?) of )?(?:\w+ )?(\w+) (?:do|does|did|will|would|should|must|can|is|are|was|were|has|have)\b/i;
/** Words that tell of what a question is, by themselves; the time that it names counts as one. */
const LEAST_TELLING = 2;

/** The kind of what a question asks for. A taste goes before the value in its question: "What time does Ann prefer?" */
export function askedOf(text: string): AskedKind {
  const form = text.slice(0, LOOKED_AT);
  const value = askedValue(text);
  const address = ADDRESSES.find(({ question }) => question.test(form))?.asked;
  if (address) return address;
  if (value === 'other' && ASKS_NAME.test(form)) return 'name';
  const taste = TASTES.find(({ question }) => question.test(form))?.asked;
  if (taste) return taste;
  if (value !== 'date' && (PRICE_OF.test(form) || MONEY_ASKED.test(form))) return 'price';
  if (value === 'number' && OF_ONE_OF_MANY.test(form)) return 'identifier';
  if (value === 'number' && ASKS_HOW_LONG.test(form)) return 'span';
  return value === 'other' && ASKS_AN_AMOUNT.test(form) ? 'number' : value;
}

/**
 * Whether a text tells what is asked for; every text does where that is neither a value nor a name nor a taste.
 * @param telling the telling terms of the question
 */
export function tells(asked: AskedKind, text: string, telling: readonly string[]): boolean {
  if (asked === 'name') return SAYS_NAME.test(text) || namesOneOf(telling, text);
  if (asked === 'price') return tellsValue('number', text) && MONEY.test(text);
  if (asked === 'date') return tellsValue('date', text) || IS_DUE.test(text);
  if (asked === 'identifier') return HAS_DIGIT.test(text);
  if (asked === 'span') return tellsValue('number', text) || FROM_TO.test(text) || UNTIL.test(text);
  const known = [...TASTES, ...ADDRESSES].find((one) => one.asked === asked);
  return known ? known.answer.test(text) : tellsValue(asked as AskedValue, text);
}

/** Whether a name that is none of the terms stands behind one of them: "our dog Bruno", "the dog is Bruno". */
function namesOneOf(terms: readonly string[], text: string): boolean {
  const words = wordsOf(text);
  const isAsked = (word: Word) => termsOf(word.text).some((term) => terms.includes(term));
  return words.some((word, at) => {
    const beside = words[besideThing(words, at)];
    return beside?.isName && isAsked(word) && !isAsked(beside);
  });
}

/** The place of the word behind a thing, or behind the "is" that follows it or what is told of it in the same sentence. */
function besideThing(words: readonly Word[], at: number): number {
  const next = words[at + 1];
  if (!next || !OF_IT.test(next.lower)) return next && BETWEEN.test(next.lower) ? at + 2 : at + 1;
  const rest = words.slice(at + 1, at + 2 + WORDS_OF_IT);
  const end = rest.findIndex(({ lower, startsSentence }) => startsSentence || BETWEEN.test(lower));
  return end === -1 || rest[end]?.startsSentence ? at + 1 : at + 2 + end;
}

/** Whether a question is for the words of somebody. */
export function asksWords(text: string): boolean {
  return OF_SPEECH.test(text.slice(0, LOOKED_AT));
}

/** Whether what answers a question tells a value. */
export function owesValue(text: string, asked: AskedKind): boolean {
  return VALUES.has(asked) && !ASKS_WHEN_IT_WAS.test(text.slice(0, LOOKED_AT));
}

/** Whether a text tells such a value, exactly or not. Too many texts have a digit for that to tell an identifier. */
export function tellsRoughly(kind: AskedKind, text: string, { tellsTime }: { tellsTime: boolean }): boolean {
  const asked = kind === 'identifier' ? 'number' : kind;
  if (tells(asked, text, [])) return true;
  if (asked === 'clock') return PART_OF_DAY.test(text);
  if (ADDRESSES.some((one) => one.asked === asked)) return false;
  return asked === 'number' || asked === 'price' || asked === 'span' ? AMOUNT.test(text) : tellsTime;
}

/** The terms of a question that tell its subject, where it has any beside those of its form. */
export function tellingTermsOf(
  text: string,
  terms: readonly string[],
  { namesTime }: { namesTime: boolean },
): string[] {
  const telling = tellingTerms(terms, { namesTime });
  const form = text.slice(0, LOOKED_AT);
  const patterns = [
    MEASURE,
    UNIT_OF_TIME,
    LASTS,
    WHICH_KIND,
    WHO_DOES,
    PAYS_OF,
    PRICE_OF,
    MONEY_ASKED,
    DATE_OF,
    TIME_OF_WHICH,
    OF_SPEECH,
    LAST_OR_NEXT,
    ASKS_NAME,
    ...[...TASTES, ...ADDRESSES].map(({ question }) => question),
  ];
  const termsIn = (pattern: RegExp) => {
    const found = pattern.exec(form);
    return found === null ? [] : termsOf(found.slice(1).join(' '));
  };
  const ofForm = new Set(patterns.flatMap(termsIn));
  const withSpeech = telling.filter((term) => !ofForm.has(term));
  const ofSpeech = new Set(termsIn(WHO_SAID));
  const withoutSpeech = withSpeech.filter((term) => !ofSpeech.has(term));
  // "Who recommended Kirsty?": much is told of her.
  const others = ofSpeech.size > 0 && hasThing(text, withoutSpeech) ? withoutSpeech : withSpeech;
  // "Who worked on 3 May?" is answered by who "takes 3 May".
  const isOfTimeAlone = namesTime && WHO_DOES.test(form) && calendarTerms(terms).length > 0;
  return others.length > 0 || isOfTimeAlone ? others : telling;
}

/**
 * The term among these for the kind of things of which one is asked for, where the others are enough to tell the subject; null where
 * there is none.
 */
export function kindAsked(text: string, telling: readonly string[], asked: AskedKind): string | null {
  if (asked !== 'other' || telling.length <= LEAST_TELLING) return null;
  const [kind = null] = termsOf(OF_A_KIND.exec(text.slice(0, LOOKED_AT))?.[1] ?? '');
  return kind !== null && telling.includes(kind) ? kind : null;
}

/** Whether a text may tell which one of a kind: by a name that is none of the terms and no time, or by the word for the kind. */
export function tellsOneOf(kind: string, text: string, telling: readonly string[]): boolean {
  const isNew = (word: Word) => {
    const named = withoutTimes(termsOf(word.text));
    return named.length > 0 && !named.some((term) => telling.includes(term));
  };
  return wordsOf(text).some((word) => (word.isName && isNew(word)) || termsOf(word.text).includes(kind));
}

/**
 * Whether a short memory with all of these terms is about what the question asks. Several are enough, and so is one that is no name:
 * most of what is told of somebody answers another question. Names alone are not enough where a number or a time is asked for; they
 * are where a taste is, and where a price is, since nobody has one.
 */
export function termsTell(
  text: string,
  telling: readonly string[],
  { asked, namesTime }: { asked: AskedKind; namesTime: boolean },
): boolean {
  if (asked === 'liking' || asked === 'dislike') return telling.length > 0;
  if (asked === 'price') return !namesTime && telling.length > 0;
  if (asked !== 'other') return !namesTime && hasThing(text, telling);
  return telling.length + Number(namesTime) >= LEAST_TELLING || hasThing(text, telling);
}

/**
 * Whether one of the terms is no name. In a text without a capital nothing says which words are names, but a name seldom stands behind
 * "the" or "our"; else two are wanted there.
 */
function hasThing(text: string, telling: readonly string[]): boolean {
  const form = text.slice(0, LOOKED_AT);
  if (!UPPER_CASE.test(form)) return telling.length >= LEAST_TELLING || hasNoun(form, telling);
  const names = new Set(wordsOf(form).flatMap((word) => (word.isName ? termsOf(word.text) : [])));
  return telling.some((term) => !names.has(term));
}

function hasNoun(form: string, telling: readonly string[]): boolean {
  return [...form.matchAll(DETERMINED)].some(([, word = '']) => termsOf(word).some((term) => telling.includes(term)));
}
