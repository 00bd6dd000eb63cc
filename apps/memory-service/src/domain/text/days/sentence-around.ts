/** Characters on either side of an expression in which its sentence is looked for. */
const AROUND = 120;
export const SENTENCE_END = /[.!?;](?=\s|$)|\n/;

/** A place in a text, such as that of an expression. */
export interface Place {
  readonly at: number;
  readonly end: number;
}

/** What stands in the sentence of an expression before it and behind it. @param isEnd where a sentence, or a shorter part of it, ends */
export function sentenceAround(
  text: string,
  { at, end }: Place,
  isEnd = SENTENCE_END,
): { left: string; right: string } {
  const left = text
    .slice(Math.max(0, at - AROUND), at)
    .split(isEnd)
    .at(-1) as string;
  const right = text.slice(end, end + AROUND).split(isEnd, 1)[0] as string;
  return { left, right };
}

/** Whether no sentence ends between two places. */
export function isInOneSentence(text: string, first: Pick<Place, 'end'>, second: Pick<Place, 'at'>): boolean {
  return !SENTENCE_END.test(text.slice(first.end, second.at));
}
