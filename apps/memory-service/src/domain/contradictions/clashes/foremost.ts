interface Side {
  readonly word: string;
  /** Position among the words or values of its statement. */
  readonly place: number;
}

interface Found {
  /** No two candidates have the same words on exchanged sides: neither order would then be the first. */
  readonly sides: readonly [Side, Side];
}

/** The strongest candidate, of equal ones the first; the same when the sides are exchanged. */
export function foremost<F extends Found>(found: readonly F[], strength: (one: F) => number): F | undefined {
  return found.toSorted((x, y) => strength(y) - strength(x) || inOrder(x.sides, y.sides))[0];
}

/** By the sum of the places, then by the words, then by the place of the word that sorts first. */
function inOrder(x: Found['sides'], y: Found['sides']): number {
  const [[x1, x2], [y1, y2]] = [byWord(x), byWord(y)];
  return (
    x1.place + x2.place - (y1.place + y2.place) ||
    compared(x1.word, y1.word) ||
    compared(x2.word, y2.word) ||
    x1.place - y1.place
  );
}

function byWord([a, b]: Found['sides']): Found['sides'] {
  return a.word <= b.word ? [a, b] : [b, a];
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
