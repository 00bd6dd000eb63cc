import type SqliteDatabase from 'better-sqlite3';
import type { CheckpointReply, CheckpointThread, RunningCheckpoint } from './checkpoint-thread.ts';
import type { PageSums } from './page-sums.ts';

/**
 * Pages in the write-ahead log before a checkpoint: 8 MiB. The start and the end of a task write 27 pages, mostly the same as the
 * task before. With SQLite's default of 1,000, a checkpoint would sync the disk every 37 tasks; a much longer log would need
 * room that a small disk does not have.
 */
const CHECKPOINT_PAGES = 2_000;

/**
 * A log begins anew only once all of it is moved, which never happens while writes come all the time. From this length on, 32 MiB, the
 * rest of it is moved between two writes, as soon as that is short.
 */
const LONG_LOG_PAGES = 4 * CHECKPOINT_PAGES;
const SHORT_REST_PAGES = 500;
/** Writes wait for the other thread then, and the rest is moved however long it is: 64 MiB. */
const LONGEST_LOG_PAGES = 2 * LONG_LOG_PAGES;

interface CheckpointsOptions {
  readonly path: string;
  readonly client: SqliteDatabase.Database;
  readonly sums: PageSums;
  /** Without it they run in this thread, within a write. */
  readonly thread: CheckpointThread | undefined;
  /** Told why one failed. */
  readonly onFault: (error: unknown) => void;
}

/** Moves the write-ahead log of a database into its file whenever it is long. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  #running: RunningCheckpoint | null = null;
  /** Frames in the log when the last one began. */
  #tried = 0;
  /** Whether the disk was full since the log was last moved to its end. */
  #isShortOfRoom = false;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    options.thread?.start();
  }

  /**
   * Records the end of the log, and begins a checkpoint where it is due. After a write that found no room the log is moved to its end
   * however short it is, as soon as the disk lets it: it then begins anew in the room that it has, instead of taking what is made.
   * @throws DamagedLogError
   */
  afterWrite({ foundRoom }: { foundRoom: boolean }): void {
    const { sums, thread } = this.#options;
    sums.committed();
    if (!foundRoom) this.#isShortOfRoom = true;
    const { frames } = sums.mark;
    if (frames < this.#tried) this.#tried = 0;
    if (frames >= LONGEST_LOG_PAGES) this.settle();
    if (this.#running) return;
    if (this.#isShortOfRoom) this.#isShortOfRoom = !this.#move();
    if (frames - this.#tried < CHECKPOINT_PAGES) return;
    if (thread) this.#beginIn(thread);
    else this.#move();
  }

  /** Waits for the one that is under way. Must come before the files are closed. */
  settle(): void {
    this.#running?.wait();
  }

  #finished(reply: CheckpointReply): void {
    this.#running = null;
    const { sums, client, thread, onFault } = this.#options;
    // The database may be closed by now.
    if (!client.open) return;
    try {
      if ('fault' in reply && reply.fault.code !== undefined) throw Object.assign(new Error(), reply.fault);
      if ('summed' in reply) sums.adopt(reply.summed);
      const { frames } = sums.mark;
      const rest = frames - sums.summed.frames;
      if ('fault' in reply || frames >= LONGEST_LOG_PAGES) this.#move();
      else if (frames >= LONG_LOG_PAGES && rest <= SHORT_REST_PAGES) this.#move();
      else if (frames >= LONG_LOG_PAGES && thread) this.#beginIn(thread);
    } catch (error) {
      onFault(error);
    }
  }

  #beginIn(thread: CheckpointThread): void {
    const { path, sums } = this.#options;
    const { mark, summed: from, files } = sums;
    this.#tried = mark.frames;
    this.#running = thread.run({ path, files, from, mark }, (reply) => this.#finished(reply));
  }

  /** Returns whether all of the log is moved. */
  #move(): boolean {
    const { sums, client } = this.#options;
    this.#tried = sums.mark.frames;
    sums.follow();
    const [moved] = client.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    return moved?.log === moved?.checkpointed;
  }
}
