import { type Span, sentenceSpans } from './sentences.ts';
import { termsOf } from './terms.ts';

/** The most characters of a gist, in UTF-16 code units: a paragraph. */
const GIST_CHARACTERS = 500;
/** The most sentences and characters of a text that are weighed, taken evenly; the longest message then takes less than 20 ms. */
const MOST_SENTENCES = 400;
const MOST_CHARACTERS_WEIGHED = 12_000;
/** A sentence of fewer terms counts as one of this many, so that shortness is no merit. */
const LEAST_TERMS = 8;
/** Factor on the weight of a term that the gist already has. SumBasic squares the weight, which drops the topic of a short text. */
const TOLD_ALREADY = 0.5;

interface Candidate {
  readonly span: Span;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
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
  const spans = centralSpans(candidatesOf(text));
  spans.sort((a, b) => a.start - b.start);
  return spans.map(({ start, end }) => text.slice(start, end)).join(' ');
}

function candidatesOf(text: string): Candidate[] {
  const spans = sentenceSpans(text, GIST_CHARACTERS);
  const step = Math.ceil(Math.max(spans.length / MOST_SENTENCES, text.length / MOST_CHARACTERS_WEIGHED));
  return spans
    .filter((_, index) => index % step === 0)
    .map((span) => {
      const sentence = text.slice(span.start, span.end);
      return { span, text: sentence, terms: new Set(termsOf(sentence)) };
    });
}

function centralSpans(candidates: Candidate[]): Span[] {
  const weights = termWeights(candidates);
  const chosen: Span[] = [];
  let open = candidates;
  let room = GIST_CHARACTERS;
  for (;;) {
    open = open.filter(({ span }) => span.end - span.start <= room);
    const best = mostCentral(open, weights);
    if (!best) return chosen;
    chosen.push(best.span);
    room -= best.span.end - best.span.start + 1; // and the blank
    open = open.filter(({ text }) => text !== best.text);
    for (const term of best.terms) weights.set(term, (weights.get(term) ?? 0) * TOLD_ALREADY);
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
function mostCentral(candidates: readonly Candidate[], weights: ReadonlyMap<string, number>): Candidate | null {
  let best: Candidate | null = null;
  let bestScore = -1;
  for (const candidate of candidates) {
    let sum = 0;
    for (const term of candidate.terms) sum += weights.get(term) ?? 0;
    const score = sum / Math.max(candidate.terms.size, LEAST_TERMS);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}
