import { setImmediate as nextTurn } from 'node:timers/promises';
import { toMicroseconds } from '../../domain/instant.ts';
import { OUTCOMES, type TaskTime, type TimesFilter } from '../../domain/task.ts';
import { isSeenIn } from '../../domain/whose.ts';
import { projectOf, SESSION_METADATA_BYTES, type TimeRow, timeOf } from '../tables/rows.ts';
import { type Db, guarded } from './faults.ts';

/** Rows read in one turn of the event loop: 5 ms of work (measured), with what is added up of them. */
const STEP_ROWS = 1_000;
/** Task types whose longest run is looked up in one turn: one look in an index for each outcome. */
const STEP_TYPES = 500;

const COLUMNS = `agent_id AS agentId, project, task_type AS taskType, state, outcome, started_us AS startedUs,
  duration_us AS durationUs, sequence`;
const METADATA = `, CASE WHEN length(metadata) <= ${SESSION_METADATA_BYTES} THEN metadata END AS metadata`;

/**
 * `times` of the TaskStore. What has ended and reaches into the time began no earlier than the longest run there is before it: rows are
 * read from there on, in the order of starts, which is that of an index. What still runs may have begun at any time, and has an index.
 */
export async function* taskTimes(db: Db, filter: TimesFilter): AsyncGenerator<TaskTime[]> {
  const sinceUs = toMicroseconds(filter.sinceMs);
  const untilUs = toMicroseconds(filter.untilMs);
  const fromUs = sinceUs - (await longestUs(db, filter.taskType));
  const isSought = (row: TimeRow) =>
    (filter.agentId === null || row.agentId === filter.agentId) &&
    (filter.taskType === undefined || row.taskType === filter.taskType) &&
    isSeenIn(filter.project, { project: projectOf(row) }) &&
    (row.startedUs >= sinceUs || row.state === 'active' || row.startedUs + (row.durationUs ?? 0) > sinceUs);
  const open = { where: "state <> 'ended' AND state = 'active'", value: null };
  const ranges = [
    { ...open, fromUs: Number.MIN_SAFE_INTEGER, untilUs: Math.min(fromUs, untilUs) },
    { ...indexedBy(filter), fromUs, untilUs },
  ];
  const columns = filter.withSession ? COLUMNS + METADATA : COLUMNS;
  for (const range of ranges) {
    for await (const rows of byStart(db, { columns, ...range })) {
      yield rows.filter(isSought).map(timeOf);
    }
  }
}

/** The one condition that an index (condition, start) serves. What else there is could be rare, and a step is a step of rows. */
function indexedBy({ agentId, taskType }: TimesFilter): { where: string; value: string | null } {
  if (taskType !== undefined) return { where: 'task_type = @value', value: taskType };
  return agentId === null ? { where: 'true', value: null } : { where: 'agent_id = @value', value: agentId };
}

async function* byStart(
  db: Db,
  {
    columns,
    where,
    value,
    fromUs,
    untilUs,
  }: { columns: string; where: string; value: string | null; fromUs: number; untilUs: number },
): AsyncGenerator<TimeRow[]> {
  const statement = db.$client.prepare<unknown[], TimeRow>(
    `SELECT ${columns} FROM tasks
     WHERE ${where} AND (started_us, sequence) > (@startedUs, @sequence) AND started_us < @untilUs
     ORDER BY started_us, sequence LIMIT ${STEP_ROWS}`,
  );
  let after = { startedUs: fromUs, sequence: -1 };
  for (;;) {
    const { startedUs, sequence } = after;
    const named = value === null ? {} : { value };
    const rows = guarded(db, () => statement.all({ ...named, startedUs, sequence, untilUs }));
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < STEP_ROWS) return;
    after = last;
    await nextTurn();
  }
}

/** The longest that a task has taken, or one of a type; 0 where none has ended. */
async function longestUs(db: Db, ofType: string | undefined): Promise<number> {
  const types = db.$client.prepare('SELECT DISTINCT task_type FROM task_types').pluck();
  const longest = db.$client
    .prepare(
      `SELECT duration_us FROM tasks WHERE state = 'ended' AND task_type = @taskType AND outcome = @outcome
       ORDER BY duration_us DESC LIMIT 1`,
    )
    .pluck();
  const named = ofType === undefined ? guarded(db, () => types.all() as string[]) : [ofType];
  let most = 0;
  for (const [index, taskType] of named.entries()) {
    if (index % STEP_TYPES === STEP_TYPES - 1) await nextTurn();
    for (const outcome of OUTCOMES) {
      const durationUs = guarded(db, () => longest.get({ taskType, outcome })) as number | undefined;
      most = Math.max(most, durationUs ?? 0);
    }
  }
  return most;
}
