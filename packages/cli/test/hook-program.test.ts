import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runHook, type Urls } from './run-hook.ts';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

interface Call {
  readonly service: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly agent: unknown;
  /** X-Project, as the bytes of its text. */
  readonly project: unknown;
  /** X-Space. */
  readonly space: unknown;
  readonly body: Readonly<Record<string, unknown>>;
}

let state: string;
let calls: Call[];
let servers: Server[];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'hook-'));
  calls = [];
  servers = [];
});
afterEach(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  rmSync(state, { recursive: true });
});

function projectIn({ headers }: IncomingMessage): string | null {
  const header = headers['x-project'];
  return typeof header === 'string' ? Buffer.from(header, 'latin1').toString() : null;
}

/** A service that gives this answer, or a status; null: it never answers. It is at this address, else at one of its own. */
async function serve(
  service: string,
  answer: object | number | null | (() => Promise<object>),
  address?: string,
): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', async () => {
      const url = new URL(request.url ?? '', 'http://x');
      const body = JSON.parse(text) as Call['body'];
      const query = Object.fromEntries(url.searchParams);
      calls.push({
        service,
        path: url.pathname,
        query,
        agent: request.headers['x-agent-id'],
        project: projectIn(request),
        space: request.headers['x-space'],
        body,
      });
      if (answer === null) return;
      response.writeHead(typeof answer === 'number' ? answer : 200, { 'Content-Type': 'application/json' });
      const given = typeof answer === 'function' ? await answer() : answer;
      response.end(JSON.stringify(typeof given === 'number' ? {} : given));
    });
  });
  servers.push(server);
  const port = address === undefined ? 0 : Number(new URL(address).port);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address where nobody listens now, and `serve` can later. */
async function freeAddress(): Promise<string> {
  const url = await serve('away', {});
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return url;
}

const hook = (args: readonly string[], input: unknown, urls: Urls, limitMs?: number) =>
  runHook(args, input, { ...urls, state, ...(limitMs && { limitMs }) });
const turn = () => new Promise((resolve) => setImmediate(resolve));
const kept = () => join(state, 'agent-faculties');
const spoolFile = (service: string, url: string) =>
  join(kept(), `hook-spool.${service}-${encodeURIComponent(url)}.ndjson`);
/** What waits for a service, wherever it is. */
const spooled = (service: string) =>
  (existsSync(kept()) ? readdirSync(kept()) : [])
    .filter((name) => name.startsWith(`hook-spool.${service}-`))
    .flatMap((name) => readFileSync(join(kept(), name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: 's-1', prompt: 'When is it?' };
const STARTED = { hook_event_name: 'PreToolUse', session_id: 's-1', tool_name: 'Bash', tool_use_id: 't-1' };
const ENDED = { ...STARTED, hook_event_name: 'PostToolUse' };
const STOPPED = { hook_event_name: 'Stop', session_id: 's-1', last_assistant_message: 'On Friday.' };
const context = (additionalContext: string) => ({
  hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext },
});

test('a prompt goes to both services, and what they say stands below each other', async () => {
  const urls = {
    memory: await serve('memory', context('You know this.')),
    timing: await serve('timing', context('It is late.')),
  };
  const { code, out, err } = await hook(['codex', 'UserPromptSubmit'], PROMPT, urls);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual(context('You know this.\n\nIt is late.'));
  expect(calls.map(({ service, path, agent, body }) => [service, path, agent, body]).sort()).toEqual([
    ['memory', '/hooks/codex', 'codex', PROMPT],
    ['timing', '/hooks/codex', 'codex', PROMPT],
  ]);
  expect(calls.find(({ service }) => service === 'timing')?.query.time_zone).toMatch(/\w/);
  expect(existsSync(join(state, 'agent-faculties'))).toBe(false);
});

test('the services are where start has them, unless an address is given', async () => {
  const urls = { memory: await serve('memory', {}), timing: await serve('timing', {}) };
  const ports = { MEMORY_PORT: new URL(urls.memory).port, TIMING_PORT: new URL(urls.timing).port };
  const ask = (given: Urls, env: Readonly<Record<string, string>>) =>
    runHook(['codex', 'UserPromptSubmit'], PROMPT, { ...given, state, env });
  expect(await ask({ memory: '', timing: '' }, ports)).toEqual({ code: 0, out: '{}', err: '' });
  expect(calls.map(({ service }) => service).sort()).toEqual(['memory', 'timing']);
  await ask(urls, { MEMORY_PORT: '9', TIMING_PORT: 'tcp://10.0.0.1:9' });
  expect(calls).toHaveLength(4);
});

test('a time zone that nobody knows is said once, and one that is known never', async () => {
  const urls = { memory: await serve('memory', {}), timing: await serve('timing', {}) };
  const told = (zone: string) => runHook(['codex', 'UserPromptSubmit'], PROMPT, { ...urls, state, zone });
  for (const zone of ['Europe/Lisbon', ':UTC']) expect(await told(zone)).toEqual({ code: 0, out: '{}', err: '' });
  const { code, out, err } = await told('Mars/Base');
  expect([code, out]).toEqual([0, '{}']);
  expect(err).toBe(
    'agent-faculties: TZ="Mars/Base" is no time zone, such as Europe/Lisbon: times are told in that of timing-service.\n',
  );
  expect((await told('Mars/Base')).err).toBe('');
  expect((await told('Mars/Other')).err).toContain('Mars/Other');
  const zones = calls.filter(({ service }) => service === 'timing').map(({ query }) => query.time_zone);
  expect(zones).toEqual(['Europe/Lisbon', 'UTC', 'Mars/Base', 'Mars/Base', 'Mars/Other']);
});

test('what the services refuse, and what is no JSON, is answered as the host goes on', async () => {
  const urls = { memory: await serve('memory', 500), timing: await serve('timing', 400) };
  const { code, out, err } = await hook(['codex'], PROMPT, urls);
  expect([code, out]).toEqual([0, '{}']);
  expect(err.trim().split('\n').sort()).toEqual([
    `agent-faculties: an event of codex is left out: 400 of ${new URL(urls.timing).host}: it gives no reason`,
    `agent-faculties: an event of codex is left out: 500 of ${new URL(urls.memory).host}: it gives no reason`,
  ]);
  for (const input of ['', '{', '[1]', '"x"'])
    expect(await hook(['codex'], input, urls)).toEqual({ code: 0, out: '{}', err: '' });
  expect([spooled('memory'), spooled('timing')]).toEqual([[], []]);
});

test.each(['127.0.0.1:7832', 'localhost:7832', '::'])(
  '%s is said to be no address, and the other service is told',
  async (memory) => {
    const urls = { memory, timing: await serve('timing', { systemMessage: 'It is Monday.' }) };
    expect(await hook(['codex'], PROMPT, urls)).toEqual({
      code: 0,
      out: '{"systemMessage":"It is Monday."}',
      err: `agent-faculties: "${memory}" is no address of memory-service: write one such as http://127.0.0.1:7832.\n`,
    });
  },
);

test('a long event is cut and kept, and one that is longer still is left out with a word', async () => {
  const timing = await serve('timing', {});
  const ended = (mebibytes: number) => ({ ...ENDED, tool_response: 'x'.repeat(mebibytes * 1024 ** 2) });
  const urls = { memory: timing, timing };
  expect(await hook(['codex'], ended(10), urls)).toEqual({ code: 0, out: '{}', err: '' });
  expect(calls.map(({ body }) => body)).toMatchObject([{ ...ENDED, tool_response: 'x'.repeat(4_000) }]);
  expect(await hook(['codex'], ended(40), urls)).toEqual({
    code: 0,
    out: '{}',
    err: 'agent-faculties: an event of codex is left out: it is longer than 32 MiB.\n',
  });
  expect(calls).toHaveLength(1);
});

test('a call of a tool is told to timing-service alone', async () => {
  const urls = { memory: await serve('memory', {}), timing: await serve('timing', {}) };
  for (const [host, event] of [
    ['codex', 'PreToolUse'],
    ['gemini', 'AfterTool'],
    ['cursor', 'postToolUseFailure'],
  ] as const)
    await hook([host, event], { tool_name: 'Bash' }, urls);
  expect(calls.map(({ service, query }) => [service, query.event])).toEqual([
    ['timing', 'PreToolUse'],
    ['timing', 'AfterTool'],
    ['timing', 'postToolUseFailure'],
  ]);
});

test('an empty AGENT_ID is none', async () => {
  const urls = { memory: await serve('memory', {}), timing: await serve('timing', {}) };
  await runHook(['codex', 'UserPromptSubmit'], PROMPT, { ...urls, state, env: { AGENT_ID: '' } });
  expect(calls.map(({ agent }) => agent)).toEqual(['codex', 'codex']);
});

describe('while a service is away', () => {
  const away = { memory: NOWHERE, timing: NOWHERE };

  test('what happens is kept in a file of the user, without secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const told = { ...PROMPT, prompt: `Use ${secret} <private>and hush</private>.` };
    expect(await hook(['codex', 'UserPromptSubmit', '--agent', 'ann'], told, away)).toEqual({
      code: 0,
      out: '{}',
      err: '',
    });
    for (const service of ['memory', 'timing'])
      expect(spooled(service)).toMatchObject([{ service, host: 'codex', event: 'UserPromptSubmit', agent: 'ann' }]);
    const file = spoolFile('memory', NOWHERE);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('[REDACTED:github-token]');
    expect(text).not.toMatch(/a1B2a1B2|hush/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('and is delivered once it is back, in its order, with when it was', async () => {
    const urls = { memory: await freeAddress(), timing: await freeAddress() };
    await hook(['codex', 'PreToolUse'], STARTED, urls);
    await hook(['codex', 'PostToolUse'], ENDED, urls);
    await serve('memory', {}, urls.memory);
    await serve('timing', {}, urls.timing);
    await hook(['codex', 'Stop'], STOPPED, urls);
    const told = calls.filter(({ service }) => service === 'timing');
    expect(told.map(({ body }) => body.hook_event_name)).toEqual(['PreToolUse', 'PostToolUse', 'Stop']);
    for (const { query } of told) expect(query.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(readdirSync(kept())).toEqual([]);
  });

  test('by whatever agent calls next, it is delivered as that of its own agent', async () => {
    const urls = { memory: await freeAddress(), timing: await freeAddress() };
    await hook(['codex', 'UserPromptSubmit', '--agent', 'ann'], PROMPT, urls);
    await serve('memory', {}, urls.memory);
    await serve('timing', {}, urls.timing);
    await hook(['gemini', 'AfterAgent'], { session_id: 'g-1', prompt_response: 'Done.' }, urls);
    const told = calls.filter(({ service }) => service === 'memory');
    expect(told.map(({ agent, query }) => [agent, query.event])).toEqual([
      ['ann', 'UserPromptSubmit'],
      ['gemini', 'AfterAgent'],
    ]);
  });

  test('it is delivered in its order, however many processes deliver it', async () => {
    const urls = { memory: await serve('memory', {}), timing: await freeAddress() };
    const call = (event: object, id: string) => hook(['codex'], { ...event, tool_use_id: id }, urls);
    for (const id of ['t-1', 't-2', 't-3']) await call(STARTED, id);
    let answerFirst: ((answer: object) => void) | undefined;
    const first = new Promise<object>((resolve) => {
      answerFirst = resolve;
    });
    await serve('timing', () => (calls.length > 1 ? Promise.resolve({}) : first), urls.timing);
    calls = [];
    const delivering = call(STARTED, 't-4');
    while (calls.length === 0) await turn();
    await call(ENDED, 't-3');
    answerFirst?.({});
    await delivering;
    expect(calls.map(({ body }) => [body.hook_event_name, body.tool_use_id])).toEqual([
      ...['t-1', 't-2', 't-3', 't-4'].map((id) => ['PreToolUse', id]),
      ['PostToolUse', 't-3'],
    ]);
  });

  test('what is left when the time is up stays before what is kept meanwhile', async () => {
    const urls = { memory: await serve('memory', {}), timing: await freeAddress() };
    const call = (event: object, id: string) => hook(['codex'], { ...event, tool_use_id: id }, urls, 6_000);
    for (const id of ['t-1', 't-2']) await call(STARTED, id);
    let answers = 1;
    await serve('timing', () => (answers-- > 0 ? Promise.resolve({}) : new Promise(() => undefined)), urls.timing);
    const delivering = call(STARTED, 't-3');
    while (calls.filter(({ service }) => service === 'timing').length < 2) await turn();
    await call(ENDED, 't-2');
    await delivering;
    calls = [];
    answers = 9;
    await call(ENDED, 't-3');
    expect(calls.map(({ body }) => [body.hook_event_name, body.tool_use_id])).toEqual([
      ['PreToolUse', 't-2'],
      ['PreToolUse', 't-3'],
      ['PostToolUse', 't-2'],
      ['PostToolUse', 't-3'],
    ]);
  });

  test('what is for one server is not delivered to another one', async () => {
    const [memory, timing] = [await serve('memory', {}), await serve('timing', {})];
    await hook(['codex'], PROMPT, away);
    await hook(['codex'], STOPPED, { memory, timing });
    expect(calls.map(({ body }) => body.hook_event_name)).toEqual(['Stop', 'Stop']);
    expect([spooled('memory').length, spooled('timing').length]).toEqual([1, 1]);
  });

  test('what was said under one key is not delivered under another one', async () => {
    const url = await freeAddress();
    const stop = (AGENT_FACULTIES_KEY: string) =>
      runHook(['codex'], STOPPED, { memory: url, timing: url, state, env: { AGENT_FACULTIES_KEY } });
    await stop('of-ann');
    await serve('both', {}, url);
    calls = [];
    await stop('of-bob');
    expect(calls).toHaveLength(2);
    expect(JSON.stringify(readdirSync(kept()))).not.toContain('of-ann');
    await stop('of-ann');
    expect(calls).toHaveLength(6);
  });

  test('the other one still answers, and what is for one waits for it', async () => {
    const timing = await serve('timing', context('It is late.'));
    const { out } = await hook(['codex'], PROMPT, { memory: NOWHERE, timing });
    expect(JSON.parse(out)).toEqual(context('It is late.'));
    expect(spooled('memory')).toHaveLength(1);
    await hook(['codex'], { ...PROMPT, prompt_id: 'next' }, { memory: NOWHERE, timing });
    expect([spooled('memory').length, spooled('timing').length]).toEqual([2, 0]);
  });

  test('however long one is away, the other one is told everything', async () => {
    const timing = await serve('timing', {});
    await hook(['codex'], PROMPT, { memory: NOWHERE, timing });
    writeFileSync(spoolFile('memory', NOWHERE), `${JSON.stringify({ payload: 'x'.repeat(4 * 1024 ** 2) })}\n`);
    calls = [];
    for (const event of [STARTED, ENDED, STOPPED]) await hook(['codex'], event, { memory: NOWHERE, timing });
    expect(calls.map(({ body }) => body.hook_event_name)).toEqual(['PreToolUse', 'PostToolUse', 'Stop']);
  });

  test('the file has an end', async () => {
    await hook(['codex'], PROMPT, away);
    const file = spoolFile('memory', NOWHERE);
    const line = { host: 'codex', at: '2026-11-22T10:00:00Z', agent: 'codex', payload: { a: 'x'.repeat(4_193_000) } };
    writeFileSync(file, `${JSON.stringify(line)}\n`);
    for (let time = 0; time < 8; time++) await hook(['codex'], PROMPT, away);
    const sizes = readdirSync(kept())
      .filter((name) => name.startsWith('hook-spool.memory-'))
      .map((name) => statSync(join(kept(), name)).size);
    const size = sizes.reduce((sum, one) => sum + one, 0);
    expect(size).toBeGreaterThan(4_193_000);
    expect(size).toBeLessThanOrEqual(4 * 1024 ** 2);
  });
});

test('a service that never answers is left alone from the second time on, for a while, and told later', async () => {
  const urls = { memory: await serve('memory', null), timing: await serve('timing', context('It is late.')) };
  for (let time = 0; time < 2; time++) {
    const { code, out } = await hook(['codex'], PROMPT, urls, 6_000);
    expect([code, JSON.parse(out)]).toEqual([0, context('It is late.')]);
  }
  await hook(['codex'], { ...PROMPT, prompt: 'Again?' }, urls);
  expect(calls.filter(({ service }) => service === 'memory')).toHaveLength(2);
  expect(spooled('memory')).toHaveLength(3);
});

test('one late answer has no consequence, since the next one may be in time', async () => {
  const timing = await serve('timing', {});
  const memory = await serve('memory', null);
  const late = servers.at(-1);
  await hook(['codex'], STOPPED, { memory, timing }, 6_000);
  const next = new Promise((resolve) => late?.close(resolve));
  late?.closeAllConnections();
  await next;
  await serve('memory', context('You know this.'), memory);
  for (let time = 0; time < 2; time++) {
    const { out } = await hook(['codex'], PROMPT, { memory, timing });
    expect(JSON.parse(out)).toEqual(context('You know this.'));
  }
});

test('a machine so busy that the time is up before anything happened loses nothing', async () => {
  const limitMs = 4_000;
  // Nothing happens from the moment at which the program sets its limit until that is over; then all its timers are due at once.
  const block = `
    const later = setTimeout;
    globalThis.setTimeout = (work, ms, ...rest) => {
      const timer = later(work, ms, ...rest);
      const until = ms === ${limitMs} ? Date.now() + ${limitMs + 200} : 0;
      while (Date.now() < until);
      return timer;
    }`;
  const preload = `data:text/javascript,${encodeURIComponent(block)}`;
  const away = { memory: NOWHERE, timing: NOWHERE };
  const { code, out } = await runHook(['codex'], STOPPED, { ...away, state, limitMs, preload });
  expect([code, out]).toEqual([0, '{}']);
  for (const service of ['memory', 'timing']) expect(spooled(service)).toMatchObject([{ event: 'Stop' }]);
});

describe('the project of an event', () => {
  const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'Hello.' };
  const told = async (args: readonly string[], payload: object) => {
    const url = await serve('both', {});
    calls = [];
    await hook(['codex', 'UserPromptSubmit', ...args], { ...PROMPT, ...payload }, { memory: url, timing: url });
    return [...new Set(calls.map(({ project }) => project))];
  };
  const folder = (...path: string[]) => {
    const made = join(state, ...path);
    mkdirSync(made, { recursive: true });
    return made;
  };

  test('is the folder of the repository around the working directory', async () => {
    folder('web-магазин', '.git');
    expect(await told([], { cwd: folder('web-магазин', 'src', 'pages') })).toEqual(['web-магазин']);
    expect(await told([], { workspace_roots: [join(state, 'web-магазин')] })).toEqual(['web-магазин']);
  });

  test('is the same however the name of that folder writes its accents', async () => {
    folder('Bu\u0308ro', '.git');
    expect(await told([], { cwd: folder('Bu\u0308ro', 'src') })).toEqual(['B\u00fcro']);
  });

  test('is in a worktree that of its repository', async () => {
    const inWorktree = async (kept: string) => {
      writeFileSync(join(folder('shop-fix'), '.git'), `gitdir: ${kept}/worktrees/shop-fix\n`);
      return await told([], { cwd: folder('shop-fix', 'src') });
    };
    expect(await inWorktree(join(state, 'shop', '.git'))).toEqual(['shop']);
    expect(await inWorktree('../shop/.git')).toEqual(['shop']);
    expect(await inWorktree(join(state, 'shop.git'))).toEqual(['shop']);
    expect(await inWorktree(join(state, 'shop', '.bare'))).toEqual(['shop']);
    writeFileSync(join(folder('part'), '.git'), 'gitdir: ../.git/modules/part\n');
    expect(await told([], { cwd: folder('part') })).toEqual(['part']);
  });

  test('is none outside a repository, and where nobody wants one', async () => {
    expect(await told([], { cwd: folder('plain') })).toEqual([null]);
    folder('shop', '.git');
    expect(await told(['--no-project'], { cwd: folder('shop') })).toEqual([null]);
  });

  test('is the one of the option, and stays with an event that is delivered later', async () => {
    folder('shop', '.git');
    expect(await told(['--project', 'blog'], { cwd: folder('shop') })).toEqual(['blog']);
    const url = await freeAddress();
    await hook(['codex', 'UserPromptSubmit'], { ...PROMPT, cwd: folder('shop') }, { memory: url, timing: url });
    await serve('both', {}, url);
    calls = [];
    await hook(
      ['codex', 'Stop', '--no-project'],
      { hook_event_name: 'Stop', session_id: 's' },
      { memory: url, timing: url },
    );
    expect(calls.map(({ query, project }) => [query.event, project])).toEqual(
      expect.arrayContaining([['UserPromptSubmit', 'shop']]),
    );
  });
});

test('the space of an event is the one of the option or of the environment, and stays with it', async () => {
  const sent = { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'Hello.' };
  const url = await freeAddress();
  const tell = async (...args: string[]) => {
    calls = [];
    await hook(['codex', 'UserPromptSubmit', '--no-project', ...args], sent, { memory: url, timing: url });
    return [...new Set(calls.map(({ space }) => space))];
  };
  await tell('--space', 'team-a');
  await serve('both', {}, url);
  // The prompt of its own space, and then the one that had to wait in the other.
  expect((await tell('--space', 'team-b')).sort()).toEqual(['team-a', 'team-b']);
  expect(await tell()).toEqual([undefined]);
});
