/** Where the time of the chosen range went: by agent, type, project or outcome, and day by day where the range has days. */

import { factList } from '../shared/fact-list.js';
import { formatCount } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render } from '../shared/template.js';
import { SPENT_BY } from '../state/view-state.js';
import { dayColumns, daysOf, dayTable } from './columns.js';
import { groupTable } from './group-table.js';
import { hoursText } from './hours-text.js';
import { groupsOf } from './sums.js';

const SHOWN_AT_FIRST = 6;

/** @typedef {import('../reading/time-spent-reader.js').KnownTime} KnownTime */
/** @typedef {import('../reading/time-spent-reader.js').TimeSpent} TimeSpent */
/** @typedef {import('../state/view-state.js').SpentBy} SpentBy */

export class TimeSpentCard {
  #section;
  #actions;
  #isWhole = false;
  /** @type {number | null} the day that is told about */ #cursor = null;
  /** @type {(() => void) | undefined} draws what was drawn last */ #again;

  /** @param {HTMLElement} section @param {{ onBy: (by: SpentBy) => void, onDay: (startMs: number) => void }} actions `onDay`: a day is to be looked at */
  constructor(section, actions) {
    this.#section = section;
    this.#actions = actions;
  }

  /** @param {KnownTime} known @param {import('../state/view-state.js').ViewState} view */
  render(known, view) {
    this.#again = () => this.render(known, view);
    const { seen } = known;
    render(
      html`
        <div class="card-head">
          <h2 id="time-spent-heading" tabindex="-1">Where the time went</h2>
          <p class="card-note num">${noteOf(known)}</p>
          ${this.#choice(view.spentBy)}
        </div>
        ${seen === null ? nothing : seen.total.tasks === 0 ? empty() : this.#content(seen)}
      `,
      this.#section,
    );
  }

  /** @param {SpentBy} chosen */
  #choice(chosen) {
    return html`
      <div class="segmented" role="group" aria-label="Time by">
        ${Object.entries(SPENT_BY).map(
          ([by, label]) =>
            html`<button type="button" data-by=${by} aria-pressed=${by === chosen} @click=${() => this.#actions.onBy(/** @type {SpentBy} */ (by))}>${label}</button>`,
        )}
      </div>
    `;
  }

  /** @param {TimeSpent} spent */
  #content(spent) {
    return html`
      ${factList(figuresOf(spent.total), { className: 'figures' })}
      <div class="time-spent" data-by=${spent.by} data-days=${spent.days === null ? 'no' : 'yes'}>
        ${spent.days === null ? nothing : this.#columns({ ...spent, days: spent.days })}
        <div class="spent-groups">${this.#groups(spent)}</div>
      </div>
      ${explanation(spent)}
    `;
  }

  /** @param {TimeSpent & { days: import('../reading/time-spent-reader.js').Days }} spent */
  #columns(spent) {
    const days = daysOf(spent);
    const onCursor = (/** @type {number | null} */ column) => {
      this.#cursor = column;
      this.#again?.();
    };
    const onOpen = (/** @type {number} */ column) => this.#actions.onDay(days[column] ?? spent.fromMs);
    const cursor = this.#cursor !== null && this.#cursor < days.length ? this.#cursor : null;
    return html`<div class="spent-days">${dayColumns(spent, { cursor, onCursor, onOpen })} ${dayTable(spent.days)}</div>`;
  }

  /** @param {TimeSpent} spent */
  #groups({ groups, by, total }) {
    const all = groupsOf(groups, by);
    const shown = this.#isWhole ? all : all.slice(0, SHOWN_AT_FIRST);
    const onToggle = () => {
      this.#isWhole = !this.#isWhole;
      this.#again?.();
    };
    const mostSeconds = Math.max(0, ...all.map(({ spentSeconds }) => spentSeconds));
    return html`
      ${groupTable(shown, { by, totalSeconds: total.spent_seconds, mostSeconds })}
      ${showMore({ count: all.length, first: SHOWN_AT_FIRST, isWhole: this.#isWhole, onToggle })}
    `;
  }
}

/** @param {KnownTime} known */
function noteOf({ seen, isBehind, problem }) {
  if (isBehind || seen === null) return problem === '' ? 'Reading …' : problem;
  return `${formatMoment(seen.fromMs)} to ${formatMoment(seen.toMs)}`;
}

/** @param {TimeSpent} spent */
const explanation = ({ days }) => html`
  <p class="card-foot">
    The sum adds up what tasks took: those that run side by side, and a tool call within an exchange, count each. Busy counts each moment once:
    the solid part of a bar${days === null ? '' : ', the line across a day'}.${days === null ? '' : ' Click a day to see its tasks in the timeline.'}
  </p>
`;

const empty = () =>
  html`<p class="empty">No task ran in this time. Choose a longer range in the timeline to see where the time went.</p>`;

/** @param {import('../reading/time-spent-reader.js').Times} total @returns {[string, string][]} */
function figuresOf(total) {
  return [
    ['Sum', hoursText(total.spent_seconds)],
    ['Busy', hoursText(total.busy_seconds)],
    ['Tasks', formatCount(total.tasks)],
    ['Still running', hoursText(total.running_seconds)],
    ['Timed out or cancelled', hoursText(total.cut_off_seconds)],
  ];
}
