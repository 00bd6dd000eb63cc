/** Who did what when: a lane per agent, a bar per task. */

import { nowMs } from './clock.js';
import { alternative, el, plainTable, setText, svg, syncChildren } from './shared/dom.js';
import { countOf, formatClock, formatDuration, formatElapsed, formatMinute } from './shared/format.js';
import { barElement, NARROWEST_BAR_PIXELS, OUTCOMES, outcomeOf, patterns, ROW_HEIGHT } from './timeline-bars.js';
import { packLane, timeTicks } from './timeline-layout.js';
import { ALL_AGENTS, RANGES } from './url-state.js';

const LANES_AT_FIRST = 10;
const PIXELS_A_TICK = 64;
const TABLE_ROWS = 50;

/** @param {HTMLElement} section @param {{ onRange: (range: string) => void, onSelectType: (type: string) => void }} actions */
export function createTimeline(section, { onRange, onSelectType }) {
  let showAll = false;
  /** @type {(() => void) | undefined} */ let again;
  const ranges = el('div', { class: 'segmented', role: 'group', 'aria-label': 'Time range' });
  for (const [id, { label }] of Object.entries(RANGES)) {
    ranges.append(el('button', { type: 'button', 'data-range': id, onclick: () => onRange(id) }, label));
  }
  const lanes = el('ul', { class: 'lanes', 'aria-label': 'Tasks of each agent' });
  const axis = el('div', { class: 'lane-axis', 'aria-hidden': 'true' });
  const empty = el('p', { class: 'empty' });
  const more = el('button', {
    type: 'button',
    class: 'button',
    onclick: () => {
      showAll = !showAll;
      again?.();
    },
  });
  const legend = el('ul', { class: 'outcome-legend', 'aria-label': 'Outcomes' });
  const note = el('p', { class: 'card-foot' });
  const table = el('div');
  for (const [outcome, { letter, word }] of Object.entries(OUTCOMES)) {
    legend.append(
      el(
        'li',
        {},
        el('i', { class: 'outcome-key', 'data-outcome': outcome, 'aria-hidden': 'true' }, letter),
        ` ${word}`,
      ),
    );
  }
  section.append(
    el('div', { class: 'card-head' }, el('h2', { id: 'timeline-heading' }, 'Timeline'), ranges),
    lanes,
    axis,
    empty,
    more,
    legend,
    note,
    table,
  );
  new ResizeObserver(() => again?.()).observe(section);

  /** @param {HTMLElement} lane @param {import('./store.js').Task[]} tasks @param {number} index @param {{ fromMs: number, toMs: number }} range */
  function drawLane(lane, tasks, index, { fromMs, toMs }) {
    const host = /** @type {HTMLElement} */ (lane.lastElementChild);
    const width = Math.max(120, host.clientWidth);
    const { bars, rows, hidden } = packLane(tasks, { fromMs, toMs, narrowest: NARROWEST_BAR_PIXELS / width });
    const height = rows * ROW_HEIGHT + 3;
    const id = `lane-${index}`;
    const failed = bars.filter(({ task }) => task.outcome === 'error' || task.outcome === 'timeout').length;
    const label = `${countOf(bars.length + hidden, 'task')}, ${bars.filter((bar) => bar.isOpen).length} running, ${failed} failed`;
    const drawing = svg(
      'svg',
      { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
      patterns(id),
    );
    drawing.append(...bars.map((bar) => barElement(bar, width, id, toMs)));
    drawing.addEventListener('click', (event) => {
      const type = /** @type {Element} */ (event.target).closest('.bar-group')?.getAttribute('data-type');
      if (type) onSelectType(type);
    });
    host.replaceChildren(drawing);
    setText(
      /** @type {Node} */ (lane.querySelector('.lane-note')),
      hidden > 0 ? `+ ${hidden} more at the same time` : countOf(bars.length, 'task'),
    );
  }

  /** @param {number} fromMs @param {number} toMs @param {number} stepMs */
  function drawAxis(fromMs, toMs, stepMs) {
    const width = Math.max(120, axis.clientWidth);
    const zoneOffsetMs = -new Date(toMs).getTimezoneOffset() * 60_000;
    const fitting = Math.max(1, Math.ceil((toMs - fromMs) / stepMs / (width / PIXELS_A_TICK)));
    axis.replaceChildren(
      ...timeTicks(fromMs, toMs, stepMs * fitting, zoneOffsetMs).map((at) => {
        const tick = el('span', {}, formatMinute(at));
        tick.style.left = `${(((at - fromMs) / (toMs - fromMs)) * 100).toFixed(2)}%`;
        return tick;
      }),
    );
  }

  /** @param {import('./store.js').Task[]} tasks newest first @param {number} atMs */
  function drawTable(tasks, atMs) {
    const details = table.querySelector('details');
    if (details && !details.open) return;
    const rows = tasks
      .slice(0, TABLE_ROWS)
      .map((task) => [
        formatClock(Date.parse(task.started_at)),
        task.agent_id,
        task.task_type,
        OUTCOMES[outcomeOf(task)].word,
        task.state === 'active'
          ? formatElapsed((atMs - Date.parse(task.started_at)) / 1000)
          : formatDuration(task.duration_seconds),
      ]);
    const content = plainTable(
      `Newest ${rows.length} tasks of the time range`,
      ['Started', 'Agent', 'Task type', 'Outcome', 'Took'],
      rows,
    );
    if (details) details.lastElementChild?.replaceWith(content);
    else table.replaceChildren(alternative('Timeline as a table', content));
    table.querySelector('details')?.addEventListener('toggle', () => again?.(), { once: true });
  }

  /** @param {import('./store.js').Store} store @param {{ agent: string, range: string }} view */
  function render(store, view) {
    again = () => render(store, view);
    const range = /** @type {{ label: string, ms: number, tickMs: number }} */ (RANGES[view.range]);
    const toMs = nowMs();
    const fromMs = toMs - range.ms;
    for (const button of ranges.children)
      button.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (button).dataset.range === view.range));
    const inside = [...store.tasks.values()].filter(
      (task) => task.ended_at === null || Date.parse(task.ended_at) >= fromMs,
    );
    /** @type {Map<string, import('./store.js').Task[]>} */ const byAgent = new Map();
    for (const agent of view.agent === ALL_AGENTS ? store.agents : [view.agent]) byAgent.set(agent, []);
    for (const task of inside) byAgent.set(task.agent_id, [...(byAgent.get(task.agent_id) ?? []), task]);
    const busy = [...byAgent].filter(([, tasks]) => tasks.length > 0);
    const shown = showAll ? busy : busy.slice(0, LANES_AT_FIRST);
    syncChildren(lanes, shown, {
      key: ([agent]) => agent,
      create: ([agent]) =>
        el(
          'li',
          { class: 'lane' },
          el(
            'div',
            { class: 'lane-label' },
            el('span', { class: 'name', title: agent }, agent),
            el('span', { class: 'lane-note' }),
          ),
          el('div', { class: 'lane-bars' }),
        ),
    });
    shown.forEach(([, tasks], index) => {
      drawLane(/** @type {HTMLElement} */ (lanes.children[index]), tasks, index, { fromMs, toMs });
    });
    axis.hidden = busy.length === 0;
    legend.hidden = busy.length === 0;
    drawAxis(fromMs, toMs, range.tickMs);
    empty.hidden = busy.length > 0 || !store.loaded;
    setText(empty, `No task in the last ${range.label}.`);
    more.hidden = busy.length <= LANES_AT_FIRST;
    setText(more, showAll ? `Show the first ${LANES_AT_FIRST} agents` : `Show all ${busy.length} agents`);
    note.hidden = !store.tasksCut;
    setText(note, 'Shows the newest 1,000 tasks of this range.');
    drawTable(
      [...inside].sort((a, b) => (a.started_at < b.started_at ? 1 : -1)),
      toMs,
    );
  }

  return { render };
}
