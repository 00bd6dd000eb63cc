import { readFileSync } from 'node:fs';
import process from 'node:process';
import {
  binaryOutput,
  configOrExit,
  createLog,
  createMetrics,
  EXIT_FAILED,
  openContract,
  runService,
  systemClock,
  timeOrderedIds,
  warnWhereExposed,
} from '@agent-faculties/service-kit';
import { CONTRACT, createApp } from './app.ts';
import { backupCommandOf, runBackupCommand } from './commands/backup-command.ts';
import { runRepairCommand } from './commands/repair-command.ts';
import { CONFIG_FIELDS, CONFIG_PREFIX } from './config.ts';
import { schedule } from './jobs/schedule.ts';
import { type Database, DatabaseOpenError, openDatabase } from './storage/database.ts';

const NAME = 'timing-service';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const command = backupCommandOf(process.argv[2]);
if (command) {
  process.exit(
    await runBackupCommand(command, {
      version,
      env: process.env,
      argv: process.argv.slice(3),
      exit: process.exit,
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      input: process.stdin,
      output: binaryOutput(process.stdout),
      isTerminal: (command === 'backup' ? process.stdout : process.stdin).isTTY === true,
    }),
  );
}

if (process.argv[2] === 'repair') {
  process.exit(
    runRepairCommand({
      version,
      env: process.env,
      argv: process.argv.slice(3),
      exit: process.exit,
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      nowMs: systemClock.now(),
    }),
  );
}

const config = configOrExit({
  name: NAME,
  version,
  description: 'a sense of time for AI agents',
  prefix: CONFIG_PREFIX,
  fields: CONFIG_FIELDS,
  env: process.env,
  argv: process.argv.slice(2),
  exit: process.exit,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});

function databaseOrExit(): Database {
  try {
    return openDatabase({ path: config.dbPath, synchronous: config.synchronous });
  } catch (error) {
    if (!(error instanceof DatabaseOpenError)) throw error;
    process.stderr.write(`${NAME}: ${error.message}\n`);
    return process.exit(EXIT_FAILED);
  }
}

const database = databaseOrExit();
const log = createLog({ name: NAME, level: config.logLevel });
const { app, streams, jobs } = createApp({
  config,
  database,
  clock: systemClock,
  ids: timeOrderedIds(systemClock),
  log,
  metrics: createMetrics({ build: { service: NAME, version } }),
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
  // Jobs end while requests do: one after the other would take longer than the 10 s that container runtimes give.
  onStopping: [() => streams.endAll(), () => void scheduled.stop()],
  releasers: [() => database.close(), () => scheduled.stop()],
});
