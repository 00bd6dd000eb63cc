import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import { type ConfigOf, numberBetween, oneOf, path } from '@agent-faculties/service-kit';
import { serviceFields, spaceFields } from '@agent-faculties/service-kit/http';

export const CONFIG_PREFIX = 'TIMING_';

/** Every setting of the service; --help prints this table. */
export const CONFIG_FIELDS = {
  ...serviceFields({ prefix: CONFIG_PREFIX, port: 8080, bodyLimitBytes: 256 * 1024 }),
  dbPath: {
    env: 'TIMING_DB_PATH',
    flag: 'db-path',
    parse: path,
    default: 'timing.db',
    help: "SQLite file; ':memory:' keeps nothing",
  },
  store: {
    env: 'TIMING_STORE',
    flag: 'store',
    parse: parseStoreUrl,
    default: null,
    isSecret: true,
    help: 'a database in place of a file, which several replicas share: postgres://user@host:5432/database; with a password, by a file that TIMING_STORE_FILE names',
  },
  ...spaceFields(CONFIG_PREFIX),
  retentionDays: {
    env: 'TIMING_RETENTION_DAYS',
    flag: 'retention-days',
    parse: numberBetween(0.01, 36_500),
    default: null,
    help: 'days after which events and finished tasks are deleted, once an hour; without it everything is kept',
  },
  abandonAfterSeconds: {
    env: 'TIMING_ABANDON_AFTER_SECONDS',
    flag: 'abandon-after-seconds',
    parse: numberBetween(1, 1e9),
    default: 86_400,
    help: 'a task that runs for longer than this, than 10 times the p99 of its type and than 10 times its estimate is abandoned',
  },
  synchronous: {
    env: 'TIMING_SYNCHRONOUS',
    flag: 'synchronous',
    parse: oneOf('normal', 'full'),
    default: 'normal',
    help: 'normal survives a killed process; full also a power cut, at the price of one fsync per write',
  },
} as const;

export type Config = ConfigOf<typeof CONFIG_FIELDS>;
