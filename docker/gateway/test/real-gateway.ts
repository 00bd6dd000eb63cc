import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../packages/testing/src/index.ts';
import { exchange } from './exchange.ts';

export const HOME = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
export const ROLES = ['agent-ro', 'agent-rw', 'team-admin', 'system-admin'] as const;
export type Role = (typeof ROLES)[number];

const START_LIMIT_MS = 20_000;
const POLL_MS = 20;
/** Enough at once for each worker to answer some. */
const ASKED_AT_ONCE = 8;
/** A process of the gateway may still be writing. */
const REMOVE_RETRIES = 5;
const UNKNOWN_PATH = '/nothing';
/** Every folder, so that it is found where a user's PATH has no sbin. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Whether there is an nginx with the module that hashes keys; says how to get it (on CI an error) when not. */
export function hasNginx(): boolean {
  const isThere = ['/usr/sbin/nginx', '/usr/lib/nginx/modules/ngx_http_set_misc_module.so'].every(existsSync);
  if (isThere) return true;
  const advice = 'nginx was not found: apt-get install nginx libnginx-mod-http-set-misc openssl.';
  if (process.env.CI === 'true') throw new Error(advice);
  console.warn(`${advice} The tests of the gateway are skipped.`);
  return false;
}

export interface Keys {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RealGateway {
  readonly plainPort: number;
  readonly tlsPort: number;
  /** Of the keys. */
  readonly state: string;
  readonly certificate: string;
  /** The lines of the access log, but for those of this helper's own requests; resolves once there are so many. */
  accessLog(atLeast: number): Promise<Record<string, unknown>[]>;
  /** The line of a path that was asked for once. nginx writes it after the answer, so that the last line may be an earlier one. */
  accessLine(path: string): Promise<Record<string, unknown>>;
  /** The access log as it is. */
  accessText(): string;
  /** What it wrote to standard error. */
  said(): string;
  /** Looks whether the replicas are elsewhere, as it does at intervals; they are listed anew for that. @returns whether nginx took them */
  follow(memoryUpstream: string): Promise<boolean>;
  /** Runs gateway-keys. */
  keys(...args: string[]): Promise<Keys>;
  /** A new key. */
  createKey(agent: string, role: Role, projects?: readonly string[], space?: string): Promise<string>;
  /** What every worker answers to who asks with that key for nothing: 404 for a key that is known, else 401. */
  statusOf(key: string): Promise<number[]>;
  /** Resolves to the exit code once the gateway has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface GatewayOptions {
  readonly memoryUpstream?: string;
  readonly timingUpstream?: string;
  readonly env?: Record<string, string>;
}

export function runKeys(folders: Record<string, string>, args: readonly string[]): Promise<Keys> {
  return new Promise((resolve) => {
    execFile(join(HOME, 'gateway-keys'), args, { env: { PATH, ...folders } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

/** The gateway as its image starts it, on free ports of 127.0.0.1. */
export async function startGateway(options: GatewayOptions = {}): Promise<RealGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  const [state, run, access, said] = ['state', 'run', 'access.log', 'stderr.log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const [plainPort, tlsPort] = [await freePort(), await freePort()];
  const folders = { GATEWAY_HOME: HOME, GATEWAY_STATE: state, GATEWAY_RUN: run };
  const env = {
    PATH,
    ...folders,
    GATEWAY_PLAIN_PORT: `127.0.0.1:${plainPort}`,
    GATEWAY_TLS_PORT: `127.0.0.1:${tlsPort}`,
    GATEWAY_MEMORY_UPSTREAM: options.memoryUpstream ?? '127.0.0.1:9',
    GATEWAY_TIMING_UPSTREAM: options.timingUpstream ?? '127.0.0.1:9',
    GATEWAY_ACCESS_LOG: access,
    GATEWAY_KEY_RATE: '100000',
    ...options.env,
  };
  // nginx opens standard output by name, which a socket, as Node gives it, has none of.
  const log = openSync(said, 'w');
  const child = spawn(join(HOME, 'gateway'), { env, stdio: ['ignore', log, log] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  /** Without a last line that is half written. */
  const accessLines = (): Record<string, unknown>[] =>
    textOf(access)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  const gateway: RealGateway = {
    plainPort,
    tlsPort,
    state,
    certificate: join(state, 'self-signed.crt'),
    accessText: () => textOf(access),
    said: () => textOf(said),
    follow: (memoryUpstream) =>
      new Promise((resolve) => {
        const given = { env: { ...env, GATEWAY_MEMORY_UPSTREAM: memoryUpstream } };
        execFile(join(HOME, 'upstreams'), ['follow'], given, (error) => resolve(error === null));
      }),
    keys: (...args) => runKeys(folders, args),
    accessLog: (atLeast) =>
      eventually(() => {
        const lines = accessLines().filter(({ path }) => path !== UNKNOWN_PATH);
        return lines.length >= atLeast ? lines : null;
      }, `${atLeast} lines in the access log`),
    accessLine: (asked) =>
      eventually(() => accessLines().find(({ path }) => path === asked) ?? null, `${asked} in the access log`),
    createKey: async (agent, role, projects = [], space) => {
      const limits = projects.flatMap((project) => ['--project', project]);
      if (space !== undefined) limits.push('--space', space);
      const { code, stdout, stderr } = await gateway.keys('create', '--agent', agent, '--role', role, ...limits);
      if (code !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    statusOf: async (key) => {
      const answers = await Promise.all(Array.from({ length: ASKED_AT_ONCE }, () => askFor(key)));
      return [...new Set(answers)];
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const code = await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
      return code;
    },
  };
  let asked = 0;
  // 404 without a service for a known key; from addresses of their own, because strangers are counted.
  const askFor = async (key: string) => {
    const from = `127.9.${1 + (Math.floor(++asked / 250) % 250)}.${1 + (asked % 250)}`;
    const headers = { Authorization: `Bearer ${key}` };
    const { status } = await exchange(plainPort, { path: UNKNOWN_PATH, headers, from });
    return status;
  };
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`The gateway did not start: ${textOf(said)}`);
    const answer = await exchange(plainPort, { path: '/gateway/health' }).catch(() => null);
    return answer?.status === 200 || null;
  };
  await eventually(isUp, 'the gateway');
  return gateway;
}

async function eventually<T>(attempt: () => T | null | Promise<T | null>, what: string): Promise<T> {
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += POLL_MS) {
    const found = await attempt();
    if (found !== null) return found;
    await pause(POLL_MS);
  }
  throw new Error(`Waited in vain for ${what}.`);
}
