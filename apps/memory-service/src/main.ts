import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import {
  ModelUnavailableError,
  openEmbedder,
  openNliScorer,
  openPairScorer,
  type PairScorer,
} from '@agent-faculties/embeddings';
import { PostgresError, retryWhileAway } from '@agent-faculties/postgres-kit';
import {
  type CommandEdge,
  type Commands,
  ConfigError,
  commandEdge,
  configOrExit,
  createLog,
  createMetrics,
  DAY_MS,
  openContract,
  openTracing,
  orExit,
  runCommand,
  runService,
  standardStreams,
  systemClock,
  timeOrderedIds,
  warnWhereExposed,
} from '@agent-faculties/service-kit';
import { createApp } from './app.ts';
import { memoryBackupCommands } from './commands/backup-command.ts';
import { runCopyCommand } from './commands/copy-command.ts';
import { runTransferCommand } from './commands/transfer-command.ts';
import { withoutCommandVariables } from './commands/transfer-config.ts';
import { CONFIG_FIELDS, CONFIG_PREFIX } from './config.ts';
import { replicaMetrics } from './metrics.ts';
import { DataDirectoryError } from './persistence/files/data-directory-error.ts';
import { openDatabaseSpaces } from './persistence/postgres/database-spaces.ts';
import { openMemoryDatabase } from './persistence/postgres/memory-database.ts';
import { openSpaceFolders } from './persistence/space-folders.ts';
import { FaissPool } from './search/vectors/faiss-pool.ts';
import { readWebhooksFile } from './webhooks/webhooks-file.ts';
import { CONTRACT } from './wire/contract-file.ts';

const NAME = 'memory-service';
const NO_MODEL = 'none';
const BUNDLED_MODEL = 'bundled';

const edge = commandEdge(new URL('../package.json', import.meta.url));
const { version } = edge;
const machine = {
  clock: systemClock,
  process: { pid: process.pid, hostname: hostname() },
  pause: async (milliseconds: number) => await pause(milliseconds),
};
const transferring = (name: 'push' | 'pull') => (edge: CommandEdge) =>
  runTransferCommand(name, {
    ...edge,
    ...machine,
    progress: { isTerminal: process.stderr.isTTY === true, write: edge.err },
    fetch,
  });

const copying = (name: 'import' | 'export') => (edge: CommandEdge) =>
  runCopyCommand(name, { ...edge, ...machine, newToken: randomUUID, random: Math.random });

const commands: Commands = {
  backup: {
    help: 'write a copy of the data directory to standard output',
    run: (edge) => memoryBackupCommands(machine).backup({ ...edge, ...standardStreams() }),
  },
  restore: {
    help: 'make the data directory of a backup on standard input',
    run: (edge) => memoryBackupCommands(machine).restore({ ...edge, ...standardStreams() }),
  },
  import: { help: 'copy a data directory into a database', run: copying('import') },
  export: { help: 'copy a database into a data directory', run: copying('export') },
  push: { help: 'send the memories of a local store to a server', run: transferring('push') },
  pull: { help: 'bring what all agents may see from a server to a local store', run: transferring('pull') },
};

await runCommand({ ...edge, name: NAME }, commands);

const config = configOrExit({
  ...edge,
  name: NAME,
  description: 'a shared memory for AI agents',
  prefix: CONFIG_PREFIX,
  fields: CONFIG_FIELDS,
  commands,
  env: withoutCommandVariables(edge.env),
});

const explaining = {
  ...edge,
  name: NAME,
  explained: [ConfigError, DataDirectoryError, ModelUnavailableError, PostgresError],
};

const webhooks = await orExit(explaining, () =>
  config.webhooks === null ? [] : readWebhooksFile(config.webhooks, { allowPrivate: config.webhooksAllowPrivate }),
);

const log = createLog({ name: NAME, level: config.logLevel });

/** Without the bundled model the service finds contradictions by rules; a model that was named must be there. */
async function openContradictionModel(): Promise<PairScorer | null> {
  const model = config.contradictionModel;
  try {
    return await openPairScorer({ model, log: { warn: (message) => log.warn(message) } });
  } catch (error) {
    if (!(error instanceof ModelUnavailableError) || model !== BUNDLED_MODEL) throw error;
    log.warn(`contradictions are found by rules alone: ${error.message}`);
    return null;
  }
}

// Each model loads in a thread of its own: first the one that the store is opened for, then the others beside the store.
const modelOptions = {
  modelDir: config.modelDir ?? undefined,
  offline: config.offline,
  log: { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) },
};
const opening =
  config.embeddingModel === NO_MODEL
    ? null
    : orExit(explaining, () => openEmbedder({ ...modelOptions, model: config.embeddingModel }));
const contract = openContract(CONTRACT, { validateResponses: process.env.NODE_ENV === 'development' });
const embedder = await opening;
const pairModels = Promise.all([
  config.contradictionModel === NO_MODEL ? null : orExit(explaining, openContradictionModel),
  config.nliModel === null
    ? null
    : orExit(explaining, () => openNliScorer({ ...modelOptions, model: config.nliModel as string })),
]);
/** Whether another process has taken the data directory. */
let hasLost = false;
const faissPool = new FaissPool();
const build = { service: NAME, version };
const metrics = createMetrics({ build });
const meters = replicaMetrics(metrics.registry);
const { store } = config;
const database =
  store &&
  (await orExit(explaining, () =>
    openMemoryDatabase({ url: store, log, newToken: randomUUID, random: Math.random, meters }),
  ));
if (database && config.dataDir !== null)
  log.info({ database: database.postgres.name }, 'the memories are in the database: --data-dir is not used');
const storeOptions = {
  dataDir: config.dataDir,
  embedder,
  maxMemories: config.maxMemories,
  historyMs: config.historyDays * DAY_MS,
  repair: config.repair,
  clock: systemClock,
  log,
  process: machine.process,
  faissPool,
  onLost: ({ message }: { readonly message: string }) => {
    log.fatal(message);
    hasLost = true;
    // Nothing is lost: this process has written nothing since it lost the lock.
    process.kill(process.pid, 'SIGTERM');
  },
};
const engine = database
  ? await openDatabaseSpaces({
      ...storeOptions,
      shared: { database, vectorsAbove: config.vectorsInDatabaseAbove },
    })
  : await openSpaceFolders(storeOptions);
const openDefault = () => engine.open(DEFAULT_SPACE);
const opened = await orExit(explaining, () =>
  database ? retryWhileAway(openDefault, { name: database.postgres.name, log }) : openDefault(),
);
const [pairScorer, nliScorer] = await pairModels;
const { tracing, close: exportLastSpans } = openTracing({
  config,
  clock: systemClock,
  build,
  log,
  registry: metrics.registry,
});
const { app, start, endStreams, stopJobs, closeSpaces } = await createApp({
  config,
  engine,
  opened,
  embedder,
  pairScorer,
  nliScorer,
  webhooks,
  clock: systemClock,
  ids: timeOrderedIds(systemClock),
  log,
  metrics,
  tracing,
  version,
  contract,
});
warnWhereExposed(log, config);

await runService({
  name: NAME,
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
      if (hasLost) throw new Error('another process has the data directory');
    },
    async () => await embedder?.close(),
    async () => await pairScorer?.close(),
    async () => await nliScorer?.close(),
    closeSpaces,
    async () => await database?.postgres.close(),
  ],
});
start();
