import type { SpeakerNames } from './evidence.ts';
import { STOP_WORDS } from './stop-words.ts';
import { termsOf } from './terms.ts';
import { periodNamed, type TimePeriod } from './time-expressions.ts';

/** Words of a question that are compared with names of speakers; a longer text is no question about one. */
const WORDS_COMPARED = 200;
const WORD = /[\p{L}\p{N}_-]+/gu;
const UPPER_CASE = /\p{Lu}/u;
/** "When" only where it asks: at the beginning or before an auxiliary verb, not in "how many when you don't say". */
const ASKS_WHEN =
  /^\s*(?:and |so )?when\b|\bwhen (?:is|was|were|are|will|did|do|does|has|have|had|can|could|should|would)\b|\b(?:how long|how often|since when|(?:what|which) (?:date|day|time|month|year|week))\b/i;

/** A query, read once: what recall needs to know of it. */
export interface Question {
  readonly text: string;
  /** Distinct words as the index holds them, in order. */
  readonly terms: readonly string[];
  /** The text to embed: where it names a known speaker, as if that speaker were asking in the first person. */
  readonly denseText: string;
  /** Key of the one known speaker that it names; null when none or several. */
  readonly speaker: string | null;
  /** It asks when, how long or how often. */
  readonly asksWhen: boolean;
  /** The time that it names, such as "in May 2023". */
  readonly period: TimePeriod | null;
}

/** Reads a query. `now` (epoch milliseconds) is what "yesterday" refers to. */
export function readQuestion(text: string, context: { speakers: SpeakerNames; now: number }): Question {
  const named = namedSpeakers(text, context.speakers);
  const keys = new Set(named.values());
  return {
    text,
    terms: [...new Set(termsOf(text))],
    denseText: named.size === 0 ? text : inFirstPerson(text, named),
    speaker: keys.size === 1 ? ([...keys][0] as string) : null,
    asksWhen: ASKS_WHEN.test(text),
    period: periodNamed(text, context.now),
  };
}

/**
 * Words of the text that name a speaker, with the speaker's key. Only a word with a capital counts, unless the text has
 * none at all; and then no function word: "will" is no name in "when will Bob come".
 */
function namedSpeakers(text: string, speakers: SpeakerNames): Map<string, string> {
  const found = new Map<string, string>();
  const anyCase = !UPPER_CASE.test(text);
  for (const [word] of text.slice(0, WORDS_COMPARED * 20).matchAll(WORD)) {
    if (anyCase ? STOP_WORDS.has(word) : !UPPER_CASE.test(word)) continue;
    const key = speakers.find(word);
    if (key !== null) found.set(word, key);
  }
  return found;
}

/**
 * What people say of themselves is in the first person, so a question about them comes closest to it in the first person.
 * Source: docs/benchmarks.md, "Recall": 16 points of recall at 10 for vectors alone.
 */
function inFirstPerson(text: string, named: ReadonlyMap<string, string>): string {
  const names = [...named.keys()].join('|');
  return text
    .replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})['’]s?(?![\\p{L}\\p{N}])`, 'gu'), 'my')
    .replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'gu'), 'I')
    .replace(/\b(?:her|his|their)\b/gi, 'my')
    .replace(/\b(?:she|he)\b/gi, 'I');
}
