import type SqliteDatabase from 'better-sqlite3';
import type { CheckpointReply, CheckpointThread, RunningCheckpoint } from './checkpoint-thread.ts';
import type { PageSums } from './page-sums.ts';

/**
 * Pages in the write-ahead log before a checkpoint: 8 MiB. The start and the end of a task write 27 pages, mostly the same as the
 * task before. With SQLite's default of 1,000, a checkpoint would sync the disk every 37 tasks; a much longer log would need
 * room that a small disk does not have.
 */
const CHECKPOINT_PAGES = 2_000;

/** A log of this length has been written to without a pause since its last beginning: 16 MiB. */
const LONG_LOG_PAGES = 2 * CHECKPOINT_PAGES;

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

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  /** Records the end of the log, and begins a checkpoint where it is due. @throws DamagedLogError */
  afterWrite(): void {
    const { path, sums, thread } = this.#options;
    sums.committed();
    const { mark, summed: from, files } = sums;
    if (mark.frames < this.#tried) this.#tried = 0;
    if (this.#running || mark.frames - this.#tried < CHECKPOINT_PAGES) return;
    this.#tried = mark.frames;
    if (thread) this.#running = thread.run({ path, files, from, mark }, (reply) => this.#finished(reply));
    else this.#move();
  }

  /** Waits for one that is under way. Must come before the files are closed. */
  settle(): void {
    this.#running?.wait();
  }

  #finished(reply: CheckpointReply): void {
    this.#running = null;
    const { sums, client, onFault } = this.#options;
    // The database may be closed by now.
    if (!client.open) return;
    try {
      if ('fault' in reply && reply.fault.code !== undefined) throw Object.assign(new Error(), reply.fault);
      const hasEnded = 'fault' in reply;
      if (!hasEnded) sums.adopt(reply.summed);
      // A log begins anew only once all of it is moved, which never happens while writes come all the time: move the short rest here.
      if (hasEnded || sums.mark.frames >= LONG_LOG_PAGES) this.#move();
    } catch (error) {
      onFault(error);
    }
  }

  #move(): void {
    const { sums, client } = this.#options;
    sums.follow();
    client.pragma('wal_checkpoint(PASSIVE)');
  }
}
