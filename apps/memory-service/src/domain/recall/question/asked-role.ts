/** Whose words a question asks for where it names nobody. */
export type AskedRole = 'user' | 'assistant';

/** Characters in which the form of a question is looked for. */
const LOOKED_AT = 500;
/** "Did you"; "can you" and "would you" ask for something new. */
const OF_THE_ASSISTANT =
  /\b(?:did|had|have|were|was) you\b|\byou (?:said|told|gave|[a-z]{3,}ed)\b|\byour (?:advice|answer|suggestion|recommendation|explanation)s?\b/i;
/** "I" is the user, who asks through an agent. */
const OF_THE_USER = /\b(?:I|my|me|mine|myself)\b/i;
/**
 * "Tell me who", "How do I", "I need": who asks so asks for nobody's words. "How should I" and "Show me how to" may ask for what the
 * user wished.
 */
const OF_WHO_ASKS =
  /\b(?:(?:tell|remind|let|send) me|(?:how (?:do|can|could)|can|could|may) I|(?<!did )I (?:need|want|wonder|am (?:about|going|trying)|would like)|I['’](?:d like|m (?:about|going|trying)))\b/gi;

/** "May I", "Should I", "Am I allowed to": the rules say whether it may be so, and whoever made them. "May I ask what I said" is polite. */
const OF_A_RULE =
  /(?:^|[.!?,;:] )\W*(?:(?:may|might|must|shall|should) I(?! (?:ask|hear|know|remind|see)\b)|(?:am|are) I (?:allowed|expected|meant|permitted|required|supposed)|do I (?:have|need|get) to|is it (?:ok|okay|all right|alright|fine) (?:for me to|if I))\b/i;

/** "What did I say" asks for the words of the user, "What did you suggest" for those of the assistant; null: for nobody's. */
export function roleAsked(text: string): AskedRole | null {
  const form = text.slice(0, LOOKED_AT);
  if (OF_THE_ASSISTANT.test(form)) return 'assistant';
  if (OF_A_RULE.test(form)) return null;
  return OF_THE_USER.test(form.replace(OF_WHO_ASKS, '')) ? 'user' : null;
}
