import { type Memory, recallText } from '../memory/memory.ts';
import { speakerOf } from '../text/speaker.ts';
import { flatText } from './flat-text.ts';
import { salientTerms } from './salient-terms.ts';
import { sentenceSpans } from './sentences.ts';
import { termsOf } from './terms.ts';
import { marksOf } from './text-marks.ts';

/** Characters of the gist of a semantic memory, without by whom each sentence was told. */
export const SEMANTIC_GIST_CHARACTERS = 1_000;
/** Of a sentence; a longer one is cut at a blank. */
const LONGEST_SENTENCE = 300;
/** Of each memory so many sentences are weighed, the first ones. */
const SENTENCES_EACH = 20;
/** Sentences of fewer salient terms say nothing by themselves: "Sounds great!" */
const LEAST_TERMS = 2;
/** A short sentence is no better for being short. */
const NORMAL_TERMS = 5;
/** "You must be proud" answers what the other has told better. */
const ADDRESSES = /\b(?:you|your|you're|you've)\b/i;
const ADDRESSING_COUNTS = 0.6;
/** A note beside what was said, such as the caption of a picture. */
const IN_BRACKETS = /^\[.*\]$/;
/** What turns the meaning of a sentence round, and is no term. */
const NEGATION = /\b(?:not?|never|neither|nor|without|cannot)\b|n['’]t\b/i;
/** What a term counts for once the gist has it; as in the gist of one message. */
const TOLD_ALREADY = 0.5;

/** Words that the stop words leave and that add nothing to a sentence. */
const EMPTY_TERMS: ReadonlySet<string> = new Set(termsOf('its so quite really does though although however thus'));

interface Sentence {
  readonly memory: number;
  readonly place: number;
  readonly text: string;
  /** Those that say what it is about. */
  readonly terms: ReadonlySet<string>;
  /** Those that make it another sentence. */
  readonly differing: ReadonlySet<string>;
  readonly isNegated: boolean;
}

/**
 * What several memories tell together: their most central sentences, one for each sub-topic, in order of time. A line for
 * each memory, with the day and who said it: `2026-11-21 Ann (told by coder): We ship on Friday.` Every other word is a source's
 * own, and makes no line of its own.
 * Central are the sentences whose terms most memories share (SumBasic, as in the gist of one message).
 * @param memories in order of time
 */
export function semanticGist(memories: readonly Memory[]): string {
  const chosen = centralSentences(memories.flatMap(salientSentences), memories);
  const lines = memories.flatMap((memory, index) => {
    const said = chosen.filter((sentence) => sentence.memory === index).sort((a, b) => a.place - b.place);
    return said.length === 0 ? [] : [lineStart(memory) + said.map(({ text }) => text).join(' ')];
  });
  return lines.join('\n');
}

/**
 * What of a gist comes from which of its memories, by their own words: a gist that somebody has changed, or that came with a
 * merge, tells nothing about who speaks.
 * @param memories in order of time
 * @returns null where a line is not made of the sentences of one of them
 */
export function toldIn<T extends Memory>(
  gist: string,
  memories: readonly T[],
): { readonly memory: T; readonly text: string }[] | null {
  const told: { memory: T; text: string }[] = [];
  let next = 0;
  for (const line of gist.split('\n')) {
    for (; next < memories.length; next++) {
      const memory = memories[next] as T;
      const starts = [lineStart(memory), lineStartBefore(memory)];
      const text = starts.flatMap((start) => (line.startsWith(start) ? line.slice(start.length) : []))[0];
      if (text === undefined || !isMadeOf(flatText(text), sentencesOf(memory))) continue;
      told.push({ memory, text });
      break;
    }
    next++;
  }
  return told.length === gist.split('\n').length ? told : null;
}

/** Whether a text is sentences of these in their order, with a blank between two. */
function isMadeOf(text: string, sentences: readonly string[]): boolean {
  let left = text;
  for (const sentence of sentences) {
    if (left === sentence) return true;
    if (left.startsWith(`${sentence} `)) left = left.slice(sentence.length + 1);
  }
  return false;
}

/** Whether a gist tells all that a memory does, small talk and questions aside. */
export function tellsAllOf(gist: string, memory: Memory): boolean {
  const sentences = salientSentences(memory, 0);
  return sentences.length > 0 && sentences.every(({ text }) => gist.includes(text));
}

/** Those of a memory that tell something; its longest one where none does. */
function salientSentences(memory: Memory, index: number): Sentence[] {
  const sentences = sentencesOf(memory).map((sentence, place) => ({
    memory: index,
    place,
    text: sentence,
    terms: salientTerms(sentence),
    differing: new Set(termsOf(sentence).filter((term) => !EMPTY_TERMS.has(term))),
    isNegated: NEGATION.test(sentence),
  }));
  const salient = sentences.filter(
    ({ terms, text }) => terms.size >= LEAST_TERMS && !IN_BRACKETS.test(text) && !marksOf(text).isQuestion,
  );
  if (salient.length > 0) return salient;
  return sentences.sort((a, b) => b.text.length - a.text.length || a.place - b.place).slice(0, 1);
}

/** The first ones, each as one line that shows all that it says. */
function sentencesOf(memory: Memory): string[] {
  const text = recallText(memory);
  const spans = sentenceSpans(text.slice(0, SENTENCES_EACH * LONGEST_SENTENCE), LONGEST_SENTENCE);
  return spans.slice(0, SENTENCES_EACH).map(({ start, end }) => flatText(text.slice(start, end)));
}

function centralSentences(sentences: readonly Sentence[], memories: readonly Memory[]): Sentence[] {
  const weights = termWeights(sentences, memories.length);
  const chosen: Sentence[] = [];
  const lines = new Set<number>();
  let open = [...sentences];
  let room = SEMANTIC_GIST_CHARACTERS;
  const lengthOf = ({ memory, text }: Sentence) =>
    text.length + 1 + (lines.has(memory) ? 0 : lineStartBefore(memories[memory] as Memory).length);
  for (;;) {
    open = open.filter((sentence) => lengthOf(sentence) <= room);
    const best = mostCentral(open, weights);
    if (!best) return chosen;
    chosen.push(best);
    room -= lengthOf(best);
    lines.add(best.memory);
    open = open.filter((sentence) => sentence !== best && !isToldBy(sentence, best));
    for (const term of best.terms) weights.set(term, (weights.get(term) ?? 0) * TOLD_ALREADY);
  }
}

/** Share of the memories that have a term. */
function termWeights(sentences: readonly Sentence[], memories: number): Map<string, number> {
  const having = new Map<string, Set<number>>();
  for (const { memory, terms } of sentences) {
    for (const term of terms) having.set(term, (having.get(term) ?? new Set()).add(memory));
  }
  return new Map([...having].map(([term, those]) => [term, those.size / memories]));
}

/** The first one among equals. */
function mostCentral(sentences: readonly Sentence[], weights: ReadonlyMap<string, number>): Sentence | null {
  let best: Sentence | null = null;
  let bestScore = -1;
  for (const sentence of sentences) {
    let sum = 0;
    for (const term of sentence.terms) sum += weights.get(term) ?? 0;
    const share = sum / Math.max(sentence.terms.size, NORMAL_TERMS);
    const score = ADDRESSES.test(sentence.text) ? ADDRESSING_COUNTS * share : share;
    if (score <= bestScore) continue;
    best = sentence;
    bestScore = score;
  }
  return best;
}

/** Whether a sentence says nothing beyond what is told: another word, number or negation is another sub-topic. */
function isToldBy(sentence: Sentence, told: Sentence): boolean {
  if (sentence.isNegated !== told.isNegated) return false;
  for (const term of sentence.differing) if (!told.differing.has(term)) return false;
  return true;
}

function lineStart(memory: Memory): string {
  return `${dayOf(memory)} ${speakerOf(memory)}: `;
}

/** As gists were stored before they said by whom something was told. The room of a gist is still counted by it. */
function lineStartBefore(memory: Memory): string {
  return `${dayOf(memory)} ${memory.name ?? memory.agentId}: `;
}

function dayOf({ createdAt }: Memory): string {
  return new Date(createdAt).toISOString().slice(0, 10);
}
