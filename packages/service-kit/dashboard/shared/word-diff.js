/** What changed from one text to another, by words. Pure. */

/** Beyond that two texts are shown one after the other: a comparison takes as many steps as the product of their lengths. */
const MOST_WORDS = 600;

/** Words, and what stands between them. @param {string} text @returns {string[]} */
const partsOf = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/**
 * A longest common subsequence of words, as pieces that together are `before` (without the added) and `after` (without the removed).
 * @param {string} before @param {string} after
 * @returns {{ kind: 'same' | 'removed' | 'added', text: string }[]}
 */
export function wordDiff(before, after) {
  const [from, to] = [partsOf(before), partsOf(after)];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const middle = between(from.slice(start, from.length - end), to.slice(start, to.length - end));
  const same = (/** @type {string[]} */ parts) => ({ kind: /** @type {const} */ ('same'), text: parts.join('') });
  return joined([same(from.slice(0, start)), ...middle, same(from.slice(from.length - end))]);
}

/** @param {string[]} from @param {string[]} to @returns {ReturnType<typeof wordDiff>} */
function between(from, to) {
  if (from.length > MOST_WORDS || to.length > MOST_WORDS) {
    return [
      { kind: 'removed', text: from.join('') },
      { kind: 'added', text: to.join('') },
    ];
  }
  const width = to.length + 1;
  // Lengths of the longest common subsequences of the ends of both.
  const lengths = new Uint16Array((from.length + 1) * width);
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const [skipOne, skipOther] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      const isSame = from[i] === to[j];
      lengths[i * width + j] = isSame ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0) : Math.max(skipOne, skipOther);
    }
  }
  /** @type {ReturnType<typeof wordDiff>} */
  const pieces = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && from[i] === to[j]) {
      pieces.push({ kind: 'same', text: from[i] ?? '' });
      i += 1;
      j += 1;
    } else if (
      j >= to.length ||
      (i < from.length && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      pieces.push({ kind: 'removed', text: from[i] ?? '' });
      i += 1;
    } else {
      pieces.push({ kind: 'added', text: to[j] ?? '' });
      j += 1;
    }
  }
  return pieces;
}

/** Neighbours of one kind as one piece. @param {ReturnType<typeof wordDiff>} pieces */
function joined(pieces) {
  /** @type {ReturnType<typeof wordDiff>} */
  const few = [];
  for (const piece of pieces) {
    if (piece.text === '') continue;
    const last = few.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else few.push({ ...piece });
  }
  return few;
}
