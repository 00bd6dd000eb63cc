// docker and docker compose for the container suite: a project of its own, so that no other deployment is touched.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../lib/port-of.mjs';
import { root } from '../lib/root.mjs';

export const PROJECT = 'agent-faculties-test';
export const TAG = 'test';
export const SERVICES = ['timing-service', 'memory-service', 'gateway'];

const KEPT_CHARACTERS = 20_000;
const POLL_MILLISECONDS = 200;

/** @type {Record<string, string>} */
/** @type {Record<string, string>} */
export const environment = {
  ...process.env,
  COMPOSE_PROJECT_NAME: PROJECT,
  IMAGE_TAG: TAG,
  GATEWAY_PORT: String(await freePort()),
  TIMING_DEV_PORT: String(await freePort()),
  MEMORY_DEV_PORT: String(await freePort()),
  // Load must be refused by nothing here.
  GATEWAY_KEY_RATE: '100000',
  GATEWAY_KEY_BURST: '100000',
  // Where Node needs a certificate of the company, so does a build.
  BUILD_CA_FILE: process.env.BUILD_CA_FILE ?? process.env.NODE_EXTRA_CA_CERTS ?? '',
};

/**
 * Runs a program; resolves to its standard output as bytes or text.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ input?: Buffer | string, binary?: boolean, env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<any>}
 * @throws an error with the end of what it said, unless it ends with 0
 */
export function run(program, args, { input, binary = false, env = environment, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out = [];
    let said = '';
    child.stdout.on('data', (chunk) => {
      out.push(chunk);
      if (!binary) said = (said + chunk).slice(-KEPT_CHARACTERS);
    });
    child.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-KEPT_CHARACTERS);
    });
    child.stdin.on('error', () => {}); // it may end before it has read all
    child.stdin.end(input ?? '');
    child.on('error', reject);
    child.on('close', (code) => {
      const bytes = Buffer.concat(out);
      if (code === 0) resolve(binary ? bytes : bytes.toString());
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said}`));
    });
  });
}

export function docker(...args) {
  return run('docker', args);
}

export function compose(...args) {
  return run('docker', composeArgs(args));
}

export function composeArgs(args, file = 'compose.yaml') {
  return ['compose', '--file', join('docker', file), ...args];
}

/** The id of a service's container. */
export async function containerOf(service) {
  return (await compose('ps', '--all', '--quiet', service)).trim();
}

export async function inspect(id) {
  return JSON.parse(await docker('inspect', id))[0];
}

/** Runs a module of a few lines with the Node of a container. */
export function evaluate(container, source) {
  return run('docker', ['exec', '--interactive', container, 'node', '--input-type=module', '-'], { input: source });
}

/** Resolves once `isTrue` does so to true; a fault counts as false. @throws with `what` after the limit */
export async function until(what, isTrue, limitMilliseconds = 60_000) {
  const end = performance.now() + limitMilliseconds;
  for (;;) {
    const fault = await isTrue().then(
      (value) => (value ? null : 'not yet'),
      (error) => error.message,
    );
    if (fault === null) return;
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMilliseconds / 1000} s (${fault})`);
    await sleep(POLL_MILLISECONDS);
  }
}

export async function isHealthy(service) {
  const { State } = await inspect(await containerOf(service));
  return State.Running && State.Health?.Status === 'healthy';
}

/** Seconds that some work took, with one digit. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return ((performance.now() - start) / 1000).toFixed(1);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const port = portOf(server);
      server.close(() => resolve(port));
    });
  });
}
