import type { Postgres } from '@agent-faculties/postgres-kit';
import type { Clock, Logger } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { preparedChange } from '../../store/changes/prepared-change.ts';
import type { MemoryIndexes } from '../../store/indexes/memory-indexes.ts';
import type { OpenPersistence } from '../open-persistence.ts';
import { captureContents } from '../snapshot/snapshot.ts';
import type { Checkpoint } from './checkpoint/checkpoint-files.ts';
import { Checkpoints } from './checkpoint/checkpoints.ts';
import { type CheckpointLoad, loadCheckpoint, reconcileWithCheckpoint } from './checkpoint/load-checkpoint.ts';
import { idleBatchesOf } from './duty/idle-batches.ts';
import { Lease } from './duty/lease.ts';
import { Upkeep } from './duty/upkeep.ts';
import { ChangeLog, LOG_START } from './log/change-log.ts';
import { PostgresJournal } from './log/postgres-journal.ts';
import { readerProgress } from './log/reader-progress.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { sharedHistory } from './shared-history.ts';
import { SharedPersistence } from './shared-persistence.ts';
import { PrunedTable } from './tables/pruned-table.ts';
import { SharedRunLog } from './tables/shared-run-log.ts';
import { SharedVectors } from './vectors/shared-vectors.ts';

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

/** A space whose checkpoint and log are in the indexes. */
interface LoadedSpace {
  /** Null where there was none. */
  readonly checkpoint: Checkpoint | null;
  readonly checkpoints: Checkpoints;
  readonly journal: PostgresJournal;
  readonly vectors: SharedVectors;
  readonly runLog: SharedRunLog;
  /** Gives up the vectors that are still to come; resolves when nothing is under way any more. */
  readonly stopLoading: () => Promise<void>;
}

/** Reads the checkpoint and the log of a space into the indexes, and keeps them up to date from then on. */
export async function openSharedSpace(options: SharedSpaceOptions): Promise<OpenPersistence> {
  const { database, space, readsOnly = false } = options;
  const { postgres, newToken } = database;
  // First, so that no other process opens the space for its night meanwhile.
  const lease = new Lease({ postgres, space, holder: newToken() });
  if (!readsOnly) await lease.isHeld();
  try {
    const firstWrittenAt = await firstWriteOf({ postgres, space });
    const loaded = await load(lease, options);
    return { ...kept(lease, options, loaded), firstWrittenAt };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

async function firstWriteOf({ postgres, space }: { postgres: Postgres; space: string }): Promise<number | null> {
  const text = 'SELECT created_at FROM memory.space WHERE name = $1';
  const { rows } = await postgres.query<{ created_at: Date }>({ text, values: [space] });
  return rows[0]?.created_at.getTime() ?? null;
}

/** The checkpoint first, then the log after it. */
async function load(lease: Lease, options: SharedSpaceOptions): Promise<LoadedSpace> {
  const { database, space, readsOnly = false, lateFromRows, indexes, model, log } = options;
  const { postgres } = database;
  const checkpoints = new Checkpoints({ postgres, space });
  const vectors = vectorsOf(lease, options);
  const from = { database, checkpoints, indexes, model, shared: vectors, log, lateFromRows };
  const { checkpoint, stop: stopLoading } = await loadCheckpoint({ ...from, bringsVectors: readsOnly });
  const journal = journalAfter(checkpoint, from, options);
  vectors.follow({
    get position() {
      return journal.position;
    },
    catchUp: async () => {
      journal.lookAgain();
      await journal.catchUp();
    },
  });
  try {
    await journal.catchUp();
    const runLog = await SharedRunLog.open({ postgres, space });
    log.info({ space, memories: indexes.records.size, changes: journal.sequence, database: postgres.name }, 'loaded');
    return { checkpoint, checkpoints, journal, vectors, runLog, stopLoading };
  } catch (error) {
    await stopLoading();
    throw error;
  }
}

function vectorsOf(lease: Lease, options: SharedSpaceOptions): SharedVectors {
  const { database, space, vectorsAbove, model, indexes, clock, log } = options;
  return new SharedVectors({
    postgres: database.postgres,
    space,
    model,
    indexes,
    above: vectorsAbove ?? Number.POSITIVE_INFINITY,
    isOwner: () => lease.isHeld(),
    clock,
    log,
  });
}

/** The log from the checkpoint on. @param from what the checkpoint was read with, and is read anew with after a failover */
function journalAfter(
  checkpoint: Checkpoint | null,
  from: CheckpointLoad & { readonly shared: SharedVectors },
  { database, space, readsOnly = false, indexes, model, clock, log }: SharedSpaceOptions,
): PostgresJournal {
  const { postgres, newToken, random, meters } = database;
  return new PostgresJournal({
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
      return (await reconcileWithCheckpoint(from))?.position ?? LOG_START;
    },
    // A copy brings all vectors to its own memory.
    ...(!readsOnly && { seen: (head) => from.shared.seen(head) }),
  });
}

/** Starts the upkeep, and joins what keeps the loaded space. */
function kept(lease: Lease, options: SharedSpaceOptions, loaded: LoadedSpace): OpenPersistence {
  const { database, space, readsOnly = false, keepUpMs, indexes, clock, log } = options;
  const { postgres } = database;
  const { journal, vectors, runLog, stopLoading } = loaded;
  const persistence = persistenceOf(options, loaded);
  const { heads } = idleBatchesOf(postgres);
  const about = { space, readsOnly, keepUpMs, clock, log };
  const upkeep = new Upkeep({ ...about, lease, heads, indexes, journal, vectors, persistence, runLog });
  return {
    journal,
    persistence,
    archive: archiveOf(options, journal),
    history: sharedHistory(indexes, journal),
    runLog,
    isOwner: () => lease.isHeld(),
    readerProgress: readerProgress(journal, { postgres, space }),
    follow: () => upkeep.follow(),
    beforeClose: async () => {
      if (!readsOnly && holdDeletedWords(journal, clock) && (await lease.isHeld())) {
        await persistence.save().catch((err: unknown) => {
          log.warn({ space, err }, 'rows hold what was deleted until somebody opens the space again');
        });
      }
      // Before the journal is closed, in which others may wait for vectors.
      await stopLoading();
      await vectors.close();
    },
    release: async () => {
      await upkeep.stop();
      await lease.release();
    },
  };
}

/** Whether rows of the log hold words that are deleted by now. */
function holdDeletedWords({ deletedSinceMs }: PostgresJournal, clock: Clock): boolean {
  return deletedSinceMs !== null && deletedSinceMs <= clock.now();
}

function persistenceOf(
  { database, indexes, model, clock }: SharedSpaceOptions,
  { checkpoint, checkpoints, journal, vectors }: LoadedSpace,
): SharedPersistence {
  return new SharedPersistence({
    clock,
    name: database.postgres.name,
    journal,
    checkpoints,
    capture: () => captureContents(indexes, model),
    vectors,
    whole: async () => await indexes.vectors?.matrix.whole(),
    newId: database.newToken,
    savedAtMs: checkpoint?.savedAtMs ?? null,
  });
}

function archiveOf({ database, space, indexes }: SharedSpaceOptions, journal: PostgresJournal): PrunedTable {
  return new PrunedTable({
    postgres: database.postgres,
    space,
    onRead: () => journal.lookAgain(),
    storedAmong: async (ids) => {
      await journal.catchUp();
      const { records } = indexes;
      return ids.filter((id) => records.ordinalHolding(id) !== undefined);
    },
  });
}
