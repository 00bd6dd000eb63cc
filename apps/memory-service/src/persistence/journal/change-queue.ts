/** The changes of a group, so that the requests of many clients share a sync or a statement. */
const MAX_GROUP_CHANGES = 128;
/** The size of a group, in bytes or characters; writing this much takes hardly longer than writing a line. */
const MAX_GROUP_SIZE = 1024 ** 2;
/** The changes that are applied in one turn of the event loop; the requests that wait for them continue in the same turn, 0.5 ms each. */
const CHANGES_PER_TURN = 16;
/** The size that is applied in one turn; a longer message goes alone: indexing 30,000 words takes 10 to 20 ms. */
const SIZE_PER_TURN = 128 * 1024;

/** A change that waits to be written. */
export interface PendingChange {
  /** Bytes or characters of its line. */
  readonly size: number;
  readonly apply: () => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Work that runs between two groups: a cut, a look at what others wrote, or the end. */
type PendingTurn = () => Promise<void>;

/** Group commit: while one group is being written, the next one fills. Changes and the work between them keep their order. */
export class ChangeQueue<Pending extends PendingChange> {
  readonly #write: (group: readonly Pending[]) => Promise<void>;
  readonly #queue: (Pending | PendingTurn)[] = [];
  #running = false;

  /** @param write settles every change of the group and never throws */
  constructor(write: (group: readonly Pending[]) => Promise<void>) {
    this.#write = write;
  }

  /** Runs the work after everything that was enqueued before it. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => this.enqueue(() => work().then(resolve, reject)));
  }

  enqueue(pending: Pending | PendingTurn): void {
    this.#queue.push(pending);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (typeof next === 'function') {
        this.#queue.shift();
        await next();
      } else {
        await this.#write(this.#takeGroup());
      }
    }
    this.#running = false;
  }

  #takeGroup(): Pending[] {
    const group: Pending[] = [];
    let size = 0;
    for (const pending of this.#queue) {
      if (typeof pending === 'function' || group.length === MAX_GROUP_CHANGES || size >= MAX_GROUP_SIZE) break;
      group.push(pending);
      size += pending.size;
    }
    this.#queue.splice(0, group.length);
    return group;
  }
}

/** Says after which changes the next one is for another turn of the event loop. */
export class ApplyTurns {
  #changes = 0;
  #size = 0;

  /** Counts a change. @returns whether it has to wait for the next turn */
  isFull(size: number): boolean {
    const isFull = this.#changes === CHANGES_PER_TURN || this.#size >= SIZE_PER_TURN;
    if (isFull) {
      this.#changes = 0;
      this.#size = 0;
    }
    this.#changes++;
    this.#size += size;
    return isFull;
  }
}
