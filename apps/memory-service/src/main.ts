import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { ModelUnavailableError, threadsAtRest } from '@agent-faculties/embeddings';
import { PostgresError } from '@agent-faculties/postgres-kit';
import {
  type CommandEdge,
  type Commands,
  ConfigError,
  commandEdge,
  configOrExit,
  createLog,
  orExit,
  runCommand,
  standardStreams,
  systemClock,
} from '@agent-faculties/service-kit';
import { withoutCommandVariables } from './commands/transfer-config.ts';
import { CONFIG_FIELDS, CONFIG_PREFIX } from './config.ts';
import { openModels } from './models.ts';
import { DataDirectoryError } from './persistence/files/data-directory-error.ts';

const NAME = 'memory-service';

// The heap is collected as soon as it has doubled. V8 lets it grow to nearly three times of what is in use, 100 to 150 MiB more with
// 100,000 memories, and is no faster by it.
setFlagsFromString('--heap-growing-percent=100');

const edge = commandEdge(new URL('../package.json', import.meta.url));
const machine = {
  clock: systemClock,
  process: { pid: process.pid, hostname: hostname() },
  pause: async (milliseconds: number) => await pause(milliseconds),
};
const newIdentity = { newToken: randomUUID, random: Math.random };

// Each command loads its own code, so that a start of the service loads none of it.
const backupCommands = async () => (await import('./commands/backup-command.ts')).memoryBackupCommands(machine);
const copying = (name: 'import' | 'export') => async (edge: CommandEdge) => {
  const { runCopyCommand } = await import('./commands/copy-command.ts');
  return await runCopyCommand(name, { ...edge, ...machine, ...newIdentity });
};
const transferring = (name: 'push' | 'pull') => async (edge: CommandEdge) => {
  const { runTransferCommand } = await import('./commands/transfer-command.ts');
  return await runTransferCommand(name, {
    ...edge,
    ...machine,
    progress: { isTerminal: process.stderr.isTTY === true, write: edge.err },
    fetch,
  });
};

const commands: Commands = {
  backup: {
    help: 'write a copy of the data directory to standard output',
    run: async (edge) => await (await backupCommands()).backup({ ...edge, ...standardStreams() }),
  },
  restore: {
    help: 'make the data directory of a backup on standard input',
    run: async (edge) => await (await backupCommands()).restore({ ...edge, ...standardStreams() }),
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
const log = createLog({ name: NAME, level: config.logLevel });
const explained = [ConfigError, DataDirectoryError, ModelUnavailableError, PostgresError];
const explaining = <T>(work: () => T | Promise<T>) =>
  orExit({ ...edge, name: NAME, explained, atRest: threadsAtRest }, work);
const models = openModels(config, { log, explaining });
// Loaded now and not at the top: half of the program is read while the thread of the first model starts.
const { serve } = await import('./serve.ts');
await serve({
  name: NAME,
  version: edge.version,
  config,
  models,
  log,
  explaining,
  ...machine,
  ...newIdentity,
});
