import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { hasSubject, isStated } from '../../text/sentences/clauses.ts';
import { sentenceSpans } from '../../text/sentences/sentences.ts';
import type { Value } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { KIN } from '../../text/words/kin.ts';
import type { Word } from '../../text/words/words.ts';
import { claimsInSteps, LONGEST_CLAIM, proseInSteps, speaksToReader, withoutSource } from './claims.ts';
import { type Course, courseIn } from './courses.ts';
import { type Entry, entriesIn } from './entries.ts';
import { headingOf, type Identifier, identifiersIn, subjectsOf } from './identifiers.ts';
import { propertiesIn } from './listed.ts';
import { type Marks, marksIn } from './marks.ts';
import { negationsIn, reachOf } from './negations.ts';
import { wordsIn } from './short-words.ts';

/** How much of its message a statement is: a short one whole; a claim of a short one, a property that it lists, a claim of a long one, of an assistant's long answer. */
export type Extent = 'whole' | 'part' | 'property' | 'part of long' | 'part of answer';

/** A sentence, read. */
export interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
  readonly marks: Marks;
  /** The tickets, incidents, builds that it is about, by name; those of the heading of its message too. */
  readonly subjects: readonly Identifier[];
}

/** What of a memory can be held against another one: a short message whole, or one claim of a message. */
export interface Statement {
  readonly text: string;
  readonly extent: Extent;
  readonly words: readonly Word[];
  readonly values: readonly Value[];
  readonly sentences: readonly Sentence[];
  /** All that it names, whether it is about it or not; those of the heading of its message too. */
  readonly identifiers: readonly Identifier[];
  /** Its subject: content words and names by stem, with the positions of the words. */
  readonly terms: ReadonlyMap<string, readonly number[]>;
  /** The stems that are names in this statement. */
  readonly names: ReadonlySet<string>;
  /** Positions of negating words. */
  readonly negations: readonly number[];
  /** Positions of the words in the scope of a negation. */
  readonly negated: ReadonlySet<number>;
  /** Its statements in the manner of a form: a thing and the value given to it. */
  readonly entries: readonly Entry[];
  /** Whether something stays as it is; null where it says nothing of that. */
  readonly course: Course | null;
  /** Whether it is about the user: in the first person of the user, or by the word "user". */
  readonly isOfUser: boolean;
  /** It says thanks or cheers: little of it is meant as a fact. */
  readonly isTalk: boolean;
  /** Who says it. */
  readonly speaker: string;
  /** Who says "I" here; null where nobody does. */
  readonly self: string | null;
  /** Who says "I", or "Dad" of their own, here; null where nobody does. By "Dad" an assistant means that of the user. */
  readonly own: string | null;
}

const SHORT_TERMS = 6;

/** Whether two statements have few content words, so that each says one thing. */
export function areShort(a: Statement, b: Statement): boolean {
  return Math.max(a.terms.size, b.terms.size) <= SHORT_TERMS;
}

/** The speaker of a text, as far as it is known. */
export interface Speaker {
  readonly role: string | null;
  readonly name?: string | null;
  readonly agentId?: string;
}

/** A message of at most this many characters is compared whole; a pair of them fits the model. */
const WHOLE_CHARACTERS = 320;
/** The most statements of a long message; they are spread evenly. */
const MOST_STATEMENTS = 24;

const FIRST_PERSON = /^(?:i|me|my|mine|myself|i'm|i've|i'd|i'll|im|we|us|our|ours)$/;
const SAYS_I = /^(?:i|me|my|mine|myself|i'm|i've|i'd|i'll)$/;
const OWN_KIN = new RegExp(`^(?:${KIN})$`);
/** Before a word for kin: it is somebody else's, or one of many. */
const NOT_OWN = /^(?:the|an?|this|that|every|no|his|her|your|their|our)$/;
const BEFORE_ADDRESSED = /(?:^|,\s|\b(?:hey|hi|hello|thanks|wow|yeah|aw|bye|dear)\s)$/i;
const AFTER_ADDRESSED = /^[!,.?]?$/;
/** The characters before a name that are read; enough for a greeting. */
const LOOKED_BACK = 10;

/** The statements of a memory: a short message whole and its claims, where it makes several; claims of a long one, evenly spread. */
export function statementsOf(text: string, speaker: Speaker): Statement[] {
  return atOnce(statementsInSteps(text, speaker));
}

/** The same, in steps. */
export function* statementsInSteps(text: string, speaker: Speaker): Steps<Statement[]> {
  const heading = headingIn(text);
  if (text.length > WHOLE_CHARACTERS) {
    const isAnswer = speaker.role === 'assistant';
    const prose = yield* proseInSteps(text, { lists: !isAnswer });
    const claims = [...new Set(yield* claimsInSteps(prose))].filter((claim) =>
      isAnswer ? hasSubject(claim) && !speaksToReader(claim) : isStated(claim),
    );
    return evenlySpread(claims).map(
      (claim) =>
        new ReadStatement(claim, {
          speaker,
          heading,
          extent: isAnswer ? 'part of answer' : 'part of long',
          isTalk: isExclaimed(claim),
        }),
    );
  }
  const said = withoutSource(text);
  const claims = evenlySpread([...new Set(yield* claimsInSteps(said))].filter((claim) => claim !== said));
  // Thanks and cheer colour the sentences beside them.
  const isTalk = isExclaimed(said);
  const properties = evenlySpread(propertiesIn(said));
  return [
    new ReadStatement(said, { speaker, heading, extent: 'whole', isTalk }),
    ...claims.map((claim) => new ReadStatement(claim, { speaker, heading, extent: 'part', isTalk })),
    ...properties.map((claim) => new ReadStatement(claim, { speaker, heading, extent: 'property', isTalk })),
  ];
}

/** Stems of the words at some positions. */
export function stemsAt({ words }: Pick<Statement, 'words'>, places: Iterable<number>): string[] {
  return Array.from(places, (at) => (words[at] as Word).stem);
}

/** The texts of some words as they are written, with neighbours joined. */
export function phrasesAt({ text, words }: Statement, places: readonly number[]): string[] {
  const sorted = [...new Set(places)].sort((x, y) => x - y);
  const runs: { from: number; to: number }[] = [];
  for (const at of sorted) {
    const run = runs.at(-1);
    if (run && run.to === at - 1) run.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs.map(({ from, to }) => text.slice((words[from] as Word).start, (words[to] as Word).end));
}

/** Whether a word names kin as only their own family does: "Dad works at night". */
function isOwnKin(text: string, words: readonly Word[], at: number): boolean {
  const [before, { lower, start, startsSentence }] = [words[at - 1], words[at] as Word];
  if (!OWN_KIN.test(lower)) return false;
  if (!before || startsSentence) return true;
  return !(NOT_OWN.test(before.lower) || /['’]/.test(text.slice(before.end, start)));
}

function evenlySpread(parts: readonly string[]): readonly string[] {
  if (parts.length <= MOST_STATEMENTS) return parts;
  const step = (parts.length - 1) / (MOST_STATEMENTS - 1);
  return Array.from({ length: MOST_STATEMENTS }, (_, index) => parts[Math.round(index * step)] as string);
}

function headingIn(text: string): Identifier[] {
  const [first] = sentenceSpans(text.slice(0, WHOLE_CHARACTERS), LONGEST_CLAIM);
  return first ? headingOf(text.slice(first.start, first.end), { isAll: first.end === text.trimEnd().length }) : [];
}

interface Source {
  readonly speaker: Speaker;
  readonly heading: readonly Identifier[];
  readonly extent: Extent;
  readonly isTalk: boolean;
}

/** Of most statements only the words in common with another one are ever asked for; the rest is read when it is. */
class ReadStatement implements Statement {
  readonly text: string;
  readonly extent: Extent;
  readonly isTalk: boolean;
  readonly words: readonly Word[];
  readonly terms: ReadonlyMap<string, readonly number[]>;
  readonly names: ReadonlySet<string>;
  readonly isOfUser: boolean;
  readonly speaker: string;
  readonly self: string | null;
  readonly own: string | null;
  readonly #heading: readonly Identifier[];
  #values: readonly Value[] | undefined;
  #sentences: readonly Sentence[] | undefined;
  #identifiers: readonly Identifier[] | undefined;
  #negations: readonly number[] | undefined;
  #negated: ReadonlySet<number> | undefined;
  #entries: readonly Entry[] | undefined;
  #course: Course | null | undefined;

  constructor(text: string, { speaker, heading, extent, isTalk }: Source) {
    const words = wordsIn(text);
    this.text = text;
    this.extent = extent;
    this.isTalk = isTalk;
    this.words = words;
    ({ terms: this.terms, names: this.names } = termsIn(text, words));
    this.isOfUser =
      words.some(({ lower }) => lower === 'user') ||
      (speaker.role === 'user' && words.some(({ lower }) => FIRST_PERSON.test(lower)));
    this.speaker = `${speaker.agentId ?? ''} ${selfOf(speaker)}`;
    this.self = words.some(({ lower }) => SAYS_I.test(lower)) ? selfOf(speaker) : null;
    const hasKin = speaker.role !== 'assistant' && words.some((_, at) => isOwnKin(text, words, at));
    this.own = this.self ?? (hasKin ? selfOf(speaker) : null);
    this.#heading = heading;
  }

  get values(): readonly Value[] {
    this.#values ??= valuesOf(this.words);
    return this.#values;
  }

  get sentences(): readonly Sentence[] {
    this.#sentences ??= sentencesOf(this.text, this.#heading);
    return this.#sentences;
  }

  get identifiers(): readonly Identifier[] {
    this.#identifiers ??= [...this.#heading, ...identifiersIn(this.text)];
    return this.#identifiers;
  }

  get negations(): readonly number[] {
    this.#negations ??= negationsIn(this.text, this.words);
    return this.#negations;
  }

  get negated(): ReadonlySet<number> {
    this.#negated ??= reachOf(this.text, this.words, this.negations);
    return this.#negated;
  }

  get course(): Course | null {
    if (this.#course === undefined) this.#course = courseIn(this.text, this.words, this.values);
    return this.#course;
  }

  get entries(): readonly Entry[] {
    this.#entries ??= entriesIn(this.text, this.words, this.values);
    return this.#entries;
  }
}

function termsIn(text: string, words: readonly Word[]): Pick<Statement, 'terms' | 'names'> {
  const terms = new Map<string, number[]>();
  const names = new Set<string>();
  for (const [at, word] of words.entries()) {
    if ((!word.isContent && !word.isName) || isAddressed(text, word)) continue;
    const places = terms.get(word.stem);
    if (places) places.push(at);
    else terms.set(word.stem, [at]);
    if (word.isName) names.add(word.stem);
  }
  return { terms, names };
}

function isExclaimed(text: string): boolean {
  return text.includes('!');
}

/** An unnamed user is the same person for every agent. */
function selfOf({ role, name, agentId }: Speaker): string {
  if (name) return `name ${name.trim().toLowerCase()}`;
  return role === 'user' ? 'user' : `agent ${agentId ?? ''}`;
}

/** Whether a name is an address, as in "Thanks, Mel!" and "Hey Mel, ...": the sentence is then not about that person. */
function isAddressed(text: string, { start, end, isName }: Word): boolean {
  return (
    isName &&
    BEFORE_ADDRESSED.test(text.slice(Math.max(0, start - LOOKED_BACK), start)) &&
    AFTER_ADDRESSED.test(text[end] ?? '')
  );
}

function sentencesOf(text: string, heading: readonly Identifier[]): Sentence[] {
  return sentenceSpans(text, LONGEST_CLAIM).map(({ start, end }) => {
    const sentence = text.slice(start, end);
    return {
      text: sentence,
      words: wordsIn(sentence),
      marks: marksIn(sentence),
      subjects: [...heading, ...subjectsOf(sentence)],
    };
  });
}
