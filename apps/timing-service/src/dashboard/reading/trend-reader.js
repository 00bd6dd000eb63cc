/** Reads the trends that the table shows, one after the other: they matter less than anything else on the page. */

import { browserNowMs } from '../shared/clock.js';

/** A trend rests on up to 200 runs; one more changes it little. */
const TREND_INTERVAL_MS = 15_000;
/** Types further down show their trend once they are selected. */
const MOST_TRENDS = 20;

export function createTrendReader() {
  /** @type {Map<string, number>} browser time of the last reading */
  let readAt = new Map();
  return {
    forget() {
      readAt = new Map();
    },
    /** @param {import('./api.js').Api} api @param {string[]} types @param {import('../state/store.js').Store} store @param {() => void} onChange */
    async read(api, types, store, onChange) {
      const mine = readAt;
      const withRuns = new Set(store.summaries.map((summary) => summary.task_type));
      for (const type of types.filter((name) => withRuns.has(name)).slice(0, MOST_TRENDS)) {
        const last = mine.get(type);
        if (last !== undefined && browserNowMs() - last < TREND_INTERVAL_MS) continue;
        mine.set(type, browserNowMs());
        const trend = await api.trend(type).catch(() => null);
        if (mine !== readAt) return;
        if (trend === null) continue;
        store.trends.set(type, trend);
        onChange();
      }
    },
  };
}
