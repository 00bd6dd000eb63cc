import { sentenceSpans } from '../../text/sentences/sentences.ts';

/** A longer text holds more than somebody typed, such as a mail, whose questions are those of others. */
const MOST_CHARACTERS = 2_000;
/** UTF-16 code units; more than a sentence has. */
const LONGEST_SENTENCE = 2_000;
const ASKS_BY_MARK = /[?？؟]["'”’)\]\s]*$/;

/** What a message asks, of one that tells something too: its sentences with a question mark; null where all of them have one, or none has. */
export function askingPart(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const sentences = sentencesOf(text);
  const asking = sentences.filter(asksByMark);
  return asking.length > 0 && asking.length < sentences.length ? asking.join(' ') : null;
}

/** The sentences of a query. */
export function sentencesOf(query: string): string[] {
  return sentenceSpans(query, LONGEST_SENTENCE).map(({ start, end }) => query.slice(start, end));
}

export function asksByMark(sentence: string): boolean {
  return ASKS_BY_MARK.test(sentence);
}
