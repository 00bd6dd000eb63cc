import { setImmediate as nextTurn } from 'node:timers/promises';
import { toMicroseconds } from '../../domain/instant.ts';
import type { DurationHistory, DurationSample } from '../../domain/statistics/duration-history.ts';
import { OUTCOMES, type Outcome, type Task } from '../../domain/task.ts';
import { isSeenIn, type Whose } from '../../domain/whose.ts';
import { Sample } from '../samples/sample.ts';
import { SampleMemory } from '../samples/sample-memory.ts';
import { projectOf } from '../tables/rows.ts';
import type { Db } from './faults.ts';
import {
  type EndedPage,
  type EndedPosition,
  LOOKED_UP_ROWS,
  type SampleQuery,
  type StartedRow,
  sampleReader,
} from './sample-reader.ts';

/** A sample, or one that is loading with the ends since its load began. */
interface Entry {
  readonly whose: Whose;
  readonly taskType: string;
  sample: Sample | null;
  loading: Promise<Sample>;
  readonly upTo: number;
  /** Bytes of the sample at its last use. */
  bytes: number;
  readonly endedSince: { outcome: Outcome; seconds: number }[];
}

interface SamplesOptions {
  readonly lastEndSequence: number;
  /** Shared with the samples of other spaces. */
  readonly memory?: SampleMemory;
}

/**
 * The durations of each agent, project and task type as sorted numbers in memory, filled from SQLite at the first use and kept
 * current by every write. SQLite stays the only truth: a sample can be dropped at any time.
 *
 * Loading takes many turns, and writes go on meanwhile. Ends are numbered: a load reads those numbered up to its
 * beginning, later ones are put aside and added when it is done. Open tasks are read in the last turn, at once.
 */
export class SqliteSamples implements DurationHistory {
  readonly #reader: ReturnType<typeof sampleReader>;
  readonly #memory: SampleMemory;
  /** In order of use, least recent first. */
  readonly #entries = new Map<string, Entry>();
  /** The same by agent and task type, for all projects: what a write may change. */
  readonly #byType = new Map<string, Set<Entry>>();
  /** The key of the one that is being used; it is not dropped to make room. */
  #lastUsed = '';
  #endSequence: number;

  constructor(db: Db, { lastEndSequence, memory = new SampleMemory() }: SamplesOptions) {
    this.#reader = sampleReader(db);
    this.#endSequence = lastEndSequence;
    this.#memory = memory;
  }

  /** How many are held in memory. */
  get held(): number {
    return this.#entries.size;
  }

  dropAll(): void {
    for (const key of [...this.#entries.keys()]) this.#remove(key);
    this.#memory.forget(this);
  }

  dropOldest(): boolean {
    for (const [key, { sample }] of this.#entries) {
      if (key === this.#lastUsed || !sample) continue;
      this.#remove(key);
      return true;
    }
    return false;
  }

  /** The number of the next end; asked for inside the transaction that writes it. */
  nextEndSequence(): number {
    return ++this.#endSequence;
  }

  sample(whose: Whose, taskType: string): Promise<DurationSample> {
    const key = keyOf(whose, taskType);
    const known = this.#entries.get(key);
    const entry = known ?? this.#newEntry(key, whose, taskType);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#account(entry, key);
    return entry.sample ? Promise.resolve(entry.sample) : entry.loading;
  }

  async sampleSince(whose: Whose, taskType: string, sinceMs: number): Promise<DurationSample> {
    const query = { ...whose, taskType, sinceMs };
    if (!this.#reader.hasStartedBefore(query)) return this.sample(whose, taskType);
    const sample = new Sample();
    const upTo = this.#endSequence;
    // Reads only the rows since then, not the rest of the history.
    for (let after: StartedRow | null = null; ; await nextTurn()) {
      const rows = this.#reader.startedSince(query, after);
      for (const row of rows) {
        const { taskType: type, state, outcome, durationUs, endSequence } = row;
        if (type !== taskType || state !== 'ended' || (endSequence as number) > upTo) continue;
        if (!isSeenIn(whose.project, { project: projectOf(row) })) continue;
        sample.addDuration(outcome as Outcome, (durationUs as number) / 1e6);
      }
      after = rows.at(-1) ?? null;
      if (rows.length < LOOKED_UP_ROWS) break;
    }
    // In one turn of the event loop: tasks that ended during the load, and running tasks.
    for (const { outcome, durationUs } of this.#reader.endedAfter(query, upTo)) {
      sample.addDuration(outcome, durationUs / 1e6);
    }
    this.#readOpen(sample, query);
    return sample;
  }

  /** To be called in the same turn as the write, like `ended`, `abandoned` and `drop`. */
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
    for (const ofAgent of [agentId, null]) {
      for (const { whose } of [...(this.#byType.get(typeKeyOf(ofAgent, taskType)) ?? [])]) {
        this.#remove(keyOf(whose, taskType));
      }
    }
  }

  #newEntry(key: string, whose: Whose, taskType: string): Entry {
    const entry: Entry = {
      whose,
      taskType,
      sample: null,
      loading: Promise.resolve(new Sample()),
      upTo: this.#endSequence,
      bytes: 0,
      endedSince: [],
    };
    const typeKey = typeKeyOf(whose.agentId, taskType);
    const ofType = this.#byType.get(typeKey) ?? new Set();
    this.#byType.set(typeKey, ofType.add(entry));
    entry.loading = this.#load(entry, key);
    return entry;
  }

  async #load(entry: Entry, key: string): Promise<Sample> {
    const { whose, taskType } = entry;
    this.#memory.loaded();
    try {
      const sample = new Sample();
      const query = { ...whose, taskType, sinceMs: null };
      if (whose.project === null) await this.#readEnded(sample, query, entry.upTo);
      else await this.#readEndedIn(sample, query, entry.upTo);
      // Dropped during the load: the rows that were read may be deleted by now.
      if (this.#entries.get(key) !== entry) return (await this.sample(whose, taskType)) as Sample;
      for (const { outcome, seconds } of entry.endedSince) sample.addDuration(outcome, seconds);
      this.#readOpen(sample, query);
      entry.sample = sample;
      this.#account(entry, key);
      return sample;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#remove(key);
      throw error;
    }
  }

  async #readEnded(sample: Sample, query: SampleQuery, upTo: number): Promise<void> {
    // The caller must have stored its entry before the first row is read.
    await nextTurn();
    for (const outcome of OUTCOMES) {
      let after: EndedPosition | null = null;
      for (;;) {
        const page: EndedPage = this.#reader.ended(query, { outcome, upTo, after });
        for (const durationUs of page.durationsUs) {
          sample.ended[outcome].sorted.append(durationUs / 1e6);
          sample.ended[outcome].moments.add(durationUs / 1e6);
        }
        after = page.next;
        if (after === null) break;
        await nextTurn();
      }
    }
  }

  /**
   * The same of one project, which no index knows: by time, as the rows lie on the disk. By duration each row would be read from another
   * page, which took ten times as long for a million.
   */
  async #readEndedIn(sample: Sample, query: SampleQuery, upTo: number): Promise<void> {
    await nextTurn();
    for (let after: StartedRow | null = null; ; await nextTurn()) {
      const rows = this.#reader.startedOfType(query, after);
      for (const row of rows) {
        const { agentId, state, outcome, durationUs, endSequence } = row;
        if (state !== 'ended' || (endSequence as number) > upTo) continue;
        if (query.agentId !== null && agentId !== query.agentId) continue;
        if (isSeenIn(query.project, { project: projectOf(row) })) {
          sample.addDuration(outcome as Outcome, (durationUs as number) / 1e6);
        }
      }
      after = rows.at(-1) ?? null;
      if (rows.length < LOOKED_UP_ROWS) return;
    }
  }

  #readOpen(sample: Sample, query: SampleQuery): void {
    for (const startMs of this.#reader.activeStartsMs(query)) sample.activeStartsMs.append(startMs);
    sample.abandonedCount = this.#reader.abandonedCount(query);
    sample.version++;
  }

  #forEach(task: Task, apply: (entry: Entry) => void): void {
    for (const agentId of [task.agentId, null]) {
      for (const entry of this.#byType.get(typeKeyOf(agentId, task.taskType)) ?? []) {
        if (isSeenIn(entry.whose.project, task)) apply(entry);
      }
    }
  }

  /** Samples grow with writes, so their size is measured at each use. */
  #account(entry: Entry, key: string): void {
    const bytes = entry.sample?.bytes ?? 0;
    const more = bytes - entry.bytes;
    entry.bytes = bytes;
    this.#lastUsed = key;
    this.#memory.used(this, more);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#memory.freed(entry.bytes);
    this.#entries.delete(key);
    const typeKey = typeKeyOf(entry.whose.agentId, entry.taskType);
    const ofType = this.#byType.get(typeKey);
    ofType?.delete(entry);
    if (ofType?.size === 0) this.#byType.delete(typeKey);
  }
}

/** Rounded as the file stores it: a clock may be finer, and a start is found again only by the same number. */
function storedMs(instantMs: number): number {
  return toMicroseconds(instantMs) / 1000;
}

function keyOf({ agentId, project }: Whose, taskType: string): string {
  return JSON.stringify([agentId, taskType, project]);
}

function typeKeyOf(agentId: string | null, taskType: string): string {
  return JSON.stringify([agentId, taskType]);
}
