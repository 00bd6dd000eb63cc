/** A text with some of its phrases marked. */

import { el } from './shared/dom.js';

/** The position of a phrase as whole words; -1 where it does not occur. @param {string} text @param {string} phrase @param {number} from */
function placeOf(text, phrase, from) {
  for (let at = text.indexOf(phrase, from); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const around = [text[at - 1] ?? '', text[at + phrase.length] ?? ''];
    if (around.every((character) => !/[\p{L}\p{N}]/u.test(character))) return at;
  }
  return -1;
}

/** @param {string} text @param {readonly string[]} phrases in the order of the text @returns {import('./shared/dom.js').Child[]} */
export function marked(text, phrases) {
  /** @type {import('./shared/dom.js').Child[]} */
  const parts = [];
  let end = 0;
  for (const phrase of phrases) {
    const at = placeOf(text, phrase, end);
    if (at < 0) continue;
    parts.push(text.slice(end, at), el('mark', {}, phrase));
    end = at + phrase.length;
  }
  return [...parts, text.slice(end)];
}
