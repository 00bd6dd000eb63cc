import { and, count, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { toMicroseconds } from '../../domain/instant.ts';
import type { Outcome } from '../../domain/task.ts';
import type { Whose } from '../../domain/whose.ts';
import { tasks } from '../tables/schema.ts';
import { type Db, guarded } from './faults.ts';
import { seenInPlaceholder } from './seen-in.ts';

/**
 * Rows read in one turn of the event loop, so that loading a million does not block requests. Measured with 300,000 tasks: with 4,000
 * the longest turn took 12 ms, with 10,000 rows 33 ms, and the whole load no longer.
 */
const LOAD_ROWS = 4_000;

/** The same where each row is looked up in the table, which takes four times as long. */
export const LOOKED_UP_ROWS = 1_000;

/** Which tasks. */
export interface SampleQuery extends Whose {
  readonly taskType: string;
  /** Only tasks that started at or after this instant. */
  readonly sinceMs: number | null;
}

/** A place in the order of (duration, end sequence). */
export type EndedPosition = readonly [durationUs: number, endSequence: number];

export interface EndedPage {
  readonly durationsUs: readonly number[];
  /** Where the next page starts; null at the end. */
  readonly next: EndedPosition | null;
}

export type StartedRow = Pick<
  typeof tasks.$inferSelect,
  'agentId' | 'taskType' | 'state' | 'outcome' | 'durationUs' | 'endSequence' | 'startedUs' | 'sequence' | 'project'
>;

/** The statements that fill samples, prepared once: a dashboard may ask for a thousand task types at a time. */
export function sampleReader(db: Db) {
  const prepared = [true, false].map((inProject) => {
    const ofOne = prepare(db, { ofAgent: eq(tasks.agentId, sql.placeholder('agentId')), inProject });
    return { ofOne, ofAll: prepare(db, { ofAgent: undefined, inProject }) };
  }) as [StatementsByAgent, StatementsByAgent];
  const statements = ({ agentId, project }: Whose) => {
    const { ofOne, ofAll } = prepared[project === null ? 1 : 0];
    return agentId === null ? ofAll : ofOne;
  };
  const values = ({ agentId, project, taskType, sinceMs }: SampleQuery) => ({
    agentId,
    project,
    taskType,
    sinceUs: sinceMs === null ? null : toMicroseconds(sinceMs),
  });
  const { placeholder } = sql;
  const startedBefore = db
    .select({ sequence: tasks.sequence })
    .from(tasks)
    .where(and(eq(tasks.taskType, placeholder('taskType')), lt(tasks.startedUs, placeholder('sinceUs'))))
    .limit(1)
    .prepare();
  return {
    /** Tasks of all projects that ended with this outcome, by duration, up to an end sequence, after the page before. */
    ended(query: SampleQuery, page: { outcome: Outcome; upTo: number; after: EndedPosition | null }): EndedPage {
      const { outcome, upTo, after } = page;
      const [afterDurationUs, afterEndSequence] = after ?? [-1, -1];
      const parameters = { ...values(query), outcome, upTo, afterDurationUs, afterEndSequence };
      const { ended } = statements(query);
      return guarded(db, () => {
        const durationsUs = ended.durations.all(parameters) as number[];
        if (durationsUs.length < LOAD_ROWS) return { durationsUs, next: null };
        const next: EndedPosition = [durationsUs.at(-1) as number, ended.lastEndSequence.get(parameters) as number];
        return { durationsUs, next };
      });
    },
    /** Whether a task of this type, of any agent, started before `sinceMs`. */
    hasStartedBefore({ taskType, sinceMs }: SampleQuery): boolean {
      const sinceUs = sinceMs === null ? null : toMicroseconds(sinceMs);
      return guarded(db, () => startedBefore.get({ taskType, sinceUs })) !== undefined;
    },
    /** Tasks since `sinceMs`, by start, after the last row of the page before: of all types where one agent is asked for. */
    startedSince(query: SampleQuery, after: StartedRow | null): StartedRow[] {
      const { startedUs, sequence } = after ?? { startedUs: values(query).sinceUs, sequence: -1 };
      return guarded(db, () => statements(query).started.all({ ...values(query), startedUs, sequence }));
    },
    /** The same of all agents and of one type, from the first on. The order of time is that of the rows on the disk. */
    startedOfType(query: SampleQuery, after: StartedRow | null): StartedRow[] {
      const ofType = { ...query, agentId: null };
      const { startedUs, sequence } = after ?? { startedUs: 0, sequence: -1 };
      return guarded(db, () => statements(ofType).started.all({ ...values(ofType), startedUs, sequence }));
    },
    /** Tasks that ended after an end sequence. */
    endedAfter(query: SampleQuery, upTo: number): { outcome: Outcome; durationUs: number }[] {
      const rows = guarded(db, () => statements(query).endedAfter.all({ ...values(query), upTo }));
      return rows as { outcome: Outcome; durationUs: number }[];
    },
    /** Starts of running tasks, epoch milliseconds, ascending. */
    activeStartsMs(query: SampleQuery): number[] {
      const rows = guarded(db, () => statements(query).activeStarts.values(values(query))) as unknown as [number][];
      return rows.map(([startedUs]) => startedUs / 1000);
    },
    abandonedCount(query: SampleQuery): number {
      return guarded(db, () => statements(query).abandoned.get(values(query)))?.count ?? 0;
    },
  };
}

interface StatementsByAgent {
  readonly ofOne: ReturnType<typeof prepare>;
  readonly ofAll: ReturnType<typeof prepare>;
}

/** Without a project, all columns of open tasks lie in an index, as those of `ended` do. */
function prepare(db: Db, { ofAgent, inProject }: { ofAgent: SQL | undefined; inProject: boolean }) {
  const { placeholder } = sql;
  const seen = inProject ? seenInPlaceholder(tasks.project) : undefined;
  const ofType = eq(tasks.taskType, placeholder('taskType'));
  const since = or(isNull(sql`${placeholder('sinceUs')}`), sql`${tasks.startedUs} >= ${placeholder('sinceUs')}`);
  const ended = (column: string, limit: string) =>
    db.$client
      .prepare(
        `SELECT ${column} FROM tasks WHERE state = 'ended' AND task_type = @taskType AND outcome = @outcome
          ${ofAgent ? 'AND agent_id = @agentId' : ''} AND +end_sequence <= @upTo
          AND (duration_us, end_sequence) > (@afterDurationUs, @afterEndSequence)
        ORDER BY duration_us, end_sequence LIMIT ${limit}`,
      )
      .pluck();
  const open = (state: SQL) => and(sql`state <> 'ended'`, state, ofType, ofAgent, since, seen);
  return {
    // Ascending out of a covering index: nothing is sorted. The unary plus keeps the planner from the index on end_sequence. A column
    // at a time: a list for each row takes three times as long as its numbers.
    ended: {
      durations: ended('duration_us', `${LOAD_ROWS}`),
      lastEndSequence: ended('end_sequence', `1 OFFSET ${LOAD_ROWS - 1}`),
    },
    // By the index of the agent or of the type, and without a condition that could be rare: a page is a page of rows.
    started: db
      .select({
        agentId: tasks.agentId,
        taskType: tasks.taskType,
        state: tasks.state,
        outcome: tasks.outcome,
        durationUs: tasks.durationUs,
        endSequence: tasks.endSequence,
        startedUs: tasks.startedUs,
        sequence: tasks.sequence,
        project: tasks.project,
      })
      .from(tasks)
      .where(
        and(
          ofAgent ?? ofType,
          sql`(${tasks.startedUs}, ${tasks.sequence}) > (${placeholder('startedUs')}, ${placeholder('sequence')})`,
        ),
      )
      .orderBy(tasks.startedUs, tasks.sequence)
      .limit(LOOKED_UP_ROWS)
      .prepare(),
    endedAfter: db
      .select({ outcome: tasks.outcome, durationUs: tasks.durationUs })
      .from(tasks)
      .where(
        and(
          sql`${tasks.endSequence} > ${placeholder('upTo')}`,
          sql`+${tasks.taskType} = ${placeholder('taskType')}`,
          ofAgent && sql`+${tasks.agentId} = ${placeholder('agentId')}`,
          since,
          seen,
        ),
      )
      .prepare(),
    activeStarts: db
      .select({ startedUs: tasks.startedUs })
      .from(tasks)
      .where(open(sql`state = 'active'`))
      .orderBy(tasks.startedUs)
      .prepare(),
    abandoned: db.select({ count: count() }).from(tasks).where(open(sql`state = 'abandoned'`)).prepare(),
  };
}
