/** A question mark at the end, perhaps inside quotes and before a note in brackets such as the caption of a picture. */
const QUESTION = /[?？؟]["'”’)\]\s]*(?:[[(][^\])]{0,500}[\])]\s*)?$/;
/** The end of a text that is looked at for it. */
const QUESTION_ENDS_WITHIN = 600;
const TIME_WORD =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|weeks?|weekend|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)\b/i;
const WORD = /[\p{L}\p{N}]+/gu;

/** What the form of a text tells recall about it. */
export interface TextMarks {
  readonly isQuestion: boolean;
  /** It says when something was or will be. */
  readonly tellsTime: boolean;
  readonly words: number;
}

export function marksOf(text: string): TextMarks {
  return {
    isQuestion: QUESTION.test(text.slice(-QUESTION_ENDS_WITHIN)),
    tellsTime: TIME_WORD.test(text),
    words: text.match(WORD)?.length ?? 0,
  };
}
