#!/usr/bin/env node
// For hosts whose hooks start programs: hands an event to both services and prints what they answer, in the form of the host.
//
//   agent-faculties-hook.mjs HOST [EVENT] [--memory URL] [--timing URL] [--agent ID] [--limit MS]
//
// A plain file without dependencies, so that it starts as fast as node does. It starts nothing and waits for nothing: 300 ms
// (--limit, AGENT_FACULTIES_HOOK_LIMIT_MS) after its first line it is through, whatever the services do. What a service could not take goes to a file by one append, without
// secrets, and is delivered at a later event; the services know again what they had. It always exits with 0.
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const begunMs = performance.now();
const LIMIT_MS = 300;
/** Of the limit, to write to the file and to leave. */
const LAST_SHARE = 1 / 3;
const MOST_INPUT_CHARACTERS = 8 * 1024 ** 2;
/** Services take 1 MiB by default. */
const MOST_SENT_BYTES = 900 * 1024;
const MOST_SPOOLED_BYTES = 4 * 1024 ** 2;
/** After a service did not answer in time it is not asked for so long; one that refuses is asked each time, for that costs nothing. */
const SILENT_MS = 30_000;
/** Whoever delivers is through by then. */
const ABANDONED_MS = 10_000;
/** Events that want an answer; all others are told only. */
const PROMPTS = new Set([
  'UserPromptSubmit',
  'BeforeAgent',
  'beforeSubmitPrompt',
  'userPromptSubmitted',
  'prompt_submit',
]);

const { env } = process;
const [host = '', ...rest] = process.argv.slice(2);
const options = {};
let named = null;
for (let at = 0; at < rest.length; at++) {
  if (rest[at].startsWith('--')) options[rest[at].slice(2)] = rest[++at];
  else named ??= rest[at];
}
const services = {
  memory: options.memory ?? env.MEMORY_URL ?? 'http://127.0.0.1:7832',
  timing: options.timing ?? env.TIMING_URL ?? 'http://127.0.0.1:8080',
};
const agent = options.agent ?? env.AGENT_ID ?? host;
const folder = join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'agent-faculties');
const spool = join(folder, 'hook-spool.ndjson');
const limitMs = Number(options.limit ?? env.AGENT_FACULTIES_HOOK_LIMIT_MS) || LIMIT_MS;
/** For the services. */
const left = () => limitMs * (1 - LAST_SHARE) - (performance.now() - begunMs);

// Nothing may reach the host but the answer.
process.on('uncaughtException', () => leave('{}'));
const watchdog = setTimeout(() => leave('{}'), limitMs);
// A service that is slow may be too slow: what it takes to keep the event is made ready meanwhile.
const preparation = setTimeout(() => masks().catch(() => undefined), limitMs * LAST_SHARE);

let answered = false;
function answer(text) {
  if (answered) return;
  answered = true;
  writeSync(1, text);
}
function leave(text) {
  try {
    answer(text);
  } catch {
    // The host has closed its end.
  }
  process.exit(0);
}

const text = await input();
const payload = parsed(text);
if (payload === null) leave('{}');
const event = typeof payload.hook_event_name === 'string' ? payload.hook_event_name : named;
const at = new Date().toISOString();
const isPrompt = PROMPTS.has(event);
const waits = hasSpool();
// What nobody waits for goes behind what waits already, because an end must not come before its start.
const said = await Promise.all(
  Object.keys(services).map(async (service) => [service, waits && !isPrompt ? 'again' : await deliver(service)]),
);
const answers = said.flatMap(([, one]) => (typeof one === 'string' ? [] : [one]));
answer(JSON.stringify(isPrompt ? answers.reduce(merged, {}) : {}));
for (const [service, one] of said) if (one === 'again') await keep(service);
if (waits) await deliverSpool();
clearTimeout(preparation);
clearTimeout(watchdog);
leave('{}');

/** All that comes in, as far as it comes in time. */
function input() {
  return new Promise((resolve) => {
    let all = '';
    const end = () => resolve(all);
    setTimeout(end, Math.max(0, left())).unref();
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => {
      if (all.length < MOST_INPUT_CHARACTERS) all += chunk;
    });
    process.stdin.on('end', end);
    process.stdin.on('error', end);
  });
}

function parsed(json) {
  try {
    const value = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Sends the event now. @returns as post does */
async function deliver(service) {
  if (isSilent(service)) return 'again';
  const body = Buffer.byteLength(text) > MOST_SENT_BYTES ? JSON.stringify(await small(payload)) : text;
  return await post(service, { host, event: named ?? event, body });
}

/** @returns the answer; 'again' when the service could not take it; 'lost' when it never will */
async function post(service, { host: of, event: name, body, when }) {
  const url = new URL(`hooks/${encodeURIComponent(of)}`, services[service].replace(/\/?$/, '/'));
  if (name) url.searchParams.set('event', name);
  if (when) url.searchParams.set('at', when);
  if (service === 'timing') url.searchParams.set('time_zone', timeZone());
  const { request } = await import(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return await new Promise((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Agent-ID': agent,
    };
    if (env.AGENT_FACULTIES_KEY) headers.Authorization = `Bearer ${env.AGENT_FACULTIES_KEY}`;
    const sending = request(url, { method: 'POST', headers }, (response) => {
      let all = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        if (all.length < 256 * 1024) all += chunk;
      });
      response.on('end', () => {
        clearTimeout(timer);
        const { statusCode = 0 } = response;
        if (statusCode === 429 || statusCode === 502 || statusCode === 503 || statusCode === 504) resolve('again');
        else resolve((statusCode === 200 && parsed(all)) || 'lost');
      });
      response.on('error', () => resolve('again'));
    });
    const timer = setTimeout(
      () => {
        silence(service);
        sending.destroy();
        resolve('again');
      },
      Math.max(0, left()),
    );
    sending.on('error', () => {
      clearTimeout(timer);
      resolve('again');
    });
    sending.end(body);
  });
}

/** By the link that names it where there is one: to ask the library of languages takes as long as the rest. */
function timeZone() {
  try {
    const [, zone] = /zoneinfo\/(.+)$/.exec(env.TZ ? `zoneinfo/${env.TZ}` : readlinkSync('/etc/localtime')) ?? [];
    if (zone) return zone;
  } catch {
    // No such link.
  }
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What both services say at the same place of an answer stands below each other. */
function merged(one, other) {
  const all = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const here = all[name];
    if (typeof here === 'string' && typeof value === 'string')
      all[name] = here === value ? here : `${here}\n\n${value}`;
    else if (typeof here === 'object' && here !== null && typeof value === 'object' && value !== null)
      all[name] = merged(here, value);
    else all[name] = value;
  }
  return all;
}

function hasSpool() {
  try {
    return readdirSync(folder).some((name) => name.startsWith('hook-spool.'));
  } catch {
    return false;
  }
}

/** Small, and without secrets; loaded only when it is needed. */
async function small(value) {
  const { spoolablePayload } = await masks();
  return spoolablePayload(value);
}

function masks() {
  return import('@agent-faculties/agent-hooks/spoolable-payload');
}

/** One line by one append. What does not fit any more is lost: a service that is away for weeks is not used. */
async function keep(service) {
  try {
    const line = `${JSON.stringify({ service, host, event: named ?? event, at, payload: await small(payload) })}\n`;
    append(line);
  } catch {
    // No room, or no place of its own: the host goes on all the same.
  }
}

function append(lines) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = openSync(spool, 'a', 0o600);
  try {
    if (fstatSync(file).size + Buffer.byteLength(lines) <= MOST_SPOOLED_BYTES) appendFileSync(file, lines);
  } finally {
    closeSync(file);
  }
}

/** Delivers what waits, in its order, as far as there is time; the rest waits on. */
async function deliverSpool() {
  for (const name of readdirSync(folder).filter((file) => /^hook-spool\.(?:ndjson|\d+\.sending)$/.test(file))) {
    const mine = join(folder, `hook-spool.${process.pid}.sending`);
    try {
      const file = join(folder, name);
      if (name.endsWith('.sending') && Date.now() - statSync(file).mtimeMs < ABANDONED_MS) continue;
      // Whoever renames it first has it.
      renameSync(file, mine);
      utimesSync(mine, new Date(), new Date());
    } catch {
      continue;
    }
    const waiting = await undelivered(readFileSync(mine, 'utf8').split('\n').filter(Boolean));
    // A crash between these two delivers it again, which changes nothing.
    if (waiting.length > 0) append(waiting.map((line) => `${line}\n`).join(''));
    rmSync(mine);
  }
}

async function undelivered(lines) {
  const waiting = [];
  const away = new Set(Object.keys(services).filter(isSilent));
  for (const line of lines) {
    const kept = parsed(line);
    if (kept === null || !(kept.service in services)) continue;
    if (away.has(kept.service) || left() < 20) {
      waiting.push(line);
      continue;
    }
    const body = JSON.stringify(kept.payload);
    const taken = await post(kept.service, { host: kept.host, event: kept.event, body, when: kept.at });
    if (taken !== 'again') continue;
    away.add(kept.service);
    waiting.push(line);
  }
  return waiting;
}

function silentMark(service) {
  return join(folder, `hook-silent-${service}`);
}

function isSilent(service) {
  try {
    return Date.now() - statSync(silentMark(service)).mtimeMs < SILENT_MS;
  } catch {
    return false;
  }
}

function silence(service) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(silentMark(service), 'w', 0o600));
  } catch {
    // Then it is asked again.
  }
}
