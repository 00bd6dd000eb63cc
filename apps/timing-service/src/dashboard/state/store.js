/** What the page knows. Changes come from answers of the API and from the stream; each may come twice. Pure. */

/** @typedef {{ id: string, agent_id: string, project?: string, event_type: string, task_type: string | null, timestamp: string, metadata: unknown, correlation_id: string | null }} TimingEvent */
/** @typedef {{ correlation_id: string, agent_id: string, project?: string, task_type: string, state: 'active' | 'ended' | 'abandoned', outcome: string | null, started_at: string, ended_at: string | null, abandoned_at?: string, duration_seconds: number | null, elapsed_seconds: number, estimated_seconds: number | null, metadata: unknown }} Task */
/** @typedef {{ name: string, agent_id: string, project?: string, started_at: string, stopped_at: string | null, elapsed_seconds: number, is_running: boolean }} Stopwatch */
/** What the list of events shows; empty means any. @typedef {{ event_type: string, task_type: string }} EventFilter */
/** As the API recommends a timeout; `since`: it rests on the runs since then alone. @typedef {{ recommended_seconds: number, percentile_value: number, since?: string }} Timeout */

/** Tasks that ended are needed for the timeline only; beyond this many the oldest go. More than are read at most (task-pages.js). */
const MOST_TASKS_KEPT = 25_000;

export function createStore() {
  return {
    loaded: false,
    /** @type {string[]} */ agents: [],
    /** @type {string[]} */ projects: [],
    /** @type {any[]} */ summaries: [],
    /** @type {{ task_type: string, outcomes: any }[]} types of which none has ended ok */ withoutOk: [],
    /** @type {string[]} */ taskTypes: [],
    /** @type {Map<string, any>} */ trends: new Map(),
    /** The recommended timeouts of types that run. @type {Map<string, Timeout>} */ timeouts: new Map(),
    /** @type {Map<string, Task>} */ tasks: new Map(),
    /** From when on all tasks are here. */ completeSinceMs: Number.POSITIVE_INFINITY,
    /** Older ones are being read. */ isReading: false,
    activeCut: false,
    /** @type {TimingEvent[]} newest first */ events: [],
    /** @type {string | null} */ eventsCursor: null,
    /** @type {Map<string, Stopwatch>} */ stopwatches: new Map(),
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */

/** @param {{ agent_id: string, project?: string }} owner @param {string} name */
export const stopwatchKey = ({ agent_id, project = '' }, name) => `${agent_id}\u0000${project}\u0000${name}`;

/** An ended task never becomes active again by a late or repeated message. @param {Store} store @param {Task} task */
function putTask(store, task) {
  const known = store.tasks.get(task.correlation_id);
  if (known && known.state !== 'active' && task.state === 'active') return;
  store.tasks.set(task.correlation_id, task);
}

/** @typedef {{ tasks: Task[], next_cursor: string | null }} TaskPage newest first */

/** From when on all tasks are known once a page is read. @param {TaskPage} page @param {number} fromMs from when on was asked */
export function completeSince({ tasks, next_cursor: cursor }, fromMs) {
  const oldest = tasks.at(-1);
  return cursor === null || oldest === undefined ? fromMs : Date.parse(oldest.started_at);
}

/** What was read of older tasks stays, where nothing lies between. @param {Store} store @param {{ active: TaskPage, recent: TaskPage, fromMs: number }} answers `recent`: those since `fromMs` */
export function replaceTasks(store, { active, recent, fromMs }) {
  const sinceMs = completeSince(recent, fromMs);
  let newestMs = 0;
  for (const task of store.tasks.values()) newestMs = Math.max(newestMs, Date.parse(task.started_at));
  const joins = store.completeSinceMs < sinceMs && newestMs >= sinceMs;
  const older = [...store.tasks].filter(
    ([, task]) => joins && task.state !== 'active' && Date.parse(task.started_at) < sinceMs,
  );
  store.tasks = new Map(older);
  for (const task of [...recent.tasks].reverse()) putTask(store, task);
  for (const task of [...active.tasks].reverse()) putTask(store, task);
  store.activeCut = active.next_cursor !== null;
  if (!joins) store.completeSinceMs = sinceMs;
}

/** @param {Store} store @param {{ tasks: Task[], completeSinceMs: number }} page of tasks that are older than all that are here */
export function addOlderTasks(store, { tasks, completeSinceMs }) {
  const known = store.tasks;
  // The oldest first, as they go when there are too many.
  store.tasks = new Map();
  for (const task of [...tasks].reverse()) putTask(store, task);
  for (const task of known.values()) putTask(store, task);
  store.completeSinceMs = completeSinceMs;
}

/** @param {Store} store */
function dropOldTasks(store) {
  if (store.tasks.size <= MOST_TASKS_KEPT) return;
  for (const [id, task] of store.tasks) {
    if (task.state !== 'active') {
      store.tasks.delete(id);
      store.completeSinceMs = Math.max(store.completeSinceMs, Date.parse(task.started_at));
    }
    if (store.tasks.size <= MOST_TASKS_KEPT * 0.9) return;
  }
}

/** @param {string[]} names @param {string | null} name @returns {string[]} the same list, or a longer sorted one */
function withName(names, name) {
  return name === null || names.includes(name) ? names : [...names, name].sort();
}

/** @param {Store} store @param {Stopwatch[]} stopwatches */
export function replaceStopwatches(store, stopwatches) {
  store.stopwatches = new Map(stopwatches.map((watch) => [stopwatchKey(watch, watch.name), watch]));
}

/** @param {TimingEvent} event @param {EventFilter} filter */
function matchesFilter(event, filter) {
  return (
    (filter.event_type === '' || event.event_type === filter.event_type) &&
    (filter.task_type === '' || event.task_type === filter.task_type)
  );
}

/**
 * Takes one message of the stream in.
 * @param {Store} store @param {string} kind @param {any} data
 * @param {EventFilter} eventFilter
 * @returns {string[]} task types whose statistics have changed
 */
export function applyMessage(store, kind, data, eventFilter) {
  if (kind === 'stopwatch') {
    if (data.stopwatch) {
      store.stopwatches.set(stopwatchKey(data.stopwatch, data.stopwatch.name), data.stopwatch);
      store.agents = withName(store.agents, data.stopwatch.agent_id);
    } else store.stopwatches.delete(stopwatchKey(data, data.deleted));
    return [];
  }
  if (kind === 'tasks') {
    for (const task of data.abandoned) putTask(store, task);
    return data.abandoned.map((/** @type {Task} */ task) => task.task_type);
  }
  const { event, task } = data;
  store.agents = withName(store.agents, event.agent_id);
  store.taskTypes = withName(store.taskTypes, event.task_type);
  if (event.task_type !== null) store.projects = withName(store.projects, event.project ?? null);
  if (matchesFilter(event, eventFilter) && !store.events.some((known) => known.id === event.id)) {
    const olderAt = store.events.findIndex((known) => known.id < event.id);
    store.events.splice(olderAt === -1 ? store.events.length : olderAt, 0, event);
  }
  if (!task) return [];
  putTask(store, task);
  dropOldTasks(store);
  return task.state === 'active' ? [] : [task.task_type];
}
