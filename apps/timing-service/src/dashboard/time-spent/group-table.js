/** The groups of a range, each with its time as a bar: what was busy is solid, what ran beside it is pale. */

import { formatCount, formatShare } from '../shared/format.js';
import { plainTable } from '../shared/plain-table.js';
import { html, nothing } from '../shared/template.js';
import { SPENT_BY } from '../state/view-state.js';
import { hoursText } from './hours-text.js';

/** Groups with a colour of their own. */
const COLOURS = 8;

/** What the groups are called. @type {Readonly<Record<import('../state/view-state.js').SpentBy, string>>} */
const HEADINGS = { ...SPENT_BY, task_type: 'Task type' };

/** @param {import('./sums.js').Group[]} groups those that are shown @param {{ by: import('../state/view-state.js').SpentBy, totalSeconds: number, mostSeconds: number }} of */
export const groupTable = (groups, { by, totalSeconds, mostSeconds }) =>
  plainTable({
    caption: `Where the time went, by ${HEADINGS[by].toLowerCase()}`,
    columns: [HEADINGS[by], 'Sum', 'Share', 'Busy', 'Tasks'],
    rows: groups.map((group, at) => [
      nameCell(group, { number: Math.min(at, COLOURS), mostSeconds }),
      hoursText(group.spentSeconds),
      formatShare(totalSeconds === 0 ? 0 : group.spentSeconds / totalSeconds),
      hoursText(group.busySeconds),
      formatCount(group.tasks),
    ]),
  });

/** @param {import('./sums.js').Group} group @param {{ number: number, mostSeconds: number }} how */
function nameCell({ name, spentSeconds, busySeconds, oddSeconds }, { number, mostSeconds }) {
  const percent = (/** @type {number} */ seconds) => `${((100 * seconds) / Math.max(mostSeconds, 1e-9)).toFixed(2)}%`;
  return html`
    <div class="spent-group">
      <span class="spent-name" title=${name}><span class=${`swatch series-${number}`}></span><bdi>${name}</bdi>${oddSeconds > 0 ? html`<span class="spent-odd" title="Far longer than the others of its type: its start may have been forgotten, or its end told late">One task: ${hoursText(oddSeconds)}</span>` : nothing}</span>
      <svg class="spent-bar" aria-hidden="true">
        <rect class=${`series-${number} spent-sum`} width=${percent(spentSeconds)} height="100%" rx="2"></rect>
        <rect class=${`series-${number}`} width=${percent(busySeconds)} height="100%" rx="2"></rect>
      </svg>
    </div>
  `;
}
