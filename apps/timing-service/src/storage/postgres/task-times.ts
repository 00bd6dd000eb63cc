import { DAY_MS } from '@agent-faculties/service-kit';
import { toMicroseconds } from '../../domain/instant.ts';
import type { TaskTime, TimesFilter } from '../../domain/task.ts';
import { SESSION_METADATA_BYTES, type TimeRow, timeOf } from '../tables/rows.ts';
import { Conditions } from './newest-first.ts';
import type { SpaceDatabase } from './space-database.ts';

/** Rows read at once: taking them out of the answer takes about 10 ms. */
const STEP_ROWS = 4_000;

const COLUMNS = `agent_id AS "agentId", project, task_type AS "taskType", state, outcome, started_us::float8 AS "startedUs",
  duration_us::float8 AS "durationUs", sequence::float8 AS sequence`;
const METADATA = `, CASE WHEN octet_length(metadata) <= ${SESSION_METADATA_BYTES} THEN metadata END AS metadata`;

/**
 * `times` of the TaskStore. What began earlier and reaches into the time comes first: what has ended since is found by its end, and what
 * still runs among the open tasks. Each has an index, that of the ends where there are many tasks, and so do the starts of the rest.
 */
export async function* taskTimes(space: SpaceDatabase, filter: TimesFilter): AsyncGenerator<TaskTime[]> {
  const sinceUs = toMicroseconds(filter.sinceMs);
  const reachesIn = conditions(filter);
  const since = `${reachesIn.value(sinceUs)}::bigint`;
  // The end is rounded apart from the duration, which counts.
  const ended = `ended_us >= ${since} AND started_us + duration_us > ${since}`;
  const runs = `state <> 'ended' AND state = 'active' AND kept_us = 0`;
  reachesIn.and(`started_us < ${since} AND (${ended} OR ${runs})`);
  const columns = filter.withSession ? COLUMNS + METADATA : COLUMNS;
  yield* byStart(space, { columns, where: reachesIn, fromUs: Number.MIN_SAFE_INTEGER });
  const where = conditions(filter).between('started_us', undefined, filter.untilMs);
  yield* byStart(space, { columns, where, fromUs: sinceUs });
}

/** All but when it began. Periods that ended before are left out. */
function conditions({ agentId, project, taskType, sinceMs }: TimesFilter): Conditions {
  const where = new Conditions()
    .equal('task_type', taskType)
    .equal('agent_id', agentId ?? undefined)
    .seenIn(project);
  // A clock that was set back may have put an end before its start, by less than a day.
  return where.and(`(kept_us = 0 OR kept_us > ${where.value(toMicroseconds(sinceMs - DAY_MS))}::bigint)`);
}

async function* byStart(
  space: SpaceDatabase,
  { columns, where, fromUs }: { columns: string; where: Conditions; fromUs: number },
): AsyncGenerator<TaskTime[]> {
  const [startedUs, sequence] = [`$${where.values.length + 2}`, `$${where.values.length + 3}`];
  let after = { startedUs: fromUs, sequence: -1 };
  for (;;) {
    const rows = await space.rows<TimeRow>(
      `SELECT ${columns} FROM timing.task WHERE space = $1${where.text} AND (started_us, task.sequence) > (${startedUs}::bigint, ${sequence}::bigint)
       ORDER BY started_us, task.sequence LIMIT ${STEP_ROWS}`,
      [...where.values, after.startedUs, after.sequence],
    );
    yield rows.map(timeOf);
    const last = rows.at(-1);
    if (!last || rows.length < STEP_ROWS) return;
    after = last;
  }
}
