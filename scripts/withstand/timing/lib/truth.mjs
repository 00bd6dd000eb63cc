// Compares the SQLite file and the statistics of a running service with what was acknowledged.
import { requester, SqliteDatabase } from './timing-service.mjs';
import { AGENTS, TASK_TYPES } from './workload.mjs';

/** Shown durations have 3 decimals. */
const SHOWN_STEP_SECONDS = 0.001;

/** Reads the file beside the service. Every entry is a list of faults. */
export function compareFile(dbPath, ledger) {
  const db = new SqliteDatabase(dbPath, { readonly: true });
  try {
    const integrity = db.pragma('integrity_check').map((row) => row.integrity_check);
    const tasks = new Map(
      db
        .prepare('SELECT * FROM tasks')
        .all()
        .map((row) => [row.correlation_id, row]),
    );
    const events = eventsById(db);
    return {
      integrity: integrity.filter((line) => line !== 'ok'),
      lost: lost(ledger, tasks),
      halfWritten: halfWritten(tasks, events),
      unknown: unknown(ledger, tasks),
      tasks: [...tasks.values()],
    };
  } finally {
    db.close();
  }
}

function eventsById(db) {
  const events = new Map();
  const rows = db.prepare('SELECT id, event_type, correlation_id FROM events WHERE correlation_id IS NOT NULL').all();
  for (const { id, event_type: type, correlation_id: correlationId } of rows) {
    const of = events.get(correlationId) ?? { task_start: [], task_end: [] };
    of[type].push(id);
    events.set(correlationId, of);
  }
  return events;
}

/** Acknowledged starts and ends that the file does not hold as they were acknowledged. */
function lost(ledger, tasks) {
  const faults = [];
  for (const [id, { agentId, taskType }] of ledger.starts) {
    const task = tasks.get(id);
    if (!task) faults.push(`start of ${id} is gone`);
    else if (task.agent_id !== agentId || task.task_type !== taskType) faults.push(`start of ${id} has changed`);
  }
  for (const [id, end] of ledger.ends) {
    const task = tasks.get(id);
    if (task?.state !== 'ended') faults.push(`end of ${id} is gone`);
    else if (task.outcome !== end.outcome || task.end_event_id !== end.eventId) faults.push(`end of ${id} has changed`);
    else if (Math.abs(task.duration_us / 1e6 - end.durationSeconds) > SHOWN_STEP_SECONDS) {
      faults.push(`duration of ${id} is ${task.duration_us} us, acknowledged were ${end.durationSeconds} s`);
    }
  }
  return faults;
}

/** A task has one start event, an ended one also the end event that it names, an open one none; no event is without task. */
function halfWritten(tasks, events) {
  const faults = [];
  for (const [id, task] of tasks) {
    const { task_start: starts, task_end: ends } = events.get(id) ?? { task_start: [], task_end: [] };
    const wanted = task.state === 'ended' ? [task.end_event_id] : [];
    if (starts.length !== 1) faults.push(`${task.state} task ${id} has ${starts.length} start events`);
    if (ends.join() !== wanted.join()) faults.push(`${task.state} task ${id} has ${ends.length} end events`);
    if (task.state === 'ended' && (task.duration_us === null || task.end_sequence === null)) {
      faults.push(`ended task ${id} has no duration or no place in the order of ends`);
    }
  }
  for (const id of events.keys()) if (!tasks.has(id)) faults.push(`events of ${id} have no task`);
  return faults;
}

/** Tasks that nobody acknowledged: only those whose answer was cut off may be there. */
function unknown(ledger, tasks) {
  const strangers = [...tasks.keys()].filter((id) => !ledger.starts.has(id) && !ledger.unanswered.has(id));
  return strangers.length <= ledger.unansweredAnonymous
    ? []
    : strangers.map((id) => `task ${id} was never acknowledged`);
}

/** The statistics of every agent, of all agents and every type, against a count of the rows. */
export async function compareStatistics(url, tasks) {
  const client = requester(url);
  const faults = [];
  let counted = 0;
  for (const agentId of [...AGENTS, '*']) {
    for (const taskType of TASK_TYPES) {
      const rows = tasks.filter((row) => row.task_type === taskType && (agentId === '*' || row.agent_id === agentId));
      const number = (test) => rows.filter(test).length;
      const want = {
        ok: number((row) => row.outcome === 'ok'),
        error: number((row) => row.outcome === 'error'),
        timeout: number((row) => row.outcome === 'timeout'),
        cancelled: number((row) => row.outcome === 'cancelled'),
        active: number((row) => row.state === 'active'),
        abandoned: number((row) => row.state === 'abandoned'),
      };
      const query = `agent_id=${encodeURIComponent(agentId)}`;
      const { status, body } = await client.get(`/stats/durations/${encodeURIComponent(taskType)}?${query}`);
      if (status === 404 && want.ok === 0) continue;
      if (status !== 200) faults.push(`${agentId} ${taskType}: ${status}`);
      else if (body.summary.count !== want.ok || !sameCounts(body.summary.outcomes, want)) {
        faults.push(`${agentId} ${taskType}: ${JSON.stringify(body.summary.outcomes)}, rows: ${JSON.stringify(want)}`);
      }
      if (agentId === '*') counted += want.ok + want.error + want.timeout + want.cancelled;
    }
  }
  client.close();
  return { faults, counted };
}

function sameCounts(shown, want) {
  return Object.keys(want).every((kind) => shown[kind] === want[kind]);
}
