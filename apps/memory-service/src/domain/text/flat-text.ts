/** Control characters and separators of lines: with them a text could pretend to be several lines. */
const LINE_BREAKERS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/**
 * They turn the direction of what follows, or are not seen at all: marks of direction, joiners, variation selectors, fillers, and
 * the tag characters U+E0000 to U+E007F, which spell words that only a model reads.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** A text as one line that shows all that it says. */
export function flatText(text: string): string {
  return text.replace(INVISIBLE, '').replace(LINE_BREAKERS, ' ').trim();
}
