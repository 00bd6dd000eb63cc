import process from 'node:process';
import { PostgresError } from '@agent-faculties/postgres-kit';
import {
  type Commands,
  commandEdge,
  configOrExit,
  createLog,
  orExit,
  runCommand,
  runService,
  standardStreams,
  systemClock,
  timeOrderedIds,
  warnWhereExposed,
} from '@agent-faculties/service-kit';
import { createMetrics, openContract, openTracing } from '@agent-faculties/service-kit/http';
import { createApp } from './app.ts';
import { BACKUP_COMMANDS } from './commands/backup-command.ts';
import { runCopyCommand } from './commands/copy-command.ts';
import { runRepairCommand } from './commands/repair-command.ts';
import { CONFIG_FIELDS, CONFIG_PREFIX } from './config.ts';
import { schedule } from './jobs/schedule.ts';
import { CheckpointThread } from './storage/page-sums/checkpoint-thread.ts';
import { PostgresEngine } from './storage/postgres/postgres-engine.ts';
import { DatabaseOpenError } from './storage/sqlite/database-file.ts';
import { SqliteEngine } from './storage/sqlite/sqlite-engine.ts';
import { CONTRACT } from './wire/contract-file.ts';

const NAME = 'timing-service';

const edge = commandEdge(new URL('../package.json', import.meta.url));
const { version } = edge;

const commands: Commands = {
  backup: {
    help: 'write a checked copy of the database to standard output',
    run: (edge) => BACKUP_COMMANDS.backup({ ...edge, ...standardStreams() }),
  },
  restore: {
    help: 'make the database of a backup on standard input',
    run: (edge) => BACKUP_COMMANDS.restore({ ...edge, ...standardStreams() }),
  },
  import: { help: 'copy a file into a database', run: (edge) => runCopyCommand('import', edge) },
  export: { help: 'copy a database into a file', run: (edge) => runCopyCommand('export', edge) },
  repair: {
    help: 'save the readable part of a damaged database',
    run: (edge) => runRepairCommand({ ...edge, nowMs: systemClock.now() }),
  },
};

await runCommand({ ...edge, name: NAME }, commands);

const config = configOrExit({
  ...edge,
  name: NAME,
  description: 'a sense of time for AI agents',
  prefix: CONFIG_PREFIX,
  fields: CONFIG_FIELDS,
  commands,
});

const log = createLog({ name: NAME, level: config.logLevel });
const { store, dbPath, synchronous } = config;
const engine = await orExit({ ...edge, name: NAME, explained: [DatabaseOpenError, PostgresError] }, async () =>
  store === null
    ? new SqliteEngine({ path: dbPath, synchronous, checkpointThread: new CheckpointThread() })
    : await PostgresEngine.open({ url: store, log }),
);
const build = { service: NAME, version };
const metrics = createMetrics({ build });
const { tracing, close: exportLastSpans } = openTracing({
  config,
  clock: systemClock,
  build,
  log,
  registry: metrics.registry,
});
const { app, endStreams, jobs, closeSpaces } = createApp({
  config,
  engine,
  clock: systemClock,
  ids: timeOrderedIds(systemClock),
  log,
  metrics,
  tracing,
  version,
  contract: openContract(CONTRACT, { validateResponses: process.env.NODE_ENV === 'development' }),
});
warnWhereExposed(log, config);
const scheduled = schedule(jobs, log);

await runService({
  name: NAME,
  app,
  host: config.host,
  port: config.port,
  log,
  process,
  stopDelaySeconds: config.stopDelaySeconds,
  // Jobs and requests stop together: one after the other could take longer than the 10 s that container runtimes allow.
  onStopping: [endStreams, () => void scheduled.stop()],
  releasers: [exportLastSpans, closeSpaces, () => scheduled.stop()],
});
