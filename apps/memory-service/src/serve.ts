import process from 'node:process';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { Embedder } from '@agent-faculties/embeddings';
import { retryWhileAway } from '@agent-faculties/postgres-kit';
import {
  type Clock,
  DAY_MS,
  type Logger,
  removeLeftFolders,
  runService,
  timeOrderedIds,
  warnWhereExposed,
} from '@agent-faculties/service-kit';
import { createMetrics, type Metrics, openContract, openTracing } from '@agent-faculties/service-kit/http';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { nextTurn } from './domain/concurrency/next-turn.ts';
import { vectorModelOf } from './domain/embedding/vector-model.ts';
import type { Engine } from './domain/space/engine.ts';
import type { StoredSpace } from './domain/space/stored-space.ts';
import { replicaMetrics } from './metrics.ts';
import type { Explaining, Models } from './models.ts';
import type { ProcessName } from './persistence/directory/lock-holder.ts';
import { openSpaceFolders } from './persistence/directory/space-folders.ts';
import type { StoreOptions } from './persistence/open-store.ts';
import { CHECKPOINT_FOLDER } from './persistence/postgres/checkpoint/passing-folder.ts';
import { openDatabaseSpaces } from './persistence/postgres/database-spaces.ts';
import { type MemoryDatabase, openMemoryDatabase, type ReplicaMeters } from './persistence/postgres/memory-database.ts';
import { warmUpReading } from './search/lexical/text-reading.ts';
import { FaissPool } from './search/vectors/faiss/faiss-pool.ts';
import { VECTORS_FOLDER } from './search/vectors/indexed-rows.ts';
import { readWebhooksFile } from './webhooks/webhooks-file.ts';
import { CONTRACT } from './wire/contract-file.ts';

export interface ServeOptions extends Machine {
  readonly name: string;
  readonly version: string;
  readonly config: Config;
  readonly models: Models;
  readonly log: Logger;
  readonly explaining: Explaining;
}

/** What the process has of the machine. */
interface Machine {
  readonly clock: Clock;
  readonly process: ProcessName;
  readonly newToken: () => string;
  readonly random: () => number;
}

/** Opens the store and answers requests until a signal ends the process. Resolves once it listens. */
export async function serve(options: ServeOptions): Promise<void> {
  const { name, version, config, models, log, explaining, clock } = options;
  const webhooks = await explaining(() =>
    config.webhooks === null ? [] : readWebhooksFile(config.webhooks, { allowPrivate: config.webhooksAllowPrivate }),
  );
  const contract = openContract(CONTRACT, { validateResponses: process.env.NODE_ENV === 'development' });
  const build = { service: name, version };
  const metrics = createMetrics({ build });
  const { registry } = metrics;
  const [embedder] = await Promise.all([models.embedder, removeLeft(options)]);
  const { engine, stored, hasLost, closeDatabase } = await openMemories(options, { embedder, registry });
  const [pairScorer, nliScorer] = await Promise.all([models.pairScorer, models.nliScorer]);
  const { tracing, close: exportLastSpans } = openTracing({ config, clock, build, log, registry });
  const { app, start, endStreams, stopJobs, closeSpaces } = await createApp({
    config,
    engine,
    stored,
    embedder,
    pairScorer,
    nliScorer,
    webhooks,
    clock,
    ids: timeOrderedIds(clock),
    log,
    metrics,
    tracing,
    version,
    contract,
  });
  warnWhereExposed(log, config);
  // The rest of the start runs before the port opens, so that the first request does not wait for it.
  warmUpReading();
  await nextTurn();

  await runService({
    name,
    app,
    host: config.host,
    port: config.port,
    log,
    process,
    stopDelaySeconds: config.stopDelaySeconds,
    onStopping: [endStreams, stopJobs],
    releasers: [
      exportLastSpans,
      () => {
        if (hasLost()) throw new Error('another process has the data directory');
      },
      async () => await embedder?.close(),
      async () => await pairScorer?.close(),
      async () => await nliScorer?.close(),
      closeDatabase,
      closeSpaces,
    ],
  });
  start();
}

/** Removes temporary files of killed processes: they take room, and may hold words that were erased since. */
async function removeLeft({ clock, log }: ServeOptions): Promise<void> {
  const folders = await removeLeftFolders([VECTORS_FOLDER, CHECKPOINT_FOLDER], { now: clock.now() });
  if (folders.length > 0) log.info({ folders }, 'removed temporary files of processes that were killed');
}

interface OpenedMemories {
  readonly engine: Engine;
  /** The default space. */
  readonly stored: StoredSpace;
  /** Whether another process has taken the data directory since. */
  readonly hasLost: () => boolean;
  readonly closeDatabase: () => Promise<void>;
}

/** Opens the database or the data directory, and in it the default space. */
async function openMemories(
  options: ServeOptions,
  { embedder, registry }: { embedder: Embedder | null; registry: Metrics['registry'] },
): Promise<OpenedMemories> {
  const { log, explaining, process: own } = options;
  const database = await openDatabase(options, replicaMetrics(registry));
  let hasLost = false;
  const onLost = ({ message }: { readonly message: string }) => {
    log.fatal(message);
    hasLost = true;
    // Nothing is lost: this process has written nothing since it lost the lock.
    process.kill(own.pid, 'SIGTERM');
  };
  const engine = await openEngine(options, { embedder, database, onLost });
  const openDefault = () => engine.open(DEFAULT_SPACE);
  const stored = await explaining(() =>
    database ? retryWhileAway(openDefault, { name: database.postgres.name, log }) : openDefault(),
  );
  return {
    engine,
    stored,
    hasLost: () => hasLost,
    closeDatabase: async () => {
      if (database) await database.postgres.close();
    },
  };
}

/** Null where none is named. */
async function openDatabase(
  { config, log, explaining, newToken, random }: ServeOptions,
  meters: ReplicaMeters,
): Promise<MemoryDatabase | null> {
  const { store: url } = config;
  const database = url && (await explaining(() => openMemoryDatabase({ url, log, newToken, random, meters })));
  if (database && config.dataDir !== null)
    log.info({ database: database.postgres.name }, 'the memories are in the database: --data-dir is not used');
  return database;
}

async function openEngine(
  { config, clock, log, process: own }: ServeOptions,
  of: { embedder: Embedder | null; database: MemoryDatabase | null; onLost: NonNullable<StoreOptions['onLost']> },
): Promise<Engine> {
  const { embedder, database, onLost } = of;
  const options = {
    dataDir: config.dataDir,
    model: embedder && vectorModelOf(embedder),
    maxMemories: config.maxMemories,
    historyMs: config.historyDays * DAY_MS,
    repair: config.repair,
    clock,
    log,
    process: own,
    faissPool: new FaissPool(),
    onLost,
  };
  if (!database) return await openSpaceFolders(options);
  return await openDatabaseSpaces({ ...options, shared: { database, vectorsAbove: config.vectorsInDatabaseAbove } });
}
