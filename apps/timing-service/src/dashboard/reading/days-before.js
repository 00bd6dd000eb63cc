/** How many tasks each agent had on the days of a range that are not read: of a long range, the newest tasks are read alone. */

import { startOfDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { spanOf } from '../state/view-state.js';

/** @typedef {{ fromMs: number, toMs: number, all: number, failed: number }} DayCount a day, or the part of it that is not read */
/** @typedef {ReadonlyMap<string, readonly DayCount[]>} DaysBefore by agent; empty where all is read, or these days are not yet */

/** @type {DaysBefore} */
const NONE = new Map();

export class DaysBeforeReader {
  #onChange;
  /** @type {import('./api.js').Api | undefined} */ #api;
  #question = '';
  /** @type {DaysBefore} */ #known = NONE;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * What is known for the view; it is read when it is asked for first.
   * @param {import('./api.js').Api} api @param {import('../state/view-state.js').ViewState} view
   * @param {{ loaded: boolean, isReading: boolean, completeSinceMs: number }} tasks those that are read
   * @returns {DaysBefore}
   */
  of(api, view, { loaded, isReading, completeSinceMs }) {
    const { fromMs } = spanOf(view, nowMs());
    if (!loaded || isReading || !Number.isFinite(completeSinceMs) || completeSinceMs <= fromMs) return NONE;
    // A range that ends now moves on all the time.
    const question = `${startOfDay(fromMs)} ${completeSinceMs}`;
    if (api !== this.#api || question !== this.#question) {
      [this.#api, this.#question] = [api, question];
      this.#known = NONE;
      void this.#read(api, question, { fromMs, toMs: completeSinceMs });
    }
    return this.#known;
  }

  /** @param {import('./api.js').Api} api @param {string} question @param {{ fromMs: number, toMs: number }} span */
  async #read(api, question, span) {
    // Without an answer the days stay marked as not read.
    const days = await readDays(api, span).catch(() => NONE);
    if (api !== this.#api || question !== this.#question) return;
    this.#known = days;
    this.#onChange();
  }
}

/** @param {import('./api.js').Api} api @param {{ fromMs: number, toMs: number }} span @returns {Promise<DaysBefore>} */
async function readDays(api, { fromMs, toMs }) {
  const { groups } = await api.timeSpent({
    since: new Date(fromMs).toISOString(),
    until: new Date(toMs).toISOString(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    group_by: 'day',
    then_by: 'agent',
  });
  /** @type {Map<string, DayCount[]>} */ const byAgent = new Map();
  for (const { day, agent_id: agent, tasks, outcomes } of groups) {
    const dayMs = Date.parse(`${day}T00:00`);
    const own = byAgent.get(agent) ?? [];
    own.push({
      fromMs: Math.max(fromMs, dayMs),
      toMs: Math.min(toMs, startOfDay(dayMs, 1)),
      all: tasks,
      failed: outcomes.error + outcomes.timeout,
    });
    byAgent.set(agent, own);
  }
  return byAgent;
}
