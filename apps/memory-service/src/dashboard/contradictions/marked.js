/** A text with some of its phrases marked. */

import { html } from '../shared/template.js';

/** The position of a phrase as whole words; -1 where it does not occur. @param {string} text @param {string} phrase @param {number} from */
function placeOf(text, phrase, from) {
  for (let at = text.indexOf(phrase, from); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const around = [text[at - 1] ?? '', text[at + phrase.length] ?? ''];
    if (around.every((character) => !/[\p{L}\p{N}]/u.test(character))) return at;
  }
  return -1;
}

/** @param {string} text @param {readonly string[]} phrases in the order of the text */
export function marked(text, phrases) {
  /** @type {unknown[]} */
  const parts = [];
  let end = 0;
  for (const phrase of phrases) {
    const at = placeOf(text, phrase, end);
    if (at < 0) continue;
    parts.push(text.slice(end, at), html`<mark>${phrase}</mark>`);
    end = at + phrase.length;
  }
  return [...parts, text.slice(end)];
}
