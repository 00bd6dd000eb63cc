/** What one lane of the timeline draws. Positions are shares of its width. */

import { html, svg } from '../shared/template.js';
import { inLines } from './time-window.js';

/** @typedef {import('./lanes.js').Lane} Lane */

const HEIGHT = 100;
const LINE_PX = 16;
/** Sessions closer than this share of the width stand in lines of their own. */
const GAP = 0.004;
const MOST_LINES = 8;

/** Columns of counts: what holds from the bottom, what does not faded on top of it. @param {Lane} lane @param {{ number: number, top: number }} how */
export function countLane({ counts, held }, { number, top }) {
  const scale = HEIGHT / top;
  const column = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) =>
    to > from ? `M${at + 0.06} ${HEIGHT - to * scale}h0.88v${(to - from) * scale}h-0.88z` : '';
  const solid = held.map((count, at) => column(at, 0, count)).join('');
  const faded = counts.map((count, at) => column(at, held[at] ?? 0, count)).join('');
  return html`
    <svg class=${`lane-counts series-${number % 8}`} viewBox=${`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="held" d=${solid}></path>
      <path class="past" d=${faded}></path>
    </svg>
  `;
}

/**
 * Sessions as bars with their memories as points on them; points without a session stand on the first line.
 * @param {Lane} lane
 * @param {{ number: number, span: { since: number, until: number }, heldAt: number | null, page: import('../page.js').Page }} how
 */
export function pointLane({ sessions, points }, { number, span, heldAt, page }) {
  const share = (/** @type {string} */ at) => (Date.parse(at) - span.since) / (span.until - span.since);
  const bars = sessionBars(sessions, share);
  const lineOf = new Map(bars.map(({ session, line }) => [session.session_id, line]));
  const lines = 1 + Math.max(1, ...bars.map(({ line }) => line));
  return html`
    <svg class=${`lane-points series-${number % 8}`} height=${lines * LINE_PX} width="100%" role="presentation">
      ${bars.map(
        ({ from, to, line }) =>
          svg`<line class="session" x1=${percent(from)} x2=${percent(to)} y1=${middleOf(line)} y2=${middleOf(line)}></line>`,
      )}
      ${points.map(
        (point) => svg`<a href=${page.linkTo({ memory: point.id })} tabindex="-1">
          <title>${point.gist}</title>
          <circle class=${standing(point, heldAt)} cx=${percent(share(point.created_at))} cy=${middleOf(lineOf.get(point.session_id ?? '') ?? 0)} r="4.5"></circle>
        </a>`,
      )}
    </svg>
  `;
}

/** From when to when, and in which line below the first. @param {import('../reading/api.js').Answer<'getTimeline'>['sessions']} sessions @param {(at: string) => number} share */
function sessionBars(sessions, share) {
  const spans = sessions
    .map((session) => ({ session, from: share(session.first_at), to: share(session.last_at) }))
    .sort((a, b) => a.from - b.from);
  return inLines(spans, GAP).map(({ span, line }) => ({ ...span, line: 1 + (line % MOST_LINES) }));
}

/** @param {number} line */
const middleOf = (line) => line * LINE_PX + LINE_PX / 2;

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(3)}%`;

/** What it was at that moment. @param {NonNullable<import('../reading/api.js').Answer<'getTimeline'>['points']>[number]} point @param {number | null} heldAt */
function standing({ held, created_at }, heldAt) {
  if (held) return 'held';
  return heldAt !== null && Date.parse(created_at) > heldAt ? 'later' : 'past';
}
