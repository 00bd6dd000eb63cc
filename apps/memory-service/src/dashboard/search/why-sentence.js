/** The reasons of a score in words. Pure. */

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

/** @typedef {{ score: number, why?: Record<string, number>, superseded_by: string | null, valid_until: string | null, contradictions?: { explanation: string }[] }} Recalled */

/** The reasons that are worth telling, the weightiest first. @param {Recalled} memory */
export const mainReasons = ({ score, why }) =>
  REASONS.filter(([key]) => (why?.[key] ?? 0) >= WORTH_TELLING * Math.max(score, 0.1))
    .sort(([a], [b]) => (why?.[b] ?? 0) - (why?.[a] ?? 0))
    .map(([key]) => key);

/** @param {Recalled} memory */
export function whySentence(memory) {
  const told = mainReasons(memory).map((key) => new Map(REASONS).get(key) ?? '');
  return told.length === 0 ? 'Little speaks for it.' : `Found because ${inWords(told)}.`;
}

/** What else decided its place, and what is undecided about it; empty for most. @param {Recalled} memory @param {number} nowMs */
export function whyRemarks({ why, superseded_by, valid_until, contradictions = [] }, nowMs) {
  const parts = [];
  if ((why?.circumstance ?? 0) < -0.01) parts.push('Speaker, time or form speak against it.');
  if ((why?.update ?? 0) > 0) parts.push('Put higher, because it seems to replace an older statement.');
  if (superseded_by !== null) parts.push('It stands behind the memory that came in its place.');
  else if (valid_until !== null && Date.parse(valid_until) <= nowMs) parts.push('It stands behind what still holds.');
  const [first] = contradictions;
  if (first) parts.push(`Undecided: ${first.explanation}`);
  return parts.join(' ');
}

/** @param {string[]} list clauses, which may have commas */
const inWords = (list) =>
  list.length < 3 ? list.join(', and ') : `${list.slice(0, -1).join(', ')}, and ${list.at(-1)}`;
