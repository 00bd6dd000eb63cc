import {
  agentId,
  type ConfigOf,
  oneOf,
  type Parser,
  path,
  space,
  text,
  trueOrFalse,
} from '@agent-faculties/service-kit';
import { REDACT_MODES } from '@agent-faculties/service-kit/http';

const serverAddress: Parser<URL> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new Error('must be an address such as http://central:7832');
};

const COMMON = {
  dataDir: {
    env: 'MEMORY_DATA_DIR',
    flag: 'data-dir',
    parse: path,
    default: null,
    help: 'the local data directory; its service must be stopped',
  },
  apiKey: {
    env: 'MEMORY_API_KEY',
    flag: 'api-key',
    parse: text,
    default: null,
    help: 'key for a gateway in front of the server; safer in the environment, where no list of processes shows it',
  },
  agentId: {
    env: 'MEMORY_AGENT_ID',
    flag: 'agent-id',
    parse: agentId,
    default: 'default',
    help: 'the agent that asks',
  },
  space: {
    env: 'MEMORY_SPACE',
    flag: 'space',
    parse: space,
    default: null,
    help: 'the space of the server; else that of the key, or the default one. Locally each has a data directory of its own',
  },
  includePrivate: {
    flag: 'include-private',
    parse: trueOrFalse,
    default: false,
    isSwitch: true,
    help: 'PRIVATE memories too, each for its own agent only',
  },
  dryRun: {
    flag: 'dry-run',
    parse: trueOrFalse,
    default: false,
    isSwitch: true,
    help: 'says what would happen, and changes nothing',
  },
} as const;

export const PUSH_FIELDS = {
  ...COMMON,
  url: { flag: 'to', parse: serverAddress, default: null, help: 'the server that the memories go to' },
} as const;

export const PULL_FIELDS = {
  ...COMMON,
  redact: {
    env: 'MEMORY_REDACT',
    flag: 'redact',
    parse: oneOf(...REDACT_MODES),
    default: 'mask',
    help: 'secrets in what comes: mask writes [REDACTED:type] in their place, block rejects the memory, off keeps them',
  },
  url: { flag: 'from', parse: serverAddress, default: null, help: 'the server that the memories come from' },
} as const;

/** The settings of both commands; only pull has `redact`. */
export type TransferConfig = ConfigOf<typeof PUSH_FIELDS> & Partial<Pick<ConfigOf<typeof PULL_FIELDS>, 'redact'>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of these commands alone: they refuse those of the service, which the environment may hold too. */
export function commandVariables(env: Environment): Environment {
  const known: readonly string[] = [
    COMMON.dataDir.env,
    COMMON.apiKey.env,
    COMMON.agentId.env,
    COMMON.space.env,
    PULL_FIELDS.redact.env,
  ];
  return Object.fromEntries(Object.entries(env).filter(([name]) => known.includes(name)));
}

/** The variables without those of these commands: the service refuses variables that it does not know. */
export function withoutCommandVariables(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name !== COMMON.apiKey.env && name !== COMMON.space.env),
  );
}
