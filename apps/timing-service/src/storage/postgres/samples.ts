import { toMicroseconds } from '../../domain/instant.ts';
import type { DurationHistory } from '../../domain/statistics/duration-history.ts';
import { OUTCOMES } from '../../domain/task.ts';
import type { Whose } from '../../domain/whose.ts';
import { type NumberedTask, Sample } from '../samples/sample.ts';
import type { SampleMemory } from '../samples/sample-memory.ts';
import { BucketedSample } from './bucketed-sample.ts';
import type { DurationCounts } from './duration-counts.ts';
import { Conditions } from './newest-first.ts';
import type { SpaceDatabase } from './space-database.ts';

/** Rows read at once, so that reading many does not block other requests. */
const LOAD_ROWS = 4_000;

/** A type with more tasks is held in buckets: reading so many takes a second, and holding them 11 MiB. */
const MOST_HELD = 1_000_000;

/** What a sample needs of a task, and the number of its last change. */
interface TaskRow extends NumberedTask {
  readonly changed: number;
}

const COLUMNS = `state, outcome, started_us::float8 AS "startedUs", duration_us::float8 AS "durationUs", task.sequence::float8 AS sequence,
  abandoned_sequence::float8 AS "abandonedSequence", changed::float8 AS changed`;

interface Entry {
  readonly whose: Whose;
  readonly taskType: string;
  sample: Sample | BucketedSample;
  /** The sample holds what happened up to this number, and nothing later; -1 before it is filled. */
  number: number;
  /** Bytes of the sample at its last use. */
  bytes: number;
  /** The last of those who bring it up to date, one after the other. */
  last: Promise<unknown>;
}

/**
 * The durations of each agent, project and task type as sorted numbers in memory, filled at the first use and brought up to date before
 * each: by the tasks that have changed since, whichever replica changed them. The database stays the only truth.
 */
export class PostgresSamples implements DurationHistory {
  readonly #space: SpaceDatabase;
  readonly #memory: SampleMemory;
  readonly #counts: DurationCounts;
  readonly #mostHeld: number;
  /** In order of use, least recent first. */
  readonly #entries = new Map<string, Entry>();
  /** The key of the one that is being used; it is not dropped to make room. */
  #lastUsed = '';

  constructor(
    space: SpaceDatabase,
    { memory, counts, mostHeld = MOST_HELD }: { memory: SampleMemory; counts: DurationCounts; mostHeld?: number },
  ) {
    this.#space = space;
    this.#memory = memory;
    this.#counts = counts;
    this.#mostHeld = mostHeld;
  }

  /** How many are held in memory. */
  get held(): number {
    return this.#entries.size;
  }

  async sample(whose: Whose, taskType: string): Promise<Sample | BucketedSample> {
    const key = JSON.stringify([whose.agentId, taskType, whose.project]);
    const entry = this.#entries.get(key) ?? newEntry(whose, taskType);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    // Whoever asks now must see what was written until now, so a reading under way is not enough.
    const read = entry.last.then(() => this.#bringUpToDate(entry));
    entry.last = read.catch(() => {});
    await read;
    this.#account(key, entry);
    return entry.sample;
  }

  async sampleSince(whose: Whose, taskType: string, sinceMs: number): Promise<Sample | BucketedSample> {
    const read = await this.#readEach(whose, taskType, toMicroseconds(sinceMs));
    return read?.sample ?? (await this.#counts.readSince({ ...whose, taskType }, sinceMs));
  }

  dropOldest(): boolean {
    for (const [key, { number }] of this.#entries) {
      if (key === this.#lastUsed || number < 0) continue;
      this.#remove(key);
      return true;
    }
    return false;
  }

  dropAll(): void {
    for (const key of [...this.#entries.keys()]) this.#remove(key);
    this.#memory.forget(this);
  }

  async #bringUpToDate(entry: Entry): Promise<void> {
    for (;;) {
      const rows = entry.number < 0 ? null : await this.#changed(entry);
      if (rows === null) {
        await this.#fill(entry);
        return;
      }
      const last = rows.at(-1)?.changed ?? 0;
      // Tasks that were abandoned together have one number: they are taken in together.
      takeIn(entry, rows.length < LOAD_ROWS ? rows : rows.filter(({ changed }) => changed < last));
      if (rows.length < LOAD_ROWS) break;
    }
    const { sample, whose, taskType } = entry;
    if (sample instanceof BucketedSample) await this.#counts.store({ ...whose, taskType }, sample);
    else if (sizeOf(sample) > this.#mostHeld) await this.#fillBuckets(entry);
  }

  /**
   * The tasks that have changed since the sample was read; null where tasks were deleted since, or the sample is ahead of a database that
   * was put back.
   */
  async #changed({ whose, taskType, number }: Entry): Promise<TaskRow[] | null> {
    const where = new Conditions().equal('task_type', taskType).equal('agent_id', whose.agentId ?? undefined);
    const found = await this.#space.rows<Partial<TaskRow> & { head: number; dropped: number }>(
      `SELECT head::float8 AS head, dropped::float8 AS dropped, ${COLUMNS} FROM timing.space
       LEFT JOIN timing.task ON task.space = $1${where.seenIn(whose.project).text} AND changed > ${where.value(number)}
       WHERE name = $1 ORDER BY task.changed LIMIT ${LOAD_ROWS}`,
      where.values,
    );
    const { head, dropped } = found[0] ?? { head: 0, dropped: 0 };
    if (head < number || dropped > number) return null;
    return found.filter(({ state }) => state !== null) as TaskRow[];
  }

  async #fill(entry: Entry): Promise<void> {
    this.#memory.loaded();
    const { whose, taskType } = entry;
    // After a deletion too: to find out that there are fewer now would take reading them.
    const hasMany = entry.sample instanceof BucketedSample || (await this.#counts.areStored({ ...whose, taskType }));
    const read = hasMany ? null : await this.#readEach(whose, taskType, null);
    if (read === null) {
      await this.#fillBuckets(entry);
      return;
    }
    read.sample.version = entry.sample.version + 1;
    entry.sample = read.sample;
    entry.number = read.number;
  }

  async #fillBuckets(entry: Entry): Promise<void> {
    const { whose, taskType } = entry;
    const sample = await this.#counts.read({ ...whose, taskType });
    sample.version = entry.sample.version + 1;
    entry.sample = sample;
    entry.number = sample.number;
  }

  /** Reads each task as it is at one moment; null where there are too many. */
  async #readEach(
    { agentId, project }: Whose,
    taskType: string,
    sinceUs: number | null,
  ): Promise<{ sample: Sample; number: number } | null> {
    return await this.#space.transaction(async (space) => {
      await space.asOfOneMoment();
      const [head] = await space.rows<{ head: number }>(
        'SELECT head::float8 AS head FROM timing.space WHERE name = $1',
      );
      const sample = new Sample();
      for (let after: TaskRow | null = null; ; ) {
        const where: Conditions = new Conditions().equal('task_type', taskType).equal('agent_id', agentId ?? undefined);
        where.seenIn(project);
        if (after)
          where.and(`(started_us, task.sequence) > (${where.value(after.startedUs)}, ${where.value(after.sequence)})`);
        else if (sinceUs !== null) where.and(`started_us >= ${where.value(sinceUs)}`);
        const rows: TaskRow[] = await space.rows<TaskRow>(
          `SELECT ${COLUMNS} FROM timing.task WHERE space = $1${where.text} ORDER BY started_us, task.sequence LIMIT ${LOAD_ROWS}`,
          where.values,
        );
        for (const row of rows) sample.add(row, null);
        if (sizeOf(sample) > this.#mostHeld) return null;
        after = rows.at(-1) ?? null;
        if (rows.length < LOAD_ROWS) return { sample, number: head?.head ?? 0 };
      }
    });
  }

  /** Samples grow with writes, so their size is measured at each use. */
  #account(key: string, entry: Entry): void {
    // Dropped while it was read.
    if (this.#entries.get(key) !== entry) return;
    const more = entry.sample.bytes - entry.bytes;
    entry.bytes += more;
    this.#lastUsed = key;
    this.#memory.used(this, more);
  }

  #remove(key: string): void {
    this.#memory.freed(this.#entries.get(key)?.bytes ?? 0);
    this.#entries.delete(key);
  }
}

/** Whoever calculates over buckets goes on with those that were handed out. */
function takeIn(entry: Entry, rows: readonly TaskRow[]): void {
  if (rows.length === 0) return;
  const { number } = entry;
  if (entry.sample instanceof BucketedSample) entry.sample = entry.sample.copy();
  for (const row of rows) entry.sample.add(row, number);
  entry.number = rows.at(-1)?.changed ?? number;
  if (entry.sample instanceof BucketedSample) entry.sample.number = entry.number;
}

function sizeOf({ ended }: Sample): number {
  return OUTCOMES.reduce((sum, outcome) => sum + ended[outcome].sorted.size, 0);
}

function newEntry(whose: Whose, taskType: string): Entry {
  return { whose, taskType, sample: new Sample(), number: -1, bytes: 0, last: Promise.resolve() };
}
