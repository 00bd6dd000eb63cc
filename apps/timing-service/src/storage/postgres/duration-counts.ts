import type { Logger } from '@agent-faculties/service-kit';
import { toMicroseconds } from '../../domain/instant.ts';
import { BUCKETS, boundsOf } from '../../domain/statistics/bucketed-numbers.ts';
import type { DurationQuestion } from '../../domain/statistics/duration-history.ts';
import type { Whose } from '../../domain/whose.ts';
import type { BackgroundIndex } from './background-index.ts';
import { BucketedSample, type CountedBucket, type StoredCounts } from './bucketed-sample.ts';
import { Conditions } from './newest-first.ts';
import type { SpaceDatabase, SpaceTransaction } from './space-database.ts';

/** Durations that a replica takes in before it stores the counts anew: reading so many on takes a tenth of a second. */
const STORE_AFTER = 50_000;

/** The least microseconds of each bucket, for `width_bucket`. */
const BOUNDS = `{${Array.from({ length: BUCKETS }, (_, bucket) => boundsOf(bucket).fromUs).join(',')}}`;

export interface CountedTasks extends Whose {
  readonly taskType: string;
}

/** The durations of task types of which there are too many to hold each: counted by the database, and looked up in it. */
export class DurationCounts {
  readonly #space: SpaceDatabase;
  readonly #index: BackgroundIndex;
  readonly #log: Logger;

  constructor(space: SpaceDatabase, { index, log }: { index: BackgroundIndex; log: Logger }) {
    this.#space = space;
    this.#index = index;
    this.#log = log;
  }

  async areStored(tasks: CountedTasks): Promise<boolean> {
    const text = `SELECT 1 FROM timing.duration_counts JOIN timing.space ON name = space
      WHERE space = $1 AND task_type = $2 AND agent_id = $3 AND project = $4 AND number >= dropped`;
    return (await this.#space.row(text, keyOf(tasks))) !== null;
  }

  /** From the stored counts and what has changed since, else from all tasks: seconds for each ten millions. */
  async read(tasks: CountedTasks): Promise<BucketedSample> {
    const sample = await this.#space.longReading(async (space) => {
      const [stored] = await space.rows<{ number: number; counts: StoredCounts }>(
        `SELECT number::float8 AS number, counts FROM timing.duration_counts JOIN timing.space ON name = space
         WHERE space = $1 AND task_type = $2 AND agent_id = $3 AND project = $4 AND number >= dropped`,
        keyOf(tasks),
      );
      const read = new BucketedSample((number, questions) => this.#lookUp(tasks, number, questions));
      if (stored) read.addStored(stored.counts);
      await readInto(read, space, tasks, { changedAfter: stored?.number ?? 0, sinceUs: 0 });
      return read;
    });
    await this.store(tasks, sample);
    return sample;
  }

  /** Of the tasks that started at or after an instant: nothing of them is stored, and nothing looked up. */
  async readSince(tasks: CountedTasks, sinceMs: number): Promise<BucketedSample> {
    return await this.#space.longReading(async (space) => {
      const read = new BucketedSample(async () => null);
      await readInto(read, space, tasks, { changedAfter: 0, sinceUs: toMicroseconds(sinceMs) });
      return read;
    });
  }

  /**
   * Stores the counts when that saves enough reading. Whoever knows more than is stored has the last word. A failure is logged: whoever
   * asks is answered, also by a database that is full.
   */
  async store(tasks: CountedTasks, sample: BucketedSample): Promise<void> {
    if (sample.unstored < STORE_AFTER) return;
    sample.unstored = 0;
    const text = `INSERT INTO timing.duration_counts AS here VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (space, task_type, agent_id, project)
      DO UPDATE SET number = excluded.number, counts = excluded.counts WHERE here.number < excluded.number`;
    try {
      await this.#space.rows(text, [...keyOf(tasks), sample.number, JSON.stringify(sample.stored)]);
    } catch (err) {
      this.#log.warn({ err, space: this.#space.name, ...tasks }, 'counts of durations cannot be stored now');
    }
  }

  /** Null where the index is not made yet, or tasks have been deleted since. */
  async #lookUp(
    tasks: CountedTasks,
    number: number,
    questions: readonly DurationQuestion[],
  ): Promise<readonly number[] | null> {
    if (!(await this.#index.isReady())) return null;
    const asked = questions.map(({ outcome, question }) => {
      const { fromUs, toUs } = boundsOf(question.bucket);
      if (question.kind === 'at') return { outcome, fromUs, toUs, rank: question.rank };
      return { outcome, fromUs, toUs: question.us + 1, rank: null };
    });
    const where = conditionsOf(tasks);
    const upTo = where.value(number);
    const list = (values: readonly unknown[], type: string) => `${where.value(values)}::${type}[]`;
    const durations = `FROM timing.task WHERE space = $1${where.text} AND state = 'ended' AND task.outcome = asked.outcome
      AND duration_us >= from_us AND duration_us < to_us AND end_sequence <= ${upTo}`;
    const outcomes = asked.map(({ outcome }) => outcome);
    const froms = asked.map(({ fromUs }) => fromUs);
    const tos = asked.map(({ toUs }) => toUs);
    const ranks = asked.map(({ rank }) => rank);
    const rows = await this.#space.rows<{ answer: number | null }>(
      `SELECT CASE WHEN rank IS NULL THEN (SELECT count(*) ${durations})
         ELSE (SELECT duration_us ${durations} ORDER BY duration_us OFFSET rank LIMIT 1) END::float8 AS answer
       FROM unnest(${list(outcomes, 'text')}, ${list(froms, 'bigint')}, ${list(tos, 'bigint')}, ${list(ranks, 'bigint')})
         WITH ORDINALITY asked (outcome, from_us, to_us, rank, place)
       WHERE (SELECT dropped FROM timing.space WHERE name = $1) <= ${upTo} ORDER BY place`,
      where.values,
    );
    const answers = rows.flatMap(({ answer }) => answer ?? []);
    return answers.length === questions.length ? answers : null;
  }
}

/** Tasks that have ended since a number, and those that are open, as they are at one moment. */
async function readInto(
  read: BucketedSample,
  space: SpaceTransaction,
  tasks: CountedTasks,
  { changedAfter, sinceUs }: { changedAfter: number; sinceUs: number },
): Promise<void> {
  const [head] = await space.rows<{ head: number }>('SELECT head::float8 AS head FROM timing.space WHERE name = $1');
  read.number = head?.head ?? 0;
  const where = conditionsOf(tasks);
  if (sinceUs > 0) where.and(`started_us >= ${where.value(sinceUs)}`);
  const open = await space.rows<{ state: string; startedUs: number }>(
    `SELECT state, started_us::float8 AS "startedUs" FROM timing.task
     WHERE space = $1 AND kept_us = 0 AND state <> 'ended'${where.text} ORDER BY started_us`,
    where.values,
  );
  for (const { state, startedUs } of open) {
    if (state === 'active') read.activeStartsMs.append(startedUs / 1000);
    else read.abandonedCount++;
  }
  // Nothing leaves `ended`, so what has changed since and is ended was not counted.
  if (changedAfter > 0) where.and(`changed > ${where.value(changedAfter)}`);
  const counted = await space.rows<CountedBucket>(
    `SELECT outcome, width_bucket(duration_us, ${where.value(BOUNDS)}::bigint[]) - 1 AS bucket, count(*)::float8 AS count,
       avg(duration_us)::float8 / 1e6 AS mean, var_pop(duration_us::float8) * count(*) / 1e12 AS squares
     FROM timing.task WHERE space = $1 AND state = 'ended'${where.text} GROUP BY 1, 2`,
    where.values,
  );
  for (const bucket of counted) read.addBucket(bucket);
}

function conditionsOf({ agentId, project, taskType }: CountedTasks): Conditions {
  return new Conditions()
    .equal('task_type', taskType)
    .equal('agent_id', agentId ?? undefined)
    .seenIn(project);
}

function keyOf({ agentId, project, taskType }: CountedTasks): readonly string[] {
  return [taskType, agentId ?? '', project ?? ''];
}
