/** Control characters and line separators, with which a text could pretend to be several lines. */
const LINE_BREAKERS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/**
 * Characters that reverse the text after them or are invisible: direction marks, joiners, variation selectors, fillers, and the
 * tag characters U+E0000 to U+E007F, which spell words that only a model reads.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** A text as one line without invisible characters. */
export function flatText(text: string): string {
  return text.replace(INVISIBLE, '').replace(LINE_BREAKERS, ' ').trim();
}
