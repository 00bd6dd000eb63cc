import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunningMoments } from '@agent-faculties/stats-math';
import { and, count, eq, sql } from 'drizzle-orm';
import type { DurationHistory, DurationSample } from '../domain/duration-history.ts';
import { toMicroseconds } from '../domain/instant.ts';
import { SortedNumbers } from '../domain/sorted-numbers.ts';
import { OUTCOMES, type Outcome, type Task } from '../domain/task.ts';
import { type Db, guarded, guardedAsync } from './database.ts';
import { tasks } from './schema.ts';

/** Rows read in one turn of the event loop: about 10 ms (measured), so that loading a million stalls nobody. */
const LOAD_ROWS = 10_000;
/** Samples beyond this many bytes are dropped, least recently used first; a million durations take 11 MiB. */
const DEFAULT_MAX_BYTES = 96 * 1024 * 1024;
/** What an empty sample costs, so that many tiny ones count too. */
const SAMPLE_OVERHEAD_BYTES = 2_048;

class OutcomeSample {
  readonly sorted = new SortedNumbers();
  readonly moments = new RunningMoments();
}

class Sample implements DurationSample {
  readonly ended: Record<Outcome, OutcomeSample> = {
    ok: new OutcomeSample(),
    error: new OutcomeSample(),
    timeout: new OutcomeSample(),
    cancelled: new OutcomeSample(),
  };
  activeStartsMs = new SortedNumbers();
  abandonedCount = 0;
  version = 0;

  addDuration(outcome: Outcome, seconds: number): void {
    this.ended[outcome].sorted.add(seconds);
    this.ended[outcome].moments.add(seconds);
    this.version++;
  }

  get bytes(): number {
    const ended = OUTCOMES.reduce((sum, outcome) => sum + this.ended[outcome].sorted.bytes, 0);
    return SAMPLE_OVERHEAD_BYTES + ended + this.activeStartsMs.bytes;
  }
}

/** A sample, or the promise of one with the ends that came in since its loading began. */
interface Entry {
  sample: Sample | null;
  loading: Promise<Sample>;
  readonly upTo: number;
  /** Of the sample, when last looked at. */
  bytes: number;
  readonly endedSince: { outcome: Outcome; seconds: number }[];
}

/**
 * The durations of each agent and task type as sorted numbers in memory, filled from SQLite at the first use and kept
 * current by every write. SQLite stays the only truth: a sample can be dropped at any time.
 *
 * Loading takes many turns, and writes go on meanwhile. Ends are numbered: a load reads those numbered up to its
 * beginning, later ones are put aside and added when it is done. Open tasks are read in the last turn, at once.
 */
export class DurationSamples implements DurationHistory {
  readonly #db: Db;
  readonly #maxBytes: number;
  /** In order of use, least recent first. */
  readonly #entries = new Map<string, Entry>();
  #endSequence: number;
  #bytes = 0;

  constructor(db: Db, options: { lastEndSequence: number; maxBytes?: number }) {
    this.#db = db;
    this.#endSequence = options.lastEndSequence;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  /** The number of the next end; asked for inside the transaction that writes it. */
  nextEndSequence(): number {
    return ++this.#endSequence;
  }

  sample(agentId: string | null, taskType: string): Promise<DurationSample> {
    const key = keyOf(agentId, taskType);
    const known = this.#entries.get(key);
    const entry = known ?? this.#newEntry(key, agentId, taskType);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#account(entry);
    this.#shrink(key);
    return entry.sample ? Promise.resolve(entry.sample) : entry.loading;
  }

  async sampleSince(agentId: string | null, taskType: string, sinceMs: number): Promise<DurationSample> {
    const sample = new Sample();
    const sinceUs = toMicroseconds(sinceMs);
    const upTo = this.#endSequence;
    await this.#readEnded(sample, { agentId, taskType, sinceUs, upTo });
    // In one turn: what ended meanwhile, and what has not ended.
    this.#readEndedAfter(sample, { agentId, taskType, sinceUs, upTo });
    this.#readOpen(sample, { agentId, taskType, sinceUs });
    return sample;
  }

  /** To be called in the same turn as the write, like the other three. */
  started(task: Task): void {
    this.#forEach(task, ({ sample }) => {
      sample?.activeStartsMs.add(storedMs(task.startedMs));
      if (sample) sample.version++;
    });
  }

  ended(task: Task, { before, endSequence }: { before: 'active' | 'abandoned' | null; endSequence: number }): void {
    const outcome = task.outcome as Outcome;
    const seconds = task.durationSeconds as number;
    this.#forEach(task, (entry) => {
      if (!entry.sample) {
        if (endSequence > entry.upTo) entry.endedSince.push({ outcome, seconds });
        return;
      }
      entry.sample.addDuration(outcome, seconds);
      if (before === 'active') entry.sample.activeStartsMs.remove(storedMs(task.startedMs));
      if (before === 'abandoned') entry.sample.abandonedCount--;
    });
  }

  abandoned(task: Task): void {
    this.#forEach(task, ({ sample }) => {
      if (!sample) return;
      sample.activeStartsMs.remove(storedMs(task.startedMs));
      sample.abandonedCount++;
      sample.version++;
    });
  }

  /** After tasks of this type have been deleted: the samples are read anew when they are next asked for. */
  drop(agentId: string, taskType: string): void {
    this.#remove(keyOf(agentId, taskType));
    this.#remove(keyOf(null, taskType));
  }

  #newEntry(key: string, agentId: string | null, taskType: string): Entry {
    const entry: Entry = {
      sample: null,
      loading: Promise.resolve(new Sample()),
      upTo: this.#endSequence,
      bytes: 0,
      endedSince: [],
    };
    entry.loading = this.#load(entry, key, agentId, taskType);
    return entry;
  }

  async #load(entry: Entry, key: string, agentId: string | null, taskType: string): Promise<Sample> {
    try {
      const sample = new Sample();
      await this.#readEnded(sample, { agentId, taskType, sinceUs: null, upTo: entry.upTo });
      // Dropped meanwhile: what was read may be gone from the file.
      if (this.#entries.get(key) !== entry) return (await this.sample(agentId, taskType)) as Sample;
      for (const { outcome, seconds } of entry.endedSince) sample.addDuration(outcome, seconds);
      this.#readOpen(sample, { agentId, taskType, sinceUs: null });
      entry.sample = sample;
      this.#account(entry);
      this.#shrink(key);
      return sample;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#remove(key);
      throw error;
    }
  }

  async #readEnded(sample: Sample, query: SampleQuery & { upTo: number }): Promise<void> {
    // The caller must have stored its entry before the first row is read.
    await nextTurn();
    for (const outcome of OUTCOMES) {
      let last: [number, number] = [-1, -1];
      for (;;) {
        const rows = await guardedAsync(async () => this.#endedRows(query, outcome, last));
        for (const [durationUs, , startedUs] of rows) {
          if (query.sinceUs !== null && startedUs < query.sinceUs) continue;
          sample.ended[outcome].sorted.append(durationUs / 1e6);
          sample.ended[outcome].moments.add(durationUs / 1e6);
        }
        const end = rows.at(-1);
        if (!end || rows.length < LOAD_ROWS) break;
        last = [end[0], end[1]];
        await nextTurn();
      }
    }
  }

  /** Rows of [duration, end sequence, start], in ascending order out of a covering index. */
  #endedRows(query: SampleQuery & { upTo: number }, outcome: Outcome, after: [number, number]) {
    return this.#db
      .select({ durationUs: tasks.durationUs, endSequence: tasks.endSequence, startedUs: tasks.startedUs })
      .from(tasks)
      .where(
        and(
          sql`state = 'ended'`,
          eq(tasks.taskType, query.taskType),
          eq(tasks.outcome, outcome),
          query.agentId === null ? undefined : eq(tasks.agentId, query.agentId),
          sql`(${tasks.durationUs}, ${tasks.endSequence}) > (${after[0]}, ${after[1]})`,
          // The unary plus keeps the planner from the index on end_sequence, which would need a sort.
          sql`+${tasks.endSequence} <= ${query.upTo}`,
        ),
      )
      .orderBy(tasks.durationUs, tasks.endSequence)
      .limit(LOAD_ROWS)
      .values() as [number, number, number][];
  }

  /** The few tasks that ended while the others were read. */
  #readEndedAfter(sample: Sample, { agentId, taskType, sinceUs, upTo }: SampleQuery & { upTo: number }): void {
    const rows = guarded(() =>
      this.#db
        .select({ outcome: tasks.outcome, durationUs: tasks.durationUs })
        .from(tasks)
        .where(
          and(
            sql`${tasks.endSequence} > ${upTo}`,
            sql`+${tasks.taskType} = ${taskType}`,
            agentId === null ? undefined : sql`+${tasks.agentId} = ${agentId}`,
            sinceUs === null ? undefined : sql`${tasks.startedUs} >= ${sinceUs}`,
          ),
        )
        .all(),
    );
    for (const { outcome, durationUs } of rows) sample.addDuration(outcome as Outcome, (durationUs as number) / 1e6);
  }

  #readOpen(sample: Sample, { agentId, taskType, sinceUs }: SampleQuery): void {
    const open = and(
      sql`state <> 'ended'`,
      eq(tasks.taskType, taskType),
      agentId === null ? undefined : eq(tasks.agentId, agentId),
      sinceUs === null ? undefined : sql`${tasks.startedUs} >= ${sinceUs}`,
    );
    const starts = guarded(() =>
      this.#db
        .select({ startedUs: tasks.startedUs })
        .from(tasks)
        .where(and(open, sql`state = 'active'`))
        .orderBy(tasks.startedUs)
        .values(),
    ) as [number][];
    for (const [startedUs] of starts) sample.activeStartsMs.append(startedUs / 1000);
    const abandoned = this.#db.select({ count: count() }).from(tasks).where(and(open, sql`state = 'abandoned'`));
    sample.abandonedCount = guarded(() => abandoned.get())?.count ?? 0;
    sample.version++;
  }

  #forEach(task: Task, apply: (entry: Entry) => void): void {
    for (const agentId of [task.agentId, null]) {
      const entry = this.#entries.get(keyOf(agentId, task.taskType));
      if (entry) apply(entry);
    }
  }

  /** Samples grow with writes; their size is taken anew at each use, which is when it can matter. */
  #account(entry: Entry): void {
    const bytes = entry.sample?.bytes ?? 0;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  /** Drops what was used least recently until the rest fits; never the one that is being used. */
  #shrink(keep: string): void {
    if (this.#bytes <= this.#maxBytes) return;
    for (const [key, { sample }] of this.#entries) {
      if (key === keep || !sample) continue;
      this.#remove(key);
      if (this.#bytes <= this.#maxBytes) return;
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#bytes -= entry.bytes;
    this.#entries.delete(key);
  }
}

interface SampleQuery {
  readonly agentId: string | null;
  readonly taskType: string;
  readonly sinceUs: number | null;
}

/** As it comes back from the file: a clock may be finer, and a start is found again only by the same number. */
function storedMs(instantMs: number): number {
  return toMicroseconds(instantMs) / 1000;
}

function keyOf(agentId: string | null, taskType: string): string {
  return JSON.stringify([agentId, taskType]);
}
