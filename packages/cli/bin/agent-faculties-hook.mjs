#!/usr/bin/env node
// The hook program, for hosts whose hooks start a program: it sends an event to both services and prints their answers, merged
// into one answer in the form of the host.
//
//   agent-faculties-hook.mjs HOST [EVENT] [--memory URL] [--timing URL] [--agent ID] [--project NAME | --no-project] [--space NAME]
//     [--limit MS]
//
// The addresses are --memory and --timing, else MEMORY_URL and TIMING_URL, else 127.0.0.1 with MEMORY_PORT (7832) and TIMING_PORT (8080).
//
// The project is --project, else AGENT_FACULTIES_PROJECT, else the name of the folder that holds the repository (.git) of the working
// directory, of a worktree too; none where there is no repository. The space is --space, else AGENT_FACULTIES_SPACE, else that of the key, or the default one.
//
// It is a plain file that needs no package on its usual path, so that it starts as fast as node does. It starts no other program. It
// answers at most 300 ms (--limit, AGENT_FACULTIES_HOOK_LIMIT_MS) after its first line, whatever the services do, and ends then. On a
// machine too busy to keep the event in that time, it goes on for as long again, and no longer. An event that a service cannot take is
// appended to the spool of that service at that address, without secrets, and a later run that calls the same address delivers it, under
// the agent of the event. A service recognises an event that it already has, so delivering twice changes nothing. The exit code is always 0.
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { resolve as absolute, basename, dirname, join } from 'node:path';
import process from 'node:process';

const begunMs = performance.now();
const LIMIT_MS = 300;
/** Share of the limit that stays for writing the spool and exiting. */
const LAST_SHARE = 1 / 3;
const MOST_INPUT_CHARACTERS = 32 * 1024 ** 2;
/** A service accepts bodies of 1 MiB by default. */
const MOST_SENT_BYTES = 900 * 1024;
const MOST_SPOOLED_BYTES = 4 * 1024 ** 2;
/**
 * How long a service is left alone after it did not answer in time twice in a row: once may be the fault of a machine that is busy.
 * One that refuses the connection is asked at every event, because a refusal takes no time.
 */
const SILENT_MS = 30_000;
/** A delivery takes at most this long: an older .sending file belongs to a process that was killed. */
const ABANDONED_MS = 10_000;
/** Events whose answer the host uses. For all others the answer is `{}`. */
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
  if (rest[at] === '--no-project') options.project = '';
  else if (rest[at].startsWith('--')) options[rest[at].slice(2)] = rest[++at];
  else named ??= rest[at];
}
/** Port 0, and the address that Kubernetes puts there, say nothing of where the service is. */
const portOf = (variable, byDefault) => (/^[1-9]\d*$/.test(env[variable] ?? '') ? env[variable] : byDefault);
const services = {
  memory: options.memory ?? (env.MEMORY_URL || `http://127.0.0.1:${portOf('MEMORY_PORT', 7832)}`),
  timing: options.timing ?? (env.TIMING_URL || `http://127.0.0.1:${portOf('TIMING_PORT', 8080)}`),
};
// The other service is told all the same.
for (const [service, address] of Object.entries(services)) {
  if (/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : '')) continue;
  say(`${JSON.stringify(address)} is no address of ${service}-service: write one such as http://127.0.0.1:7832.`);
  delete services[service];
}
const agent = (options.agent ?? env.AGENT_ID) || host;
const space = (options.space ?? env.AGENT_FACULTIES_SPACE) || null;
const key = env.AGENT_FACULTIES_KEY || null;
const folder = join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'agent-faculties');
const limitMs = Number(options.limit ?? env.AGENT_FACULTIES_HOOK_LIMIT_MS) || LIMIT_MS;
/** Milliseconds that are left for the services. */
const left = () => limitMs * (1 - LAST_SHARE) - (performance.now() - begunMs);

// Standard output holds the answer and nothing else, so a fault ends with the empty answer.
process.on('uncaughtException', () => leave('{}'));
// On a busy machine all timers may be due at once, before the event is in the spool: the answer is given, and the event kept.
const watchdog = setTimeout(() => quietly(() => answer('{}')), limitMs);
const end = setTimeout(() => leave('{}'), 2 * limitMs);
// A slow service may miss the limit. The module that masks secrets loads meanwhile, so that the event can be spooled in time.
const preparation = setTimeout(() => masks().catch(() => undefined), limitMs * LAST_SHARE);

let answered = false;
function answer(text) {
  if (answered) return;
  answered = true;
  writeSync(1, text);
}
function leave(text) {
  quietly(() => answer(text));
  process.exit(0);
}
function say(sentence) {
  quietly(() => writeSync(2, `agent-faculties: ${sentence}\n`));
}
function quietly(write) {
  try {
    write();
  } catch {
    // The host has closed the pipe.
  }
}

/** Why what was read is not the whole input; null where it is. */
let cutBecause = null;
const keyMark =
  key === null ? '' : `${(await import('node:crypto')).createHash('sha256').update(key).digest('hex').slice(0, 12)}-`;
const text = await input();
const payload = parsed(text);
// What came in pieces and is no JSON is the beginning of a longer event.
if (payload === null && cutBecause !== null) say(`an event of ${host} is left out: ${cutBecause}.`);
if (payload === null) leave('{}');
const project = projectOf(payload);
const event = typeof payload.hook_event_name === 'string' ? payload.hook_event_name : named;
const at = new Date().toISOString();
const isPrompt = PROMPTS.has(event);
const waiting = Object.keys(services).filter(hasSpool);
// What a call of a tool takes is for timing-service alone.
const hearing = Object.keys(services).filter((service) => service === 'timing' || !/tool/i.test(event ?? ''));
// An event whose answer is not used queues behind the spooled ones, because an end must not arrive before its start.
const said = await Promise.all(
  hearing.map(async (service) => [service, waiting.includes(service) && !isPrompt ? 'again' : await deliver(service)]),
);
const answers = said.flatMap(([, one]) => (typeof one === 'string' ? [] : [one]));
quietly(() => answer(JSON.stringify(isPrompt ? answers.reduce(merged, {}) : {})));
for (const [service, one] of said) if (one === 'again') await keep(service);
await Promise.all(waiting.map(deliverSpool));
clearTimeout(preparation);
clearTimeout(watchdog);
clearTimeout(end);
leave('{}');

/** Standard input up to its end, or what has arrived when the time is up. */
function input() {
  return new Promise((resolve) => {
    let all = '';
    const end = () => resolve(all);
    // What has arrived is read before the timers of the next turn: on a busy machine nothing was read until now.
    const late = () => {
      if (all !== '') cutBecause ??= `it had not come whole when its time was up (--limit ${limitMs})`;
      end();
    };
    setTimeout(() => setImmediate(() => setImmediate(late)), Math.max(0, left()));
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => {
      if (all.length < MOST_INPUT_CHARACTERS) all += chunk;
      else cutBecause = `it is longer than ${MOST_INPUT_CHARACTERS / 1024 ** 2} MiB`;
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

/** Sends the event now. @returns what post returns */
async function deliver(service) {
  if (isSilent(service)) return 'again';
  const body = Buffer.byteLength(text) > MOST_SENT_BYTES ? JSON.stringify(await small(payload)) : text;
  return await post(service, { host, event: named ?? event, body, by: agent, of: project, inSpace: space });
}

/** @returns the answer; 'again' when the service cannot take the event now; 'lost' when it will never take it */
async function post(service, { host: sender, event: name, body, by, of, inSpace, when }) {
  const url = new URL(`hooks/${encodeURIComponent(sender)}`, services[service].replace(/\/?$/, '/'));
  if (name) url.searchParams.set('event', name);
  if (when) url.searchParams.set('at', when);
  if (service === 'timing') url.searchParams.set('time_zone', timeZone());
  const { request } = await import(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return await new Promise((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Agent-ID': utf8Header(by),
    };
    if (of) headers['X-Project'] = utf8Header(of);
    if (inSpace) headers['X-Space'] = utf8Header(inSpace);
    if (key !== null) headers.Authorization = `Bearer ${key}`;
    const sending = request(url, { method: 'POST', headers }, (response) => {
      let all = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        if (all.length < 256 * 1024) all += chunk;
      });
      response.on('end', () => {
        clearTimeout(timer);
        rmSync(markOf('late', service), { force: true });
        const { statusCode = 0 } = response;
        if (statusCode === 429 || statusCode === 502 || statusCode === 503 || statusCode === 504) resolve('again');
        else {
          if (statusCode !== 200) say(refusalOf(sender, statusCode, url, parsed(all)));
          resolve((statusCode === 200 && parsed(all)) || 'lost');
        }
      });
      response.on('error', () => resolve('again'));
    });
    const timer = setTimeout(
      () => {
        mark(existsSync(markOf('late', service)) ? 'silent' : 'late', service);
        sending.destroy();
        resolve('again');
      },
      Math.max(0, left()),
    );
    sending.on('error', () => {
      clearTimeout(timer);
      resolve('again');
    });
    // As bytes: Node sends headers in the encoding of a text that follows them.
    sending.end(Buffer.from(body));
  });
}

/** Why an event is lost, in a sentence. */
function refusalOf(sender, status, url, problem) {
  const detail = typeof problem?.detail === 'string' ? problem.detail : 'it gives no reason';
  return `an event of ${sender} is left out: ${status} of ${url.host}: ${detail}`;
}

/** A header carries a text as its UTF-8 bytes, one character each. */
function utf8Header(value) {
  return Buffer.from(value).toString('latin1');
}

/** IANA name. /etc/localtime names it on most systems; Intl is the fallback, because loading it takes as long as all the rest. */
function timeZone() {
  if (env.TZ) return zoneSaid(env.TZ.replace(/^:/, ''));
  try {
    const [, zone] = /zoneinfo\/(.+)$/.exec(readlinkSync('/etc/localtime')) ?? [];
    if (zone) return zone;
  } catch {
    // This system has no such link.
  }
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The service takes its own zone for one that it does not know, which nobody would see. */
function zoneSaid(zone) {
  if (existsSync(join('/usr/share/zoneinfo', zone)) || isZone(zone)) return zone;
  const said = join(folder, `hook-zone-${zone.replace(/\W/g, '-').slice(0, 40)}`);
  if (!existsSync(said)) {
    say(`TZ=${JSON.stringify(zone)} is no time zone, such as Europe/Lisbon: times are told in that of timing-service.`);
    markAs(said);
  }
  return zone;
}

function isZone(name) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The project of an event; null for none. */
function projectOf({ cwd, workspace_roots: roots, workspaceRoots = roots, directory }) {
  const said = options.project ?? env.AGENT_FACULTIES_PROJECT;
  if (said !== undefined) return said || null;
  const folder = [cwd, workspaceRoots?.[0], directory].find((one) => typeof one === 'string') ?? process.cwd();
  // Names of folders on macOS may have accents as characters of their own (NFD), which look alike and would make two projects of one.
  const name = repositoryOf(folder)?.normalize('NFC') ?? null;
  // What is no name for a project would have the event refused.
  return name !== null && /^(?!\*$)(?! )[^\p{Cc}\p{Cs}]{1,128}(?<! )$/u.test(name) ? name : null;
}

/** The name of the folder that holds the repository; null where there is none. */
function repositoryOf(folder) {
  for (let at = absolute(folder); dirname(at) !== at; at = dirname(at)) {
    const git = join(at, '.git');
    if (existsSync(git)) return repositoryOfWorktree(git) ?? basename(at);
  }
  return null;
}

/** A worktree has a file in place of .git, with where its repository is: `gitdir: /src/shop/.git/worktrees/fix`. Null for no worktree. */
function repositoryOfWorktree(git) {
  try {
    const [, kept] = /^gitdir: (.+)\/worktrees\/[^/]+\s*$/.exec(readFileSync(git, 'utf8')) ?? [];
    if (kept === undefined) return null;
    const at = absolute(dirname(git), kept);
    // Of a bare repository the folder has its name: shop.git, but for shop/.bare.
    return basename(at).startsWith('.') ? basename(dirname(at)) : basename(at).replace(/\.git$/, '');
  } catch {
    return null;
  }
}

/** Two answers as one. Two texts in the same field become paragraphs of one text. */
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

/**
 * A service at its address, as the names of files hold it: what waits for one server is not for another one. A gateway takes the agent from
 * the key, so what was said under one waits for that one.
 */
function placeOf(service) {
  return `${service}-${keyMark}${encodeURIComponent(services[service].replace(/\/+$/, ''))}`.slice(0, 200);
}

function spoolOf(service) {
  return join(folder, `hook-spool.${placeOf(service)}.ndjson`);
}

/**
 * The files of a spool in their order: what deliveries have left (`ORDER.rest`), or are about to send (`ORDER.SINCE.sending`), and what was
 * kept after that (`ndjson`).
 */
function spoolFiles(service) {
  const start = `hook-spool.${placeOf(service)}.`;
  const isOne = (name) =>
    name.startsWith(start) && /^(?:ndjson|\d+-\d+\.(?:rest|\d+\.sending))$/.test(name.slice(start.length));
  try {
    return readdirSync(folder)
      .filter(isOne)
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function hasSpool(service) {
  return spoolFiles(service).length > 0;
}

/** The payload, cut to a small size and without secrets. The module is loaded only when it is needed. */
async function small(value) {
  const { spoolablePayload } = await masks();
  return spoolablePayload(value);
}

function masks() {
  return import('@agent-faculties/agent-hooks/spoolable-payload');
}

/** Spools the event, as one line. When the spool is full the event is dropped: nobody uses a service that is away for weeks. */
async function keep(service) {
  try {
    const kept = { service, host, event: named ?? event, at, agent, project, space, payload: await small(payload) };
    append(service, `${JSON.stringify(kept)}\n`);
  } catch {
    // The disk is full or the folder cannot be written: the event is dropped, and the host goes on.
  }
}

function append(service, line) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bytes = spoolFiles(service).map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (bytes.reduce((sum, size) => sum + size, Buffer.byteLength(line)) > MOST_SPOOLED_BYTES) return;
  appendFileSync(spoolOf(service), line, { mode: 0o600 });
}

/** Delivers the spooled events of a service in their order until the time is up; the others stay in the spool. */
async function deliverSpool(service) {
  while (!isSilent(service) && left() >= 20) {
    const files = spoolFiles(service);
    // One process at a time: an end must not arrive before its start. It comes back to what is kept meanwhile.
    if (files.length === 0 || files.some(isBeingSent)) return;
    const mine = taken(service, files[0]);
    if (mine === null) return;
    const lines = readFileSync(mine, 'utf8').split('\n').filter(Boolean);
    const rest = await undelivered(service, lines);
    // After a crash before this the events are delivered twice, which changes nothing.
    if (rest.length === 0) rmSync(mine);
    else return leaveRest(mine, rest.length < lines.length ? rest : null);
  }
}

/** The file under a name that keeps others from it; null where another process was faster. */
function taken(service, file) {
  const [, order = `${Date.now()}-${process.pid}`] = /\.(\d+-\d+)\.(?:rest|\d+\.sending)$/.exec(file) ?? [];
  const mine = join(folder, `hook-spool.${placeOf(service)}.${order}.${Date.now()}.sending`);
  try {
    renameSync(file, mine);
    return mine;
  } catch {
    return null;
  }
}

/** Gives a file back; null for all of its lines. */
function leaveRest(mine, lines) {
  if (lines !== null) writeFileSync(mine, lines.map((line) => `${line}\n`).join(''));
  renameSync(mine, mine.replace(/\d+\.sending$/, 'rest'));
}

/** Whether a process delivers the file; one that was killed no longer does. */
function isBeingSent(file) {
  const [, since] = /\.(\d+)\.sending$/.exec(file) ?? [];
  return since !== undefined && Date.now() - Number(since) < ABANDONED_MS;
}

/** Of the lines, those from the first one on that the service cannot take now. */
async function undelivered(service, lines) {
  for (const [index, line] of lines.entries()) {
    const kept = parsed(line);
    if (kept === null) continue;
    if (left() < 20) return lines.slice(index);
    const body = JSON.stringify(kept.payload);
    const { host: sender, event: name, agent: by, project: of, space: inSpace, at: when } = kept;
    const taken = await post(service, { host: sender, event: name, body, by, of, inSpace, when });
    if (taken === 'again') return lines.slice(index);
  }
  return [];
}

/** Of the last answer, `late`; of the last two and for a while, `silent`. */
function markOf(kind, service) {
  return join(folder, `hook-${kind}-${placeOf(service)}`);
}

function isSilent(service) {
  try {
    return Date.now() - statSync(markOf('silent', service)).mtimeMs < SILENT_MS;
  } catch {
    return false;
  }
}

function mark(kind, service) {
  markAs(markOf(kind, service));
}

function markAs(path) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'w', 0o600));
  } catch {
    // Without the mark, the next event asks the service again, or says again what was said.
  }
}
