import { DAY_MS } from '@agent-faculties/service-kit';
import { toMicroseconds } from '../../domain/instant.ts';
import type { TaskTime, TimesFilter } from '../../domain/task.ts';
import { type TimeRow, timeOf } from '../tables/rows.ts';
import { Conditions } from './newest-first.ts';
import type { SpaceDatabase } from './space-database.ts';

/** Rows read at once: taking them out of the answer takes about 10 ms. */
const STEP_ROWS = 4_000;

const COLUMNS = `agent_id AS "agentId", project, task_type AS "taskType", state, outcome, started_us::float8 AS "startedUs",
  duration_us::float8 AS "durationUs", sequence::float8 AS sequence`;

/** `times` of the TaskStore. The database looks through what began earlier; periods that ended before are left out. */
export async function* taskTimes(space: SpaceDatabase, filter: TimesFilter): AsyncGenerator<TaskTime[]> {
  const { agentId, project, taskType, sinceMs, untilMs } = filter;
  const where = new Conditions()
    .equal('task_type', taskType)
    .equal('agent_id', agentId ?? undefined)
    .seenIn(project)
    .between('started_us', undefined, untilMs);
  const sinceUs = where.value(toMicroseconds(sinceMs));
  where.and(
    `(started_us >= ${sinceUs}::bigint OR state = 'active' OR started_us + coalesce(duration_us, 0) > ${sinceUs}::bigint)`,
  );
  // A clock that was set back may have put an end before its start, by less than a day.
  where.and(`(kept_us = 0 OR kept_us > ${where.value(toMicroseconds(sinceMs - DAY_MS))}::bigint)`);
  const [startedUs, sequence] = [`$${where.values.length + 2}`, `$${where.values.length + 3}`];
  let after = { startedUs: Number.MIN_SAFE_INTEGER, sequence: 0 };
  for (;;) {
    const rows = await space.rows<TimeRow>(
      `SELECT ${COLUMNS} FROM timing.task WHERE space = $1${where.text} AND (started_us, task.sequence) > (${startedUs}::bigint, ${sequence}::bigint)
       ORDER BY started_us, task.sequence LIMIT ${STEP_ROWS}`,
      [...where.values, after.startedUs, after.sequence],
    );
    yield rows.map(timeOf);
    const last = rows.at(-1);
    if (!last || rows.length < STEP_ROWS) return;
    after = last;
  }
}
