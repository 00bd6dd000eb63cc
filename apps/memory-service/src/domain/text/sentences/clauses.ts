/** Words that show a verb with a subject; a list, because nothing here tags parts of speech. */
const FINITE_VERBS = [
  'am|is|are|was|were|has|have|had|do|does|did',
  'can|could|will|would|must|may|might|shall|should|cannot',
  'goes?|went|gets?|got|gave|gives?|takes?|took|makes?|made|runs?|ran|costs?|says?|said|wants?|needs?|likes?|loves?|hates?|prefers?',
  'uses?|owns?|lives?|works?|keeps?|kept|begins?|began|starts?|ends?|leaves?|left|comes?|came|sits?|sat|stands?|stood',
  'holds?|held|sees?|saw|met|meets?|knows?|knew|thinks?|thought|feels?|felt|buys?|bought|pays?|paid|sends?|sent|sells?|sold',
  'reads?|writes?|wrote|plays?|opens?|closes?|moves?|eats?|ate|sleeps?|slept|drinks?|drives?|drove|weighs?|lasts?|belongs?',
  'stays?|speaks?|spoke|teaches|taught|wins?|won|lost|loses?|grew|grows?|chose|picks?|found|finds?|built|builds?|become|became',
  '[a-z]{2,}ed',
  // Isn't, it's, we're.
  "[a-z]+n['’]t|(?:it|he|she|that|there|here|who|what)['’]s|[a-z]+['’](?:re|ve|m|ll|d)",
];
const FINITE = new RegExp(String.raw`\b(?:${FINITE_VERBS.join('|')})\b`, 'i');

/** Words before a question or a request. */
const OPENING = String.raw`(?:(?:and|but|so|or|now|then|also|please|ok(?:ay)?)\s+)*`;
/** How a question or a request begins. */
const BEGINNINGS = [
  // Can you, is it, does the.
  String.raw`(?:can|could|would|will|should|shall|do|does|did|is|are|am|was|were|has|have|may)\s+(?:you|i|we|it|he|she|they|there|this|that|any\w*|some\w*|the|my|our|your)\b`,
  String.raw`how\b|what\b|which\b|why\b`,
  // Not "when we met": a time.
  String.raw`when\s+(?:should|can|do|does|will|is)\b|where\s+(?:should|can|do|does|will|is)\b|who\s+(?:is|can|should|has)\b`,
  String.raw`any (?:advice|tips|ideas|suggestions|thoughts)\b|got any\b`,
  String.raw`please\b|help me\b|(?:explain|show|provide|suggest|describe|give|tell|help|walk)\s+(?:me|us|why|how|what|the|a|an|my|some)\b`,
];
const ASKS = new RegExp(`^${OPENING}(?:${BEGINNINGS.join('|')})`, 'i');

/** Whether a claim is no order: "use bullet points" begins with its verb. */
export function isStated(claim: string): boolean {
  return claim.search(FINITE) !== 0;
}

/** Whether a claim has a verb that is known, and a subject before it. */
export function hasSubject(claim: string): boolean {
  return claim.search(FINITE) > 0;
}

/** Whether a text has a verb that is known. */
export function hasVerb(text: string): boolean {
  return FINITE.test(text);
}

/** Whether a clause begins as a question or a request does. */
export function beginsToAsk(clause: string): boolean {
  return ASKS.test(clause);
}
