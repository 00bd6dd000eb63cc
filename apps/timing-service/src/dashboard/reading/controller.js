/** Reads what the page shows, keeps it current, and never asks more than it has to. */

import { browserNowMs, nowMs } from '../state/clock.js';
import { addOlderTasks, applyMessage, createStore, replaceStopwatches, replaceTasks } from '../state/store.js';
import { spanOf } from '../state/view-state.js';
import { createApi, TASKS_A_PAGE } from './api.js';
import { createLive } from './live.js';
import { MOST_PAGES, readFromMs, taskPages } from './task-pages.js';
import { createTimeoutReader } from './timeout-reader.js';
import { createTrendReader } from './trend-reader.js';

/** However many tasks end, statistics are read at most this often. */
const STATISTICS_INTERVAL_MS = 1000;
/** More live events than this are folded into a fresh first page. */
const MOST_EVENTS_KEPT = 2000;

/** @typedef {'connecting' | 'live' | 'polling' | 'offline'} Connection */

/**
 * @param {import('../state/view-state.js').ViewState} view the current choice; read again on every use
 * @param {() => void} onChange something to draw has changed
 */
export function createController(view, onChange) {
  const eventFilter = { event_type: '', task_type: '' };
  let requests = new AbortController();
  let api = createApi(view, requests.signal);
  let loading = 0;
  /** Counts the readings of older tasks: a newer one ends those before. */ let reading = 0;
  /** @type {[string, any][]} messages that came while everything was being read */
  let waiting = [];
  const trends = createTrendReader();
  const timeouts = createTimeoutReader();
  /** @type {Set<string>} */ let changedTypes = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let statisticsTimer;

  const controller = {
    store: createStore(),
    eventFilter,
    connection: /** @type {Connection} */ ('connecting'),
    /** @type {number | null} browser time since when nothing has been answered */ offlineSinceMs: null,
    problem: '',
    /** @type {() => string[]} set by the table: the types it shows first */ typesInView: () => [],
    /** @type {(types: Set<string>) => void} set by the detail view */ onStatistics: () => {},
    api: () => api,
    start,
    loadEvents,
    loadMoreEvents,
    /** Reads the timeouts of what runs, where they are old. */
    readTimeouts: () => timeouts.read(api, controller.store, onChange),
    /** Reads everything anew, as after a change of the range. */
    reload: () => loadAll(),
  };

  /** @param {Connection} connection */
  function setConnection(connection) {
    controller.connection = connection;
    if (connection !== 'offline') controller.offlineSinceMs = null;
    else controller.offlineSinceMs ??= browserNowMs();
    onChange();
  }

  /** @param {unknown} error */
  function failed(error) {
    if (requests.signal.aborted) return;
    controller.problem = error instanceof Error ? error.message : String(error);
    setConnection('offline');
  }

  const live = createLive({
    onMessage(kind, data) {
      if (loading > 0) waiting.push([kind, data]);
      else take(kind, data);
      onChange();
    },
    onMissedTooMuch: () => void loadAll(),
    onOpen() {
      setConnection('live');
      scheduleStatistics();
      if (controller.store.loaded) void loadStopwatches();
    },
    onBroken() {
      if (controller.connection === 'live') setConnection('connecting');
    },
    onPoll: loadAll,
  });

  /** @param {string} kind @param {any} data */
  function take(kind, data) {
    for (const type of applyMessage(controller.store, kind, data, eventFilter)) {
      changedTypes.add(type);
      scheduleStatistics();
    }
    if (controller.store.events.length > MOST_EVENTS_KEPT) void loadEvents();
  }

  async function loadAll() {
    const mine = api;
    const { store } = controller;
    const fromMs = readFromMs(spanOf({ ...view, until: null }, nowMs()));
    loading += 1;
    try {
      const clock = mine.syncClock();
      const [agents, projects, { summaries, without_ok: withoutOk }, taskTypes, active, recent, page] =
        await Promise.all([
          mine.agents(),
          mine.projects(),
          mine.durations(),
          mine.taskTypes(),
          mine.activeTasks(),
          mine.tasksSince(new Date(fromMs).toISOString()),
          mine.events(eventFilter),
          clock,
        ]);
      const stopwatches = await mine.stopwatches(agents);
      if (mine !== api) return;
      Object.assign(store, { agents, projects, summaries, withoutOk, taskTypes });
      Object.assign(store, { events: page.events, eventsCursor: page.next_cursor });
      replaceTasks(store, { active, recent, fromMs });
      replaceStopwatches(store, stopwatches);
      store.loaded = true;
      setConnection(live.isOpen() ? 'live' : 'polling');
      controller.onStatistics(new Set(taskTypes));
      void trends.read(mine, controller.typesInView(), store, onChange);
      void readOlder(fromMs);
    } catch (error) {
      if (mine === api) failed(error);
    } finally {
      loading -= 1;
      if (loading === 0) {
        for (const [kind, data] of waiting.splice(0)) take(kind, data);
        onChange();
      }
    }
  }

  /** The rest of the range, behind the newest page. @param {number} fromMs */
  async function readOlder(fromMs) {
    const mine = api;
    const { store } = controller;
    reading += 1;
    const turn = reading;
    const isWanted = () => mine === api && turn === reading && view.until === null && store.completeSinceMs > fromMs;
    store.isReading = isWanted();
    try {
      // The service knows fractions of a millisecond.
      const span = { fromMs, toMs: store.completeSinceMs + 1 };
      const left = MOST_PAGES - Math.floor(store.tasks.size / TASKS_A_PAGE);
      if (isWanted())
        for await (const page of taskPages(mine, span, left)) {
          if (!isWanted()) return;
          addOlderTasks(store, page);
          onChange();
        }
    } catch {
      // What is not read is marked as that; the next reading of everything tries again.
    }
    if (mine !== api || turn !== reading) return;
    store.isReading = false;
    onChange();
  }

  function scheduleStatistics() {
    if (statisticsTimer !== undefined) return;
    statisticsTimer = setTimeout(async () => {
      const mine = api;
      const types = changedTypes;
      changedTypes = new Set();
      try {
        const { summaries, without_ok: withoutOk } = await mine.durations();
        if (mine === api) {
          Object.assign(controller.store, { summaries, withoutOk });
          controller.onStatistics(types);
          void trends.read(mine, controller.typesInView(), controller.store, onChange);
        }
      } catch (error) {
        if (mine === api && !live.isOpen()) failed(error);
      }
      statisticsTimer = undefined;
      if (changedTypes.size > 0) scheduleStatistics();
      onChange();
    }, STATISTICS_INTERVAL_MS);
  }

  /** The stream repeats missed events, but not what happened to stopwatches meanwhile. */
  async function loadStopwatches() {
    const mine = api;
    const stopwatches = await mine.stopwatches(controller.store.agents).catch(() => null);
    if (mine !== api || stopwatches === null) return;
    replaceStopwatches(controller.store, stopwatches);
    onChange();
  }

  async function loadEvents() {
    const mine = api;
    try {
      const page = await mine.events(eventFilter);
      if (mine !== api) return;
      controller.store.events = page.events;
      controller.store.eventsCursor = page.next_cursor;
      onChange();
    } catch (error) {
      if (mine === api) failed(error);
    }
  }

  async function loadMoreEvents() {
    const { store } = controller;
    if (store.eventsCursor === null) return;
    const mine = api;
    try {
      const page = await mine.events({ ...eventFilter, cursor: store.eventsCursor });
      if (mine !== api) return;
      const known = new Set(store.events.map((event) => event.id));
      store.events.push(...page.events.filter((/** @type {any} */ event) => !known.has(event.id)));
      store.eventsCursor = page.next_cursor;
      onChange();
    } catch (error) {
      if (mine === api) failed(error);
    }
  }

  /** Forgets the data of another agent or project and starts over. */
  function start() {
    requests.abort();
    requests = new AbortController();
    api = createApi(view, requests.signal);
    const { agents, projects } = controller.store;
    controller.store = Object.assign(createStore(), { agents, projects });
    waiting = [];
    trends.forget();
    timeouts.forget();
    setConnection('connecting');
    live.start(view);
  }

  return controller;
}

/** @typedef {ReturnType<typeof createController>} Controller */
