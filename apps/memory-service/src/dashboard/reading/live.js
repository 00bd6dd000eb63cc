/**
 * Tells that something changed, by the stream of changes. What changed is read anew by the view that is open: a stream has no words.
 * The browser reconnects by itself and resumes behind the last event.
 */

import { pageSpace } from '../shared/request.js';
import { ALL_PROJECTS } from '../state/view-state.js';

/** Changes that come together are told once. */
const PAUSE_MS = 1_500;
/** One that the browser gave up, because something answered in the place of a service that starts anew, is opened again. */
const REOPEN_MS = 5_000;
const KINDS = ['added', 'edited', 'superseded', 'invalidated', 'deleted', 'contradiction', 'consolidation', 'reset'];

const CONTRADICTING = ['contradiction', 'edited', 'superseded', 'invalidated', 'deleted', 'reset'];

/** Whether contradictions may be others than before: one was found or decided, or a memory of one says otherwise or is gone. @param {ReadonlySet<string>} kinds */
export const touchesContradictions = (kinds) => CONTRADICTING.some((kind) => kinds.has(kind));

/** @typedef {{ agent: string, project: string }} Whose */
/** @typedef {{ onChange: (kinds: Set<string>) => void, onState: (isOpen: boolean) => void, onBroken: () => void }} Handlers */

export class Live {
  #handlers;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {Whose} */
  #whose = { agent: '', project: ALL_PROJECTS };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #reopening;
  /** There is a stream here; behind a gateway that refuses it there is none, and it is not asked for again and again. */
  #wasOpen = false;
  /** What is not told yet. @type {Set<string>} */
  #kinds = new Set();

  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#close();
      else this.#resume();
    });
  }

  /** Follows what this agent sees in this project, from now on. @param {Whose} whose */
  follow({ agent, project }) {
    this.#whose = { agent, project };
    this.#wasOpen = false;
    this.#handlers.onState(false);
    if (document.visibilityState !== 'hidden') this.#open();
  }

  #open() {
    this.#close();
    const source = new EventSource(streamOf(this.#whose));
    this.#source = source;
    source.addEventListener('open', () => {
      this.#handlers.onState(true);
      this.#wasOpen = true;
    });
    source.addEventListener('error', () => this.#onError(source));
    for (const kind of KINDS) source.addEventListener(kind, () => this.#note(kind));
  }

  /** @param {EventSource} source */
  #onError(source) {
    if (this.#source !== source) return;
    this.#handlers.onState(false);
    this.#handlers.onBroken();
    if (source.readyState !== EventSource.CLOSED) return;
    this.#close();
    if (this.#wasOpen) this.#reopening = setTimeout(() => this.#resume(), REOPEN_MS);
  }

  /** What was told meanwhile is lost. */
  #resume() {
    this.#open();
    this.#note('reset');
  }

  /** @param {string} kind */
  #note(kind) {
    this.#kinds.add(kind);
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      const told = this.#kinds;
      this.#kinds = new Set();
      this.#handlers.onChange(told);
    }, PAUSE_MS);
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#pause);
    clearTimeout(this.#reopening);
    this.#pause = undefined;
    this.#kinds = new Set();
  }
}

/** @param {Whose} whose */
function streamOf({ agent, project }) {
  const query = new URLSearchParams();
  if (agent !== '') query.set('agent_id', agent);
  if (project !== ALL_PROJECTS) query.set('project', project);
  if (pageSpace() !== '') query.set('space', pageSpace());
  return `./events/stream${query.size === 0 ? '' : `?${query}`}`;
}
