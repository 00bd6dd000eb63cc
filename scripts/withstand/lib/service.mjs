// What the scripts share: a scratch folder, processes that end with the script, requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { KnownFailure } from '../../lib/say.mjs';

const REQUEST_LIMIT_MS = 15_000;
const STOP_LIMIT_MS = 15_000;

/** A folder that is gone when the process ends. */
export function scratchFolder(prefix = 'withstand-') {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every service that a script starts ends with it, an interrupt included. */
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** Starts a Node process that prints "listening on URL"; rejects when it ends before that. */
export async function startProcess(command, { env = {}, name = 'the process' } = {}) {
  const began = performance.now();
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const exited = once(child, 'exit').then(([code, signal]) => {
    children.delete(child);
    return { code, signal };
  });
  const words = [];
  const note = (line) => {
    if (words.length < 2_000) words.push(line);
  };
  createInterface({ input: child.stderr }).on('line', note);
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const listening = /listening on (http:\/\/\S+)/.exec(line);
      if (listening) resolve(listening[1]);
      else note(line);
    });
    void exited.then(({ code, signal }) =>
      reject(new KnownFailure(`${name} ended (${signal ?? code}) before it listened:\n${words.join('\n')}`)),
    );
  });
  return {
    url,
    pid: child.pid,
    child,
    startedMs: performance.now() - began,
    exited,
    /** Lines of standard error and of the log. */
    words,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      const { code, signal } = await exited;
      clearTimeout(insist);
      return signal ?? code;
    },
  };
}

/**
 * What an answer was; `body` is read only where the answer is JSON.
 * @typedef {{ status: number, type: string, etag: string | undefined, text: string, body: any }} Answer
 *
 * @typedef {{ agentId?: string, headers?: Record<string, string> }} RequestOptions
 */

/**
 * Requests over keep-alive connections, at most `connections` at once.
 *
 * @returns {{
 *   get: (path: string, options?: RequestOptions) => Promise<Answer>,
 *   post: (path: string, body?: any, options?: RequestOptions) => Promise<Answer>,
 *   put: (path: string, body?: any, options?: RequestOptions) => Promise<Answer>,
 *   delete: (path: string, options?: RequestOptions) => Promise<Answer>,
 *   close: () => void,
 * }}
 */
export function requester(url, { connections = 1, limitMs = REQUEST_LIMIT_MS } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const send = (method, path, body, /** @type {RequestOptions} */ { agentId, headers: own } = {}) =>
    new Promise((resolve, reject) => {
      const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const headers = {
        ...(payload !== undefined && {
          'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...(agentId !== undefined && { 'x-agent-id': agentId }),
        ...own,
      };
      const request = http.request({ agent, hostname, port, method, path, headers, timeout: limitMs });
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          const type = response.headers['content-type'] ?? '';
          const isJson = /^application\/(problem\+)?json/.test(type);
          const { etag } = response.headers;
          resolve({ status: response.statusCode, type, etag, text, body: isJson ? JSON.parse(text) : null });
        });
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${limitMs} ms: ${method} ${path}`)));
      request.on('error', reject);
      request.end(payload);
    });
  return {
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
    close: () => agent.destroy(),
  };
}

/** Resident memory of the service in MiB, as it says itself. */
export async function residentMiB(url) {
  const client = requester(url);
  const { text } = await client.get('/metrics');
  client.close();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
}
