/** Reads the recommended timeout of each type that is running: it rests on the newest runs where a type has become slower. */

import { browserNowMs } from '../shared/clock.js';

/** One more run changes it little. */
const TIMEOUT_INTERVAL_MS = 15_000;
/** A request for each type; the tasks of types beyond this are judged by all runs. */
const MOST_TYPES = 20;

export function createTimeoutReader() {
  /** @type {Map<string, number>} browser time of the last reading */
  let readAt = new Map();
  let isReading = false;

  /** @param {import('../state/store.js').Store} store */
  function due(store) {
    const withRuns = new Set(store.summaries.map((summary) => summary.task_type));
    const running = [...store.tasks.values()].filter((task) => task.state === 'active').map((task) => task.task_type);
    const types = [...new Set(running)].filter((type) => withRuns.has(type)).slice(0, MOST_TYPES);
    return types.filter((type) => browserNowMs() - (readAt.get(type) ?? 0) >= TIMEOUT_INTERVAL_MS);
  }

  return {
    forget() {
      readAt = new Map();
    },
    /** @param {import('./api.js').Api} api @param {import('../state/store.js').Store} store @param {() => void} onChange */
    async read(api, store, onChange) {
      if (isReading) return;
      const mine = readAt;
      isReading = true;
      for (const type of due(store)) {
        mine.set(type, browserNowMs());
        const timeout = await api.recommendedTimeout(type).catch(() => null);
        if (mine !== readAt) break;
        if (timeout === null) continue;
        store.timeouts.set(type, timeout);
        onChange();
      }
      isReading = false;
    },
  };
}
