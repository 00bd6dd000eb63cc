import { type Span, sentenceSpans } from '../sentences/sentences.ts';
import { isAscii } from '../words/is-ascii.ts';
import { normalForm } from '../words/normal-form.ts';
import { termsOf } from '../words/terms.ts';
import { beginningsOfItem } from './list-items.ts';

/** The most characters of a gist, in UTF-16 code units: a paragraph. */
const GIST_CHARACTERS = 500;
/** The most sentences and characters of a text that are weighed, taken evenly; the longest message then takes less than 20 ms. */
const MOST_SENTENCES = 400;
const MOST_CHARACTERS_WEIGHED = 12_000;
/** A sentence of fewer terms counts as one of this many, so that shortness is no merit. */
const LEAST_TERMS = 8;
/** Factor on the weight of a term that the gist already has. SumBasic squares the weight, which drops the topic of a short text. */
const TOLD_ALREADY = 0.5;

/** Between two sentences of which one does not follow the other in the message. */
const GAP = ' … ';
/** Asked terms that are looked for; a query of more of them is a text, and 30,000 would take seconds. */
const MOST_ASKED = 100;
/** Characters of a stem with which every word of it begins, without the last one where that is one of these. */
const SURE_CHARACTERS = 4;
/** "city" has not all of "citi", and "making" not all of "make". */
const UNSURE_END = /(?<=.)[eiy]$/;
/** Scripts without blanks between words, which may be cut between any two characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const MARKS_ON_LETTERS = /[\u0300-\u036f]/g;

/** A sentence. Of a class, because a text may have 100,000: object literals with a getter each took 20 ms. */
class Candidate {
  readonly place: number;
  readonly span: Span;
  readonly text: string;
  #terms: ReadonlySet<string> | null = null;

  constructor(place: number, span: Span, text: string) {
    this.place = place;
    this.span = span;
    this.text = text;
  }

  /** Read where they are asked for. */
  get terms(): ReadonlySet<string> {
    this.#terms ??= new Set(termsOf(this.text));
    return this.#terms;
  }
}

/**
 * The text of a message that is recalled: the message itself up to 500 characters, else its most central sentences in
 * their order, joined by blanks. Nothing is worded anew.
 *
 * Central are the sentences of the terms that most sentences share; a term counts for less once a chosen sentence has
 * it, and no sentence is taken twice, so that the gist does not repeat itself.
 * Source: SumBasic, Nenkova and Vanderwende, "The Impact of Frequency on Summarization", MSR-TR-2005-101, with
 * sentences in place of occurrences as what is counted, and a constant in place of the square.
 */
export function gistOf(content: string): string {
  const text = content.trim();
  if (text.length <= GIST_CHARACTERS) return text;
  const chosen = chosenOf(evenly(beginningWithWords(sentencesOf(text), text), text.length), {
    asked: new Map(),
    wanted: new Set(),
    between: ' ',
  });
  return chosen.map((one) => one.text).join(' ');
}

/**
 * What a context shows of a long message for one question: its most central sentences that have the asked words, and others where room
 * is left, with a mark where some are left out. Null where no sentence has any of these words.
 *
 * What a sentence has of the asked words, weighed by how few others have them, counts as much as its terms do.
 * Source: SumFocus, Vanderwende, Suzuki, Brockett and Nenkova, "Beyond SumBasic", Information Processing & Management 43 (2007), with a
 * sum in place of a mixture; measured in docs/benchmarks/recall.md.
 * @param terms of the question, as `termsOf` gives them @param item of a list that it asks for, as `itemAsked` gives it
 */
export function gistFor(terms: readonly string[], content: string, item: number | null = null): string | null {
  const text = content.trim();
  const sentences = sentencesOf(text);
  const sought = terms.slice(0, MOST_ASKED);
  const wanted = item === null ? new Set<Candidate>() : itemIn(sentences, item);
  const holding = sentences.filter(mayHold(sought));
  if (holding.length + wanted.size === 0) return null;
  const looked = new Set([...evenly(sentences, text.length), ...evenly(holding, text.length), ...wanted]);
  const candidates = [...looked].sort((a, b) => a.place - b.place);
  const asked = rarityOf(sought, candidates);
  if (asked.size + wanted.size === 0) return null;
  const chosen = chosenOf(candidates, { asked, wanted, between: GAP });
  return chosen.reduce((shown, { place, text: sentence }, index) => {
    if (index === 0) return sentence;
    return shown + (chosen[index - 1]?.place === place - 1 ? ' ' : GAP) + sentence;
  }, '');
}

function sentencesOf(text: string): Candidate[] {
  const spans = sentenceSpans(text, GIST_CHARACTERS);
  return spans.map((span, place) => new Candidate(place, span, text.slice(span.start, span.end)));
}

/** Sentences without the rest of a word that is longer than a gist, with which one of them would begin; of such a rest alone none is left. */
function beginningWithWords(sentences: readonly Candidate[], text: string): Candidate[] {
  return sentences.flatMap((sentence, index) => {
    const { place, span } = sentence;
    const before = sentences[index - 1];
    // Of two sentences without a blank between them the first is hardly ever as long as a gist.
    const isParted = before?.span.end === span.start && before.text.length > GIST_CHARACTERS / 2;
    if (!isParted || UNSPACED.test(text.slice(span.start - 1, span.start + 1))) return sentence;
    const rest = sentence.text.search(/\s\S/u);
    if (rest === -1) return [];
    const start = span.start + rest + 1;
    return new Candidate(place, { start, end: span.end }, text.slice(start, span.end));
  });
}

/** The sentences with which an item of a list begins; of more than are weighed, such as in a log of lists, some. */
function itemIn(sentences: readonly Candidate[], item: number): ReadonlySet<Candidate> {
  const texts = sentences.map(({ text }) => text);
  const beginnings = beginningsOfItem(item, texts).map((place) => sentences[place] as Candidate);
  const characters = beginnings.reduce((sum, { text }) => sum + text.length, 0);
  return new Set(evenly(beginnings, characters));
}

function evenly(sentences: readonly Candidate[], characters: number): Candidate[] {
  const step = Math.ceil(Math.max(sentences.length / MOST_SENTENCES, characters / MOST_CHARACTERS_WEIGHED));
  return sentences.filter((_, index) => index % step === 0);
}

/** Whether a sentence may have one of these terms, told quickly. */
function mayHold(terms: readonly string[]): (sentence: Candidate) => boolean {
  const starts = [...new Set(terms.map((term) => term.slice(0, SURE_CHARACTERS).replace(UNSURE_END, '')))];
  const hasOne = (text: string) => {
    const lower = text.toLowerCase();
    return starts.some((start) => lower.includes(start));
  };
  return ({ text }) => hasOne(text) || (!isAscii(text) && hasOne(withPlainLetters(text)));
}

/** The letters as terms have them: "café" as "cafe". */
function withPlainLetters(text: string): string {
  return normalForm(normalForm(text, 'NFKD').replace(MARKS_ON_LETTERS, ''), 'NFKC');
}

/** By asked term that some sentence has: the logarithm of how few have it, as a share of the sum of all. */
function rarityOf(terms: readonly string[], candidates: readonly Candidate[]): Map<string, number> {
  const rarities = new Map<string, number>();
  let sum = 0;
  for (const term of terms) {
    const having = candidates.filter((one) => one.terms.has(term)).length;
    if (having === 0) continue;
    const rarity = Math.log(1 + candidates.length / having);
    rarities.set(term, rarity);
    sum += rarity;
  }
  for (const [term, rarity] of rarities) rarities.set(term, rarity / sum);
  return rarities;
}

/**
 * The chosen sentences, in order.
 * @param options.asked what each asked term adds to a sentence that has it @param options.wanted these come first
 * @param options.between what may stand between two sentences
 */
function chosenOf(
  candidates: readonly Candidate[],
  { asked, wanted, between }: { asked: Map<string, number>; wanted: ReadonlySet<Candidate>; between: string },
): Candidate[] {
  const weights = termWeights(candidates);
  const chosen: Candidate[] = [];
  let open = candidates;
  let room = GIST_CHARACTERS;
  for (;;) {
    open = open.filter(({ span }) => span.end - span.start <= room);
    const isWanted = open.filter((one) => wanted.has(one));
    const best = mostCentral(isWanted.length > 0 ? isWanted : open, { weights, asked });
    if (!best) return chosen.sort((a, b) => a.place - b.place);
    chosen.push(best);
    room -= best.span.end - best.span.start + between.length;
    open = open.filter(({ text }) => text !== best.text);
    for (const term of best.terms) {
      weights.set(term, (weights.get(term) ?? 0) * TOLD_ALREADY);
      const once = asked.get(term);
      if (once !== undefined) asked.set(term, once * TOLD_ALREADY);
    }
  }
}

/** The share of the sentences that have each term. */
function termWeights(candidates: readonly Candidate[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { terms } of candidates) {
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + 1 / candidates.length);
  }
  return weights;
}

/** The best sentence; the first of equal ones. */
function mostCentral(
  candidates: readonly Candidate[],
  { weights, asked }: { weights: ReadonlyMap<string, number>; asked: ReadonlyMap<string, number> },
): Candidate | null {
  let best: Candidate | null = null;
  let bestScore = -1;
  for (const candidate of candidates) {
    let sum = 0;
    for (const term of candidate.terms) sum += weights.get(term) ?? 0;
    let score = sum / Math.max(candidate.terms.size, LEAST_TERMS);
    for (const [term, worth] of asked) if (candidate.terms.has(term)) score += worth;
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}
