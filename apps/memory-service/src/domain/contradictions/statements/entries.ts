import { hasVerb } from '../../text/sentences/clauses.ts';
import type { Value } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';
import { holdingIn, namesOneThing } from './holders.ts';
import { isLabel } from './labels.ts';
import { isLight } from './light.ts';

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
/** Before a place without a verb; "the train stops in" has one that no list holds. */
const WORDS_OF_THING = 3;
const IS = /^(?:is|are|remains)$/;
const PLACE = /^(?:in|inside|at|on|under|behind|beside|near|with|from|above|below|beneath|opposite)$/;
/** Verbs that say where something is; of "sold in" and "seen in" many places hold. */
const STANDS =
  /^(?:is|are|be|lives?|works?|meets?|sleeps?|sits?|stands?|lies|stays?|hangs?|based|located|kept|stored|hosted|held|parked|written|deployed|happens|takes)$/;
/** "Takes place in", "sleeps outside in". */
const ADVERB = /^(?:place|outside|inside|still|now|always|only|over|out|back|up|down|upstairs|downstairs)$/;
/** Words of a label, or of the subject of a verb; more tell a story. */
const MOST_BEFORE = 6;
/** Behind these a clause says when, why or of whom, and not what the statement is about: "while we work on the seat map". */
const CLAUSE =
  /^(?:while|when|whenever|where|if|because|though|although|unless|until|after|before|once|that|which|who|whose|but|so)$/;
const LEAD = /^(?:in|on|at|for|during)$/;
/** What somebody works on is no place. */
const WORKS_ON = /^works? on$/;
/** A sentence may have these before its verb, a label has not. */
const SUBJECT = /^(?:i|we|you|he|she|they)$/;
/** Here what is given ends: "in Porto this year", "Redis for the sessions". */
const ENDS_GIVEN =
  /^(?:this|these|that|every|each|for|until|till|since|because|and|or|but|when|if|while|of|to|now|today|currently|only|just|which|who)$/;
const DEFINITE = /^(?:the|our|my|your|his|her|their|its|this)$/;
/** Different words for one role. */
const ROLES = new Map(
  Object.entries({
    lead: 'leads lead leader led head heads',
    own: 'owns owner owned belongs',
    manage: 'manages manager managed',
    maintain: 'maintains maintainer maintained',
    chair: 'chairs chair chaired',
    assign: 'assigned assignee',
    teach: 'teaches teacher taught',
    coach: 'coaches coach coached',
    work: 'works work working based',
  }).flatMap(([role, words]) => words.split(' ').map((word) => [word, role] as const)),
);
/** After a colon these words, and a list, are no value. */
const NO_VALUE = /^(?:no|not|never|none)\b|,/i;
/** Who does it: "the phone is answered by Farida". */
const DONE = /^(?:[a-z]+ed|taught|run|led|written|built|held|kept|driven|done)$/;
/** In these phrases a name may be given to what follows: "Kenji is on call". */
const IN_A_ROLE = /^(?:on (?:call|duty|support)|in charge|responsible)\b/i;

/** What a short statement says as a line of a form would; several where it can be read in several ways. */
export function entriesIn(text: string, words: readonly Word[], values: readonly Value[]): Entry[] {
  if (words.length > MOST_WORDS || /[?!;]|[.]\s/.test(text)) return [];
  const read = new Reader(text, words);
  return [...read.filledIn(), ...read.copular(), ...read.placed(), ...read.held(), ...read.chosen()].filter(
    ({ about, given }) =>
      about.size > 0 && given.length > 0 && given.length <= MOST_GIVEN && !given.some((at) => isMeasured(values, at)),
  );
}

/** Times and amounts are compared as such; room 204 is a place. */
function isMeasured(values: readonly Value[], at: number): boolean {
  return values.some(({ kind, from, to }) => kind !== 'identifier' && at >= from && at <= to);
}

class Reader {
  readonly #text: string;
  readonly #words: readonly Word[];

  constructor(text: string, words: readonly Word[]) {
    this.#text = text;
    this.#words = words;
  }

  /** "package manager: pnpm", "package manager = pnpm" */
  filledIn(): Entry[] {
    const at = this.#words.findIndex((_, place) => place > 0 && /^\s*(?::|=)\s*/.test(this.#gapBefore(place)));
    const rest = this.#rest(at);
    if (!this.#isPlain(at) || this.#words.slice(0, at).some(({ lower }) => SUBJECT.test(lower))) return [];
    if (NO_VALUE.test(rest) || hasVerb(rest) || !isLabel(this.#text)) return [];
    const [about, given] = [this.#stems(0, at), this.#givenFrom(at)];
    // "Ann: vegetarian" and "Ann: tall" are notes on her.
    if (about.size < 2 && !given.every((place) => this.#isCapital(place))) return [];
    const by = PLACE.test(this.#lower(at)) ? this.#lower(at) : '';
    return [{ about, given, kind: by ? 'place' : 'filled in', by }];
  }

  /** "The puppy is called Biscuit", "Ivan is the president of the club", "The keys are Ann's" */
  copular(): Entry[] {
    const is = this.#words.findIndex(({ lower }) => IS.test(lower));
    const start = this.#afterLead(is);
    if (!this.#isPlain(start || is)) return [];
    const from = /^(?:called|named)$/.test(this.#lower(is + 1)) ? is + 2 : is + 1;
    const first = this.#lower(from);
    const entries: Entry[] = [];
    if (
      this.#isName(start, is) &&
      (DEFINITE.test(first) || IN_A_ROLE.test(this.#rest(from)) || this.#isPossessive(from))
    ) {
      entries.push({
        about: new Set([...this.#stems(0, start), ...this.#stems(from)]),
        given: this.#telling(start, is),
        kind: 'name',
      });
    }
    const given = this.#givenFrom(from).filter((at) => !/^an?$/.test(first) || this.#isCapital(at));
    const isNamed = from > is + 1 || (given.length > 0 && given.every((at) => this.#isCapital(at)));
    if (isNamed && !PLACE.test(first)) {
      const isTheirs = /['’]s?\W*$/.test(this.#text);
      const about = this.#stems(0, is);
      entries.push({ about: isTheirs ? new Set([...about, 'own']) : about, given, kind: 'name' });
    }
    return entries;
  }

  /** "The offsite is in Porto", "Ann works from the Berlin office", "spare key under the mat" */
  placed(): Entry[] {
    const bare = hasVerb(this.#text) ? -1 : this.#words.findIndex(({ lower }, at) => at > 0 && PLACE.test(lower));
    if (bare !== -1 && bare <= WORDS_OF_THING && !this.#lower(bare - 1).endsWith('s'))
      return [{ about: this.#stems(0, bare), given: this.#givenFrom(bare + 1), kind: 'place', by: this.#lower(bare) }];
    const verb = this.#words.findIndex(({ lower }, at) => at > 0 && STANDS.test(lower));
    const isTwo = /^(?:is|are|be)$/.test(this.#lower(verb)) && STANDS.test(this.#lower(verb + 1));
    const next = isTwo ? verb + 2 : verb + 1;
    const at = ADVERB.test(this.#lower(next)) ? next + 1 : next;
    if (
      !this.#isPlain(verb) ||
      !PLACE.test(this.#lower(at)) ||
      WORKS_ON.test(`${this.#lower(verb)} ${this.#lower(at)}`)
    )
      return [];
    return [{ about: this.#stems(0, at), given: this.#givenFrom(at + 1), kind: 'place', by: this.#lower(at) }];
  }

  /** "Ann owns the pump", "The pump belongs to Ann" */
  held(): Entry[] {
    const holding = holdingIn(this.#text, this.#words);
    if (holding) {
      const about = new Set([...this.#stems(0), holding.role]);
      for (const at of holding.at) about.delete(this.#words[at]?.stem ?? '');
      return [{ about, given: holding.at, kind: 'name' }];
    }
    const by = this.#words.findIndex(({ lower }, at) => lower === 'by' && DONE.test(this.#lower(at - 1)));
    if (this.#isPlain(by) && this.#isCapital(by + 1) && namesOneThing(this.#text)) {
      return [{ about: this.#stems(0, by), given: this.#givenFrom(by + 1), kind: 'name' }];
    }
    const to = this.#words.findIndex(
      ({ lower }, at) => lower === 'to' && /^(?:belongs|assigned)$/.test(this.#lower(at - 1)),
    );
    return to === -1 ? [] : [{ about: this.#stems(0, to), given: this.#givenFrom(to + 1), kind: 'name' }];
  }

  /** "We use Redis for the session cache", "The mailer is written in Go", "Prod runs on Postgres" */
  chosen(): Entry[] {
    const [first, second] = [this.#lower(0), this.#lower(1)];
    const to = this.#words.findIndex(({ lower }, at) => at > 1 && /^(?:for|as|in)$/.test(lower));
    if (first === 'we' && /^(?:use|run)$/.test(second) && to !== -1) {
      return [{ about: this.#stems(to + 1), given: this.#telling(2, to), kind: 'filled in' }];
    }
    const runs = this.#words.findIndex(({ lower }, at) => at > 0 && lower === 'runs');
    const given = this.#givenFrom(this.#lower(runs + 1) === 'on' ? runs + 2 : runs + 1);
    return !this.#isPlain(runs) || !given.every((at) => this.#isCapital(at))
      ? []
      : [{ about: this.#stems(0, runs), given, kind: 'filled in' }];
  }

  /** Where a name begins that has a place or a time before it: "At the open day Ann is our speaker". */
  #afterLead(is: number): number {
    if (!LEAD.test(this.#lower(0))) return 0;
    const last = this.#words.slice(0, is).findLastIndex((_, at) => !this.#isCapital(at));
    return last === -1 ? 0 : last + 1;
  }

  /** Whether what stands before a word is what the statement is about. */
  #isPlain(until: number): boolean {
    return until > 0 && until <= MOST_BEFORE && !this.#words.slice(0, until).some(({ lower }) => CLAUSE.test(lower));
  }

  #lower(at: number): string {
    return this.#words[at]?.lower ?? '';
  }

  #gapBefore(at: number): string {
    return this.#text.slice(this.#words[at - 1]?.end, this.#words[at]?.start);
  }

  #rest(at: number): string {
    return this.#text.slice(this.#words[at]?.start ?? this.#text.length);
  }

  #telling(from: number, to: number = this.#words.length): number[] {
    return this.#words.slice(from, to).flatMap(({ isContent, isName, lower }, index) => {
      const isTelling = (isContent || isName || /\d/.test(lower)) && !/^(?:called|named|name)$/.test(lower);
      return isTelling ? [from + index] : [];
    });
  }

  #stems(from: number, to: number = this.#words.length): Set<string> {
    const said = this.#telling(from, to).map((at) => this.#words[at] as Word);
    const kept = said.filter(
      ({ lower }) => ROLES.has(lower) || !isLight(lower) || /^(?:lives?|works?|hosted)$/.test(lower),
    );
    return new Set(kept.map(({ lower, stem }) => ROLES.get(lower) ?? stem));
  }

  /** What is given from a word on, up to where something else begins. */
  #givenFrom(from: number): number[] {
    const end = this.#words.findIndex(
      ({ lower }, at) => at > from && (ENDS_GIVEN.test(lower) || PLACE.test(lower) || /,/.test(this.#gapBefore(at))),
    );
    return this.#telling(from, end === -1 ? this.#words.length : end);
  }

  #isName(from: number, to: number): boolean {
    return (
      to - from <= 3 &&
      this.#words.slice(from, to).every(({ lower }, index) => this.#isCapital(from + index) && !DEFINITE.test(lower))
    );
  }

  #isCapital(at: number): boolean {
    return /^\p{Lu}/u.test(this.#words[at]?.text ?? '');
  }

  /** "Ivan is our daughter's teacher", "Ivan is Ann's teacher" */
  #isPossessive(at: number): boolean {
    return /^\S+['’]s? /.test(this.#rest(at));
  }
}
