import { spawn } from 'node:child_process';
import { root } from './root.mjs';

const KEPT_CHARACTERS = 200_000; // the end of the output is what explains a failure

/**
 * Runs a command without showing its output. Resolves to {code, output, seconds}; never rejects.
 * On Windows npm and npx are .cmd files, which only a shell can start. After the time limit it is killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMilliseconds?: number }} [options]
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
export function runQuietly(command, args, { cwd = root, env = process.env, limitMilliseconds } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    const finish = (code) => resolve({ code, output, seconds: (performance.now() - startedAt) / 1000 });
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      timeout: limitMilliseconds,
      killSignal: 'SIGKILL',
    });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      keep(error.message);
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

/** The last lines of some output, indented, for a message. */
export function lastLines(output, count = 25) {
  const lines = output.trimEnd().split('\n').slice(-count);
  return lines.map((line) => `  | ${line.trimEnd()}`).join('\n');
}
