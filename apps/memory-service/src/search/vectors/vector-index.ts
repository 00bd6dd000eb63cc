import type { Logger } from '@agent-faculties/service-kit';
import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import { type NearRows, TopRows } from '../columns/top-rows.ts';
import { FaissPool } from './faiss/faiss-pool.ts';
import { FaissRestart } from './faiss/faiss-restart.ts';
import { APPROXIMATE_AFTER_SEARCHES, APPROXIMATE_FROM_ROWS, flatPlan, type IndexPlan, planFor } from './index-plan.ts';
import { type FoundRows, IndexedRows } from './indexed-rows.ts';
import type { VectorMatrix } from './vector-matrix.ts';

/** Rows that one turn of the event loop compares with a query: 1 ms. */
const SLICE_ROWS = 2_000;

/**
 * So many new rows go to FAISS together, which is started for the first of them. Until then searches compare them here, 16 us of work,
 * where a message takes 200.
 */
const SENT_TOGETHER = 64;

/** A search waits so long for FAISS, which takes milliseconds unless its process is held up; then the rows are compared here. */
const PATIENCE_MS = 1_000;

/** faiss-node never frees the query of a search, nor what N-API keeps of it: 1.6 kB at 384 dimensions, measured. */
const LOST_BYTES_PER_VALUE = 4.3;
/** The process is replaced when it has lost so much. */
const DEFAULT_LOST_BYTES_LIMIT = 128 * 1024 * 1024;

/** The index is made anew without the dead rows when they are so many, in rows and as a share of it. */
const DEAD_ROWS_LIMIT = 2_000;
const DEAD_SHARE_LIMIT = 0.2;

/** Dead rows may crowd out the living; the search then goes on among so many times as many. */
const WIDENING = 4;

/** An approximate index finds ever fewer of the farther rows: 98 % of 200, 96 % of 1,000, 91 % of 4,000. More are scanned for. */
const APPROXIMATE_COUNT_LIMIT = 2_000;

export interface VectorIndexOptions {
  readonly matrix: VectorMatrix;
  readonly log: Pick<Logger, 'warn'>;
  /** Shared with other indexes; absent: one of its own. */
  readonly pool?: FaissPool;
  /** Bytes that the process may lose before it is replaced. */
  readonly lostBytesLimit?: number;
  /** Rows from which on an approximate index takes over; Infinity for never. */
  readonly approximateFromRows?: number;
  /** Searches of the flat index after which that is worth its building. */
  readonly approximateAfterSearches?: number;
  /** Rows from which on the matrix may keep them in a file. */
  readonly filedFromRows?: number;
}

interface Wanted {
  readonly query: Float32Array;
  readonly count: number;
}

/**
 * The nearest rows of a matrix, found by FAISS in a process of its own. A search sees every row appended before it: what FAISS
 * does not hold yet, because it is starting, loading or gone, is compared here, slice by slice. So a search is right at any
 * time, and only slower while FAISS cannot be asked.
 */
export class VectorIndex {
  readonly #matrix: VectorMatrix;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #pool: FaissPool;
  readonly #lostBytesLimit: number;
  #approximateFromRows: number;
  readonly #approximateAfterSearches: number;
  readonly #filedFromRows: number | undefined;
  #flatSearches = 0;
  /** Those that owe an answer. */
  readonly #late = new WeakSet<IndexedRows>();
  readonly #dead = new Set<number>();
  #serving: IndexedRows | undefined;
  #successor: IndexedRows | undefined;
  #rebuilding: Promise<void> | undefined;
  #scanning: Promise<void> = Promise.resolve();
  readonly #restart = new FaissRestart(() => void this.rebuild());
  #isClosed = false;

  private constructor(options: VectorIndexOptions) {
    this.#matrix = options.matrix;
    this.#log = options.log;
    this.#pool = options.pool ?? new FaissPool();
    this.#lostBytesLimit = options.lostBytesLimit ?? DEFAULT_LOST_BYTES_LIMIT;
    this.#approximateFromRows = options.approximateFromRows ?? APPROXIMATE_FROM_ROWS;
    this.#approximateAfterSearches = options.approximateAfterSearches ?? APPROXIMATE_AFTER_SEARCHES;
    this.#filedFromRows = options.filedFromRows;
  }

  /** Searches may be made at once; FAISS starts and takes the matrix's rows in the background, where they are enough. */
  static async open(options: VectorIndexOptions): Promise<VectorIndex> {
    const index = new VectorIndex(options);
    void index.rebuild();
    return index;
  }

  /** The process that FAISS runs in; undefined while searches have to do without it. */
  get processId(): number | undefined {
    return this.#serving?.index.processId;
  }

  /** Rows that a search can find. */
  get living(): number {
    return this.#matrix.length - this.#dead.size;
  }

  /** Rows that it holds, or is being sent; some of them may be dead. */
  get size(): number {
    return this.#serving?.size ?? 0;
  }

  /** Says that rows were appended to the matrix. FAISS gets them when there are enough of them. */
  noteAppended(): void {
    const serving = this.#serving;
    if (!serving) {
      this.#renew();
      return;
    }
    if (this.#matrix.length - serving.reach < SENT_TOGETHER) return;
    void serving.catchUp().catch((error) => this.#giveUp(serving, error));
    if (this.#isOutgrown()) this.#renew();
  }

  /** Rows that no search shall find any more. */
  remove(firstRow: number, count: number): void {
    for (let row = firstRow; row < firstRow + count; row++) this.#dead.add(row);
    const serving = this.#serving;
    if (!serving) return;
    const deadHeld = this.#dead.size - (serving.reach - serving.size);
    if (deadHeld > DEAD_ROWS_LIMIT && deadHeld > serving.size * DEAD_SHARE_LIMIT) this.#renew();
  }

  /**
   * The `count` nearest rows, the nearest first; all of them where there are fewer. Exact, but for an approximate index's 1 to
   * 2 % of rows that are missed for farther ones; cosines are always exact.
   * @param query of unit length, so that the dot products are cosines
   * @throws RangeError for a query of another dimension
   */
  async search(query: Float32Array, count: number): Promise<NearRows> {
    if (query.length !== this.#matrix.dimension) {
      throw new RangeError(`a query of ${query.length} values for vectors of ${this.#matrix.dimension}`);
    }
    const end = this.#matrix.length;
    const top = new TopRows(Math.min(count, end));
    const from = await this.#searchHeld(query, { count, top });
    await this.#scan(query, { from, to: end, top });
    return top.take();
  }

  /** Makes the index anew from the matrix, without the dead rows. The old one serves until then. Of few rows there is none. Never rejects. */
  async rebuild(): Promise<void> {
    if (!this.#serving && this.#matrix.length < SENT_TOGETHER) return;
    this.#rebuilding ??= this.#replaceUntilFitting().finally(() => {
      this.#rebuilding = undefined;
    });
    await this.#rebuilding;
  }

  /** Ends FAISS. Searches still work afterwards, without it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#restart.cancel();
    const serving = this.#serving;
    this.#serving = undefined;
    await Promise.all([serving?.index.drop('closed'), this.#successor?.index.drop('closed'), this.#rebuilding]);
    // Its file of vectors is removed then.
    await serving?.fed();
  }

  /** Offers the nearest living rows of those that FAISS holds; resolves to the first row that it did not look at. */
  async #searchHeld(query: Float32Array, { count, top }: { count: number; top: TopRows }): Promise<number> {
    for (let asked = count; ; asked *= WIDENING) {
      const serving = this.#serving;
      if (!serving || (serving.plan.lists > 0 && asked > APPROXIMATE_COUNT_LIMIT)) return 0;
      const found = await this.#askFaiss(serving, { query, count: asked });
      if (!found) return 0;
      const living = found.rows.filter((row) => !this.#dead.has(row));
      if (living.length < count && found.rows.length === asked) continue;
      await this.#offer(living, { query, top });
      return found.upTo;
    }
  }

  /** Null where FAISS could not be asked, or does not answer in time: then nobody waits for it until it answers or is replaced. */
  async #askFaiss(serving: IndexedRows, wanted: Wanted): Promise<FoundRows | null> {
    if (this.#late.has(serving)) return null;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        this.#late.add(serving);
        resolve(null);
      }, PATIENCE_MS);
    });
    const answered = this.#answerOfFaiss(serving, wanted).finally(() => {
      clearTimeout(timer);
      this.#late.delete(serving);
    });
    return await Promise.race([answered, late]);
  }

  async #answerOfFaiss(serving: IndexedRows, { query, count }: Wanted): Promise<FoundRows | null> {
    try {
      const found = await serving.search(query, count);
      this.#restart.noteAnswer();
      serving.index.lose(query.length * LOST_BYTES_PER_VALUE, this.#lostBytesLimit);
      if (serving.plan.lists === 0) this.#flatSearches++;
      if (serving.index.isWorn || this.#isOutgrown()) this.#renew();
      return found;
    } catch (error) {
      this.#giveUp(serving, error);
      return null;
    }
  }

  async #offer(rows: Int32Array, { query, top }: { query: Float32Array; top: TopRows }): Promise<void> {
    for (let start = 0; start < rows.length; start += SLICE_ROWS) {
      if (start > 0) await nextTurn();
      const slice = rows.subarray(start, start + SLICE_ROWS);
      const cosines = new Float64Array(slice.length);
      this.#matrix.dots(query, slice, cosines);
      for (let place = 0; place < slice.length; place++) top.offer(slice[place] as number, cosines[place] as number);
    }
  }

  /** Compares rows here. Scans of more than a slice wait for each other, so that each turn of the event loop has one slice. */
  #scan(query: Float32Array, { from, to, top }: { from: number; to: number; top: TopRows }): Promise<void> | void {
    const scanSlice = (start: number) => {
      const end = Math.min(start + SLICE_ROWS, to);
      for (let row = start; row < end; row++) if (!this.#dead.has(row)) top.offer(row, this.#matrix.dot(query, row));
    };
    if (to - from <= SLICE_ROWS) return scanSlice(from);
    const scan = this.#scanning.then(async () => {
      for (let start = from; start < to; start += SLICE_ROWS) {
        scanSlice(start);
        await nextTurn();
      }
    });
    this.#scanning = scan.catch(() => {});
    return scan;
  }

  /** Starts a rebuild unless one is under way or failed a moment ago. */
  #renew(): void {
    if (!this.#rebuilding && !this.#restart.isWaiting && !this.#isClosed) void this.rebuild();
  }

  /** A flat index serves within a second or two; where another is due, it follows. */
  async #replaceUntilFitting(): Promise<void> {
    await this.#replace();
    if (this.#isOutgrown() && !this.#restart.isWaiting && !this.#isClosed) await this.#replace();
  }

  #isOutgrown(): boolean {
    const serving = this.#serving;
    return serving !== undefined && serving.size >= serving.plan.outgrownAt && this.#isOftenSearched();
  }

  /** Opened for a few searches, it is never trained: that takes as much as a thousand of them. */
  #isOftenSearched(): boolean {
    return this.#flatSearches >= this.#approximateAfterSearches;
  }

  async #replace(): Promise<void> {
    const plan = this.#nextPlan();
    try {
      const next = await IndexedRows.start({
        pool: this.#pool,
        before: this.#serving?.index ?? null,
        matrix: this.#matrix,
        isDead: (row) => this.#dead.has(row),
        plan,
        filedFromRows: this.#filedFromRows,
      });
      this.#successor = next;
      void next.index.ended.then((reason) => this.#giveUp(next, reason));
      if (this.#isClosed) return await next.index.drop('closed');
      if (plan.lists > 0) await next.train();
      if (this.#serving) await next.catchUp();
      if (this.#isClosed) return await next.index.drop('closed');
      this.#serving?.index.retire();
      this.#serving = next;
      await next.catchUp();
    } catch (error) {
      void this.#successor?.index.drop('it failed');
      if (this.#serving === this.#successor) this.#serving = undefined;
      if (plan.lists > 0) this.#approximateFromRows = Number.POSITIVE_INFINITY; // searches stay right, and the machine idle
      this.#restartLater(error);
    } finally {
      this.#successor = undefined;
    }
  }

  /** A flat index while searches are none or few, because it is quick to build. */
  #nextPlan(): IndexPlan {
    const approximateFromRows = this.#approximateFromRows;
    if (!this.#serving || !this.#isOftenSearched()) return flatPlan(approximateFromRows);
    return planFor(this.living, { approximateFromRows });
  }

  /** The serving process is gone or failed: searches go on without it, and another one is started. */
  #giveUp(indexed: IndexedRows, reason: unknown): void {
    if (this.#serving !== indexed) return;
    this.#serving = undefined;
    void indexed.index.drop('it failed');
    this.#restartLater(reason);
  }

  #restartLater(reason: unknown): void {
    const wait = this.#restart.schedule();
    if (wait !== null)
      this.#log.warn({ reason: String(reason), wait_ms: wait }, 'FAISS failed; searches scan until it is back');
  }
}
