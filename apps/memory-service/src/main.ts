import { readFileSync } from 'node:fs';
import process from 'node:process';
import {
  configOrExit,
  createLog,
  createMetrics,
  runService,
  systemClock,
  timeOrderedIds,
} from '@agent-faculties/service-kit';
import { createApp } from './app.ts';
import { CONFIG_FIELDS, CONFIG_PREFIX } from './config.ts';

const NAME = 'memory-service';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const config = configOrExit({
  name: NAME,
  version,
  description: 'a shared memory for AI agents',
  prefix: CONFIG_PREFIX,
  fields: CONFIG_FIELDS,
  env: process.env,
  argv: process.argv.slice(2),
  exit: process.exit,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});

const log = createLog({ name: NAME, level: config.logLevel });
const app = createApp({
  config,
  clock: systemClock,
  ids: timeOrderedIds(systemClock),
  log,
  metrics: createMetrics(),
  version,
  validateResponses: process.env.NODE_ENV === 'development',
});

await runService({ name: NAME, app, host: config.host, port: config.port, log, process });
