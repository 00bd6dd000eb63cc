import { type Clock, type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { Persistence } from '../../../domain/memory/persistence.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import type { PostgresJournal } from '../log/postgres-journal.ts';
import type { SharedRunLog } from '../tables/shared-run-log.ts';
import type { SharedVectors } from '../vectors/shared-vectors.ts';
import { BackgroundWork } from './background-work.ts';
import { everySoOften } from './every-so-often.ts';
import type { IdleBatches, SpaceHead } from './idle-batches.ts';
import type { Lease } from './lease.ts';

/** How often a process looks for what others have written, though nobody asks: with a listener, and without. */
const FOLLOW_MS = 250;
const KEEP_UP_MS = 1_000;
/** A checkpoint is due when the log is so long, and a share of the memories, so that each change costs the same. */
const CHECKPOINT_CHANGES = 2_000;
const CHECKPOINT_SHARE = 0.25;
/** A checkpoint is also due this long after a delete, since deletes come in groups. */
const CHECKPOINT_AFTER_DELETE_MS = 5_000;

export interface UpkeepOptions {
  readonly space: string;
  /** Follows the log and does nothing else. */
  readonly readsOnly: boolean;
  /** Milliseconds. Absent: each second. */
  readonly keepUpMs?: number | undefined;
  readonly lease: Lease;
  readonly heads: IdleBatches['heads'];
  readonly indexes: Pick<MemoryIndexes, 'records'>;
  readonly journal: PostgresJournal;
  readonly vectors: SharedVectors;
  readonly persistence: Persistence;
  readonly runLog: SharedRunLog;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * What a process does for an open space now and then, though nobody asks: it follows what others write, keeps the lease, makes a
 * checkpoint where one is due, and tends the vectors. It begins at once.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #saving: BackgroundWork;
  readonly #repeating: { stop: () => Promise<void> };
  #waitMs: number;
  /** The mark of the run log as it was read last. */
  #runs: string | null = null;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    const { keepUpMs = KEEP_UP_MS, persistence, clock, log, space } = options;
    this.#waitMs = keepUpMs;
    this.#saving = new BackgroundWork({ job: 'save', work: () => persistence.save(), clock, log, space });
    const work = () => this.#keepUp().catch(unlessAway);
    const keepingUp = new BackgroundWork({ job: 'keep up', work, clock, log, space });
    this.#repeating = everySoOften(
      () => this.#waitMs,
      () => keepingUp.doWhereDue(),
    );
  }

  /** From now on looks as often as somebody needs who listens to the changes. */
  follow(): void {
    this.#waitMs = Math.min(this.#waitMs, FOLLOW_MS);
  }

  /** Begins nothing any more; resolves when nothing is under way. */
  async stop(): Promise<void> {
    await this.#repeating.stop();
    await this.#saving.ended();
  }

  async #keepUp(): Promise<void> {
    const { heads, space, journal, readsOnly, lease, vectors } = this.#options;
    const head = await heads.ask(space).catch(() => null);
    // It notes a database that is away.
    if (!head || !journal.isAt(head)) await journal.catchUp();
    // Asked each time, so that whoever does the jobs keeps doing them: a save may last longer than the lease, and is not waited for.
    if (!readsOnly && (await lease.isHeld()) && this.#isCheckpointDue()) void this.#saving.doWhereDue();
    if (!readsOnly) await vectors.keepUp();
    await this.#refreshRuns(head);
  }

  #isCheckpointDue(): boolean {
    const { journal, indexes, vectors, clock } = this.#options;
    const isLogLong = journal.unsaved > Math.max(CHECKPOINT_CHANGES, CHECKPOINT_SHARE * indexes.records.size);
    const deletedSinceMs = journal.deletedSinceMs ?? Number.POSITIVE_INFINITY;
    return isLogLong || vectors.isDue || deletedSinceMs + CHECKPOINT_AFTER_DELETE_MS <= clock.now();
  }

  async #refreshRuns(head: SpaceHead | null): Promise<void> {
    if (head && head.runs !== this.#runs) await this.#options.runLog.refresh();
    this.#runs = head?.runs ?? null;
  }
}

/** A database that is away is noted by the journal, for all who ask. @throws any other error */
function unlessAway(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error;
}
