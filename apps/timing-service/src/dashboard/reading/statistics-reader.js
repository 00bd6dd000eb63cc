/** Reads the statistics of all types anew when tasks have ended. */

/** However many tasks end, statistics are read at most this often. */
const STATISTICS_INTERVAL_MS = 1000;

/**
 * @typedef {object} StatisticsHandlers
 * @property {() => import('./session.js').Session} session the present one
 * @property {(session: import('./session.js').Session, types: Set<string>) => void} onRead `types`: those that have changed
 * @property {(session: import('./session.js').Session, error: unknown) => void} onFailed
 * @property {() => void} onDone read or not
 */

export class StatisticsReader {
  #handlers;
  /** @type {Set<string>} */ #changedTypes = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {StatisticsHandlers} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  /** @param {readonly string[]} types of which tasks have ended */
  changed(types) {
    for (const type of types) this.#changedTypes.add(type);
    if (types.length > 0) this.readSoon();
  }

  readSoon() {
    this.#timer ??= setTimeout(() => void this.#read(), STATISTICS_INTERVAL_MS);
  }

  async #read() {
    const session = this.#handlers.session();
    const types = this.#changedTypes;
    this.#changedTypes = new Set();
    try {
      const { summaries, without_ok: withoutOk } = await session.api.durations();
      Object.assign(session.store, { summaries, withoutOk });
      if (!session.isOver) this.#handlers.onRead(session, types);
    } catch (error) {
      if (!session.isOver) this.#handlers.onFailed(session, error);
    }
    this.#timer = undefined;
    if (this.#changedTypes.size > 0) this.readSoon();
    this.#handlers.onDone();
  }
}
