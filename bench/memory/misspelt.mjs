// Misspells questions as fingers do, the same ones in the same way each time.
import { STOP_WORDS } from '../../apps/memory-service/dist/domain/text/words/stop-words.js';

const WORD = /(?<![\w'])[a-z]{5,}(?![\w'-])/g;
/** On a QWERTY keyboard. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** @returns each text with one slip in one of its lower-case words of five letters or more, if it has any */
export function misspelt(texts) {
  const below = generator();
  return texts.map((text) => {
    const words = [...text.matchAll(WORD)].filter(([word]) => !STOP_WORDS.has(word));
    if (words.length === 0) return text;
    const { 0: word, index } = words[below(words.length)];
    return text.slice(0, index) + withSlip(word, below) + text.slice(index + word.length);
  });
}

/** Two letters swapped, one left out, one twice, or the one beside it on the keyboard. The first letter is right. */
function withSlip(word, below) {
  const at = 1 + below(word.length - 2);
  const [before, letter, after] = [word.slice(0, at), word[at], word.slice(at + 1)];
  const beside = ROWS.flatMap((row) => (row.includes(letter) ? [row[row.indexOf(letter) + 1] ?? row.at(-2)] : []));
  return before + [after[0] + letter + after.slice(1), after, letter + letter + after, beside + after][below(4)];
}

/** Numbers below a limit, by a linear congruential generator. */
function generator(seed = 1) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
