import { sentenceSpans } from '../../text/sentences.ts';

/** A longer text holds more than somebody typed, such as a mail, whose questions are those of others. */
const MOST_CHARACTERS = 2_000;
/** UTF-16 code units; more than a sentence has. */
const LONGEST_SENTENCE = MOST_CHARACTERS;
const ASKS_BY_MARK = /[?？؟]["'”’)\]\s]*$/;

/** What a message asks, of one that tells something too: its sentences with a question mark; null where all of them have one, or none has. */
export function askingPart(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const sentences = sentenceSpans(text, LONGEST_SENTENCE).map(({ start, end }) => text.slice(start, end));
  const asking = sentences.filter((sentence) => ASKS_BY_MARK.test(sentence));
  return asking.length > 0 && asking.length < sentences.length ? asking.join(' ') : null;
}
