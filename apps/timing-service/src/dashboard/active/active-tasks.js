/** Running tasks, the most urgent first, each as a bar against p50 and p95 of its type. */

import { nowMs } from '../shared/clock.js';
import { countOf } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { activeRow } from './active-row.js';
import { activeRows } from './active-rows.js';

/** About as high as the timeline beside them. */
const SHOWN_AT_FIRST = 5;

export class ActiveTasks {
  #section;
  #actions;
  #isWhole = false;

  /** @param {HTMLElement} section @param {{ onSelectType: (type: string) => void, onAll: () => void }} actions `onAll`: more than what is overdue is to be listed */
  constructor(section, actions) {
    this.#section = section;
    this.#actions = actions;
  }

  /** @param {import('../state/store.js').Store} store @param {Pick<import('../state/view-state.js').ViewState, 'onlyOverdue'>} view */
  render(store, { onlyOverdue }) {
    const all = activeRows(store, nowMs());
    const rows = onlyOverdue ? all.filter(({ level }) => level === 'overdue') : all;
    const shown = this.#isWhole ? rows : rows.slice(0, SHOWN_AT_FIRST);
    const onToggle = () => {
      this.#isWhole = !this.#isWhole;
      this.render(store, { onlyOverdue });
    };
    render(
      html`
        <div class="card-head"><h2 id="active-heading" tabindex="-1">${onlyOverdue ? 'Overdue tasks' : 'Active tasks'}</h2><p class="card-note" role="status">${summaryOf(store, all)}</p></div>
        <ol class="active-list" aria-label="Active tasks, most urgent first" ?hidden=${rows.length === 0}>
          ${repeat(
            shown,
            ({ task }) => task.correlation_id,
            (row) => activeRow(row, this.#actions.onSelectType),
          )}
        </ol>
        ${showMore({ count: rows.length, first: SHOWN_AT_FIRST, isWhole: this.#isWhole, onToggle, noun: ' tasks' })}
        ${onlyOverdue && store.loaded ? html`<button type="button" class="button" @click=${this.#actions.onAll}>Show all that run</button>` : nothing}
        ${rows.length > 0 ? legend() : store.loaded ? html`<p class="empty">${onlyOverdue ? 'Nothing is overdue.' : 'Nothing is running. A task shows here from its start to its end.'}</p>` : nothing}
      `,
      this.#section,
    );
  }
}

/** @param {import('../state/store.js').Store} store @param {import('./active-rows.js').Row[]} rows */
function summaryOf(store, rows) {
  if (!store.loaded) return 'Loading …';
  const overdue = rows.filter(({ level }) => level === 'overdue').length;
  const total = `${store.activeCut ? 'newest ' : ''}${countOf(rows.length, 'task')}`;
  return `${total} running${overdue > 0 ? `, ${overdue} overdue` : ''}`;
}

const legend = () =>
  html`<p class="card-foot">Marks on a bar: <i class="key key-p50"></i> p50, <i class="key key-p95"></i> p95 of finished runs. Overdue: past the recommended timeout, 1.2 × p95; where a type has become slower, p95 is that of the runs since.</p>`;
