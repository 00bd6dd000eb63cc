/** What the page's filters and conditions are in the words of the contract. Pure. */

/** @typedef {import('../state/view-state.js').SearchFilters & { trust: string, most?: number }} RecallConditions what is empty means any; without `most` as many as usual */

/** The fields that are typed: their names for the reader, and how many characters the service takes. */
export const TYPED = {
  q: { label: 'Text', most: 1_000 },
  by: { label: 'Agent', most: 128 },
  session: { label: 'Session', most: 128 },
  tag: { label: 'Tag', most: 128 },
};

/** The fields take no more, but an address may hold more. @param {Partial<Record<keyof typeof TYPED, string>>} texts @throws Error for the reader */
function refuseTooLong(texts) {
  for (const [name, { label, most }] of Object.entries(TYPED)) {
    const text = texts[/** @type {keyof typeof TYPED} */ (name)] ?? '';
    if ([...text].length > most) throw new Error(`${label} takes ${most} characters at most. Make it shorter.`);
  }
}

/** The last that the service takes; the day after 9999-12-31 is beyond it. */
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

/** The first instant of a day in the reader's time zone; empty for what is no day. @param {string} day YYYY-MM-DD, or empty @param {number} daysLater */
function instantOfDay(day, daysLater) {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return '';
  date.setDate(date.getDate() + daysLater);
  const instant = date.toISOString();
  return instant.startsWith('+') ? LAST_INSTANT : instant;
}

/**
 * Both days included, and what held at the end of `held`.
 * @param {{ from: string, to: string, held: string }} days
 * @throws Error for the reader: the service would speak of fields that the page does not have
 */
function timesOf({ from, to, held }) {
  const [since, until] = [instantOfDay(from, 0), instantOfDay(to, 1)];
  if (since !== '' && until !== '' && since >= until) throw new Error('The last day is before the first one.');
  return { since, until, as_of: instantOfDay(held, 1) };
}

/** @param {import('../state/view-state.js').Filters} filters @returns {Record<string, string | undefined>} */
export function listQuery({ q, by, session, kind, scope, tag, recalled, ...days }) {
  refuseTooLong({ q, by, session, tag });
  const wasRecalled = { never: 'false', ever: 'true' }[recalled];
  return { q, agent_id: by, session_id: session, kind, scope, tag, recalled: wasRecalled, ...timesOf(days) };
}

/** Without what is empty. @param {RecallConditions} conditions @returns {Record<string, unknown>} */
export function recallBody({ trust, most, by, kind, scope, tag, tokens, style, ...days }) {
  refuseTooLong({ by, tag });
  const body = {
    min_trust: trust,
    scope,
    agent_ids: by && [by],
    kinds: kind && [kind],
    tags: tag && [tag],
    ...timesOf(days),
    max_context_tokens: tokens && Number(tokens),
    context_style: style,
  };
  return { top_k: most, ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) };
}
