/** What may stand before such a question. */
const BEFORE = '(?:so|and|ok|okay|hey|hi|hello|please|can|could|would|will|you|now|also|then|but)';
/** Questions for all that is known of a subject: "What do you know about Priya?", "What changed about the demo?" */
const ASKS = [
  /what (?:else )?(?:do|does|did) (?:you|we|i|they|anyone|anybody|the team) (?:already |still )?(?:know|have|remember|recall) (?:about|on|of)/,
  /what(?:['’]s| is| was)? (?:known|new|up|happening|going on|the (?:news|status|latest)) (?:about|on|with|of|for)/,
  /what (?:has )?(?:changed|happened) (?:about|with|to|on|in|at|for)/,
  /who (?:works|worked|is working) (?:on|at|for|with)/,
  /(?:tell|remind) (?:me|us) (?:all |everything |anything |something |more |what you (?:know|remember) )?(?:about|of)/,
  /(?:(?:give|show|is|are|do|does|did|have|has|know|there|we|you|me|us|anyone|any|all|the|an?|say) ){0,5}(?:anything|something|everything|info|information|details|facts|notes|news|recap|overview|summary) (?:(?:we|you) (?:know|have) |known )?(?:about|on|of)/,
  /(?:summari[sz]e|recap|describe) (?:for )?(?:me |us )?(?:all |everything |what )?(?:(?:you|we) (?:know|have|remember) )?(?:about |of |on )?/,
].map(({ source }) => new RegExp(`^\\W*(?:${BEFORE}\\W+){0,4}${source}\\s*\\b(?<subject>.{1,60}?)\\W*$`, 'is'));
/** "Who am I?" */
const WHO_AM_I = /^\W*(?:(?:so|and) )?who am I\W*$/i;
const WHO_IS = /^\W*(?:(?:so|and) )?who(?:['’]s| is| was) (?<subject>.{1,60}?)\W*$/is;
/** The characters of such a question, at most. */
const MOST_CHARACTERS = 120;
/** More words say more than a subject. */
const MOST_WORDS = 5;
/** The rest of a question that asks for more: "Summarise how we release". */
const BEGINS_A_CLAUSE = /^(?:how|why|when|where|what|which|who|whether|if|that|to)\b/i;

/** The subject of a question for all that is known of it; null for any other question. */
export function subjectAskedAbout(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  if (WHO_AM_I.test(text)) return 'me';
  const subject = ASKS.map((one) => one.exec(text)?.groups?.subject).find(Boolean) ?? personAsked(text);
  const isOne = subject && !BEGINS_A_CLAUSE.test(subject) && subject.trim().split(/\s+/).length <= MOST_WORDS;
  return isOne ? subject : null;
}

/** "Who is Priya?"; in "Who is on call?" nobody is named. */
function personAsked(text: string): string | undefined {
  const subject = WHO_IS.exec(text)?.groups?.subject;
  return subject && /^\p{Lu}/u.test(subject) ? subject : undefined;
}
