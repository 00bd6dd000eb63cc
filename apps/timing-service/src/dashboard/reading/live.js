/**
 * The stream of changes, and what happens when there is none.
 *
 *   visible: EventSource open ──error──> asks every few seconds until the stream is back
 *   hidden:  nothing at all; back to visible resumes behind the last id
 *
 * The browser reconnects a broken EventSource by itself and sends the last id; one that it gave up is made anew here.
 */

import { browserNowMs } from '../shared/clock.js';
import { pageSpace } from '../shared/request.js';
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

export class Live {
  #handlers;
  /** @type {EventSource | null} */ #source = null;
  #whose = whoseQuery({ agent: ALL_AGENTS, project: ALL_PROJECTS });
  #lastId = '';
  #isStarted = false;
  #closedAtMs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #pollTimer;

  /** @param {LiveHandlers} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
    document.addEventListener('visibilitychange', () => this.#onVisibility());
  }

  /** Streams the changes of the chosen agent and project from now on. @param {Parameters<typeof whoseQuery>[0]} view */
  start(view) {
    this.#close();
    this.#whose = whoseQuery(view);
    this.#lastId = '';
    this.#isStarted = true;
    if (document.visibilityState !== 'hidden') this.#open();
  }

  isOpen() {
    return this.#source?.readyState === EventSource.OPEN;
  }

  #open() {
    this.#source?.close();
    const parameters = new URLSearchParams(this.#whose);
    if (this.#lastId !== '') parameters.set('last_event_id', this.#lastId);
    if (pageSpace() !== '') parameters.set('space', pageSpace());
    const opened = new EventSource(`./events/stream?${parameters}`);
    this.#source = opened;
    this.#schedulePoll(OPEN_WAIT_MS);
    opened.addEventListener('open', () => this.#onOpen());
    opened.addEventListener('error', () => this.#onError(opened));
    opened.addEventListener('reset', (message) => {
      this.#lastId = message.lastEventId || '';
      this.#handlers.onMissedTooMuch();
    });
    for (const kind of MESSAGE_KINDS) {
      opened.addEventListener(kind, (message) => {
        if (message.lastEventId) this.#lastId = message.lastEventId;
        this.#handlers.onMessage(kind, JSON.parse(message.data));
      });
    }
  }

  #close() {
    this.#stopPolling();
    this.#source?.close();
    this.#source = null;
  }

  #onOpen() {
    this.#stopPolling();
    this.#handlers.onOpen();
    // Without an id nothing can be resumed; what happened since the last read has to be read.
    if (this.#lastId === '') this.#handlers.onMissedTooMuch();
  }

  /** @param {EventSource} broken */
  #onError(broken) {
    if (this.#source !== broken) return;
    this.#stopPolling();
    this.#handlers.onBroken();
    this.#schedulePoll(FIRST_POLL_MS);
  }

  #onVisibility() {
    if (!this.#isStarted) return;
    if (document.visibilityState === 'hidden') {
      this.#close();
      this.#closedAtMs = browserNowMs();
      return;
    }
    if (browserNowMs() - this.#closedAtMs > RESUME_WITHIN_MS) this.#lastId = '';
    this.#open();
  }

  /** @param {number} delayMs */
  #schedulePoll(delayMs) {
    this.#pollTimer ??= setTimeout(() => void this.#poll(), delayMs);
  }

  #stopPolling() {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  async #poll() {
    const mine = this.#pollTimer;
    await this.#handlers.onPoll();
    if (this.#pollTimer !== mine) return;
    this.#pollTimer = undefined;
    if (document.hidden || this.#source === null || this.isOpen()) return;
    if (this.#source.readyState === EventSource.CLOSED) this.#open();
    this.#schedulePoll(POLL_INTERVAL_MS);
  }
}
