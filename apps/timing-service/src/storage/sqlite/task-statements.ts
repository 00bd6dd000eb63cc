import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { TASK_START } from '../../domain/event.ts';
import { MOST_CANDIDATES } from '../../domain/task.ts';
import type { TaskRow } from '../tables/rows.ts';
import { events, tasks } from '../tables/schema.ts';
import { columnsByField, driverStatement, named, namedAll } from './driver-statement.ts';
import { eventWriter } from './event-writer.ts';
import type { Db } from './faults.ts';
import { seenInPlaceholder } from './seen-in.ts';

/** The statements by which a start and an end are written, prepared once. */
export function taskStatements(db: Db) {
  const { placeholder } = sql;
  return {
    writer: eventWriter(db),
    byId: driverStatement<TaskRow>(
      db,
      db
        .select(columnsByField(tasks))
        .from(tasks)
        .where(eq(tasks.correlationId, named('correlationId'))),
    ),
    openOfType: db
      .select()
      .from(tasks)
      .where(
        and(
          openState('active'),
          eq(tasks.taskType, placeholder('taskType')),
          eq(tasks.agentId, placeholder('agentId')),
          seenInPlaceholder(tasks.project),
        ),
      )
      .orderBy(asc(tasks.startedUs))
      .limit(MOST_CANDIDATES)
      .prepare(),
    insert: driverStatement(
      db,
      db
        .insert(tasks)
        .values(
          namedAll(
            'correlationId',
            'agentId',
            'taskType',
            'state',
            'startedUs',
            'estimatedSeconds',
            'metadata',
            'project',
          ),
        ),
    ),
    end: driverStatement(
      db,
      db
        .update(tasks)
        .set(namedAll('state', 'outcome', 'endedUs', 'durationUs', 'endEventId', 'endSequence'))
        .where(and(eq(tasks.correlationId, named('correlationId')), sql`${tasks.state} <> 'ended'`)),
    ),
    eventById: db
      .select()
      .from(events)
      .where(eq(events.id, placeholder('id')))
      .prepare(),
    startEvent: db
      .select()
      .from(events)
      // Written out, because a partial index serves only a condition that names the same literal.
      .where(and(eq(events.correlationId, placeholder('correlationId')), sql.raw(`event_type = '${TASK_START}'`)))
      .orderBy(asc(events.sequence))
      .limit(1)
      .prepare(),
  };
}

/** Written out, because a partial index serves only a condition that names the same literal. */
export function openState(state: 'active' | 'abandoned'): SQL {
  return state === 'active'
    ? sql`state <> 'ended' AND state = 'active'`
    : sql`state <> 'ended' AND state = 'abandoned'`;
}
