import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import {
  byteSize,
  type ConfigOf,
  integerBetween,
  numberBetween,
  oneOf,
  path,
  text,
  trueOrFalse,
} from '@agent-faculties/service-kit';
import { serviceFields, spaceFields } from '@agent-faculties/service-kit/http';
import cron from 'node-cron';
import { DEFAULT_HISTORY_DAYS } from './domain/memory/history.ts';

export const CONFIG_PREFIX = 'MEMORY_';

const SECONDS_PER_DAY = 86_400;
export const CRON_OFF = 'off';
const CRON_FIELDS = 5;

function cronOrOff(value: string): string {
  if (value === CRON_OFF) return value;
  if (value.trim().split(/\s+/).length !== CRON_FIELDS || !cron.validate(value)) {
    throw new Error(`must be ${CRON_OFF} or five fields of cron, such as '0 3 * * *'`);
  }
  if (!everComes(value))
    throw new Error('names a time that never comes, such as the second Monday among the first seven days');
  return value;
}

function everComes(expression: string): boolean {
  try {
    return cron.createTask(expression, () => {}).getNextRuns(1).length > 0;
  } catch {
    return false;
  }
}

function timezone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new Error('must be an IANA time zone, such as Europe/Berlin or UTC');
  }
}

/** Every setting of the service; --help prints this table. */
export const CONFIG_FIELDS = {
  ...serviceFields({ prefix: CONFIG_PREFIX, port: 7832, bodyLimitBytes: 1024 ** 2 }),
  dataDir: {
    env: 'MEMORY_DATA_DIR',
    flag: 'data-dir',
    parse: path,
    default: null,
    help: 'folder that keeps the memories; without it nothing survives a restart',
  },
  store: {
    env: 'MEMORY_STORE',
    flag: 'store',
    parse: parseStoreUrl,
    default: null,
    isSecret: true,
    help: 'a database in place of a folder, which several replicas share: postgres://user@host:5432/database; with a password, by a file that MEMORY_STORE_FILE names',
  },
  autoSaveSeconds: {
    env: 'MEMORY_AUTO_SAVE',
    flag: 'auto-save',
    parse: numberBetween(1, SECONDS_PER_DAY),
    default: null,
    help: 'seconds between saves, such as 300; else only on a stop and by POST /save. What was answered is on disk in any case',
  },
  embeddingModel: {
    env: 'MEMORY_EMBEDDING_MODEL',
    flag: 'embedding-model',
    parse: text,
    default: 'accurate',
    help: 'accurate or fast (both bundled), multilingual (made by npm run models), a Hugging Face id, a folder, or none for words and entities only',
  },
  contradictionModel: {
    env: 'MEMORY_CONTRADICTION_MODEL',
    flag: 'contradiction-model',
    parse: text,
    default: 'bundled',
    help: 'the model that tells whether two memories contradict each other: bundled, a folder, or none for rules alone',
  },
  nliModel: {
    env: 'MEMORY_NLI_MODEL',
    flag: 'nli-model',
    parse: text,
    default: null,
    help: 'a larger model for natural language inference that has to confirm a contradiction: a folder or a Hugging Face id',
  },
  modelDir: {
    env: 'MEMORY_MODEL_DIR',
    flag: 'model-dir',
    parse: path,
    default: null,
    help: 'the folder where models are looked up first, and kept after a download',
  },
  offline: {
    env: 'MEMORY_OFFLINE',
    flag: 'offline',
    parse: trueOrFalse,
    default: false,
    isSwitch: true,
    help: 'forbids the download of a model',
  },
  maxMemories: {
    env: 'MEMORY_MAX_MEMORIES',
    flag: 'max-memories',
    parse: integerBetween(1, 10_000_000),
    default: 1_000_000,
    help: 'memories that a space holds at most',
  },
  vectorsInDatabaseAbove: {
    env: 'MEMORY_VECTORS_IN_DATABASE_ABOVE',
    flag: 'vectors-in-database-above',
    parse: integerBetween(0, 10_000_000),
    default: 2_000_000,
    help: 'with --store: the vectors of a space with more memories go into a table of the database, where it has the extension vector',
  },
  ...spaceFields(CONFIG_PREFIX),
  memoryLimitBytes: {
    env: 'MEMORY_MEMORY_LIMIT',
    flag: 'memory-limit',
    parse: byteSize,
    default: null,
    help: 'memory that open spaces take together, about, such as 4GiB; beyond, the one that was used longest ago is closed. Without it --open-spaces alone bounds them',
  },
  hookScope: {
    env: 'MEMORY_HOOK_SCOPE',
    flag: 'hook-scope',
    parse: oneOf('TEAM', 'SHARED', 'PRIVATE'),
    default: 'TEAM',
    help: 'who may see what the hooks of hosts store: TEAM or SHARED everybody, PRIVATE the agent alone',
  },
  consolidateCron: {
    env: 'MEMORY_CONSOLIDATE_CRON',
    flag: 'consolidate-cron',
    parse: cronOrOff,
    default: '0 3 * * *',
    help: 'the time of the nightly run, as five fields of cron; off for never',
  },
  consolidateTimezone: {
    env: 'MEMORY_CONSOLIDATE_TIMEZONE',
    flag: 'consolidate-timezone',
    parse: timezone,
    default: null,
    help: 'time zone of --consolidate-cron, such as Europe/Berlin; else that of the machine',
  },
  historyDays: {
    env: 'MEMORY_HISTORY_DAYS',
    flag: 'history-days',
    parse: numberBetween(0, 3650),
    default: DEFAULT_HISTORY_DAYS,
    help: 'days for which the version before an edit, a delete or a step of consolidation is kept; 0 for none',
  },
  webhooks: {
    env: 'MEMORY_WEBHOOKS',
    flag: 'webhooks',
    parse: path,
    default: null,
    help: 'a file of JSON with addresses that are told what changes: [{"url": "https://...", "secret": "whsec_..."}]',
  },
  webhooksAllowPrivate: {
    env: 'MEMORY_WEBHOOKS_ALLOW_PRIVATE',
    flag: 'webhooks-allow-private',
    parse: trueOrFalse,
    default: false,
    isSwitch: true,
    help: 'lets webhooks lead to private addresses, and by plain HTTP',
  },
  repair: {
    env: 'MEMORY_REPAIR',
    flag: 'repair',
    parse: trueOrFalse,
    default: false,
    isSwitch: true,
    help: 'starts on a damaged data directory with what can be read, and says what is lost',
  },
} as const;

export type Config = ConfigOf<typeof CONFIG_FIELDS>;
