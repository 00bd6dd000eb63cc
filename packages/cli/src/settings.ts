import { isLinkedAddress } from '@agent-faculties/service-kit/linked-address';
import type { Edge } from './edge.ts';
import { UsageError } from './errors.ts';
import type { Options } from './option.ts';

/** The addresses of the services, and the caller. */
export interface Settings {
  /** URL, with a path behind a gateway. */
  readonly memoryUrl: URL;
  readonly timingUrl: URL;
  /** Null for the default of the service, or the owner of the key. */
  readonly agentId: string | null;
  readonly sessionId: string | null;
  /** Null for none. */
  readonly project: string | null;
  /** Null for that of the key, else the default one. */
  readonly space: string | null;
  /** The key for the gateway; null for none. */
  readonly key: string | null;
}

const DEFAULT_MEMORY_URL = 'http://127.0.0.1:7832';
const DEFAULT_TIMING_URL = 'http://127.0.0.1:8080';

const MAX_PORT = 65_535;

/** Options of every command. There is none for the key, because lists of processes show options. */
export const COMMON_OPTIONS = {
  'memory-url': {
    type: 'string',
    value: 'URL',
    help: `memory-service (MEMORY_URL, else ${DEFAULT_MEMORY_URL}, or MEMORY_PORT there)`,
  },
  'timing-url': {
    type: 'string',
    value: 'URL',
    help: `timing-service (TIMING_URL, else ${DEFAULT_TIMING_URL}, or TIMING_PORT there)`,
  },
  'agent-id': { type: 'string', value: 'ID', help: 'who asks (AGENT_ID, else the default of the service)' },
  'session-id': { type: 'string', value: 'ID', help: 'the session of who asks (SESSION_ID, else none)' },
  project: {
    type: 'string',
    value: 'NAME',
    help: 'the project of what is written and asked (AGENT_FACULTIES_PROJECT, else none)',
  },
  space: {
    type: 'string',
    value: 'NAME',
    help: 'the tenant, which no request looks beyond (AGENT_FACULTIES_SPACE, else the default one)',
  },
  json: { type: 'boolean', help: 'answer in JSON' },
  help: { type: 'boolean', short: 'h', help: 'print this and exit' },
} as const satisfies Options;

type Given = { readonly [name in keyof typeof COMMON_OPTIONS]?: string | boolean | undefined };

/** Reads the settings: options before the environment. An empty variable counts as absent. @throws UsageError */
export function readSettings(given: Given, env: Edge['env']): Settings {
  const pick = (option: keyof Given, variable: string) => {
    const value = given[option];
    if (value === '') throw new UsageError(`--${option} has no value: write --${option} ${exampleOf(option)}.`);
    return typeof value === 'string'
      ? { value, from: `--${option}` }
      : { value: env[variable] || null, from: variable };
  };
  return {
    memoryUrl:
      addressOf(pick('memory-url', 'MEMORY_URL'), DEFAULT_MEMORY_URL) ??
      startedAt(DEFAULT_MEMORY_URL, 'MEMORY_PORT', env),
    timingUrl:
      addressOf(pick('timing-url', 'TIMING_URL'), DEFAULT_TIMING_URL) ??
      startedAt(DEFAULT_TIMING_URL, 'TIMING_PORT', env),
    agentId: pick('agent-id', 'AGENT_ID').value,
    sessionId: pick('session-id', 'SESSION_ID').value,
    project: pick('project', 'AGENT_FACULTIES_PROJECT').value,
    space: pick('space', 'AGENT_FACULTIES_SPACE').value,
    key: env.AGENT_FACULTIES_KEY || null,
  };
}

function exampleOf(option: keyof Given): string {
  return option.endsWith('url') ? DEFAULT_MEMORY_URL : 'planner';
}

/**
 * Where `start` with the same environment has the service. Of port 0 nobody knows which it becomes, and what Kubernetes says is none
 * of its settings. @throws UsageError
 */
function startedAt(byDefault: string, variable: string, env: Edge['env']): URL {
  const given = env[variable] ?? '';
  const port = isLinkedAddress(given) ? '0' : given || '0';
  if (!/^\d+$/.test(port) || Number(port) > MAX_PORT)
    throw new UsageError(
      `${variable}=${JSON.stringify(port)} is not a port: write one such as ${new URL(byDefault).port}.`,
    );
  return new URL(Number(port) === 0 ? byDefault : byDefault.replace(/\d+$/, port));
}

/** Null where none is given. @throws UsageError */
function addressOf({ value, from }: { value: string | null; from: string }, example: string): URL | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`${from}=${JSON.stringify(value)} is not an address: write one such as ${example}.`);
}
