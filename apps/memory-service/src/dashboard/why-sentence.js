/** The reasons of a score in words. */

const REASONS = /** @type {const} */ ([
  ['vector', 'it means something like the question'],
  ['lexical', 'it has words of the question'],
  ['entity', 'it names what the question names'],
  ['circumstance', 'its speaker, time or form fits'],
  ['recency', 'it was said or recalled lately'],
  ['importance', 'it is important'],
  ['priming', 'the talk is about it now'],
]);
/** Of the whole score; less is not worth a word. */
const WORTH_TELLING = 0.12;

/** @param {{ score: number, why?: Record<string, number>, superseded_by: string | null, valid_until: string | null, contradictions?: { explanation: string }[] }} memory */
export function whySentence({ score, why, superseded_by, valid_until, contradictions = [] }) {
  const told = REASONS.filter(([key]) => (why?.[key] ?? 0) >= WORTH_TELLING * Math.max(score, 0.1))
    .sort(([a], [b]) => (why?.[b] ?? 0) - (why?.[a] ?? 0))
    .map(([, text]) => text);
  const parts = [told.length === 0 ? 'Little speaks for it' : `Found because ${inWords(told)}`];
  if ((why?.circumstance ?? 0) < -0.01) parts.push('speaker, time or form speak against it');
  if ((why?.update ?? 0) > 0) parts.push('put first, because it seems to replace an older statement');
  if (superseded_by !== null) parts.push('behind the memory that came in its place');
  else if (valid_until !== null && Date.parse(valid_until) <= Date.now()) parts.push('behind what still holds');
  const [first] = contradictions;
  return `${parts.join('; ')}.${first ? ` Undecided: ${first.explanation}` : ''}`;
}

/** @param {string[]} list clauses, which may have commas */
const inWords = (list) =>
  list.length < 3 ? list.join(', and ') : `${list.slice(0, -1).join(', ')}, and ${list.at(-1)}`;
