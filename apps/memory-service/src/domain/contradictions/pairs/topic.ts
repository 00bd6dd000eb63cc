import { hasVerb } from '../../text/sentences/clauses.ts';
import type { Word } from '../../text/words/words.ts';
import type { Overlap } from '../statements/overlap.ts';
import type { Statement } from '../statements/statement.ts';

const MOST_WORDS = 4;
/** The words that may stand between two of a phrase: "the loan for Hilda". */
const JOINS = /^(?:of|for|per|at|in|on|to|by|and|the|an?|our|my|your|his|her|its|their)$/;
const MOST_JOINING = 2;
/** Words that say nothing without the next one, or the one before. */
const POINTS_ELSEWHERE = /^(?:mr|mrs|ms|dr|prof|per|she|its)$/;

/**
 * What both speak of, in phrases of the older statement: names first, then other shared words, without what clashes, values and verbs.
 * @param clashing positions
 */
export function topicOf(a: Statement, { shared }: Overlap, clashing: readonly number[]): string {
  const telling = shared.filter((stem) => !isBesideTopic(a, placeOf(a, stem), clashing));
  const names = telling.filter((stem) => a.names.has(stem));
  const others = telling.filter((stem) => !a.names.has(stem));
  const places = [...names, ...others].slice(0, MOST_WORDS).map((stem) => placeOf(a, stem));
  return phrasesOf(
    a,
    places.sort((x, y) => x - y),
  ).join(', ');
}

function placeOf({ terms }: Statement, stem: string): number {
  return (terms.get(stem) as readonly number[])[0] as number;
}

function isBesideTopic({ words, values }: Statement, at: number, clashing: readonly number[]): boolean {
  const word = words[at]?.lower ?? '';
  return (
    clashing.includes(at) ||
    POINTS_ELSEWHERE.test(word) ||
    hasVerb(word) ||
    values.some(({ kind, from, to }) => kind !== 'identifier' && at >= from && at <= to)
  );
}

/** The words as they are written, those together between which only small words stand. */
function phrasesOf({ text, words }: Statement, places: readonly number[]): string[] {
  const phrases: { from: number; to: number }[] = [];
  for (const at of places) {
    const last = phrases.at(-1);
    if (last && areJoined(words.slice(last.to + 1, at))) last.to = at;
    else phrases.push({ from: at, to: at });
  }
  return phrases.map(({ from, to }) => text.slice((words[from] as Word).start, (words[to] as Word).end));
}

function areJoined(between: readonly Word[]): boolean {
  return (
    between.length <= MOST_JOINING && between.every(({ lower, startsSentence }) => JOINS.test(lower) && !startsSentence)
  );
}
