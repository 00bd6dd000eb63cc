/** One bar of the timeline: colour, pattern and letter of its outcome. */

import { svg } from './shared/dom.js';
import { formatClock, formatDuration, formatElapsed } from './shared/format.js';

export const ROW_HEIGHT = 22;
const BAR_HEIGHT = 18;
export const NARROWEST_BAR_PIXELS = 3;
const LETTER_PIXELS = 13;

/** Letter and word of an outcome; the pattern of a bar is in the style sheet. */
export const OUTCOMES = {
  ok: { letter: '', word: 'ok' },
  error: { letter: 'E', word: 'error' },
  timeout: { letter: 'T', word: 'timeout' },
  cancelled: { letter: 'C', word: 'cancelled' },
  abandoned: { letter: 'A', word: 'abandoned' },
  active: { letter: '›', word: 'running' },
};

/** @param {import('./store.js').Task} task @returns {keyof typeof OUTCOMES} */
export const outcomeOf = (task) => (task.state === 'ended' ? /** @type {any} */ (task.outcome ?? 'ok') : task.state);

/** @param {import('./store.js').Task} task @param {number} atMs */
function describe(task, atMs) {
  const running = (atMs - Date.parse(task.started_at)) / 1000;
  const took = task.state === 'active' ? `for ${formatElapsed(running)}` : formatDuration(task.duration_seconds);
  return `${task.task_type}: ${OUTCOMES[outcomeOf(task)].word}, ${took}, since ${formatClock(Date.parse(task.started_at))}`;
}

/** Stripes and dots, so that an outcome shows without its colour. @param {string} id */
export function patterns(id) {
  const pattern = (/** @type {string} */ name, /** @type {string} */ d) =>
    svg(
      'pattern',
      { id: `${id}-${name}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
      svg('path', { d, class: 'pattern-line' }),
    );
  return svg(
    'defs',
    {},
    pattern('error', 'M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2'),
    pattern('timeout', 'M3,0 V6'),
    pattern('cancelled', 'M0,3 H6'),
    pattern('abandoned', 'M0,6 L6,0 M0,0 L6,6'),
  );
}

/** @param {import('./timeline-layout.js').Bar} bar @param {number} width @param {string} patternId @param {number} atMs */
export function barElement(bar, width, patternId, atMs) {
  const outcome = outcomeOf(bar.task);
  const x = bar.from * width;
  const w = Math.max(NARROWEST_BAR_PIXELS, (bar.to - bar.from) * width - 1);
  const y = bar.row * ROW_HEIGHT + 2;
  const box = { x, y, width: w, height: BAR_HEIGHT, rx: Math.min(3, w / 2) };
  const { letter } = OUTCOMES[outcome];
  const shapes = [svg('rect', { ...box, class: 'bar' })];
  if (outcome !== 'ok' && outcome !== 'active')
    shapes.push(svg('rect', { ...box, fill: `url(#${patternId}-${outcome})` }));
  if (letter !== '' && w >= LETTER_PIXELS) {
    const textX = outcome === 'active' ? x + w - 6 : x + w / 2;
    shapes.push(svg('text', { x: textX, y: y + BAR_HEIGHT - 5, class: 'bar-letter' }, letter));
  }
  return svg(
    'g',
    { class: 'bar-group', 'data-outcome': outcome, 'data-type': bar.task.task_type },
    svg('title', {}, describe(bar.task, atMs)),
    ...shapes,
  );
}
