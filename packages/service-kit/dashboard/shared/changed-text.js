/** Two texts with the words marked in which they differ. */

import { html } from './template.js';
import { wordDiff } from './word-diff.js';

/** Both texts as one, with what went struck out. @param {string} before @param {string} after */
export const changedText = (before, after) =>
  wordDiff(before, after).map(({ kind, text }) =>
    kind === 'same' ? text : kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`,
  );

/** One side of two texts, with the words marked that the other has not. @param {string} text @param {string} other */
export const differingText = (text, other) =>
  wordDiff(other, text)
    .filter(({ kind }) => kind !== 'removed')
    .map((piece) =>
      piece.kind === 'same' || piece.text.trim() === '' ? piece.text : html`<mark>${piece.text}</mark>`,
    );
