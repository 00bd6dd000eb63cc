import type { Postgres } from '@agent-faculties/postgres-kit';
import { type Clock, type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import { preparedChange } from '../../store/prepared-change.ts';
import type { OpenPersistence } from '../store-persistence.ts';
import { BackgroundWork } from './background-work.ts';
import { ChangeLog, LOG_START } from './change-log.ts';
import { Checkpoints } from './checkpoints.ts';
import { idleBatchesOf } from './idle-batches.ts';
import { Lease } from './lease.ts';
import { loadCheckpoint, reconcileWithCheckpoint } from './load-checkpoint.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { PostgresJournal } from './postgres-journal.ts';
import { PrunedTable } from './pruned-table.ts';
import { readersPlaces } from './readers-places.ts';
import { sharedHistory } from './shared-history.ts';
import { SharedPersistence } from './shared-persistence.ts';
import { SharedRunLog } from './shared-run-log.ts';
import { SharedVectors } from './vectors/shared-vectors.ts';

/** How often a process looks for what others have written, though nobody asks: with a listener, and without. */
const FOLLOW_MS = 250;
const KEEP_UP_MS = 1_000;
/** A checkpoint is due when the log is so long, and a share of the memories, so that each change costs the same. */
const CHECKPOINT_CHANGES = 2_000;
const CHECKPOINT_SHARE = 0.25;
/** So long after a delete too: deletes come in groups. */
const CHECKPOINT_AFTER_DELETE_MS = 5_000;

/** A space that several processes may have open at once. */
export interface SharedSpace {
  readonly database: MemoryDatabase;
  readonly space: string;
  /** Leaves its jobs to others, and writes nothing by itself; for a copy. Absent: it does not. */
  readonly readsOnly?: boolean;
  /** From so many vectors on they come after the words. Absent: from 5,000. */
  readonly lateFromRows?: number;
  /** With more memories than this, vectors go into a table of the database. Absent: they do not. */
  readonly vectorsAbove?: number;
  /** How often it does what has to be done now and then, milliseconds. Absent: each second, or more often for a listener. */
  readonly keepUpMs?: number;
}

export interface SharedSpaceOptions extends SharedSpace {
  /** Empty. */
  readonly indexes: MemoryIndexes;
  readonly model: VectorModel | null;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Reads the checkpoint and the log of a space into the indexes, and keeps them up to date from then on. */
export async function openSharedSpace(options: SharedSpaceOptions): Promise<OpenPersistence> {
  const { database, space, readsOnly = false } = options;
  const { postgres, newToken } = database;
  // First, so that no other process opens the space for its night meanwhile.
  const lease = new Lease({ postgres, space, holder: newToken() });
  if (!readsOnly) await lease.isHeld();
  try {
    return await openWithLease(lease, options);
  } catch (error) {
    await lease.release();
    throw error;
  }
}

async function openWithLease(lease: Lease, options: SharedSpaceOptions): Promise<OpenPersistence> {
  const { database, space, readsOnly = false, lateFromRows, vectorsAbove, indexes, model, clock, log } = options;
  const { postgres, newToken, random, meters } = database;
  const firstWrittenAt = await firstWriteOf({ postgres, space });
  const checkpoints = new Checkpoints({ postgres, space });
  const shared = new SharedVectors({
    postgres,
    space,
    model,
    indexes,
    above: vectorsAbove ?? Number.POSITIVE_INFINITY,
    isOwner: () => lease.isHeld(),
    clock,
    log,
  });
  const load = { database, checkpoints, indexes, model, shared, log, lateFromRows };
  const { checkpoint, stop } = await loadCheckpoint({ ...load, bringsVectors: readsOnly });
  const journal = new PostgresJournal({
    log: new ChangeLog({ postgres, space }),
    position: checkpoint?.position ?? LOG_START,
    model,
    keptMs: indexes.versions.keptMs,
    clock,
    prepare: (change) => preparedChange(indexes, change),
    meters,
    newToken,
    random,
    readAnew: async () => {
      meters.readAnew();
      log.warn({ space }, 'the log does not go on where this process is: the checkpoint is read anew');
      return (await reconcileWithCheckpoint(load))?.position ?? LOG_START;
    },
    // A copy brings all vectors to its own memory.
    ...(!readsOnly && { seen: (head) => shared.seen(head) }),
  });
  const catchUp = async () => {
    journal.lookAgain();
    await journal.catchUp();
  };
  shared.follow({
    get position() {
      return journal.position;
    },
    catchUp,
  });
  const runLog = await journal
    .catchUp()
    .then(() => SharedRunLog.open({ postgres, space }))
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  log.info({ space, memories: indexes.records.size, changes: journal.sequence, database: postgres.name }, 'loaded');
  const persistence = new SharedPersistence({
    clock,
    name: postgres.name,
    journal,
    checkpoints,
    capture: () => ({
      memories: indexes.capture(),
      vectors: model && indexes.vectors && { model, matrix: indexes.vectors.matrix, first: indexes.vectors.first },
      versions: indexes.versions.capture(),
      deleted: indexes.tombstones.snapshot(),
    }),
    vectors: shared,
    whole: async () => await indexes.vectors?.matrix.whole(),
    newId: newToken,
    savedAtMs: checkpoint?.savedAtMs ?? null,
  });
  const storedAmong = async (ids: readonly string[]) => {
    await journal.catchUp();
    const { records } = indexes;
    return ids.filter((id) => (records.ordinalOf(id) ?? records.ordinalAbsorbing(id)) !== undefined);
  };
  const isLong = () => journal.unsaved > Math.max(CHECKPOINT_CHANGES, CHECKPOINT_SHARE * indexes.records.size);
  const hasDeleted = (waitMs: number) => (journal.deletedSinceMs ?? Number.POSITIVE_INFINITY) + waitMs <= clock.now();
  const isDue = () => isLong() || shared.isDue || hasDeleted(CHECKPOINT_AFTER_DELETE_MS);
  const { places } = idleBatchesOf(postgres);
  /** The run log as it was read last. */
  let runs: string | null = null;
  let waitMs = options.keepUpMs ?? KEEP_UP_MS;
  const saving = new BackgroundWork({ job: 'save', work: () => persistence.save(), clock, log, space });
  const keepUp = async () => {
    const place = await places.ask(space).catch(() => null);
    // It notes a database that is away.
    if (!place || !journal.isAt(place)) await journal.catchUp();
    // Asked each time, so that whoever does the jobs keeps doing them: a save may last longer than the lease, and is not waited for.
    if (!readsOnly && (await lease.isHeld()) && isDue()) void saving.doWhereDue();
    if (!readsOnly) await shared.keepUp();
    if (place && place.runs !== runs) await runLog.refresh();
    runs = place?.runs ?? null;
  };
  const keepingUp = new BackgroundWork({ job: 'keep up', work: () => keepUp().catch(unlessAway), clock, log, space });
  const repeating = everySoOften(
    () => waitMs,
    () => keepingUp.doWhereDue(),
  );
  return {
    journal,
    persistence,
    archive: new PrunedTable({ postgres, space, onRead: () => journal.lookAgain(), storedAmong }),
    history: sharedHistory(indexes, journal),
    runLog,
    isOwner: () => lease.isHeld(),
    places: readersPlaces(journal, { postgres, space }),
    firstWrittenAt,
    follow: () => {
      waitMs = Math.min(waitMs, FOLLOW_MS);
    },
    beforeClose: async () => {
      if (!readsOnly && hasDeleted(0) && (await lease.isHeld())) {
        await persistence.save().catch((err: unknown) => {
          log.warn({ space, err }, 'rows hold what was deleted until somebody opens the space again');
        });
      }
      // Before the journal is closed, in which others may wait for vectors.
      await stop();
      await shared.close();
    },
    release: async () => {
      await repeating.stop();
      await saving.ended();
      await lease.release();
    },
  };
}

async function firstWriteOf({ postgres, space }: { postgres: Postgres; space: string }): Promise<number | null> {
  const text = 'SELECT created_at FROM memory.space WHERE name = $1';
  const { rows } = await postgres.query<{ created_at: Date }>({ text, values: [space] });
  return rows[0]?.created_at.getTime() ?? null;
}

/** A database that is away is noted by the journal, for all who ask. @throws any other error */
function unlessAway(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error;
}

/**
 * Repeats work, which never rejects, with pauses between. All spaces of the process begin together, at
 * full multiples of the pause, so that they ask the database in one statement.
 */
function everySoOften(waitMs: () => number, work: () => Promise<void>): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = work().then(next);
    }, untilNext(waitMs()));
    timer.unref();
  };
  next();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Milliseconds until the next full multiple that is at least half a pause away: a timer may be a little early. */
function untilNext(waitMs: number): number {
  const left = waitMs - (performance.now() % waitMs);
  return Math.ceil(left < waitMs / 2 ? left + waitMs : left);
}
