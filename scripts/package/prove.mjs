#!/usr/bin/env node
// Does what a user does with the tarball: installs it into an empty folder, starts both services, remembers, recalls and
// estimates. npm run test:package
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/testing/dist/index.js';
import { root } from '../lib/root.mjs';
import { lastLines, runQuietly } from '../lib/run-quietly.mjs';
import { KnownFailure, runMain, say } from '../lib/say.mjs';

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 30_000;

await runMain(async () => {
  await run(process.execPath, [join(root, 'scripts/package/make.mjs')], root);
  const tarball = readdirSync(join(root, 'dist')).find((name) => name.endsWith('.tgz'));
  const folder = mkdtempSync(join(tmpdir(), 'agent-faculties-user-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const { seconds } = await run('npm', ['install', join(root, 'dist', tarball)], folder);
    say('install', `in ${seconds.toFixed(0)} s`);
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function use(folder) {
  const [memory, timing] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    XDG_DATA_HOME: join(folder, 'home'),
    MEMORY_PORT: String(memory),
    TIMING_PORT: String(timing),
    MEMORY_URL: `http://127.0.0.1:${memory}`,
    TIMING_URL: `http://127.0.0.1:${timing}`,
    AGENT_ID: 'prover',
  };
  const services = await started(folder, env);
  const cli = async (...args) => (await run('npx', ['agent-faculties', ...args], folder, env)).output;
  try {
    await cli('remember', 'The release is on Friday, says Dana.');
    expectIn(await cli('recall', 'When is the release?'), 'Friday');
    expectIn(await cli('timing', 'estimate', 'npm test', '--think', '30'), 'npm test may take 30 s');
    expectIn(await cli('doctor'), join(folder, 'home', 'agent-faculties', 'memory'));
    for (const [url, title] of [
      [env.MEMORY_URL, 'Memory'],
      [env.TIMING_URL, 'Timing'],
    ])
      expectIn(await (await fetch(`${url}/dashboard`)).text(), `<title>${title}`);
    say('use', 'remembers, recalls, estimates and shows its dashboards');
  } finally {
    await services.stop();
  }
  // As it is with another Node, or where npm ran no script.
  const module = 'node_modules/agent-faculties/node_modules/better-sqlite3/build/Release/better_sqlite3.node';
  writeFileSync(join(folder, module), 'no module');
  await (await started(folder, env)).stop();
  say('use', 'starts where a native module does not load');
}

async function started(folder, env) {
  const child = spawn('npx', ['agent-faculties', 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const deadline = Date.now() + START_LIMIT_MS;
  while (!said.includes('stop with Ctrl-C')) {
    if (child.exitCode !== null || Date.now() > deadline) throw new KnownFailure(`start did not come up:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    stop: async () => {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited;
      clearTimeout(insist);
    },
  };
}

async function run(program, args, cwd, env = process.env) {
  const result = await runQuietly(program, args, { cwd, env });
  if (result.code !== 0)
    throw new KnownFailure(`${program} ${args.join(' ')} failed:\n${lastLines(result.output, 20)}`);
  return result;
}

function expectIn(text, part) {
  if (!text.includes(part)) throw new KnownFailure(`${JSON.stringify(part)} is not in:\n${text}`);
}
