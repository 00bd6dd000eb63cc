import { isQuestion } from '../../text/sentences/text-marks.ts';

/** Words that only ask. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set('who whom whose what which when where why how'.split(' '));

/** Characters of a question without a mark; a longer text is a message that wants what speaks of its subject. */
const MOST_CHARACTERS = 160;
/** Several sentences or lines, or an exclamation. */
const OTHERWISE = /(?<!\b(?:mr|mrs|ms|dr|prof|st|no))[.!;:…]\s+\S|\n|!$/i;
const AUXILIARY =
  "(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must|(?:is|are|was|were|do|does|did|has|have|ca|wo)n[’']?t)";
/** What stands behind a question word that asks nothing: "what I need", "which is why", "what a day". */
const OF_A_CLAUSE =
  '(?:i|you|he|she|it|we|they|a|an|the|this|that|these|those|if|about|ever|is why|means|reminds|makes|matters|counts|remains)';
const OPENING = '(?:(?:and|so|but|ok|okay|hi|hey|hello|now|also|please|sorry)[, ]+){0,3}';
const PREPOSITION = '(?:(?:about|after|at|before|by|for|from|in|of|on|since|through|to|under|until|up to|with) )?';
const FORMS = [
  `(?:what|which|whose)(?:['’](?:s|re))? (?!${OF_A_CLAUSE}\\b)\\S`,
  `(?:what|who|where|when|how|why)['’](?:s|re|d) \\S`,
  `whom? (?!${OF_A_CLAUSE}\\b)\\S`,
  'why \\S',
  `(?:where|when) (?:${AUXILIARY}|exactly|to)\\b`,
  `how (?:come|to|many|much|long|often|far|${AUXILIARY})\\b`,
  `how \\w+ ${AUXILIARY}\\b`,
];
const BY_QUESTION_WORD = new RegExp(`^\\W*${OPENING}${PREPOSITION}(?:${FORMS.join('|')})`, 'i');
/** "Did anyone fall ill"; "have the report ready" and "do this" ask for no answer. */
const BY_INVERSION = new RegExp(
  `^\\W*${OPENING}(?:did|does|is|are|was|were|has) (?:i|you|he|she|it|we|they|there|this|that|the|an?|any\\w*|some\\w*|every\\w*|our|my|your|their|his|her)\\b`,
  'i',
);
/** The same of somebody with a name: "has Ann paid". */
const BY_INVERSION_OF_NAME = /^\W*(?:[Dd](?:id|oes)|[Ii]s|[Ww]as|[Hh]as) \p{Lu}\p{Ll}/u;

/** An order to search: "find the port", "tell me who has the keys". */
const ORDER =
  /^\W*(?:please )?(?:(?:can|could) you )?(?:(?:find|look|search|check|fetch|pull|show|list)(?: (?:me|us))?(?: (?:for|out|up))?|(?:get|give|tell|remind) (?:me|us)) (?=(?:the|an?|all|any|every\w*|our|my|your|his|her|their|what|who|whose|when|where|which|how|why|if|whether)\b)/i;

/** A query without the order to search that it begins with, whose words tell nothing of what is sought. */
export function withoutOrder(query: string): string {
  return query.replace(ORDER, '');
}

/**
 * Whether a query asks something: by its mark, or as a sentence alone with the form of a question. People and agents who search leave
 * the mark away.
 */
export function asksSomething(query: string): boolean {
  return isQuestion(query) || hasFormOfQuestion(withoutOrder(query.trim()));
}

/** A text that asks something, with its mark: the vector that lies near answers was trained on questions that have one. */
export function withMark(text: string): string {
  return isQuestion(text) ? text : text.replace(/[.\s]*$/, '?');
}

function hasFormOfQuestion(text: string): boolean {
  if (text.length > MOST_CHARACTERS || OTHERWISE.test(text)) return false;
  return [BY_QUESTION_WORD, BY_INVERSION, BY_INVERSION_OF_NAME].some((form) => form.test(text));
}
