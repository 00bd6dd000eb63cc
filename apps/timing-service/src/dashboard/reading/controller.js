/** Reads what the page shows, keeps it current, and never asks more than it has to. */

import { browserNowMs } from '../shared/clock.js';
import { applyMessage, replaceStopwatches } from '../state/store.js';
import { readEvents, readMoreEvents } from './events.js';
import { readEverything } from './everything.js';
import { Live } from './live.js';
import { OlderTasks } from './older-tasks.js';
import { Session } from './session.js';
import { StatisticsReader } from './statistics-reader.js';
import { createTimeoutReader } from './timeout-reader.js';
import { createTrendReader } from './trend-reader.js';

/** More live events than this are folded into a fresh first page. */
const MOST_EVENTS_KEPT = 2000;

/** @typedef {'connecting' | 'live' | 'polling' | 'offline'} Connection */

export class Controller {
  /** @type {Connection} */ connection = 'connecting';
  /** @type {number | null} browser time since when nothing has been answered */ offlineSinceMs = null;
  problem = '';
  /** @type {() => string[]} set by the table: the types it shows first */ typesInView = () => [];
  /** @type {(types: Set<string>) => void} set by the page: the statistics of these types are new */ onStatistics =
    () => {};

  #view;
  #onChange;
  #session;
  /** How many readings of everything are on their way. */ #loading = 0;
  /** @type {[string, any][]} messages that came while everything was being read */ #waiting = [];
  #older;
  #trends = createTrendReader();
  #timeouts = createTimeoutReader();
  #live = new Live({
    onMessage: (kind, data) => this.#onMessage(kind, data),
    onMissedTooMuch: () => void this.reload(),
    onOpen: () => this.#onOpen(),
    onBroken: () => {
      if (this.connection === 'live') this.#setConnection('connecting');
    },
    onPoll: () => this.reload(),
  });
  #statistics = new StatisticsReader({
    session: () => this.#session,
    onRead: (session, types) => {
      this.onStatistics(types);
      this.#readTrends(session);
    },
    onFailed: (_session, error) => {
      if (!this.#live.isOpen()) this.#failed(error);
    },
    onDone: () => this.#onChange(),
  });

  /**
   * @param {import('../state/view-state.js').ViewState} view the current choice; read again on every use
   * @param {() => void} onChange something to draw has changed
   */
  constructor(view, onChange) {
    this.#view = view;
    this.#onChange = onChange;
    this.#session = new Session(view);
    this.#older = new OlderTasks(view, onChange);
  }

  get store() {
    return this.#session.store;
  }

  /** Of the list of events. */
  get eventFilter() {
    return this.#view.events;
  }

  api() {
    return this.#session.api;
  }

  /** Forgets the data of another agent or project and starts over. */
  start() {
    this.#session.end();
    const { agents, projects } = this.store;
    this.#session = new Session(this.#view, { agents, projects });
    this.#waiting = [];
    this.#trends.forget();
    this.#timeouts.forget();
    this.#setConnection('connecting');
    this.#live.start(this.#view);
  }

  /** Reads everything anew, as after a change of the range. */
  async reload() {
    const session = this.#session;
    this.#loading += 1;
    // Of a longer range the older part is on its way.
    session.store.isReading = true;
    try {
      const fromMs = await readEverything(session, this.#view, this.eventFilter);
      if (!session.isOver) this.#onEverything(session, fromMs);
    } catch (error) {
      session.store.isReading = false;
      if (!session.isOver) this.#failed(error);
    } finally {
      this.#loading -= 1;
      if (this.#loading === 0) this.#takeWaiting();
    }
  }

  loadEvents() {
    return this.#reading((session) => readEvents(session, this.eventFilter));
  }

  loadMoreEvents() {
    return this.#reading((session) => readMoreEvents(session, this.eventFilter));
  }

  /** Reads the timeouts of what runs, where they are old. */
  readTimeouts() {
    return this.#timeouts.read(this.#session.api, this.store, this.#onChange);
  }

  /** @param {Session} session @param {number} fromMs from when on tasks were asked for */
  #onEverything(session, fromMs) {
    this.#setConnection(this.#live.isOpen() ? 'live' : 'polling');
    this.onStatistics(new Set(session.store.taskTypes));
    this.#readTrends(session);
    void this.#older.read(session, fromMs);
  }

  #onOpen() {
    this.#setConnection('live');
    this.#statistics.readSoon();
    if (this.store.loaded) void this.#loadStopwatches();
  }

  /** @param {string} kind @param {any} data */
  #onMessage(kind, data) {
    if (this.#loading > 0) this.#waiting.push([kind, data]);
    else this.#take(kind, data);
    this.#onChange();
  }

  /** @param {string} kind @param {any} data */
  #take(kind, data) {
    this.#statistics.changed(applyMessage(this.store, kind, data, this.eventFilter));
    if (this.store.events.length > MOST_EVENTS_KEPT) void this.loadEvents();
  }

  #takeWaiting() {
    for (const [kind, data] of this.#waiting.splice(0)) this.#take(kind, data);
    this.#onChange();
  }

  /** The stream repeats missed events, but not what happened to stopwatches meanwhile. */
  async #loadStopwatches() {
    const session = this.#session;
    const stopwatches = await session.api.stopwatches(session.store.agents).catch(() => null);
    if (session.isOver || stopwatches === null) return;
    replaceStopwatches(session.store, stopwatches);
    this.#onChange();
  }

  /** @param {Session} session */
  #readTrends({ api, store }) {
    void this.#trends.read(api, this.typesInView(), store, this.#onChange);
  }

  /** @param {(session: Session) => Promise<void>} read */
  async #reading(read) {
    const session = this.#session;
    try {
      await read(session);
      if (!session.isOver) this.#onChange();
    } catch (error) {
      if (!session.isOver) this.#failed(error);
    }
  }

  /** @param {Connection} connection */
  #setConnection(connection) {
    this.connection = connection;
    if (connection !== 'offline') this.offlineSinceMs = null;
    else this.offlineSinceMs ??= browserNowMs();
    this.#onChange();
  }

  /** @param {unknown} error */
  #failed(error) {
    this.problem = error instanceof Error ? error.message : String(error);
    this.#setConnection('offline');
  }
}
