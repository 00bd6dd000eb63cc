import { beginsToAsk, hasVerb } from './clauses.ts';
import { sentenceSpans } from './sentences.ts';
import { isQuestion } from './text-marks.ts';

/** UTF-16 code units; more than a sentence has. */
const LONGEST_SENTENCE = 2_000;
/** Asks whether what was just said holds: "is it?", "is that right?", "ok?" */
const CHECKS =
  /(?:^|[\s,;:.!?–—-])(?:right|correct|true|yes|yeah|no|ok(?:ay)?|agreed|deal|eh|huh|or not|am i right|(?:is|are|was|were|does|do|did|has|have|can|could|shall|should|will|would)(?:n['’]t)? (?:it|that|this|they|we|you|i)(?: not)?(?: still)?(?: (?:right|correct|true|so|ok(?:ay)?|the case|agreed))?)\s*\?/i;
/** Words of what is only considered, as a pattern. */
export const CONSIDERS = "\\b(?:could|might|would|maybe|perhaps|whether|proposes?|suggests?)\\b|\\blet['’]?s\\b";
/** Says of what it tells that it may be so. */
const SUPPOSES = new RegExp(`${CONSIDERS}|\\b(?:if|unless|suppos(?:e|ing)|assum(?:e|ing))\\b`, 'i');
/** Begins with its verb or with a word that asks, as "is the fee 40" and "when it was 40" do. */
const INVERTED =
  /^\W*(?:(?:and|but|so)\s+)*(?:(?:is|are|am|was|were|do|does|did|has|have|had|can|could|shall|should|will|would|may|might)(?:n['’]t)?|who|whom|whose|what|when|where|why|how|which)\b/i;
/** Where a clause that asks may begin. */
const BREAK = /(?:[,;:]|\s[–—-]|\s(?=(?:and|but|so)\s))\s*/g;
/** Goes on with what stands before: "which has grown to 40". */
const RELATIVE = /^(?:and |but )?which (?:has|have|had|is|are|was|were)\b/i;
/** A question takes for granted what follows these words. */
const GRANTED =
  /\b(?:the fact|now|given|considering|remind \w+|you (?:know|notice|reali[sz]e)) that (?<granted>[^?]+)/i;

/**
 * What a text tells besides what it asks: "The gym pass is 44 now" of "The gym pass is 44 now, can you pay it?"; '' where it only
 * asks, as "The gym pass is 44?" and "The gym pass is 44, isn't it?" do. Within a sentence English alone is told apart.
 * @complexity O(characters) but for a sentence of breaks alone
 */
export function toldPart(text: string): string {
  if (CHECKS.test(text)) return '';
  return sentenceSpans(text, LONGEST_SENTENCE)
    .map(({ start, end }) => text.slice(start, end))
    .flatMap((sentence) => (isQuestion(sentence) ? toldBeside(sentence) : sentence))
    .join(' ');
}

/** What a question tells before it begins to ask, and what it then takes for granted. */
function toldBeside(question: string): string[] {
  const asking = [...question.matchAll(BREAK)].find((at) => {
    const rest = question.slice(at.index + at[0].length);
    return beginsToAsk(rest) && !RELATIVE.test(rest);
  });
  const before = question.slice(0, asking?.index ?? 0);
  const granted = GRANTED.exec(question.slice(before.length))?.groups?.granted ?? '';
  return [before, granted]
    .filter((part) => hasVerb(part) && !SUPPOSES.test(part) && !INVERTED.test(part))
    .map((part) => `${part}.`);
}
