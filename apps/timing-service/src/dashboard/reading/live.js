/**
 * The stream of changes, and what happens when there is none.
 *
 *   visible: EventSource open ──error──> asks every few seconds until the stream is back
 *   hidden:  nothing at all; back to visible resumes behind the last id
 *
 * The browser reconnects a broken EventSource by itself and sends the last id; one that it gave up is made anew here.
 */

import { pageSpace } from '../shared/request.js';
import { browserNowMs } from '../state/clock.js';
import { ALL_AGENTS, ALL_PROJECTS, whoseQuery } from '../state/view-state.js';

/** How often everything is read while there is no stream. */
const POLL_INTERVAL_MS = 5000;
/** The first question after the stream broke: soon, so that the page says quickly whether the service is down. */
const FIRST_POLL_MS = 800;
/** A stream that has not opened by then is not waited for. */
const OPEN_WAIT_MS = 3000;
/** After a longer absence everything is read anew: less than replaying it, and it brings what is not replayed. */
const RESUME_WITHIN_MS = 60_000;
const MESSAGE_KINDS = ['timing', 'stopwatch', 'tasks'];

/**
 * @typedef {object} LiveHandlers
 * @property {(kind: string, data: any) => void} onMessage
 * @property {() => void} onMissedTooMuch everything is to be read anew
 * @property {() => void} onOpen
 * @property {() => void} onBroken
 * @property {() => Promise<void>} onPoll
 */

/** @param {LiveHandlers} handlers */
export function createLive(handlers) {
  /** @type {EventSource | null} */
  let source = null;
  let whose = whoseQuery({ agent: ALL_AGENTS, project: ALL_PROJECTS });
  let lastId = '';
  let started = false;
  let closedAtMs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pollTimer;

  function close() {
    clearTimeout(pollTimer);
    pollTimer = undefined;
    source?.close();
    source = null;
  }

  function open() {
    source?.close();
    const parameters = new URLSearchParams(whose);
    if (lastId !== '') parameters.set('last_event_id', lastId);
    if (pageSpace() !== '') parameters.set('space', pageSpace());
    const opened = new EventSource(`./events/stream?${parameters}`);
    source = opened;
    schedulePoll(OPEN_WAIT_MS);
    opened.addEventListener('open', () => {
      clearTimeout(pollTimer);
      pollTimer = undefined;
      handlers.onOpen();
      // Without an id nothing can be resumed; what happened since the last read has to be read.
      if (lastId === '') handlers.onMissedTooMuch();
    });
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      clearTimeout(pollTimer);
      pollTimer = undefined;
      handlers.onBroken();
      schedulePoll(FIRST_POLL_MS);
    });
    for (const kind of MESSAGE_KINDS) {
      opened.addEventListener(kind, (message) => {
        if (message.lastEventId) lastId = message.lastEventId;
        handlers.onMessage(kind, JSON.parse(message.data));
      });
    }
    opened.addEventListener('reset', (message) => {
      lastId = message.lastEventId || '';
      handlers.onMissedTooMuch();
    });
  }

  /** @param {number} delayMs */
  function schedulePoll(delayMs) {
    if (pollTimer !== undefined) return;
    pollTimer = setTimeout(async () => {
      const mine = pollTimer;
      await handlers.onPoll();
      if (pollTimer !== mine) return;
      pollTimer = undefined;
      if (document.hidden || source === null || source.readyState === EventSource.OPEN) return;
      if (source.readyState === EventSource.CLOSED) open();
      schedulePoll(POLL_INTERVAL_MS);
    }, delayMs);
  }

  document.addEventListener('visibilitychange', () => {
    if (!started) return;
    if (document.visibilityState === 'hidden') {
      close();
      closedAtMs = browserNowMs();
      return;
    }
    if (browserNowMs() - closedAtMs > RESUME_WITHIN_MS) lastId = '';
    open();
  });

  return {
    /** Streams the changes of the chosen agent and project from now on. @param {Parameters<typeof whoseQuery>[0]} view */
    start(view) {
      close();
      whose = whoseQuery(view);
      lastId = '';
      started = true;
      if (document.visibilityState !== 'hidden') open();
    },
    isOpen: () => source?.readyState === EventSource.OPEN,
  };
}
