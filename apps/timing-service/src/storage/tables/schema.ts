import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Instants are whole microseconds since 1970 (`*_us`): exact to subtract, and safe integers until the year 2255. */

/** Empty for none: to a unique index, no two nulls are the same. */
const project = () => text('project').notNull().default('');

export const events = sqliteTable(
  'events',
  {
    /** Order of writing; never used again after a deletion, so that a stream can resume from it. */
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    id: text('id').notNull(),
    agentId: text('agent_id').notNull(),
    eventType: text('event_type').notNull(),
    taskType: text('task_type'),
    timestampUs: integer('timestamp_us').notNull(),
    /** JSON */
    metadata: text('metadata'),
    correlationId: text('correlation_id'),
    project: project(),
  },
  (table) => [
    uniqueIndex('events_id').on(table.id),
    index('events_time').on(table.timestampUs),
    index('events_agent_time').on(table.agentId, table.timestampUs),
    index('events_type_time').on(table.taskType, table.timestampUs).where(sql`task_type IS NOT NULL`),
    index('events_correlation').on(table.correlationId, table.timestampUs).where(sql`correlation_id IS NOT NULL`),
    // The one start among what may be thousands of events of a whole run.
    index('events_start').on(table.correlationId).where(sql`event_type = 'task_start'`),
  ],
);

export const tasks = sqliteTable(
  'tasks',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    correlationId: text('correlation_id').notNull(),
    agentId: text('agent_id').notNull(),
    taskType: text('task_type').notNull(),
    state: text('state', { enum: ['active', 'ended', 'abandoned'] }).notNull(),
    outcome: text('outcome', { enum: ['ok', 'error', 'timeout', 'cancelled'] }),
    startedUs: integer('started_us').notNull(),
    /** Of an abandoned task: when it was given up. */
    endedUs: integer('ended_us'),
    durationUs: integer('duration_us'),
    estimatedSeconds: real('estimated_seconds'),
    /** JSON */
    metadata: text('metadata'),
    endEventId: text('end_event_id'),
    /** Order of ending. Samples are loaded "up to here" while later ends are already applied in memory. */
    endSequence: integer('end_sequence'),
    project: project(),
  },
  (table) => [
    uniqueIndex('tasks_correlation').on(table.correlationId),
    index('tasks_time').on(table.startedUs),
    index('tasks_agent_time').on(table.agentId, table.startedUs),
    index('tasks_type_time').on(table.taskType, table.startedUs),
    index('tasks_end').on(table.endSequence).where(sql`end_sequence IS NOT NULL`),
    // The next two give durations in ascending order without touching the table: a sample loads without sorting.
    index('tasks_durations')
      .on(table.taskType, table.outcome, table.durationUs, table.endSequence, table.startedUs)
      .where(sql`state = 'ended'`),
    index('tasks_agent_durations')
      .on(table.agentId, table.taskType, table.outcome, table.durationUs, table.endSequence, table.startedUs)
      .where(sql`state = 'ended'`),
    index('tasks_open').on(table.state, table.startedUs).where(sql`state <> 'ended'`),
    index('tasks_open_type')
      .on(table.taskType, table.agentId, table.state, table.startedUs)
      .where(sql`state <> 'ended'`),
    index('tasks_estimated_all').on(table.endSequence).where(sql`estimated_seconds IS NOT NULL AND outcome = 'ok'`),
    index('tasks_estimated')
      .on(table.agentId, table.endSequence)
      .where(sql`estimated_seconds IS NOT NULL AND outcome = 'ok'`),
  ],
);

export const stopwatches = sqliteTable(
  'stopwatches',
  {
    /** Order of creation; a restart keeps it. */
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    agentId: text('agent_id').notNull(),
    name: text('name').notNull(),
    startedUs: integer('started_us').notNull(),
    stoppedUs: integer('stopped_us'),
    project: project(),
  },
  (table) => [uniqueIndex('stopwatches_name').on(table.agentId, table.name, table.project)],
);

/** Who has recorded anything. Kept apart, because SELECT DISTINCT over a million events takes a second. */
export const agents = sqliteTable('agents', { agentId: text('agent_id').primaryKey() });

/** Which task types each agent has named, and in which projects. */
export const taskTypes = sqliteTable(
  'task_types',
  {
    agentId: text('agent_id').notNull(),
    taskType: text('task_type').notNull(),
    project: project(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.taskType, table.project] }),
    // From one project to the next, of all agents and of one.
    index('task_types_project').on(table.project),
    index('task_types_agent_project').on(table.agentId, table.project),
    // From one type to the next, of all agents.
    index('task_types_type').on(table.taskType, table.project),
  ],
);
