/** Reads all that the overview shows. */

import { calendarDay, startOfDay } from '../shared/calendar-day.js';
import { isServerTimeKnown, nowMs } from '../shared/clock.js';
import { DAYS_AHEAD } from './coming-up-card.js';
import { daysDrawn, joined, runsOfDays } from './day-counts.js';
import { firstDay, WEEK_DAYS } from './learnt-card.js';

const LEARNT_SHOWN = 6;
/** As many as the service lists: a day is shown whole where the reader asks for it. */
const MOST_OF_A_DAY = 100;

/** @typedef {import('../reading/api.js').Api} Api */
/** @typedef {Awaited<ReturnType<typeof readOverview>>} Overview what was answered */

/** @param {Api} api @param {{ withWeek: boolean }} what `withWeek`: what was learnt in seven days too */
export async function readOverview(api, { withWeek }) {
  // Which day is today is told by an answer, the first one for all.
  const asked = isServerTimeKnown() ? api.health() : await api.health();
  const [health, stats, summary, agenda, today, week, latest, contradictions, run] = await Promise.all([
    asked,
    api.stats(),
    api.summary(),
    api.agenda({ from: calendarDay(nowMs()), days: DAYS_AHEAD, limit: MOST_OF_A_DAY }),
    learntIn(1, api),
    withWeek ? learntIn(WEEK_DAYS, api) : null,
    api.list({}, { cursor: null, limit: LEARNT_SHOWN }),
    api.openContradictions(),
    // Not every reader may ask for it.
    api.consolidation().catch(() => null),
  ]);
  return { health, stats, summary, agenda, today, week, latest, contradictions, run, timeline: await daysSoFar(api) };
}

/** @param {number} days @param {Api} api */
const learntIn = (days, api) =>
  api.list({ since: new Date(firstDay(days)).toISOString() }, { cursor: null, limit: LEARNT_SHOWN });

/** The days since the first memory, today among them. @param {Api} api */
async function daysSoFar(api) {
  const { since: first } = await api.timeline({ buckets: 1 });
  const end = startOfDay(nowMs(), 1);
  const days = daysDrawn(startOfDay(Date.parse(first)), end);
  const starts = Array.from({ length: days + 1 }, (_, place) => startOfDay(end, place - days));
  const parts = runsOfDays(starts).map(async ({ since, until, days: buckets }) => {
    const span = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
    return { days: buckets, timeline: await api.timeline({ ...span, buckets }) };
  });
  return joined(await Promise.all(parts));
}
