/** Reads where the time of the chosen range went: once when it is asked for first, and now and then while tasks end or run. */

import { browserNowMs, nowMs } from '../shared/clock.js';
import { spanOf } from '../state/view-state.js';

const DAY_MS = 86_400_000;
/** A range of so many days is drawn by day. */
const DAYS_DRAWN_FROM = 2;
/** The sums of a range change slowly; the first task of all makes a difference at once. */
const INTERVAL_MS = 15_000;
const INTERVAL_OF_NONE_MS = 1_000;
/** The service adds up every task of the range; this page takes a twentieth of its time at most. */
const REST_PER_WORK = 20;
/** As the service answers where there are too many groups. */
const TOO_MANY_GROUPS = 422;

/** @typedef {import('../state/view-state.js').SpentBy} SpentBy */
/** As the API has it: what tasks took, of one group or of all. @typedef {{ tasks: number, spent_seconds: number, busy_seconds: number, running_seconds: number, cut_off_seconds: number, longest_seconds: number, [group: string]: any }} Times */

/** Of a range of days: by day, and by day and `by`, which is null where there would be too many groups. @typedef {{ sums: Times[], parts: Times[] | null }} Days */

/**
 * @typedef {object} TimeSpent
 * @property {SpentBy} by
 * @property {number} fromMs
 * @property {number} toMs
 * @property {Times} total
 * @property {Times[]} groups by `by`
 * @property {Days | null} days null: the range is too short to be drawn by day
 */

/** @typedef {{ seen: TimeSpent | null, isBehind: boolean, problem: string }} KnownTime `isBehind`: something else was seen than is asked for now */

/** @type {KnownTime} */
const NOTHING = { seen: null, isBehind: true, problem: '' };

export class TimeSpentReader {
  #onChange;
  /** @type {import('./api.js').Api | undefined} */ #api;
  #question = '';
  #known = NOTHING;
  #isReading = false;
  /** Counts the readings: a newer one ends those before. */ #reading = 0;
  #isOld = false;
  /** Browser time. */ #notBeforeMs = 0;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Tasks have ended, or run on. */
  changed() {
    this.#isOld = true;
  }

  /**
   * What is known for the view. It is read where it is not known, or old.
   * @param {import('./api.js').Api} api @param {import('../state/view-state.js').ViewState} view @returns {KnownTime}
   */
  of(api, view) {
    const question = `${view.spentBy} ${view.range} ${view.until}`;
    const isOther = api !== this.#api || question !== this.#question;
    if (api !== this.#api) this.#known = NOTHING;
    else if (isOther) this.#known = { ...this.#known, isBehind: true, problem: '' };
    [this.#api, this.#question] = [api, question];
    if (isOther || this.#isDue(view)) void this.#read(api, view);
    return this.#known;
  }

  /** A range that has passed changes no more. @param {import('../state/view-state.js').ViewState} view */
  #isDue({ until }) {
    const isOld = this.#isOld && (until === null || this.#known.problem !== '');
    return isOld && !this.#isReading && browserNowMs() >= this.#notBeforeMs;
  }

  /** @param {import('./api.js').Api} api @param {import('../state/view-state.js').ViewState} view */
  async #read(api, view) {
    this.#reading += 1;
    const turn = this.#reading;
    const startedMs = browserNowMs();
    this.#isOld = false;
    this.#isReading = true;
    /** @type {KnownTime} */ let known;
    try {
      known = { seen: await readTimeSpent(api, view), isBehind: false, problem: '' };
    } catch (error) {
      known = { ...this.#known, problem: error instanceof Error ? error.message : String(error) };
      this.#isOld = true;
    }
    if (turn !== this.#reading) return;
    this.#isReading = false;
    this.#known = known;
    const tookMs = browserNowMs() - startedMs;
    const leastMs = known.seen?.total.tasks === 0 ? INTERVAL_OF_NONE_MS : INTERVAL_MS;
    this.#notBeforeMs = browserNowMs() + Math.max(leastMs, REST_PER_WORK * tookMs);
    this.#onChange();
  }
}

/** @param {import('./api.js').Api} api @param {import('../state/view-state.js').ViewState} view @returns {Promise<TimeSpent>} */
async function readTimeSpent(api, view) {
  const { spentBy: by } = view;
  const { fromMs, toMs } = spanOf(view, nowMs());
  const time = {
    since: new Date(fromMs).toISOString(),
    until: new Date(toMs).toISOString(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  // One after the other: the service adds up one question at a time.
  const { total, groups } = await api.timeSpent({ ...time, group_by: by });
  const days = toMs - fromMs < DAYS_DRAWN_FROM * DAY_MS ? null : await readDays(api, time, by);
  return { by, fromMs, toMs, total, groups, days };
}

/** @param {import('./api.js').Api} api @param {Record<string, string>} time @param {SpentBy} by @returns {Promise<Days>} */
async function readDays(api, time, by) {
  const { groups: sums } = await api.timeSpent({ ...time, group_by: 'day' });
  try {
    return { sums, parts: (await api.timeSpent({ ...time, group_by: 'day', then_by: by })).groups };
  } catch (error) {
    if (/** @type {{ status?: number }} */ (error).status !== TOO_MANY_GROUPS) throw error;
    return { sums, parts: null };
  }
}
