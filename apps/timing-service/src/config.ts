import {
  agentId,
  byteSize,
  type ConfigOf,
  hostNames,
  integerBetween,
  LOG_LEVELS,
  MAX_STOP_DELAY_SECONDS,
  numberBetween,
  oneOf,
  path,
  REDACT_MODES,
  text,
  trueOrFalse,
} from '@agent-faculties/service-kit';

export const CONFIG_PREFIX = 'TIMING_';

/** Every setting of the service; --help prints this table. */
export const CONFIG_FIELDS = {
  dbPath: {
    env: 'TIMING_DB_PATH',
    flag: 'db-path',
    parse: path,
    default: 'timing.db',
    help: "SQLite file; ':memory:' keeps nothing",
  },
  agentId: {
    env: 'TIMING_AGENT_ID',
    flag: 'agent-id',
    parse: agentId,
    default: 'default',
    help: 'agent of a request that names none',
  },
  port: {
    env: 'TIMING_PORT',
    flag: 'port',
    parse: integerBetween(0, 65_535),
    default: 8080,
    help: 'port to listen on; 0 picks a free one and prints it',
  },
  host: { env: 'TIMING_HOST', flag: 'host', parse: text, default: '127.0.0.1', help: 'address to listen on' },
  allowedHosts: {
    env: 'TIMING_ALLOWED_HOSTS',
    flag: 'allowed-hosts',
    parse: hostNames,
    default: null,
    help: 'names and addresses that clients may call this service by, separated by commas, beside localhost and --host; others get 421',
  },
  trustIdentityHeader: {
    env: 'TIMING_TRUST_IDENTITY_HEADER',
    flag: 'trust-identity-header',
    parse: trueOrFalse,
    default: false,
    isSwitch: true,
    help: 'for a service behind a gateway: the agent is X-Agent-ID and nothing else; without the header 401, and 403 for another agent_id',
  },
  redact: {
    env: 'TIMING_REDACT',
    flag: 'redact',
    parse: oneOf(...REDACT_MODES),
    default: 'mask',
    help: 'secrets in requests: mask writes [REDACTED:type] in their place, block refuses the request, off keeps them',
  },
  logLevel: {
    env: 'TIMING_LOG_LEVEL',
    flag: 'log-level',
    parse: oneOf(...LOG_LEVELS),
    default: 'info',
    help: `how much is logged: ${LOG_LEVELS.join(', ')}`,
  },
  retentionDays: {
    env: 'TIMING_RETENTION_DAYS',
    flag: 'retention-days',
    parse: numberBetween(0.01, 36_500),
    default: null,
    help: 'days after which events and finished tasks are deleted, once an hour; off keeps everything',
  },
  abandonAfterSeconds: {
    env: 'TIMING_ABANDON_AFTER_SECONDS',
    flag: 'abandon-after-seconds',
    parse: numberBetween(1, 1e9),
    default: 86_400,
    help: 'a task that runs for longer than this and than 10 times the p99 of its type is abandoned',
  },
  bodyLimitBytes: {
    env: 'TIMING_BODY_LIMIT',
    flag: 'body-limit',
    parse: byteSize,
    default: 256 * 1024,
    help: 'largest request body after decompression, such as 256KiB or 1MiB; /import is streamed and has none',
  },
  synchronous: {
    env: 'TIMING_SYNCHRONOUS',
    flag: 'synchronous',
    parse: oneOf('normal', 'full'),
    default: 'normal',
    help: 'normal survives a killed process; full also a power cut, at the price of one fsync per write',
  },
  stopDelaySeconds: {
    env: 'TIMING_STOP_DELAY',
    flag: 'stop-delay',
    parse: numberBetween(0, MAX_STOP_DELAY_SECONDS),
    default: 0,
    help: 'seconds that the service goes on answering after SIGTERM, with /health/ready at 503, so that a load balancer notices',
  },
} as const;

export type Config = ConfigOf<typeof CONFIG_FIELDS>;
