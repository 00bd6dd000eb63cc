import { Worker } from 'node:worker_threads';
import type { LogFiles, Summed } from './page-sums.ts';
import type { Mark } from './sums-file.ts';

/** A checkpoint of one database. */
export interface CheckpointJob {
  readonly path: string;
  readonly files: LogFiles;
  readonly from: Summed;
  readonly mark: Mark;
}

export type CheckpointReply =
  | { readonly summed: Summed }
  /** Without a code where the thread itself has ended. */
  | { readonly fault: { readonly name: string; readonly message: string; readonly code: string | undefined } };

/** A checkpoint that is under way. */
export interface RunningCheckpoint {
  /** Blocks this thread until it is over, which takes some milliseconds; only the first call waits. */
  readonly wait: () => void;
}

/** The longest that is waited for a checkpoint. SQLite makes up for one that is cut short. */
const WAIT_LIMIT_MS = 3_000;
/** Most of what it works with lies outside of the heap. */
const HEAP_LIMIT_MB = 32;

/** A thread that runs the checkpoints of all databases, one after the other: their syncs would keep every request waiting. */
export class CheckpointThread {
  readonly #script: URL;
  #worker: Worker | null = null;
  readonly #answered: ((reply: CheckpointReply) => void)[] = [];

  constructor(script = new URL('./checkpoint-worker.js', import.meta.url)) {
    this.#script = script;
  }

  /** Before there is something to do: it takes a moment. */
  start(): void {
    this.#worker ??= this.#started();
  }

  /** @param answered called in a later turn; also where the thread has ended */
  run(job: CheckpointJob, answered: (reply: CheckpointReply) => void): RunningCheckpoint {
    const done = new Int32Array(new SharedArrayBuffer(4));
    this.start();
    this.#answered.push(answered);
    this.#worker?.postMessage({ job, done });
    let hasWaited = false;
    return {
      wait: () => {
        if (!hasWaited) Atomics.wait(done, 0, 0, WAIT_LIMIT_MS);
        hasWaited = true;
      },
    };
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB } });
    worker.on('message', (reply: CheckpointReply) => this.#answered.shift()?.(reply));
    worker.on('error', (error: Error) => this.#ended(error));
    // A process that has nothing else to do ends.
    worker.unref();
    return worker;
  }

  /** The next checkpoint starts another thread. */
  #ended({ name, message }: Error): void {
    this.#worker = null;
    for (const answered of this.#answered.splice(0)) answered({ fault: { name, message, code: undefined } });
  }
}
