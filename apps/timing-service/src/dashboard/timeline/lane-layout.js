/** Where the bars of a timeline lie. Pure. */

/** More rows than this in one lane are counted, not drawn. */
const MOST_ROWS = 6;

/** @typedef {{ task: import('../state/store.js').Task, row: number, from: number, to: number, isOpen: boolean }} Bar positions are shares of the range */

/**
 * Where the bar of a task ends. An abandoned one ran until it was given up, as far as anybody knows; an earlier version did not keep when.
 * @param {import('../state/store.js').Task} task @param {number} openMs the end of one that still runs
 */
export function endMsOf({ state, started_at, ended_at, abandoned_at }, openMs) {
  return state === 'active' ? openMs : Date.parse(ended_at ?? abandoned_at ?? started_at);
}

/**
 * Puts each task of a lane into the first row that is free when it starts.
 * @param {readonly import('../state/store.js').Task[]} tasks of one agent
 * @param {{ fromMs: number, toMs: number, narrowest: number }} range `narrowest`: share of the range a bar takes at least
 * @returns {{ bars: Bar[], rows: number, hidden: number }}
 */
export function packLane(tasks, { fromMs, toMs, narrowest }) {
  const spanMs = toMs - fromMs;
  const spans = tasks
    .map((task) => ({
      task,
      startMs: Date.parse(task.started_at),
      endMs: endMsOf(task, toMs),
      isOpen: task.state === 'active',
    }))
    .filter((span) => span.endMs >= fromMs && span.startMs <= toMs)
    .sort((a, b) => a.startMs - b.startMs);
  /** @type {number[]} */ const rowEnds = [];
  /** @type {Bar[]} */ const bars = [];
  let hidden = 0;
  for (const { task, startMs, endMs, isOpen } of spans) {
    const from = Math.min(1 - narrowest, Math.max(0, (startMs - fromMs) / spanMs));
    const to = Math.min(1, Math.max(from + narrowest, (endMs - fromMs) / spanMs));
    const free = rowEnds.findIndex((end) => end <= startMs);
    const row = free === -1 ? rowEnds.length : free;
    if (row >= MOST_ROWS) {
      hidden += 1;
      continue;
    }
    // By true times: short tasks in a row may touch each other's narrowest bar, but are no sign of working in parallel.
    rowEnds[row] = endMs;
    bars.push({ task, row, from, to, isOpen });
  }
  return { bars, rows: Math.max(1, rowEnds.length), hidden };
}
