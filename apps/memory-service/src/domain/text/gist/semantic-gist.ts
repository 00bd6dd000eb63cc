import { DAY_MS, dayOf, utcDay } from '@agent-faculties/service-kit';
import { type Memory, recallText } from '../../memory/memory.ts';
import { flatText } from '../sentences/flat-text.ts';
import { sentenceSpans } from '../sentences/sentences.ts';
import { marksOf } from '../sentences/text-marks.ts';
import { speakerOf } from '../speaker/speaker.ts';
import { salientTerms } from '../words/salient-terms.ts';
import { termsOf } from '../words/terms.ts';

/** The most characters of the gist of a semantic memory, without the speakers. */
export const SEMANTIC_GIST_CHARACTERS = 1_000;
/** The most characters of a sentence; a longer one is cut at a blank. */
const LONGEST_SENTENCE = 300;
/** The number of sentences of each memory that are weighed; the first ones. */
const SENTENCES_EACH = 20;
/** A sentence of fewer salient terms tells nothing by itself: "Sounds great!", unless it has a number or denies: "It was not the modem." */
const LEAST_TERMS = 2;
const NUMBER = /\d/;
const DENIES =
  /[\p{L}\d] (?:(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would)(?: not|n['’]t)|cannot|can['’]t|won['’]t|never|no longer)\b/iu;
/** A sentence of fewer terms counts as one of this many, so that shortness is no merit. */
const NORMAL_TERMS = 5;
/** A sentence about "you" answers a statement that the other memory tells better: "You must be proud". */
const ADDRESSES = /\b(?:you|your|you're|you've)\b/i;
const ADDRESSING_COUNTS = 0.6;
/** A note beside the words, such as the caption of a picture. */
const IN_BRACKETS = /^\[.*\]$/;
/** Negations: they reverse the meaning of a sentence and are no terms. */
const NEGATION = /\b(?:not?|never|neither|nor|without|cannot)\b|n['’]t\b/i;
/** "That is", "it was", "none of this": what was said before, of which something is told. */
const WHAT_WAS_SAID = "(?:that|this|it|which|none of (?:that|this|it))(?:['’]s| is| was| has been)? ?";
const NOT_SO = [
  "not|isn['’]t|wasn['’]t|no longer|wrong|false|untrue|nonsense|over|outdated|obsolete|cancell?ed|taken back|withdrawn",
  '(?:only|just) an?|an? (?:joke|rumou?r|lie|mistake|error|test)',
].join('|');
/** Begins a sentence without which the one before says the contrary. */
const TAKES_BACK = new RegExp(
  `^(?:(?:but|no|well|of course|though|and),? )*(?:${[
    `${WHAT_WAS_SAID}(?:${NOT_SO})\\b`,
    String.raw`not (?:true|any ?more|so)\b`,
    String.raw`no longer\b`,
    String.raw`(?:just|only) (?:kidding|joking)\b`,
    String.raw`wrong\b`,
  ].join('|')})`,
  'i',
);
/** Factor on the weight of a term that the gist already has, as in the gist of one message. */
const TOLD_ALREADY = 0.5;

/** Words that are no stop words and add nothing to a sentence. */
const EMPTY_TERMS: ReadonlySet<string> = new Set(termsOf('its so quite really does though although however thus'));

interface Sentence {
  readonly memory: number;
  readonly place: number;
  readonly text: string;
  /** The terms that tell the subject. */
  readonly terms: ReadonlySet<string>;
  /** The terms in which it may differ from other sentences. */
  readonly differing: ReadonlySet<string>;
  readonly isNegated: boolean;
}

/**
 * Summarizes several memories: their most central sentences, one for each sub-topic, in order of time. Each memory has a line
 * with the day and the speaker: `2026-11-21 Ann (told by coder): We ship on Friday.` All other words are those of the memories;
 * none of them can begin a line.
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
 * Tells which part of a gist comes from which of its memories, by comparing words: the lines of a gist that somebody has edited,
 * or that came with a merge, do not prove who speaks.
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
      const starts = lineStarts(memory);
      const text = starts.flatMap((start) => (line.startsWith(start) ? line.slice(start.length) : []))[0];
      if (text === undefined || !isMadeOf(flatText(text), sentencesOf(memory))) continue;
      told.push({ memory, text });
      break;
    }
    next++;
  }
  return told.length === gist.split('\n').length ? told : null;
}

/** Whether a text consists of some of these sentences, in their order and joined by blanks. */
function isMadeOf(text: string, sentences: readonly string[]): boolean {
  let left = text;
  for (const sentence of sentences) {
    if (left === sentence) return true;
    if (left.startsWith(`${sentence} `)) left = left.slice(sentence.length + 1);
  }
  return false;
}

/** Whether a gist tells everything that a memory does, except small talk and questions. */
export function tellsAllOf(gist: string, memory: Memory): boolean {
  const sentences = salientSentences(memory, 0);
  return sentences.length > 0 && sentences.every(({ text }) => gist.includes(text));
}

/** The sentences of a memory that tell something; its longest one where none does. */
function salientSentences(memory: Memory, index: number): Sentence[] {
  const sentences = withWhatTakesBack(sentencesOf(memory)).map((sentence, place) => ({
    memory: index,
    place,
    text: sentence,
    terms: salientTerms(sentence),
    differing: new Set(termsOf(sentence).filter((term) => !EMPTY_TERMS.has(term))),
    isNegated: NEGATION.test(sentence),
  }));
  const salient = sentences.filter(
    (sentence) => tellsSomething(sentence) && !IN_BRACKETS.test(sentence.text) && !marksOf(sentence.text).isQuestion,
  );
  if (salient.length > 0) return salient;
  return sentences.sort((a, b) => b.text.length - a.text.length || a.place - b.place).slice(0, 1);
}

function tellsSomething({ terms, text }: Pick<Sentence, 'terms' | 'text'>): boolean {
  return terms.size >= LEAST_TERMS || (terms.size > 0 && (NUMBER.test(text) || DENIES.test(text)));
}

/** Each sentence with the next one, where that takes it back: "Somebody said that we sell it. That is not true." */
function withWhatTakesBack(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = TAKES_BACK.test(sentence) ? joined.pop() : undefined;
    joined.push(before === undefined ? sentence : `${before} ${sentence}`);
  }
  return joined;
}

/** The first sentences, each as one line without invisible characters. */
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

/** The share of the memories that have each term. */
function termWeights(sentences: readonly Sentence[], memories: number): Map<string, number> {
  const having = new Map<string, Set<number>>();
  for (const { memory, terms } of sentences) {
    for (const term of terms) having.set(term, (having.get(term) ?? new Set()).add(memory));
  }
  return new Map([...having].map(([term, those]) => [term, those.size / memories]));
}

/** The best sentence; the first of equal ones. */
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

/** Whether the chosen sentences tell everything that this one does; a new word, number or negation is another sub-topic. */
function isToldBy(sentence: Sentence, told: Sentence): boolean {
  if (sentence.isNegated !== told.isNegated) return false;
  for (const term of sentence.differing) if (!told.differing.has(term)) return false;
  return true;
}

function lineStart(memory: Memory): string {
  return startWith(dayOf(memory.createdAt), speakerOf(memory));
}

/** The start of a line in gists of earlier versions, without "told by". The length of a gist is still measured with it. */
function lineStartBefore(memory: Memory): string {
  return startWith(dayOf(memory.createdAt), memory.name ?? memory.agentId);
}

/** All starts that a line of it may have: when the gist was made, the machine may have been in another time zone. */
function lineStarts(memory: Memory): string[] {
  const days = [-1, 0, 1].map((day) => utcDay(memory.createdAt + day * DAY_MS));
  const speakers = [speakerOf(memory), memory.name ?? memory.agentId];
  return days.flatMap((day) => speakers.map((speaker) => startWith(day, speaker)));
}

function startWith(day: string, speaker: string): string {
  return `${day} ${speaker}: `;
}
