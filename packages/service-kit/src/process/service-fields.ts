import { LOG_LEVELS } from '../observability/log.ts';
import { REDACT_MODES } from '../redaction/request-redaction.ts';
import {
  agentId,
  byteSize,
  headerPairs,
  hostNames,
  httpUrl,
  integerBetween,
  numberBetween,
  oneOf,
  text,
  trueOrFalse,
} from './config-parsers.ts';
import { MAX_STOP_DELAY_SECONDS } from './run-service.ts';

/**
 * The settings that every service has.
 * @param options.prefix of the environment variables: 'TIMING_'
 * @param options.port the default
 * @param options.bodyLimitBytes the default
 */
export function serviceFields({
  prefix,
  port,
  bodyLimitBytes,
}: {
  readonly prefix: string;
  readonly port: number;
  readonly bodyLimitBytes: number;
}) {
  return {
    host: { env: `${prefix}HOST`, flag: 'host', parse: text, default: '127.0.0.1', help: 'address to listen on' },
    allowedHosts: {
      env: `${prefix}ALLOWED_HOSTS`,
      flag: 'allowed-hosts',
      parse: hostNames,
      default: null,
      help: 'names and addresses that clients may call this service by, separated by commas, beside localhost and --host; others get 421',
    },
    port: {
      env: `${prefix}PORT`,
      flag: 'port',
      parse: integerBetween(0, 65_535),
      default: port,
      help: 'port to listen on; 0 picks a free one and prints it',
    },
    agentId: {
      env: `${prefix}AGENT_ID`,
      flag: 'agent-id',
      parse: agentId,
      default: 'default',
      help: 'agent of a request that names none',
    },
    trustIdentityHeader: {
      env: `${prefix}TRUST_IDENTITY_HEADER`,
      flag: 'trust-identity-header',
      parse: trueOrFalse,
      default: false,
      isSwitch: true,
      help: 'for a service behind a gateway: the agent is X-Agent-ID and nothing else; without the header 401, and 403 for another agent_id',
    },
    redact: {
      env: `${prefix}REDACT`,
      flag: 'redact',
      parse: oneOf(...REDACT_MODES),
      default: 'mask',
      help: 'secrets in requests: mask writes [REDACTED:type] in their place, block refuses the request, off keeps them',
    },
    otlpEndpoint: {
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      flag: 'otlp-endpoint',
      parse: httpUrl,
      default: null,
      help: 'OpenTelemetry collector that takes spans of requests and jobs as JSON over HTTP, such as http://127.0.0.1:4318; without it none are made',
    },
    otlpHeaders: {
      env: 'OTEL_EXPORTER_OTLP_HEADERS',
      flag: 'otlp-headers',
      parse: headerPairs,
      default: null,
      help: 'headers for the collector: name=value, separated by commas',
    },
    logLevel: {
      env: `${prefix}LOG_LEVEL`,
      flag: 'log-level',
      parse: oneOf(...LOG_LEVELS),
      default: 'info',
      help: `how much is logged: ${LOG_LEVELS.join(', ')}`,
    },
    bodyLimitBytes: {
      env: `${prefix}BODY_LIMIT`,
      flag: 'body-limit',
      parse: byteSize,
      default: bodyLimitBytes,
      help: 'largest request body after decompression, such as 256KiB or 1MiB; NDJSON is streamed and has no limit',
    },
    stopDelaySeconds: {
      env: `${prefix}STOP_DELAY`,
      flag: 'stop-delay',
      parse: numberBetween(0, MAX_STOP_DELAY_SECONDS),
      default: 0,
      help: 'seconds that the service goes on answering after SIGTERM, with /health/ready at 503, so that a load balancer notices',
    },
  } as const;
}

/** The settings of a service that keeps spaces. */
export function spaceFields(prefix: string) {
  return {
    openSpaces: {
      env: `${prefix}OPEN_SPACES`,
      flag: 'open-spaces',
      parse: integerBetween(1, 10_000),
      default: 32,
      help: 'most spaces that are open at a time; one that nobody has used for 10 minutes is closed',
    },
    maxSpaces: {
      env: `${prefix}MAX_SPACES`,
      flag: 'max-spaces',
      parse: integerBetween(1, 1_000_000),
      default: 100,
      help: 'most spaces that may exist; a request that would make another one gets 409',
    },
  } as const;
}
