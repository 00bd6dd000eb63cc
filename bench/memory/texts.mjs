// What the benchmark says and asks: sentences of a file, one a line, or made ones.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../scripts/withstand/lib/seeded-random.mjs';
import { questionSource, sentenceSource } from '../../scripts/withstand/memory/lib/sentences.mjs';

/** Words of a line that make a question of it: asked is with a part of what was said. */
const QUESTION_WORDS = 7;
/** Between the first lines of two seeds, so that no two say the same. */
const LINES_OF_A_SEED = 300_000;

/**
 * @param corpus path of a text file, .gz or not; null: made sentences
 * @returns next sentence, next question; the same for the same seed
 */
export function textSource({ corpus, seed }) {
  const random = seededRandom(seed);
  if (!corpus) return { say: sentenceSource(random), ask: questionSource(random) };
  const bytes = readFileSync(corpus);
  const lines = (corpus.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(Boolean);
  const anyLine = () => lines[Math.floor(random() * lines.length)];
  let said = seed * LINES_OF_A_SEED;
  return {
    // Once all lines are used, each comes again with a number that makes it another.
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
