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

/** @param {{ onChange: (kinds: Set<string>) => void, onState: (isOpen: boolean) => void, onBroken: () => void }} handlers */
export function createLive({ onChange, onState, onBroken }) {
  /** @type {EventSource | null} */
  let source = null;
  /** @type {{ agent: string, project: string }} */
  let whose = { agent: '', project: ALL_PROJECTS };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let reopening;
  /** There is a stream here; behind a gateway that refuses it there is none, and it is not asked for again and again. */
  let wasOpen = false;
  /** @type {Set<string>} */
  let kinds = new Set();

  /** @param {string} kind */
  function note(kind) {
    kinds.add(kind);
    pause ??= setTimeout(() => {
      pause = undefined;
      const told = kinds;
      kinds = new Set();
      onChange(told);
    }, PAUSE_MS);
  }

  function close() {
    source?.close();
    source = null;
    clearTimeout(pause);
    clearTimeout(reopening);
    pause = undefined;
    kinds = new Set();
  }

  function open() {
    close();
    const query = new URLSearchParams();
    if (whose.agent !== '') query.set('agent_id', whose.agent);
    if (whose.project !== ALL_PROJECTS) query.set('project', whose.project);
    if (pageSpace() !== '') query.set('space', pageSpace());
    const opened = new EventSource(`./events/stream${query.size === 0 ? '' : `?${query}`}`);
    source = opened;
    opened.addEventListener('open', () => {
      onState(true);
      wasOpen = true;
    });
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      onState(false);
      onBroken();
      if (opened.readyState !== EventSource.CLOSED) return;
      close();
      if (wasOpen) reopening = setTimeout(resume, REOPEN_MS);
    });
    for (const kind of KINDS) opened.addEventListener(kind, () => note(kind));
  }

  /** What was told meanwhile is lost. */
  function resume() {
    open();
    note('reset');
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') close();
    else resume();
  });

  return {
    /** Follows what this agent sees in this project, from now on. @param {{ agent: string, project: string }} view */
    follow(view) {
      whose = { agent: view.agent, project: view.project };
      wasOpen = false;
      onState(false);
      if (document.visibilityState !== 'hidden') open();
    },
  };
}
