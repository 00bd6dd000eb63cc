import { sentenceSpans } from '../../ingest/sentences.ts';
import { type Marks, marksOf } from './marks.ts';
import { type Value, valuesOf } from './values.ts';
import { type Word, wordsOf } from './words.ts';

/** A sentence, read. */
export interface Sentence {
  readonly text: string;
  readonly marks: Marks;
}

/** A part of a memory that can be held against a part of another one: a short message whole, or a sentence of a long one. */
export interface Statement {
  readonly text: string;
  readonly words: readonly Word[];
  readonly values: readonly Value[];
  readonly sentences: readonly Sentence[];
  /** What it is about: content words by stem, and names; with the places of the words. */
  readonly terms: ReadonlyMap<string, readonly number[]>;
  /** Stems that are names here. */
  readonly names: ReadonlySet<string>;
  /** Places of negating words. */
  readonly negations: readonly number[];
  /** Places of words that stand in the reach of a negation. */
  readonly negated: ReadonlySet<number>;
  /** It speaks of the user: in the user's own first person, or by that word. */
  readonly isOfUser: boolean;
}

/** A message of at most so many characters is compared whole; a pair of them fits the model. */
const WHOLE_CHARACTERS = 320;
/** Statements of a long message at most: the first ones, evenly spread. */
const MOST_STATEMENTS = 24;
/** Words behind a negation that it may negate. */
const REACH = 4;

const NEGATION =
  /^(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|lacks?|lacked|lacking|fails?|failed|refus(?:es|ed|ing)|refuse|stopped|quit|absent|isnt|dont|doesnt|didnt|cant|wont|wasnt|arent|werent|hasnt|havent|zero)$|n['’]t$/;
const ENDS_REACH = /[,;:.!?—–]/;
const LINKS = new Set(['but', 'so', 'because', 'although', 'though', 'while', 'since']);
/** "No doubt", "not only", "no later than": nothing is denied. */
const NO_DENIAL = new Set('only doubt problem wonder matter worries later earlier more less least just'.split(' '));
const FIRST_PERSON = /^(?:i|me|my|mine|myself|i'm|i've|i'd|i'll|im|we|us|our|ours)$/;
const BEGINS_WITH_PRONOUN = /^(?:it|its|it's|she|he|they|her|his|their|this|that|these|those|there|which)\b/i;

/** @param role who speaks, for the first person: only the user's is known to be one person */
export function statementsOf(text: string, { role }: { role: string | null }): Statement[] {
  if (text.length <= WHOLE_CHARACTERS) return [statementOf(text, role)];
  const sentences = sentenceSpans(text, WHOLE_CHARACTERS).map(({ start, end }) => text.slice(start, end));
  const parts = sentences.map((sentence, index) => {
    const before = sentences[index - 1];
    const joined = before === undefined ? sentence : `${before} ${sentence}`;
    // What a pronoun stands for is said in the sentence before.
    return BEGINS_WITH_PRONOUN.test(sentence) && joined.length <= WHOLE_CHARACTERS ? joined : sentence;
  });
  return evenlySpread(parts).map((part) => statementOf(part, role));
}

function evenlySpread(parts: readonly string[]): readonly string[] {
  if (parts.length <= MOST_STATEMENTS) return parts;
  const step = (parts.length - 1) / (MOST_STATEMENTS - 1);
  return Array.from({ length: MOST_STATEMENTS }, (_, index) => parts[Math.round(index * step)] as string);
}

function statementOf(text: string, role: string | null): Statement {
  const words = wordsOf(text);
  const terms = new Map<string, number[]>();
  const names = new Set<string>();
  for (const [at, word] of words.entries()) {
    if (!word.isContent && !word.isName) continue;
    const places = terms.get(word.stem);
    if (places) places.push(at);
    else terms.set(word.stem, [at]);
    if (word.isName) names.add(word.stem);
  }
  const negations = negationsIn(text, words);
  const isOfUser =
    words.some(({ lower }) => lower === 'user') ||
    (role === 'user' && words.some(({ lower }) => FIRST_PERSON.test(lower)));
  return {
    text,
    words,
    values: valuesOf(words),
    sentences: sentencesOf(text),
    terms,
    names,
    negations,
    negated: reachOf(text, words, negations),
    isOfUser,
  };
}

function sentencesOf(text: string): Sentence[] {
  return sentenceSpans(text, WHOLE_CHARACTERS).map(({ start, end }) => {
    const sentence = text.slice(start, end);
    return { text: sentence, marks: marksOf(sentence) };
  });
}

function negationsIn(text: string, words: readonly Word[]): number[] {
  const found: number[] = [];
  for (const [at, { lower }] of words.entries()) {
    if (NEGATION.test(lower) && !NO_DENIAL.has(words[at + 1]?.lower ?? '')) found.push(at);
  }
  return /^no\b[,.!]/i.test(text) ? found.slice(1) : found;
}

function reachOf(text: string, words: readonly Word[], negations: readonly number[]): Set<number> {
  const reach = new Set<number>();
  for (const negation of negations) {
    let content = 0;
    for (let at = negation + 1; at < words.length && content < REACH; at++) {
      const gap = text.slice((words[at - 1] as Word).end, (words[at] as Word).start);
      if (ENDS_REACH.test(gap) || LINKS.has((words[at] as Word).lower)) break;
      reach.add(at);
      if ((words[at] as Word).isContent) content++;
    }
  }
  return reach;
}
