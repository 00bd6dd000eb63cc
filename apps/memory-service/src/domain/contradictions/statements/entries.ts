import { hasVerb } from '../../text/sentences/clauses.ts';
import type { Value } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';
import { EntryWords } from './entry-words.ts';
import { holdingIn, namesOneThing } from './holders.ts';
import { isLabel } from './labels.ts';

/** What a short statement gives to one thing, as a line of a form does: "payroll contact: Ingrid", "Ingrid is the payroll contact". */
export interface Entry {
  /** Stems of the words of the thing. */
  readonly about: ReadonlySet<string>;
  /** Positions of the words of its value. */
  readonly given: readonly number[];
  /** A name in a role or after "is", a place, or whatever stands after a colon. */
  readonly kind: 'name' | 'place' | 'filled in';
  /** The word before a place: in, under. */
  readonly by?: string;
}

/** A longer statement says more than one thing. */
const MOST_WORDS = 16;
const MOST_GIVEN = 4;
const SEVERAL_SENTENCES = /[?!;]|[.]\s/;

/** What a short statement says as a line of a form would; several where it can be read in several ways. */
export function entriesIn(text: string, words: readonly Word[], values: readonly Value[]): Entry[] {
  if (words.length > MOST_WORDS || SEVERAL_SENTENCES.test(text)) return [];
  const said = new EntryWords(text, words);
  return [filledIn, copular, placed, held, chosen].flatMap((read) =>
    read(said).filter(
      ({ about, given }) =>
        about.size > 0 && given.length > 0 && given.length <= MOST_GIVEN && !given.some((at) => isMeasured(values, at)),
    ),
  );
}

/** Times and amounts are compared as such; room 204 is a place. */
function isMeasured(values: readonly Value[], at: number): boolean {
  return values.some(({ kind, from, to }) => kind !== 'identifier' && at >= from && at <= to);
}

const FILLED_IN = /^\s*(?::|=)\s*/;
/** A sentence may have these before its verb, a label has not. */
const SUBJECT = /^(?:i|we|you|he|she|they)$/;
/** After a colon these words, and a list, are no value. */
const NO_VALUE = /^(?:no|not|never|none)\b|,/i;

/** "package manager: pnpm", "package manager = pnpm" */
function filledIn(said: EntryWords): Entry[] {
  const at = said.find((_, place) => place > 0 && FILLED_IN.test(said.gapBefore(place)));
  const rest = said.rest(at);
  if (!said.isPlain(at) || said.words.slice(0, at).some(({ lower }) => SUBJECT.test(lower))) return [];
  if (NO_VALUE.test(rest) || hasVerb(rest) || !isLabel(said.text)) return [];
  const [about, given] = [said.stems(0, at), said.givenFrom(at)];
  // "Ann: vegetarian" and "Ann: tall" are notes on her.
  if (about.size < 2 && !given.every((place) => said.isCapital(place))) return [];
  const by = said.isBeforePlace(at) ? said.lower(at) : '';
  return [{ about, given, kind: by ? 'place' : 'filled in', by }];
}

const IS = /^(?:is|are|remains)$/;
const NAMED = /^(?:called|named)$/;
const ARTICLE = /^an?$/;
const LEAD = /^(?:in|on|at|for|during)$/;
/** In these phrases a name may be given to what follows: "Kenji is on call". */
const IN_A_ROLE = /^(?:on (?:call|duty|support)|in charge|responsible)\b/i;
const ENDS_THEIRS = /['’]s?\W*$/;

/** "The puppy is called Biscuit", "Ivan is the president of the club", "The keys are Ann's" */
function copular(said: EntryWords): Entry[] {
  const is = said.find((lower) => IS.test(lower));
  const start = afterLead(said, is);
  if (!said.isPlain(start || is)) return [];
  const from = NAMED.test(said.lower(is + 1)) ? is + 2 : is + 1;
  const entries: Entry[] = [];
  const isInRole = said.isDefinite(from) || IN_A_ROLE.test(said.rest(from)) || said.isPossessive(from);
  if (isInRole && said.isName(start, is)) {
    const about = new Set([...said.stems(0, start), ...said.stems(from)]);
    entries.push({ about, given: said.telling(start, is), kind: 'name' });
  }
  const isOne = ARTICLE.test(said.lower(from));
  const given = said.givenFrom(from).filter((at) => !isOne || said.isCapital(at));
  const isNamed = from > is + 1 || (given.length > 0 && given.every((at) => said.isCapital(at)));
  if (isNamed && !said.isBeforePlace(from)) {
    const about = said.stems(0, is);
    if (ENDS_THEIRS.test(said.text)) about.add('own');
    entries.push({ about, given, kind: 'name' });
  }
  return entries;
}

/** Where a name begins that has a place or a time before it: "At the open day Ann is our speaker". */
function afterLead(said: EntryWords, is: number): number {
  if (!LEAD.test(said.lower(0))) return 0;
  const last = said.words.slice(0, is).findLastIndex((_, at) => !said.isCapital(at));
  return last === -1 ? 0 : last + 1;
}

/** Before a place without a verb; "the train stops in" has one that no list holds. */
const WORDS_OF_THING = 3;
const IS_AS_VERB = /^(?:is|are|be)$/;
/** Verbs that say where something is; of "sold in" and "seen in" many places hold. */
const STANDS =
  /^(?:is|are|be|lives?|works?|meets?|sleeps?|sits?|stands?|lies|stays?|hangs?|based|located|kept|stored|hosted|held|parked|written|deployed|happens|takes)$/;
/** "Takes place in", "sleeps outside in". */
const ADVERB = /^(?:place|outside|inside|still|now|always|only|over|out|back|up|down|upstairs|downstairs)$/;
/** What somebody works on is no place. */
const WORKS_ON = /^works? on$/;

/** "The offsite is in Porto", "Ann works from the Berlin office", "spare key under the mat" */
function placed(said: EntryWords): Entry[] {
  const bare = hasVerb(said.text) ? -1 : said.find((_, at) => at > 0 && said.isBeforePlace(at));
  if (bare !== -1 && bare <= WORDS_OF_THING && !said.lower(bare - 1).endsWith('s')) return [placeAt(said, bare)];
  const verb = said.find((lower, at) => at > 0 && STANDS.test(lower));
  const isTwo = IS_AS_VERB.test(said.lower(verb)) && STANDS.test(said.lower(verb + 1));
  const next = isTwo ? verb + 2 : verb + 1;
  const at = ADVERB.test(said.lower(next)) ? next + 1 : next;
  const isWork = WORKS_ON.test(`${said.lower(verb)} ${said.lower(at)}`);
  return said.isPlain(verb) && said.isBeforePlace(at) && !isWork ? [placeAt(said, at)] : [];
}

/** @param at of the word before the place */
function placeAt(said: EntryWords, at: number): Entry {
  return { about: said.stems(0, at), given: said.givenFrom(at + 1), kind: 'place', by: said.lower(at) };
}

/** Who does it: "the phone is answered by Farida". */
const DONE = /^(?:[a-z]+ed|taught|run|led|written|built|held|kept|driven|done)$/;
const GIVEN_TO = /^(?:belongs|assigned)$/;

/** "Ann owns the pump", "The pump belongs to Ann" */
function held(said: EntryWords): Entry[] {
  const holding = holdingIn(said.text, said.words);
  if (holding) {
    const about = said.stems(0).add(holding.role);
    for (const at of holding.at) about.delete(said.words[at]?.stem ?? '');
    return [{ about, given: holding.at, kind: 'name' }];
  }
  const by = said.find((lower, at) => lower === 'by' && DONE.test(said.lower(at - 1)));
  if (said.isPlain(by) && said.isCapital(by + 1) && namesOneThing(said.text)) return [nameBehind(said, by)];
  const to = said.find((lower, at) => lower === 'to' && GIVEN_TO.test(said.lower(at - 1)));
  return to === -1 ? [] : [nameBehind(said, to)];
}

/** @param at of the word before the name */
function nameBehind(said: EntryWords, at: number): Entry {
  return { about: said.stems(0, at), given: said.givenFrom(at + 1), kind: 'name' };
}

const USE = /^(?:use|run)$/;
const USED_FOR = /^(?:for|as|in)$/;

/** "We use Redis for the session cache", "The mailer is written in Go", "Prod runs on Postgres" */
function chosen(said: EntryWords): Entry[] {
  const to = said.find((lower, at) => at > 1 && USED_FOR.test(lower));
  if (said.lower(0) === 'we' && USE.test(said.lower(1)) && to !== -1)
    return [{ about: said.stems(to + 1), given: said.telling(2, to), kind: 'filled in' }];
  const runs = said.find((lower, at) => at > 0 && lower === 'runs');
  const given = said.givenFrom(said.lower(runs + 1) === 'on' ? runs + 2 : runs + 1);
  const isNamed = said.isPlain(runs) && given.every((at) => said.isCapital(at));
  return isNamed ? [{ about: said.stems(0, runs), given, kind: 'filled in' }] : [];
}
