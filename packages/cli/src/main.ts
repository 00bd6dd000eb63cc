import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EXIT_FAILED } from '@agent-faculties/service-kit/exit-codes';
import { spawnChild } from './child.ts';
import { runCli } from './cli.ts';
import { dataFolder } from './data-folder.ts';

const PARENT_POLL_MS = 500;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** A second Ctrl-C ends the process at once. */
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

// npx does not pass SIGTERM on through its shell. So under npm this process stops when its parent has ended.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && interrupted.abort(), PARENT_POLL_MS);
  watch.unref();
}

/** A reader such as head that closes the pipe early is no fault; a file that cannot be written, as on a full disk, is. */
function endOfOutput(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`agent-faculties: standard output cannot be written: ${error.message}\n`);
  process.exit(EXIT_FAILED);
}
process.stdout.on('error', endOfOutput);
/** Of a file, an error is thrown here and not an event. */
function writeOutput(text: string): void {
  try {
    process.stdout.write(text);
  } catch (error) {
    endOfOutput(error as NodeJS.ErrnoException);
  }
}

process.exitCode = await runCli({
  version,
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  out: writeOutput,
  err: (text) => process.stderr.write(text),
  overwrite: (text) => process.stderr.write(`\r${text}`),
  stdin: process.stdin,
  isTerminal: {
    stdin: process.stdin.isTTY === true,
    stdout: process.stdout.isTTY === true,
    stderr: process.stderr.isTTY === true,
  },
  clock: { now: () => Date.now() },
  pause: async (milliseconds, signal) => await pause(milliseconds, undefined, { signal }),
  fetch: globalThis.fetch,
  execute: ([program = '', ...args], env) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: 'inherit', env });
      // A Ctrl-C in the terminal reaches the child as well; a signal to this process alone does not.
      interrupted.signal.addEventListener('abort', () => child.kill('SIGTERM'));
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    }),
  spawn: spawnChild,
  programs: {
    service: (name) => [process.execPath, join(ROOT, 'apps', `${name}-service`, 'dist', 'main.js')],
    start: [process.execPath, join(ROOT, 'scripts', 'start.mjs')],
    dataFolder: dataFolder(ROOT, process.env),
  },
  signal: interrupted.signal,
});
// Unread standard input would keep the process alive.
process.stdin.unref?.();
