/**
 * As `text.matchAll(expression)`, which matches by a copy of the expression: of a copy the engine forgets what it compiled after two
 * collections of all garbage, and to compile it anew takes 2 to 100 ms. Where matches are many and short, as words are, it is 6 % slower.
 * @param expression global, and matches no empty text
 */
export function* matchesIn(text: string, expression: RegExp): Generator<RegExpExecArray> {
  for (let end = 0; ; ) {
    // Another text may be looked through between two matches.
    expression.lastIndex = end;
    const match = expression.exec(text);
    if (match === null) return;
    end = expression.lastIndex;
    yield match;
  }
}
