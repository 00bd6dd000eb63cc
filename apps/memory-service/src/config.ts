import {
  agentId,
  byteSize,
  type ConfigOf,
  integerBetween,
  LOG_LEVELS,
  numberBetween,
  oneOf,
  path,
  text,
} from '@agent-faculties/service-kit';

export const CONFIG_PREFIX = 'MEMORY_';

const SECONDS_PER_DAY = 86_400;

/** Every setting of the service; --help prints this table. */
export const CONFIG_FIELDS = {
  host: { env: 'MEMORY_HOST', flag: 'host', parse: text, default: '127.0.0.1', help: 'address to listen on' },
  port: {
    env: 'MEMORY_PORT',
    flag: 'port',
    parse: integerBetween(0, 65_535),
    default: 7832,
    help: 'port to listen on; 0 picks a free one and prints it',
  },
  dataDir: {
    env: 'MEMORY_DATA_DIR',
    flag: 'data-dir',
    parse: path,
    default: null,
    help: 'where memories will be kept; accepted now, used from the release that stores memories on',
  },
  autoSaveSeconds: {
    env: 'MEMORY_AUTO_SAVE',
    flag: 'auto-save',
    parse: numberBetween(1, SECONDS_PER_DAY),
    default: null,
    help: 'seconds between saves; accepted now, used from the release that stores memories on',
  },
  agentId: {
    env: 'MEMORY_AGENT_ID',
    flag: 'agent-id',
    parse: agentId,
    default: 'default',
    help: 'agent of a request that names none',
  },
  logLevel: {
    env: 'MEMORY_LOG_LEVEL',
    flag: 'log-level',
    parse: oneOf(...LOG_LEVELS),
    default: 'info',
    help: `how much is logged: ${LOG_LEVELS.join(', ')}`,
  },
  bodyLimitBytes: {
    env: 'MEMORY_BODY_LIMIT',
    flag: 'body-limit',
    parse: byteSize,
    default: 1024 ** 2,
    help: 'largest request body after decompression, such as 512KiB or 1MiB',
  },
} as const;

export type Config = ConfigOf<typeof CONFIG_FIELDS>;
