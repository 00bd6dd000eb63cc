import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogFile } from './log-file.mjs';
import { root } from './root.mjs';

const STOP_LIMIT_MILLISECONDS = 12_000; // a service lets requests finish for up to 8 s; then it has time to save
const HEALTH_POLL_MILLISECONDS = 50;
const LAST_WORDS = 12;

/**
 * Starts a service in a process group of its own: a Ctrl-C in the terminal reaches only this process, which then asks each
 * service once to stop. Its output goes to a log file; warnings, errors and lines that are not JSON also to the terminal.
 */
export function startService({ name, entry, flags, logsFolder }) {
  const log = new LogFile(join(logsFolder, `${name}.log`));
  const child = spawn(process.execPath, [entry, ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const lastWords = [];
  let url = null;
  let isReady = false;
  let how = null;

  const onLine = (line) => {
    log.write(line);
    const listening = line.match(/listening on (https?:\/\/\S+)/);
    if (listening) {
      url = linkable(listening[1]);
      return;
    }
    const worthShowing = describeLine(line);
    if (worthShowing === null) return;
    lastWords.push(worthShowing);
    if (lastWords.length > LAST_WORDS) lastWords.shift();
    // Before it is ready, its words are kept for the message that says why it did not start.
    if (isReady) console.error(`${name}: ${worthShowing}`);
  };
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', onLine);

  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      how = error.message;
      resolve(1);
    });
    child.on('close', (code, signal) => {
      how ??= signal ? `killed by ${signal}` : `exit code ${code}`;
      resolve(code ?? 1);
    });
  });

  const untilHealthy = async () => {
    while (how === null) {
      if (url !== null && (await answersHealthy(url))) break;
      await sleep(HEALTH_POLL_MILLISECONDS);
    }
    if (how !== null) return new Promise(() => {}); // it ended; `ended` says so
    isReady = true;
    for (const words of lastWords) console.error(`${name}: ${words}`);
  };

  return {
    name,
    ended,
    ready: untilHealthy(),
    isReady: () => isReady,
    url: () => url,
    endedHow: () => how,
    lastWords: () => lastWords.map((words) => `  | ${words}`).join('\n'),
    kill: () => child.kill('SIGKILL'),
    /** Asks the service to stop, insists after a while; resolves to its exit code. */
    stop: async () => {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MILLISECONDS);
      const code = await ended;
      clearTimeout(insist);
      return code;
    },
  };
}

/** An address that a browser can open: the wildcard addresses stand for every address of this machine. */
function linkable(address) {
  return address.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}

async function answersHealthy(url) {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** What the terminal shows of a line of output: plain text as it is, JSON from warning up as 'level: message', else null. */
function describeLine(line) {
  if (line === '') return null;
  if (!line.startsWith('{')) return line;
  if (!/"level":"(warn|error|fatal)"/.test(line)) return null;
  try {
    const { level, msg, err } = JSON.parse(line);
    return [level, msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}
