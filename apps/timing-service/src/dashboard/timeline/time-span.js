/** Chooses the span of the timeline: how long it is, and where it ends. */

import { startOfDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { html, live, nothing } from '../shared/template.js';
import { RANGES, spanOf, WEEK } from '../state/view-state.js';

/** As a field of date and time takes it, in the reader's time zone. @param {number} epochMs */
function fieldValue(epochMs) {
  const zoneOffsetMs = new Date(epochMs).getTimezoneOffset() * 60_000;
  return new Date(epochMs - zoneOffsetMs).toISOString().slice(0, 16);
}

/**
 * @param {import('../state/view-state.js').ViewState} view
 * @param {(span: { range?: string, until?: string | null }) => void} onSpan
 */
export function timeSpan(view, onSpan) {
  const { fromMs, toMs } = spanOf(view, nowMs());
  /** An end that has not come yet means now. @param {number} untilMs */
  const end = (untilMs) => onSpan({ until: untilMs < nowMs() ? new Date(untilMs).toISOString() : null });
  const isWeek = view.range === WEEK;
  // A week in which the clocks change has an hour more or less.
  const laterMs = isWeek ? startOfDay(fromMs, 14) : toMs + (toMs - fromMs);
  return html`
    <div class="time-span">
      <div class="segmented" role="group" aria-label="Time range">
        ${Object.entries(RANGES).map(
          ([range, { label }]) =>
            html`<button type="button" data-range=${range} aria-pressed=${range === view.range} title=${range === WEEK ? 'From Monday on' : nothing} @click=${() => onSpan({ range })}>${label}</button>`,
        )}
      </div>
      <div class="segmented" role="group" aria-label="Move in time">
        <button type="button" data-move="earlier" @click=${() => end(fromMs)}>Earlier</button>
        <button type="button" data-move="later" aria-disabled=${view.until === null} @click=${() => end(laterMs)}>Later</button>
        <button type="button" data-move="now" aria-pressed=${view.until === null} @click=${() => onSpan({ until: null })}>Now</button>
      </div>
      <label class="field field-inline" for="timeline-until"><span>Until</span>
        <input id="timeline-until" type="datetime-local" max=${fieldValue(nowMs())} .value=${live(view.until === null ? '' : fieldValue(toMs))} @change=${(
          /** @type {Event} */ event,
        ) => {
          const { value } = /** @type {HTMLInputElement} */ (event.currentTarget);
          if (value === '') onSpan({ until: null });
          else end(Date.parse(value));
        }}>
      </label>
    </div>
  `;
}
