/** How a reader moves the window of the timeline: by keys, by the wheel, by dragging. */

import { shifted, zoomed } from './time-window.js';

/** @typedef {import('./time-window.js').Window} Window */

/** Share of the window that an arrow key moves. */
export const STEP = 0.25;

/** By key, the window after it. @type {Record<string, (span: Window) => Window>} */
const KEYS = {
  ArrowLeft: (span) => shifted(span, -STEP),
  ArrowRight: (span) => shifted(span, STEP),
  '+': (span) => zoomed(span, 0.5),
  '=': (span) => zoomed(span, 0.5),
  '-': (span) => zoomed(span, 2),
};

export class Gestures {
  #spanNow;
  #move;
  /** Where the pointer took hold, and of which window. @type {{ x: number, span: Window } | null} */
  #drag = null;

  /** @param {() => Window | null} spanNow null before there is one @param {(to: Window) => void} move */
  constructor(spanNow, move) {
    this.#spanNow = spanNow;
    this.#move = move;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const span = this.#spanNow();
    const to = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (span === null || to === undefined || event.target !== event.currentTarget) return;
    this.#move(to(span));
    event.preventDefault();
  }

  /** The wheel alone scrolls the page. @param {WheelEvent} event */
  onWheel(event) {
    const span = this.#spanNow();
    if (!event.ctrlKey || span === null) return;
    event.preventDefault();
    const { left, width } = laneBox(event);
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    this.#move(zoomed(span, event.deltaY < 0 ? 0.8 : 1.25, share));
  }

  /** @param {PointerEvent} event */
  onGrab(event) {
    const span = this.#spanNow();
    if (span === null || event.pointerType === 'touch' || /** @type {Element} */ (event.target).closest('a')) return;
    this.#drag = { x: event.clientX, span };
  }

  /** @param {PointerEvent} event */
  onDrag(event) {
    if (this.#drag === null) return;
    const { x, span } = this.#drag;
    this.#move(shifted(span, (x - event.clientX) / laneBox(event).width));
  }

  onDrop() {
    this.#drag = null;
  }
}

/** Where the lanes lie, without the names before them. @param {Event} event */
function laneBox({ currentTarget }) {
  const marks = /** @type {Element} */ (currentTarget).querySelector('.lane-marks');
  const { left, width } = marks?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  return { left, width: Math.max(1, width) };
}
