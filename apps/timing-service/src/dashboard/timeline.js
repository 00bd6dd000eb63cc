/** Who did what when: a lane per agent, a bar per task. */

import { nowMs } from './clock.js';
import { alternative } from './shared/alternative.js';
import { countOf, formatClock, formatDuration, formatElapsed, formatMinute } from './shared/format.js';
import { html, nothing, render, repeat, svg } from './shared/template.js';
import { showMore } from './show-more.js';
import { NARROWEST_BAR_PIXELS, OUTCOMES, outcomeOf, patterns, ROW_HEIGHT, taskBar } from './timeline-bars.js';
import { packLane, timeTicks } from './timeline-layout.js';
import { ALL_AGENTS, RANGES } from './url-state.js';

const LANES_AT_FIRST = 10;
const NARROWEST_LANE_PIXELS = 120;
const PIXELS_A_TICK = 64;
const TABLE_ROWS = 50;

const legend = () => html`
  <ul class="outcome-legend" aria-label="Outcomes">
    ${Object.entries(OUTCOMES).map(
      ([outcome, { letter, word }]) =>
        html`<li><i class="outcome-key" data-outcome=${outcome} aria-hidden="true">${letter}</i> ${word}</li>`,
    )}
  </ul>
`;

/** @param {{ fromMs: number, toMs: number }} span @param {{ tickMs: number, width: number }} how */
function axis({ fromMs, toMs }, { tickMs, width }) {
  const zoneOffsetMs = -new Date(toMs).getTimezoneOffset() * 60_000;
  const fitting = Math.max(1, Math.ceil((toMs - fromMs) / tickMs / (width / PIXELS_A_TICK)));
  const share = (/** @type {number} */ at) => `${(((at - fromMs) / (toMs - fromMs)) * 100).toFixed(2)}%`;
  return html`
    <svg class="lane-axis" aria-hidden="true">
      ${timeTicks(fromMs, toMs, tickMs * fitting, zoneOffsetMs).map((at) => svg`<text x=${share(at)} y="15">${formatMinute(at)}</text>`)}
    </svg>
  `;
}

/** @param {import('./store.js').Task[]} tasks @param {number} atMs */
function tableOf(tasks, atMs) {
  return alternative({
    summary: 'Timeline as a table',
    caption: `Newest ${TABLE_ROWS} tasks of the time range`,
    columns: ['Started', 'Agent', 'Task type', 'Outcome', 'Took'],
    words: [1, 2, 3],
    rows: () =>
      tasks
        .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
        .slice(0, TABLE_ROWS)
        .map((task) => [
          formatClock(Date.parse(task.started_at)),
          task.agent_id,
          task.task_type,
          OUTCOMES[outcomeOf(task)].word,
          task.state === 'active'
            ? formatElapsed((atMs - Date.parse(task.started_at)) / 1000)
            : formatDuration(task.duration_seconds),
        ]),
  });
}

/** The agents with their tasks within a span; agents without any are left out. @param {import('./store.js').Store} store @param {string} agent @param {number} fromMs */
function tasksByAgent(store, agent, fromMs) {
  /** @type {Map<string, import('./store.js').Task[]>} */
  const byAgent = new Map();
  for (const name of agent === ALL_AGENTS ? store.agents : [agent]) byAgent.set(name, []);
  for (const task of store.tasks.values()) {
    if (task.ended_at !== null && Date.parse(task.ended_at) < fromMs) continue;
    const own = byAgent.get(task.agent_id);
    if (own) own.push(task);
    else byAgent.set(task.agent_id, [task]);
  }
  return [...byAgent].filter(([, tasks]) => tasks.length > 0);
}

/** @param {HTMLElement} section @param {{ onRange: (range: string) => void, onSelectType: (type: string) => void }} actions */
export function createTimeline(section, { onRange, onSelectType }) {
  let isWhole = false;
  /** Pixels of a lane, once one was drawn. */ let width = NARROWEST_LANE_PIXELS;
  /** @type {(() => void) | undefined} */ let again;
  new ResizeObserver(() => again?.()).observe(section);

  /** @param {[agent: string, tasks: import('./store.js').Task[]]} of @param {number} index @param {{ fromMs: number, toMs: number }} span */
  function lane([agent, tasks], index, span) {
    const { bars, rows, hidden } = packLane(tasks, { ...span, narrowest: NARROWEST_BAR_PIXELS / width });
    const height = rows * ROW_HEIGHT + 3;
    const patternId = `lane-${index}`;
    const failed = bars.filter(({ task }) => task.outcome === 'error' || task.outcome === 'timeout').length;
    const label = `${countOf(bars.length + hidden, 'task')}, ${bars.filter((bar) => bar.isOpen).length} running, ${failed} failed`;
    return html`
      <li class="lane">
        <div class="lane-label">
          <span class="name" title=${agent}>${agent}</span>
          <span class="lane-note">${hidden > 0 ? `+ ${hidden} more at the same time` : countOf(bars.length, 'task')}</span>
        </div>
        <div class="lane-bars">
          <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>
            ${patterns(patternId)}
            ${repeat(
              bars,
              ({ task }) => task.correlation_id,
              (bar) => taskBar(bar, { width, patternId, atMs: span.toMs, onSelectType }),
            )}
          </svg>
        </div>
      </li>
    `;
  }

  /** @param {import('./store.js').Store} store @param {{ agent: string, range: string }} view */
  function draw(store, view) {
    again = () => draw(store, view);
    const range = /** @type {{ label: string, ms: number, tickMs: number }} */ (RANGES[view.range]);
    const toMs = nowMs();
    const span = { fromMs: toMs - range.ms, toMs };
    const busy = tasksByAgent(store, view.agent, span.fromMs);
    const toggle = () => {
      isWhole = !isWhole;
      draw(store, view);
    };
    render(
      html`
        <div class="card-head">
          <h2 id="timeline-heading">Timeline</h2>
          <div class="segmented" role="group" aria-label="Time range">
            ${Object.entries(RANGES).map(
              ([id, { label }]) =>
                html`<button type="button" data-range=${id} aria-pressed=${id === view.range} @click=${() => onRange(id)}>${label}</button>`,
            )}
          </div>
        </div>
        <ul class="lanes" aria-label="Tasks of each agent">
          ${repeat(
            isWhole ? busy : busy.slice(0, LANES_AT_FIRST),
            ([agent]) => agent,
            (of, index) => lane(of, index, span),
          )}
        </ul>
        ${
          busy.length === 0
            ? html`<p class="empty">${store.loaded ? `No task in the last ${range.label}.` : ''}</p>`
            : html`${axis(span, { tickMs: range.tickMs, width })}
              ${showMore({ count: busy.length, first: LANES_AT_FIRST, isWhole, onToggle: toggle, noun: ' agents' })}
              ${legend()}`
        }
        ${store.tasksCut ? html`<p class="card-foot">Shows the newest 1,000 tasks of this range.</p>` : nothing}
        ${tableOf(
          busy.flatMap(([, tasks]) => tasks),
          toMs,
        )}
      `,
      section,
    );
    measure();
  }

  /** Bars are laid out in pixels, which are known once there is a lane. */
  function measure() {
    const drawn = section.querySelector('.lane-bars')?.clientWidth;
    if (drawn === undefined || drawn === 0) return;
    const fitting = Math.max(NARROWEST_LANE_PIXELS, drawn);
    if (fitting === width) return;
    width = fitting;
    again?.();
  }

  return { render: draw };
}
