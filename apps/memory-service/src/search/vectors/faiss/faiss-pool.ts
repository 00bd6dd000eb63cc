import { FaissProcess } from './faiss-process.ts';
import type { FaissReply, FaissSettings, IndexRequest } from './faiss-protocol.ts';

/** A process and the indexes in it. */
interface Shared {
  readonly started: Promise<FaissProcess>;
  indexes: number;
  /** What tells each index that the process is gone. Callbacks on a promise of the process would keep every closed index in memory. */
  readonly whenEnded: Set<(reason: string) => void>;
  /** Whether it has leaked so much memory that it gets no further index. */
  isWorn: boolean;
  lostBytes: number;
}

/**
 * The processes that run FAISS for several vector indexes: one for all that are flat, and one for each approximate index,
 * which is large, and whose training would keep the searches of others waiting for seconds.
 */
export class FaissPool {
  #shared: Shared | null = null;
  #numbers = 0;

  /**
   * An index without vectors. @throws FaissError
   * @param before that this one is to replace: where it alone uses its process, the other gets a new one, because only the end
   *   of a process gives back what faiss-node has lost
   */
  async open(settings: FaissSettings, before: FaissIndex | null): Promise<FaissIndex> {
    const shared = settings.lists > 0 ? begun() : this.#sharedFor(before);
    shared.indexes++;
    const index = new FaissIndex(await shared.started, { number: this.#numbers++, shared });
    try {
      await index.open(settings);
      return index;
    } catch (error) {
      await index.drop('it failed');
      throw error;
    }
  }

  #sharedFor(before: FaissIndex | null): Shared {
    const known = this.#shared;
    const isLeft = known !== null && known.indexes === 0;
    if (known && !isLeft && !known.isWorn && !before?.isAloneIn(known)) return known;
    const shared = begun();
    this.#shared = shared;
    const forget = () => {
      if (this.#shared === shared) this.#shared = null;
    };
    shared.started.then((process) => process.ended.then(forget), forget);
    return shared;
  }
}

function begun(): Shared {
  const started = FaissProcess.start();
  const whenEnded = new Set<(reason: string) => void>();
  const tellAll = (reason: string) => {
    for (const tell of whenEnded) tell(reason);
  };
  started.then((process) => process.ended.then(tellAll)).catch(() => {});
  return { started, indexes: 0, whenEnded, isWorn: false, lostBytes: 0 };
}

/** One index in a process that may have others. */
export class FaissIndex {
  /** Resolves to the reason when its process is gone while it is in use. */
  readonly ended: Promise<string>;
  readonly #end: (reason: string) => void;
  readonly #number: number;
  readonly #process: FaissProcess;
  readonly #shared: Shared;
  #isReleased = false;

  constructor(process: FaissProcess, { number, shared }: { number: number; shared: Shared }) {
    this.#process = process;
    this.#number = number;
    this.#shared = shared;
    let end: (reason: string) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
    shared.whenEnded.add(end);
  }

  get processId(): number | undefined {
    return this.#process.processId;
  }

  /** Whether the index should move to another process, because this one has leaked too much memory. */
  get isWorn(): boolean {
    return this.#shared.isWorn;
  }

  isAloneIn(shared: Shared): boolean {
    return this.#shared === shared && shared.indexes === 1;
  }

  /** To be called once, before all else. @throws FaissError */
  async open(settings: FaissSettings): Promise<void> {
    await this.#process.ask({ do: 'open', index: this.#number, settings });
  }

  /** Asks; answers come in the order of the requests. @throws FaissError */
  async ask(request: IndexRequest): Promise<Extract<FaissReply, { held: number }>> {
    return await this.#process.ask({ ...request, index: this.#number });
  }

  /** Counts bytes that its process will never give back. */
  lose(bytes: number, limit: number): void {
    this.#shared.lostBytes += bytes;
    if (this.#shared.lostBytes > limit) this.#shared.isWorn = true;
  }

  /** Ends it when it has answered what it was asked. */
  retire(): void {
    if (this.#isReleased) return;
    if (this.#leave()) this.#process.retire();
  }

  /** Ends it at once; resolves when nothing of it is left. */
  async drop(reason: string): Promise<void> {
    if (this.#isReleased || !this.#leave()) return;
    this.#process.kill(reason);
    await this.#process.ended;
  }

  /** Whether it was the last one in its process; the others go on without it. */
  #leave(): boolean {
    this.#isReleased = true;
    this.#shared.whenEnded.delete(this.#end);
    this.#shared.indexes--;
    if (this.#shared.indexes === 0) return true;
    // Where the process is gone, so is the index.
    this.#process.ask({ do: 'close', index: this.#number }).catch(() => {});
    return false;
  }
}
