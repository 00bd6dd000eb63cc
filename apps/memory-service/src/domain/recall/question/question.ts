import { atOnce, type Steps } from '@agent-faculties/service-kit';
import type { TimePeriod } from '../../text/times/period-named.ts';
import { distinctTermsInSteps, termsOf } from '../../text/words/terms.ts';
import { type AskedKind, askedOf, asksWords, kindAsked, owesValue, tellingTermsOf, termsTell } from './asked-kind.ts';
import { type AskedRole, roleAsked } from './asked-role.ts';
import { timesAsked } from './asked-times.ts';
import { withoutOrder } from './asks.ts';
import { type Circumstance, circumstanceAsked, onlySubject } from './circumstance.ts';
import { inFirstPerson, type NamedSpeakers, speakersNamed } from './named-speakers.ts';
import { formOf, type QuestionForm } from './question-form.ts';
import type { SpeakerNames } from './speaker-names.ts';
import { subjectAskedAbout } from './subject-asked-about.ts';

/** A query as recall reads it: what it is about, whose words and which time it asks for, and its form. */
export interface Question extends About, Whose, When, QuestionForm {
  readonly text: string;
  /** Whether there is a meaning to compare: a letter, a digit or one function word is as near to "ok" and "hi" as to anything short. */
  readonly hasMeaning: boolean;
  /** What it asks for where it has no subject: "What did Ann say yesterday?"; null where it has one. */
  readonly circumstance: Circumstance | null;
}

/** What a question is about. */
interface About {
  /** The distinct terms, in order, as the index holds them. */
  readonly terms: readonly string[];
  /** Those that tell its subject: no function words, none of its form, such as "long" in "how long", and no words of the time that it names. */
  readonly telling: readonly string[];
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
}

/** Whose words a question asks for. */
interface Whose {
  /** The terms of the speakers that it names. */
  readonly names: readonly string[];
  /** Key of the one known speaker that it names; null when it names none or several. */
  readonly speaker: string | null;
  /** The text to embed; where it names a known speaker, in the first person of that speaker. */
  readonly denseText: string;
  /** Whose words it asks for where it names nobody; null: nobody's. */
  readonly saidBy: AskedRole | null;
  /** Whether it asks what somebody said of something: "What did Ann say about the fee?" */
  readonly asksWordsOf: boolean;
}

/** Which time a question asks for. */
interface When {
  /** The time before now that it names, such as "in May 2023". */
  readonly period: TimePeriod | null;
  /** Whether the time that it names lies ahead, or may. */
  readonly asksAhead: boolean;
  /** The terms of the days that it names, before now or ahead; none where it names none. */
  readonly days: readonly string[];
}

interface Context {
  readonly speakers: SpeakerNames;
  /** Epoch milliseconds; what "yesterday" refers to. */
  readonly now: number;
}

/** Reads a query. */
export function readQuestion(text: string, context: Context): Question {
  return atOnce(readQuestionInSteps(text, context));
}

/** What `readQuestion` gives, in steps. */
export function* readQuestionInSteps(text: string, { speakers, now }: Context): Steps<Question> {
  const spoken = speakersNamed(text, speakers);
  const times = timesAsked(text, now);
  yield;
  const subject = subjectAskedAbout(text);
  const role = spoken.size === 0 ? roleAsked(text) : null;
  const asking: Asking = { spoken, role, times, speakers };
  const alone =
    subject !== null && ME.test(subject) ? { named: spoken, circumstance: OF_ME } : askedAlone(text, asking);
  const isBeside = alone.circumstance === null && times.readIn !== text;
  const { named, circumstance } = (isBeside ? askedBeside(times.readIn, asking) : null) ?? alone;
  const whose = whoseWords(text, named, role);
  yield;
  const when = timeOf(times, circumstance);
  const namesTime = when.period !== null || when.days.length > 0;
  const about = yield* aboutOf(text, subject, { namesTime });
  yield;
  return {
    text,
    ...about,
    ...whose,
    ...when,
    ...formOf(text, { asking: times.readIn, time: namesTime, past: when.period !== null, ahead: when.asksAhead }),
    hasMeaning: named.size > 0 || hasMeaning(text, about.terms),
    circumstance,
  };
}

/** A text that asks nothing, such as a memory, as a question for what is near it in words or meaning. */
export function ofTermsAlone(text: string, terms: readonly string[]): Question {
  return {
    text,
    terms,
    telling: [],
    wordsTell: false,
    asked: 'other',
    ofKind: null,
    owesValue: false,
    names: [],
    speaker: null,
    denseText: text,
    saidBy: null,
    asksWordsOf: false,
    period: null,
    asksAhead: false,
    days: [],
    asksWhen: false,
    asksPresent: false,
    namesThing: false,
    asksStill: false,
    asksPast: false,
    asksSeveral: false,
    asksList: false,
    asksState: false,
    hasMeaning: true,
    circumstance: null,
  };
}

interface Asking {
  readonly spoken: NamedSpeakers;
  readonly role: AskedRole | null;
  readonly times: Times;
  readonly speakers: SpeakerNames;
}

type Times = ReturnType<typeof timesAsked>;

const ME = /^(?:me|us|myself|ourselves)$/i;
/** "What do you know about me?" asks for what the user said. */
const OF_ME: Circumstance = {
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  ofAnyYear: false,
  isAhead: false,
  isOfSpeaker: false,
  isOfTalk: false,
  saidBy: 'user',
  isBeside: false,
};

/** What a question without a subject asks for, and whom it names: any agent where it has no other word, as in "what did ops say". */
function askedAlone(
  text: string,
  { spoken, role, times, speakers }: Asking,
): { named: NamedSpeakers; circumstance: Circumstance | null } {
  const only = spoken.size === 0 ? onlySubject(text) : null;
  const agent = only === null ? null : speakers.findAgent(only);
  const named = only !== null && agent !== null ? new Map([[only, agent]]) : spoken;
  if (new Set(named.values()).size > 1) return { named: spoken, circumstance: null };
  const circumstance = circumstanceAsked(text, {
    names: [...named.keys()],
    period: times.past,
    // The days of a year are no terms: an agenda would find nothing.
    ahead: times.days.length > 0 ? times.ahead : null,
    saidBy: named.size === 0 ? role : null,
  });
  return { named: circumstance ? named : spoken, circumstance };
}

/** The same of what a message asks that tells something too; null where that has a subject. */
function askedBeside(part: string, asking: Asking): { named: NamedSpeakers; circumstance: Circumstance } | null {
  const spoken = speakersNamed(part, asking.speakers);
  const role = spoken.size === 0 ? roleAsked(part) : null;
  const { named, circumstance } = askedAlone(part, { ...asking, spoken, role });
  return circumstance && { named, circumstance: { ...circumstance, isBeside: true } };
}

function whoseWords(text: string, named: NamedSpeakers, role: AskedRole | null): Whose {
  const [speaker = null, another] = new Set(named.values());
  const isOfOne = speaker !== null && another === undefined;
  return {
    names: [...named.keys()].flatMap(termsOf),
    speaker: isOfOne ? speaker : null,
    denseText: named.size === 0 ? text : inFirstPerson(text, named),
    saidBy: speaker === null ? role : null,
    asksWordsOf: isOfOne && asksWords(text),
  };
}

/** All that is coming up is a time in an agenda alone. */
function timeOf({ past, ahead, days, isAnyAhead }: Times, circumstance: Circumstance | null): When {
  const asksAhead = ahead !== null && (!isAnyAhead || circumstance?.isAhead === true);
  return { period: past, asksAhead, days: isAnyAhead && !asksAhead ? [] : days };
}

/** @param subject of a question for all that is known of one; null: it asks for something else */
function* aboutOf(text: string, subject: string | null, { namesTime }: { namesTime: boolean }): Steps<About> {
  const sought = withoutOrder(text);
  const ofSubject = subject === null ? [] : [...new Set(termsOf(subject))];
  if (ofSubject.length > 0) {
    const telling = tellingTermsOf(sought, ofSubject, { namesTime });
    return { terms: ofSubject, telling, wordsTell: true, asked: 'other', ofKind: null, owesValue: false };
  }
  const terms = yield* distinctTermsInSteps(sought);
  const asked = askedOf(text);
  const ofForm = tellingTermsOf(sought, terms, { namesTime });
  const ofKind = kindAsked(text, ofForm, asked);
  const telling = ofForm.filter((term) => term !== ofKind);
  const wordsTell = termsTell(text, telling, { asked, namesTime });
  return { terms, telling, wordsTell, asked, ofKind, owesValue: owesValue(text, asked) };
}

/** Two letters in one piece, or a sign that is a word by itself, such as a Chinese character; "x", "7?" and "!" have neither. */
const SAYS_SOMETHING = /[\p{L}\p{N}]\S*[\p{L}\p{N}]|[^\p{P}\p{Z}\s\p{Lu}\p{Ll}\p{N}]/u;
const ONE_WORD_IN_LOWER_CASE = /^(?=.*\p{Ll})\S+$/u;

/** One function word in capitals may be a name, such as WHO. */
function hasMeaning(text: string, terms: readonly string[]): boolean {
  return SAYS_SOMETHING.test(text) && (terms.length > 0 || !ONE_WORD_IN_LOWER_CASE.test(text.trim()));
}
