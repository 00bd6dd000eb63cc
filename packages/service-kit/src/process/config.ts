import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Parser } from './config-parsers.ts';
import { isLinkedAddress } from './linked-address.ts';

/** One setting: its flag and variable, its parser, its default. */
export interface ConfigField<T> {
  /** Environment variable, under the prefix: 'TIMING_PORT'; absent where only the flag makes sense. */
  readonly env?: string;
  /** Flag without dashes: 'port'. */
  readonly flag: string;
  readonly parse: Parser<T>;
  /** Null for "not set"; may be of another type than parsed values. */
  readonly default: unknown;
  /** Shown by --help. */
  readonly help: string;
  /** The flag may stand alone and then means true. */
  readonly isSwitch?: boolean;
  /** The value may hold a password: no fault repeats it, and the variable with _FILE names a file that holds it. */
  readonly isSecret?: boolean;
}

export type ConfigFields = Readonly<Record<string, ConfigField<unknown>>>;

/** The values that `readConfig` returns for these fields. */
export type ConfigOf<F extends ConfigFields> = {
  readonly [K in keyof F]: ReturnType<F[K]['parse']> | F[K]['default'];
};

export interface ConfigSources<F extends ConfigFields> {
  /** Environment variables with this prefix belong to the service: an unknown one is a fault. */
  readonly prefix: string;
  readonly fields: F;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without interpreter and script: process.argv.slice(2). */
  readonly argv: readonly string[];
}

/** Refuses the start. `faults` has a sentence for each fault. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n- ${faults.join('\n- ')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * What Kubernetes tells each container of a Service whose name begins like the prefix, such as X_SERVICE_HOST of a Service "x".
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const SERVICE_LINK = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;

/** Flags that configOrExit answers before the configuration is read. */
const ANSWERED_FLAGS = ['help', 'version'];

/**
 * Reads flags and environment into one frozen, typed object; flags win. An empty variable counts as absent, because shells and
 * compose files unset one that way. PREFIX_URL is accepted and ignored, because clients find the service by it; so is what Kubernetes
 * says of a Service of this name.
 * @throws ConfigError naming every fault
 */
export function readConfig<const F extends ConfigFields>({ prefix, fields, env, argv }: ConfigSources<F>): ConfigOf<F> {
  const { flags, faults } = readFlags(fields, argv);
  const knownEnv = new Set(Object.values(fields).flatMap(variablesOf));
  const isOthers = (name: string) =>
    name === `${prefix}URL` || (env.KUBERNETES_SERVICE_HOST !== undefined && SERVICE_LINK.test(name));
  for (const name of Object.keys(env).sort()) {
    if (name.startsWith(prefix) && !knownEnv.has(name) && !isOthers(name)) {
      faults.push(`${name} is not a known variable: remove it, or use one of ${[...knownEnv].join(', ')}.`);
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const flag = flags.get(field.flag);
    let given = flag ?? givenIn(field, env);
    try {
      given ??= secretOfFile(field, env);
      values[name] = given === undefined ? field.default : field.parse(given);
    } catch (error) {
      const source = flag === undefined ? field.env : `--${field.flag}`;
      faults.push(`${source}${field.isSecret ? '' : `=${JSON.stringify(given)}`} ${(error as Error).message}.`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(values) as ConfigOf<F>;
}

function givenIn({ env: name }: ConfigField<unknown>, env: ConfigSources<ConfigFields>['env']): string | undefined {
  const value = name === undefined ? undefined : env[name];
  if (name?.endsWith('_PORT') && value !== undefined && isLinkedAddress(value)) return undefined;
  return value || undefined;
}

/** The environment variables that give a field: its own, and that of a file which holds a secret. */
export function variablesOf({ env, isSecret }: ConfigField<unknown>): string[] {
  if (env === undefined) return [];
  return isSecret ? [env, `${env}_FILE`] : [env];
}

/** Without the end of its line. @throws Error whose message completes "X ..." */
function secretOfFile({ env, isSecret }: ConfigField<unknown>, values: ConfigSources<ConfigFields>['env']) {
  const path = isSecret ? values[`${env}_FILE`] : undefined;
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`is to be read from the file that ${env}_FILE names, which fails (${(error as Error).message})`);
  }
}

function readFlags(fields: ConfigFields, argv: readonly string[]): { flags: Map<string, string>; faults: string[] } {
  const known = Object.values(fields).map((field) => field.flag);
  const switches = Object.values(fields).flatMap(({ flag, isSwitch }) => (isSwitch ? [flag] : []));
  const options = Object.fromEntries([
    ...known.map((flag) => [flag, { type: switches.includes(flag) ? ('boolean' as const) : ('string' as const) }]),
    ...ANSWERED_FLAGS.map((flag) => [flag, { type: 'boolean' as const }]),
  ]);
  const flags = new Map<string, string>();
  const faults: string[] = [];
  // Not strict, because strict parsing stops at the first fault.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      faults.push(`${JSON.stringify(token.value)} is not a flag: write --name value.`);
    } else if (token.kind === 'option' && !ANSWERED_FLAGS.includes(token.name)) {
      if (!known.includes(token.name)) {
        faults.push(`${token.rawName} is not a known flag: use one of ${known.map((flag) => `--${flag}`).join(', ')}.`);
      } else if (token.value === undefined && switches.includes(token.name)) {
        flags.set(token.name, 'true');
      } else if (!token.value || (!token.inlineValue && token.value.startsWith('--'))) {
        faults.push(`${token.rawName} has no value: write ${token.rawName} value.`);
      } else {
        flags.set(token.name, token.value);
      }
    }
  }
  return { flags, faults };
}
