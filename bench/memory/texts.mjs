// The messages and questions of the benchmarks: sentences of a file, one a line, or generated ones.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import { questionSource, sentenceSource } from '../../scripts/withstand/memory/lib/sentences.mjs';

/** Words of a line that form its question. */
const QUESTION_WORDS = 7;
/** Distance between the first lines of two seeds, so that they use different lines. */
const LINES_OF_A_SEED = 300_000;

/**
 * @param corpus path of a text file, .gz or not; null for generated sentences
 * @returns functions for the next sentence and the next question; the same seed gives the same texts
 */
export function textSource({ corpus, seed }) {
  const random = seededRandom(seed);
  if (!corpus) return { say: sentenceSource(random), ask: questionSource(random) };
  const bytes = readFileSync(corpus);
  const lines = (corpus.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(Boolean);
  const anyLine = () => lines[Math.floor(random() * lines.length)];
  let said = seed * LINES_OF_A_SEED;
  return {
    // When all lines are used, they come again, each with a number that makes it different.
    say: () => {
      const round = Math.floor(said / lines.length);
      const line = lines[said++ % lines.length];
      return round === 0 ? line : `${line} (${round})`;
    },
    ask: () => {
      const words = anyLine().split(' ');
      const start = Math.floor(random() * Math.max(1, words.length - QUESTION_WORDS));
      return words.slice(start, start + QUESTION_WORDS).join(' ');
    },
  };
}
