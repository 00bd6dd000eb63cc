/** One bar of the timeline: colour, pattern and letter of its outcome. */

import { formatClock, formatDuration, formatElapsed } from '../shared/format.js';
import { nothing, svg } from '../shared/template.js';
import { OUTCOMES, outcomeOf } from './outcomes.js';

export const ROW_HEIGHT = 22;
const BAR_HEIGHT = 18;
export const NARROWEST_BAR_PIXELS = 3;
const LETTER_PIXELS = 13;

/** Stripes and dots, so that an outcome shows without its colour. */
const PATTERNS = [
  ['error', 'M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2'],
  ['timeout', 'M3,0 V6'],
  ['cancelled', 'M0,3 H6'],
  ['abandoned', 'M0,6 L6,0 M0,0 L6,6'],
];

/** @param {string} id of the drawing */
export const patterns = (id) => svg`
  <defs>
    ${PATTERNS.map(
      ([name, d]) =>
        svg`<pattern id=${`${id}-${name}`} width="6" height="6" patternUnits="userSpaceOnUse"><path class="pattern-line" d=${d}></path></pattern>`,
    )}
  </defs>
`;

/** @param {import('./lane-layout.js').Bar} bar @param {{ width: number, patternId: string, atMs: number, onSelectType: (type: string) => void }} how `width` of the lane, in pixels */
export function taskBar(bar, { width, patternId, atMs, onSelectType }) {
  const outcome = outcomeOf(bar.task);
  const x = bar.from * width;
  const w = Math.max(NARROWEST_BAR_PIXELS, (bar.to - bar.from) * width - 1);
  const y = bar.row * ROW_HEIGHT + 2;
  const box = (/** @type {string} */ className, /** @type {unknown} */ fill) =>
    svg`<rect class=${className} x=${x} y=${y} width=${w} height=${BAR_HEIGHT} rx=${Math.min(3, w / 2)} fill=${fill}></rect>`;
  const { letter } = OUTCOMES[outcome];
  const textX = outcome === 'active' ? x + w - 6 : x + w / 2;
  return svg`
    <g class="bar-group" data-outcome=${outcome} @click=${() => onSelectType(bar.task.task_type)}>
      <title>${describe(bar.task, atMs)}</title>
      ${box('bar', nothing)}
      ${outcome === 'ok' || outcome === 'active' ? nothing : box('bar-pattern', `url(#${patternId}-${outcome})`)}
      ${letter === '' || w < LETTER_PIXELS ? nothing : svg`<text class="bar-letter" x=${textX} y=${y + BAR_HEIGHT - 5}>${letter}</text>`}
    </g>
  `;
}

/** @param {import('../state/store.js').Task} task @param {number} atMs */
function describe(task, atMs) {
  const running = (atMs - Date.parse(task.started_at)) / 1000;
  const took = task.state === 'active' ? `for ${formatElapsed(running)}` : formatDuration(task.duration_seconds);
  return `${task.task_type}: ${OUTCOMES[outcomeOf(task)].word}, ${took}, since ${formatClock(Date.parse(task.started_at))}`;
}
