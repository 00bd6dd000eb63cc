import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  emptyStore,
  say,
  startTestService as startMemoryService,
} from '../../../apps/memory-service/test/start-service.ts';
import { runTasks } from '../../../apps/timing-service/test/start-service.ts';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import type { Edge } from '../src/command.ts';
import { run as runAnywhere } from './run-cli.ts';

const NOBODY = 'http://127.0.0.1:65535';

let services: LiveServices;
let env: Record<string, string>;

beforeAll(async () => {
  services = await startLiveServices();
  env = { MEMORY_URL: services.memoryUrl, TIMING_URL: services.timingUrl, AGENT_ID: 'ann' };
});
beforeEach(() => emptyStore(services.memory));
afterAll(() => services.close());

const run = (argv: readonly string[], world: Partial<Edge> & { input?: string } = {}) =>
  runAnywhere(argv, { env, ...world });

describe('remember, recall and list', () => {
  test('keep words and find them again', async () => {
    const kept = await run([
      'remember',
      'The',
      'status',
      'goes out on Mondays.',
      '--name',
      'Dana',
      '--tag',
      'a',
      '--tag',
      'b',
    ]);
    expect(kept).toMatchObject({ code: 0, out: expect.stringMatching(/^Kept: [0-9a-f-]{36}\n$/) });
    const again = ['remember', 'The status goes out on Mondays.', '--name', 'Dana'];
    expect((await run(again)).out).toMatch(/^Known already: \S+\n$/);
    expect((await run([...again, '--importance', '0'])).out).toMatch(
      /^Known already: \S+, it says otherwise in importance\n$/,
    );
    const { out } = await run(['recall', 'When does the status go out?', '--explain']);
    expect(out).toMatch(
      /^(high|medium|low) +0\.\d\d +\S+ +2026-11-21 Dana \(ann\): The status goes out on Mondays\.\n +vector \d/,
    );
    const context = await run(['recall', 'When does the status go out?', '--context']);
    expect(context.out).toMatch(/^<remembered .*Mondays.*<\/remembered>\n$/s);
    expect((await run(['list'])).out).toMatch(/^\S+ {2}2026-11-21 Dana \(ann\): The status goes out on Mondays\.\n$/);
    const [line] = (await run(['list', '--json', '--tag', 'b'])).out.split('\n');
    expect(JSON.parse(line as string)).toMatchObject({ name: 'Dana', role: 'user', tags: ['a', 'b'], agent_id: 'ann' });
  });

  test('recall what held at a moment', async () => {
    const { memory } = await say(services.memory, 'ann', 'The ferry leaves at noon.');
    await say(services.memory, 'ann', { content: 'The ferry leaves at one.', supersedes: [memory.id] });
    const held = async (time: string) => (await run(['recall', 'When does the ferry leave?', '--as-of', time])).out;
    expect(await held('2027-01-01')).toMatch(/^.* at one\.\n$/);
    expect(await held('2001-01-01')).toBe('Nothing is known of this.\n');
    expect((await run(['recall', 'x', '--as-of', 'soon'])).err).toContain("--as-of 'soon' is not an instant");
  });

  test('say what no longer holds, and who sees what', async () => {
    const { memory } = await say(services.memory, 'ann', 'The ferry leaves at noon.');
    await say(services.memory, 'ann', { content: 'The ferry leaves at one.', supersedes: [memory.id] });
    await say(services.memory, 'ann', { content: 'The ferry is late.', scope: 'PRIVATE', valid_until: '2026-11-20' });
    await say(services.memory, 'ann', { content: 'The ferry is full.', valid_until: '2026-12-20' });
    for (const { out } of [await run(['list']), await run(['recall', 'ferry'])]) {
      expect(out).toContain('2026-11-21 ann (superseded): The ferry leaves at noon.\n');
      expect(out).toContain('2026-11-21 ann: The ferry leaves at one.\n');
      expect(out).toContain('2026-11-21 ann (PRIVATE, held until 2026-11-20): The ferry is late.\n');
      expect(out).toContain('2026-11-21 ann (holds until 2026-12-20): The ferry is full.\n');
    }
  });

  test('say that nothing is relevant before what comes nearest', async () => {
    await say(services.memory, 'ann', 'The ferry leaves at noon.');
    const { out } = await run(['recall', 'quantum gravity']);
    expect(out).toMatch(/^Nothing that was told seems to answer this\. What comes nearest:\nlow /);
    expect((await run(['recall', 'When does the ferry leave?'])).out).not.toContain('Nothing that was told');
  });

  test('take words in UTF-16 from a pipe, and nothing that is no text', async () => {
    const piped = (bytes: Uint8Array) =>
      run(['remember', '-'], {
        stdin: (async function* () {
          yield bytes;
        })(),
      });
    // As Windows PowerShell writes a file.
    expect((await piped(Buffer.from('\ufeffDer Hafen heißt Überlingen.\r\n', 'utf16le'))).code).toBe(0);
    expect((await run(['list'])).out).toMatch(/^\S+ {2}2026-11-21 ann: Der Hafen heißt Überlingen\.\n$/);
    expect(await piped(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^agent-faculties: standard input: no text in UTF-8/),
    });
  });

  test('take words from a pipe', async () => {
    expect((await run(['remember'], { input: 'Piped in.\n' })).code).toBe(0);
    expect((await run(['remember', '-', '--role', 'assistant'], { input: 'Dashed in.' })).code).toBe(0);
    expect(
      (await run(['list', '--json'])).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).content),
    ).toEqual(['Dashed in.', 'Piped in.']);
  });

  test('answer in JSON alone where that is asked for', async () => {
    const { out } = await run(['remember', 'password=hunter2secret!', '--json']);
    expect(JSON.parse(out)).toMatchObject({ duplicate: false, redacted: [{ count: 1 }] });
    expect(JSON.parse((await run(['recall', 'hunter', '--json', '-n', '1'])).out)).toHaveProperty('context');
  });

  test('say what the service has taken out', async () => {
    const { out } = await run(['remember', 'Lunch at noon. <private>The merger.</private> password=hunter2secret!']);
    expect(out).toMatch(/^Kept: \S+, 1 secret masked \(password\), 1 private part left out\n$/);
  });

  test('tell what is on on which day', async () => {
    const empty = await run(['agenda', '--from', '2026-11-23', '--to', '2026-11-24']);
    expect(empty.out).toBe('Nothing that was told names a day from 2026-11-23 to 2026-11-24.\n');
    await say(services.memory, 'ann', { content: 'The fair is from 22 to 23 November.', name: 'Dana' });
    await say(services.memory, 'ann', 'Stand-up every Monday.');
    await say(services.memory, 'ann', 'No lunch on Monday.');
    await say(services.memory, 'bob', { content: 'In November we move.', tags: ['move'] });
    await say(services.memory, 'bob', 'We hire in Q4 2026.');
    const { out } = await run(['agenda', '--from', '2026-11-23', '--days', '2']);
    expect(out.replaceAll(/^ {2}\S+/gm, '  ID')).toBe(
      [
        '2026-11-23 Monday',
        '  ID  2026-11-21 ann (called off): No lunch on Monday.',
        '  ID  2026-11-21 Dana (ann) (2026-11-22 to 2026-11-23): The fair is from 22 to 23 November.',
        '  ID  2026-11-21 ann (repeats): Stand-up every Monday.',
        '2026-11 as a whole',
        '  ID  2026-11-21 bob: In November we move.',
        '  ID  2026-11-21 bob (2026-10-01 to 2026-12-31): We hire in Q4 2026.',
        '',
      ].join('\n'),
    );
    const answer = JSON.parse((await run(['agenda', '--by', 'bob', '--tag', 'move', '--json'])).out);
    expect(answer).toMatchObject({ first_day: '2026-11-21', days: [], months: [{ month: '2026-11', total: 1 }] });
    for (let place = 0; place < 21; place++) await say(services.memory, 'ann', `Talk ${place} is on 24 November.`);
    expect((await run(['agenda', '--from', '2026-11-24', '--days', '1'])).out).toContain('\n  and 1 more\n2026-11 as');
    expect((await run(['agenda', '--to', 'soon'])).err).toContain("'soon' is no day of the calendar");
  });

  test('show what would steer a terminal as its escape, which JSON reads back', async () => {
    const content = 'Pay \u202e2000\u2069 on 22 November,\x1b]0;you\x07 says\r\u009b2J Ann.\r\nThen\trest.';
    const shown = 'Pay \\u202e2000\\u2069 on 22 November,\\u001b]0;you\\u0007 says\\u000d\\u009b2J Ann.\r\nThen\trest.';
    const { memory } = await say(services.memory, 'ann', content);
    expect((await run(['show', memory.id])).out).toContain(shown);
    for (const command of ['list', 'agenda', 'recall'])
      expect((await run(command === 'recall' ? [command, 'Pay 2000'] : [command])).out).toContain(
        'Pay \\u202e2000\\u2069 on 22 November,\\u001b]0;you\\u0007 says \\u009b2J Ann.',
      );
    const { out } = await run(['list', '--json']);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    expect(JSON.parse(out).content).toBe(content);
    expect((await run(['show', 'a\u202eb'])).err).not.toContain('\u202e');
  });

  test('list as many as are wanted, over pages', async () => {
    for (let index = 0; index < 5; index++)
      await say(services.memory, 'ann', `Fact number ${index} about the harbour.`);
    expect((await run(['list', '-n', '3'])).out.split('\n')).toHaveLength(4);
    expect((await run(['list', '--all', '--text', 'harbour'])).out.split('\n')).toHaveLength(6);
    expect((await run(['list', '--by', 'nobody'])).out).toBe('There are none.\n');
  });

  test.each([
    [['recall', 'x', '-n', '0'], 2, '--top-k="0" is not a whole number from 1 on'],
    [['recall', 'x', '--min-trust', 'all'], 2, '--min-trust="all" must be one of user, assistant, tool, import'],
    [['recall', 'x', '--context', '--json'], 2, 'do not go together'],
    [['remember', '--importance', 'high', 'x'], 2, '--importance="high" is not a number'],
    [['remember'], 2, 'There is no text'],
    [['list', '--since', 'soon'], 2, "agent-faculties: --since 'soon' is not an instant: send ISO 8601"],
    [['list', '--by', 'x'.repeat(129)], 2, 'agent-faculties: --by is too long: send 1 to 128 characters'],
    [['list', '--project', 'x'.repeat(129)], 1, 'X-Project is too long'],
    [['recall', 'x', '-n', '101'], 2, 'agent-faculties: --top-k must be <= 100.\nSee agent-faculties recall --help.'],
    [['recall', 'x'.repeat(200_001), '--tag', 't'], 1, 'body/query has more than 200000 characters'],
    [['remember', 'x', '--tag', ' '.repeat(129)], 2, 'agent-faculties: --tag must have at most 128 characters'],
    [['remember', 'x', '--until', 'soon'], 2, "agent-faculties: --until 'soon' is not an instant"],
    [['agenda', '--days', '99'], 2, 'agent-faculties: --days must be <= 62.'],
    [['timing', 'spent', '--days', '401'], 2, '--days="401" is not a whole number from 1 to 400.'],
    [['timing', 'spent', '--by', 'agent', '--days', '36526'], 2, 'from 1 to 36525.'],
    [['timing', 'estimate', 'x', '--think', '99999999999'], 2, 'agent-faculties: --think must be <= 1000000000.'],
    [['recall', 'x', '--memory-url', NOBODY], 1, 'cannot be reached'],
  ])('refuse %j', async (argv, code, message) => {
    const ran = await run(argv);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});

describe('status', () => {
  test('says what both hold', async () => {
    const { code, out } = await run(['status']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^memory {2}http\S+ {2}version 0\.0\.0-test, up .*0 memories; embedding by agent-memory-static/,
    );
    expect(out).toMatch(/^timing {2}http\S+ {2}version 0\.0\.0-test, .*no task runs; \/.*timing\.db$/m);
    const { services: states } = JSON.parse((await run(['status', '--json'])).out);
    expect(states).toMatchObject([
      { service: 'memory', problem: null, health: { status: 'ok' } },
      { service: 'timing' },
    ]);
  });
});

test('status says that the addresses are exchanged', async () => {
  const { code, out } = await run(['status', '--memory-url', services.timingUrl, '--timing-url', services.memoryUrl]);
  expect(code).toBe(1);
  expect(out.match(/another service answers there: MEMORY_URL and TIMING_URL may be exchanged\./g)).toHaveLength(2);
});

describe('follow', () => {
  test('says at once that no service is there', async () => {
    const ended = new AbortController();
    const pause = async () => ended.abort();
    const { code, err } = await run(['follow', '--memory-url', NOBODY], { signal: ended.signal, pause });
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be reached')]);
  });

  /** Runs it while something happens; `line` gives the next line, and the end of `act` is that of a person's patience. */
  async function following(
    options: readonly string[],
    act: (line: () => Promise<string>) => Promise<void>,
  ): Promise<void> {
    const ended = new AbortController();
    const lines = new PassThrough({ objectMode: true });
    const connected = new PassThrough({ objectMode: true });
    const ran = run(['follow', ...options], {
      out: (text) => void lines.write(text),
      fetch: async (...about) => {
        const answer = await fetch(...about);
        if (String(about[0]).includes('/events/stream')) connected.write(answer.status);
        return answer;
      },
      signal: ended.signal,
    });
    await connected[Symbol.asyncIterator]().next();
    const read = lines[Symbol.asyncIterator]();
    await act(async () => (await read.next()).value);
    ended.abort();
    expect(await ran).toMatchObject({ code: 130, err: '' });
  }

  test('says in a terminal that it waits', async () => {
    const ended = new AbortController();
    const fetched: typeof fetch = async (...about) => {
      if (String(about[0]).includes('/events/stream')) ended.abort();
      return await fetch(...about);
    };
    const terminal = { stdin: true, stdout: true, stderr: true };
    const { err, out } = await run(['follow'], { signal: ended.signal, fetch: fetched, isTerminal: terminal });
    expect([err, out]).toEqual(['Waiting for changes of the memory; Ctrl-C ends.\n', '']);
  });

  test('tells what changes, who did it and what a memory says', () =>
    following([], async (line) => {
      const { memory } = await say(services.memory, 'bob', 'The kettle boils at noon.');
      expect(await line()).toBe(`2026-11-21 09:30:00  added by bob  ${memory.id}: The kettle boils at noon.\n`);
      await run(['forget', memory.id, '--reason', 'It is sold.']);
      expect(await line()).toBe(`2026-11-21 09:30:00  invalidated by ann  ${memory.id}: The kettle boils at noon.\n`);
      await say(services.memory, 'cleo', { content: 'My code is 1234.', scope: 'PRIVATE' });
      await fetch(`${services.memoryUrl}/memory/${memory.id}`, { method: 'DELETE', headers: { 'X-Agent-ID': 'bob' } });
      expect(await line()).toBe(`2026-11-21 09:30:00  deleted by bob  ${memory.id}\n`);
      await fetch(`${services.memoryUrl}/consolidate`, { method: 'POST' });
      expect(await line()).toMatch(/^2026-11-21 09:30:00 {2}consolidation done {2}[-0-9a-f]{36}\n$/);
    }));

  test('gives the events as they are with --json', () =>
    following(['--json'], async (line) => {
      await say(services.memory, 'bob', 'The kettle boils at noon.');
      expect(JSON.parse(await line())).toMatchObject({ event: 'added', id: expect.any(String), data: { by: 'bob' } });
    }));
});

describe('forget', () => {
  test('ends a memory with a reason, and remember puts another in its place', async () => {
    await say(services.memory, 'ann', 'The gate opens at seven.');
    const { id } = JSON.parse((await run(['list', '--json'])).out);
    expect((await run(['forget', id])).code).toBe(2);
    const forgotten = await run(['forget', id, '--reason', 'It was closed.', '--at', '2026-01-01']);
    expect(forgotten).toMatchObject({ code: 0, out: `${id} holds until 2026-01-01T00:00:00.000Z.\n` });
    const next = [
      'The side door opens at eight.',
      '--supersedes',
      id,
      '--until',
      '2030-01-01',
      '--expires',
      '2031-01-01',
    ];
    const { memory } = JSON.parse((await run(['remember', ...next, '--json'])).out);
    expect(memory).toMatchObject({ valid_until: '2030-01-01T00:00:00.000Z', expires_at: '2031-01-01T00:00:00.000Z' });
    const lines = (await run(['list', '--json'])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.find((one) => one.id === id)).toMatchObject({
      superseded_by: memory.id,
      invalidation: { reason: 'It was closed.' },
    });
  });
});

describe('remember', () => {
  test('says what had superseded a memory before, and how to supersede that too', async () => {
    const { memory } = await say(services.memory, 'ann', 'The lift stops at four.');
    const next = await say(services.memory, 'bob', {
      content: 'The lift stops at five.',
      supersedes: [memory.id],
    });
    const told = (await run(['remember', 'The lift stops at six.', '--supersedes', memory.id])).out.split('\n');
    expect(told).toEqual([
      expect.stringMatching(/^Kept: \S+$/),
      `${memory.id} was superseded by ${next.memory.id} before, which still holds: The lift stops at five.`,
      `  If this takes its place too, say the same again with --supersedes ${next.memory.id}`,
      '',
    ]);
    const { out } = await run(['remember', 'The lift stops at six.', '--supersedes', next.memory.id]);
    expect(out).toMatch(/^Known already: \S+\n$/);
  });

  test('says of known words that others have come in their place', async () => {
    const { memory } = await say(services.memory, 'ann', { content: 'The lift is idle.', role: 'user' });
    const next = await say(services.memory, 'ann', { content: 'The lift is busy.', supersedes: [memory.id] });
    expect((await run(['remember', 'The lift is idle.'])).out.split('\n')).toEqual([
      `Known already: ${memory.id}`,
      `It stays superseded by ${next.memory.id}.`,
      `  If it holds again, say the same again with --supersedes ${next.memory.id}`,
      '',
    ]);
  });
});

describe('show and delete', () => {
  test('show one memory whole, and why it no longer holds', async () => {
    const content = `The gate opens at seven. ${'It is heavy and wants two hands. '.repeat(12)}`.trim();
    const { memory } = await say(services.memory, 'ann', { content, name: 'Dana', tags: ['gate'] });
    await run(['forget', memory.id, '--reason', 'It was closed.', '--at', '2026-01-01']);
    const { code, out } = await run(['show', memory.id]);
    expect(code).toBe(0);
    const [head, ...lines] = out.split('\n');
    expect(head).toBe(`${memory.id}  2026-11-21 Dana (ann) (held until 2026-01-01)`);
    expect(lines.slice(0, 3)).toEqual(['tags: gate', 'no longer holds, says ann: It was closed.', '']);
    expect(out).toContain(content);
    expect(JSON.parse((await run(['show', memory.id, '--json'])).out)).toMatchObject({ id: memory.id, content });
  });

  test.each([
    [[], 'is deleted. To bring it back, ', 200],
    [['--erase'], 'is erased.', 404],
  ])('delete one with %j', async (options, said, status) => {
    const { memory } = await say(services.memory, 'ann', 'The gate opens at seven.');
    const { code, out } = await run(['delete', memory.id, ...options]);
    expect([code, out]).toEqual([0, expect.stringContaining(`${memory.id} ${said}`)]);
    expect((await run(['show', memory.id])).err).toContain('(404 unknown_memory)');
    const history = await fetch(`${services.memoryUrl}/memory/${memory.id}/history`, {
      headers: { 'X-Agent-ID': 'ann' },
    });
    expect(history.status).toBe(status);
  });

  test('delete says what brings one back, and that does', async () => {
    const { memory } = await say(services.memory, 'ann', 'The gate opens at eight.');
    const { out } = await run(['delete', memory.id]);
    const [, how = ''] = /To bring it back, write agent-faculties (.+)\n$/.exec(out) ?? [];
    const back = await run(how.split(' '));
    expect(back).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ is as it was in \S+: The gate opens at eight\.\n$/),
    });
    expect((await run(['show', memory.id])).out).toContain('The gate opens at eight.');
  });

  test('delete promises no way back where the service keeps no versions', async () => {
    const forgetful = await startMemoryService({ historyMs: 0 });
    const server = forgetful.app.listen(0, '127.0.0.1');
    try {
      const { memory } = await say(forgetful, 'ann', 'The gate opens at nine.');
      const { port } = server.address() as AddressInfo;
      const { out } = await run(['delete', memory.id], { env: { ...env, MEMORY_URL: `http://127.0.0.1:${port}` } });
      expect(out).toBe(`${memory.id} is deleted.\n`);
    } finally {
      server.close();
      await forgetful.close();
    }
  });

  test('delete says what is done where the service is gone before it tells more', async () => {
    const server = createServer((request, response) => {
      if (request.method === 'DELETE') response.end(JSON.stringify({ deleted: 'a' }));
      else response.destroy();
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const MEMORY_URL = `http://127.0.0.1:${port}`;
      expect(await run(['delete', 'a'], { env: { ...env, MEMORY_URL } })).toMatchObject({
        code: 0,
        out: 'a is deleted.\n',
      });
    } finally {
      server.close();
    }
  });

  test('want one id', async () => {
    for (const argv of [['show'], ['show', 'a', 'b'], ['delete'], ['delete', 'a', 'b']])
      expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('show ids') });
  });
});

describe('history and revert', () => {
  test('tell what was done to a memory, and bring any version of it back', async () => {
    const { memory } = await say(services.memory, 'ann', 'The gate opens at six.');
    const edit = async (gist: string) =>
      await fetch(`${services.memoryUrl}/memory/${memory.id}`, {
        method: 'PUT',
        headers: { 'X-Agent-ID': 'bob', 'Content-Type': 'application/json' },
        body: JSON.stringify({ gist }),
      });
    expect(await run(['history', memory.id])).toMatchObject({
      code: 0,
      out: expect.stringContaining('was not changed'),
    });
    expect(await run(['revert', memory.id])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was changed'),
    });
    await edit('The gate opens at seven.');
    await edit('The gate opens at eight.');
    const { out } = await run(['history', memory.id]);
    const [latest = '', first = ''] = out.split('\n');
    expect(latest).toMatch(/^\S+ {2}2026-11-21 09:30:00 {2}edit by bob \(gist.*\), before: The gate opens at seven\.$/);
    const version = first.split(' ')[0] as string;
    const reverted = await run(['revert', memory.id, version, '--reason', 'a slip']);
    expect(reverted.out).toBe(`${memory.id} is as it was in ${version}: The gate opens at six.\n`);
    const { versions } = JSON.parse((await run(['history', memory.id, '--json'])).out);
    expect(versions[0]).toMatchObject({ operation: 'revert', by: 'ann', reason: 'a slip' });
    expect((await run(['revert', memory.id])).out).toContain('The gate opens at eight.');
  });

  test('want one id, and one version at most', async () => {
    for (const argv of [['history'], ['history', 'a', 'b'], ['revert'], ['revert', 'a', 'b', 'c']])
      expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/shows? (ids|versions)/) });
  });
});

describe('contradictions', () => {
  beforeEach(async () => {
    await say(services.memory, 'ann', 'The backups of the shop are kept for 30 days.');
    await say(services.memory, 'bob', 'The backups of the shop are kept for 90 days.');
  });
  const terminal = { isTerminal: { stdin: true, stdout: true, stderr: true } };
  const listed = async () => JSON.parse((await run(['contradictions', '--json'])).out).contradictions;

  test('are told, with both sides', async () => {
    const { code, out } = await run(['contradictions']);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 contradiction\./);
    expect(out).toMatch(/^ {2}a {2}2026-11-21 \w+: The backups of the shop are kept for \d0 days\.$/m);
    expect(out).not.toContain('Which holds?');
  });

  test('of one speaker are counted, and told with --same-agent', async () => {
    await say(services.memory, 'cyd', 'The Rowan barrel holds 20 litres.');
    await say(services.memory, 'cyd', 'The Rowan barrel holds 30 litres.');
    const more = '1 between memories of one speaker: --same-agent lists them too.';
    expect((await run(['contradictions'])).out).toMatch(`1 contradiction. ${more}\n`);
    expect((await run(['contradictions', '--same-agent'])).out).toMatch(/^2 contradictions\.\n/);
    const [{ id }] = await listed();
    await run(['contradictions', 'resolve', id, '--dismiss']);
    expect((await run(['contradictions'])).out).toBe(`No contradictions between speakers. ${more}\n`);
  });

  test('are decided one after the other by a person', async () => {
    const [{ b }] = await listed();
    const { out, code } = await run(['contradictions'], { ...terminal, input: 'what\nb\n' });
    expect([code, out.match(/Which holds\?/g)?.length]).toEqual([0, 2]);
    expect(out).toMatch(/Decided\.\n$/);
    expect(await listed()).toEqual([]);
    expect((await run(['list', '--json'])).out).toContain(`"superseded_by":"${b.memory_id}"`);
  });

  test.each(['s\n', '\n', 'q\n', ''])('stay open for %j', async (input) => {
    expect((await run(['contradictions'], { ...terminal, input })).code).toBe(0);
    expect(await listed()).toHaveLength(1);
  });

  test('are resolved by a command', async () => {
    const [{ id, a }] = await listed();
    expect(
      (await run(['contradictions', 'resolve', id, '--winner', a.memory_id, '--note', 'The contract says so.'])).out,
    ).toBe(`${id} is resolved.\n`);
    expect((await run(['contradictions', 'resolve', id, '--reopen'])).out).toBe(`${id} is open.\n`);
    expect((await run(['contradictions', 'resolve', id, '--dismiss', '--json'])).out).toContain('"state":"dismissed"');
    expect((await run(['contradictions', 'resolve', id])).code).toBe(2);
    expect((await run(['contradictions', 'resolve', id, '--dismiss', '--reopen'])).code).toBe(2);
    expect(await run(['contradictions', 'resolve', 'none', '--dismiss'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown_contradiction'),
    });
  });
});

describe('timing', () => {
  beforeAll(() => runTasks(services.timing, 'run tests', [10, 20, 30, 40, 100], { agent: 'ann' }));

  test('sums up how long things take', async () => {
    const { out } = await run(['timing', 'stats']);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['task type', 'runs', 'median', 'p95', 'longest', 'failed'],
      ['run tests', '5', '30 s', '1 min 40 s', '1 min 40 s'],
      [''],
    ]);
    expect(JSON.parse((await run(['timing', 'stats', 'run', 'tests', '--json'])).out).summaries[0].count).toBe(5);
    expect((await run(['timing', 'stats', '--agent-id', 'bob'])).out).toBe(
      'No task of this agent has ended yet; --all-agents shows those of all.\n',
    );
    expect((await run(['timing', 'stats', '--agent-id', 'bob', '--all-agents'])).out).toContain('run tests');
  });

  test('estimates a task type, and whether a running one will make it', async () => {
    const { out } = await run(['timing', 'estimate', 'run', 'tests', '--elapsed', '35', '--timeout', '90']);
    expect(out).toMatch(
      /^run tests takes 30 s, p95 1 min 40 s \(5 runs, confidence medium\)\.\nA timeout of 2 min is advised.*\n5 runs cannot .*: prefer the longer one where/,
    );
    expect(out).toMatch(/It runs into that timeout with a probability of \d\d % \(risk high\)/);
    expect(out).not.toContain('No run has ever');
    const late = await run(['timing', 'estimate', 'run', 'tests', '--elapsed', '3000', '--timeout', '9000']);
    expect(late.out).toMatch(/ 50 % .*\. No run has ever lasted as long as this one: see whether/);
    const past = await run(['timing', 'estimate', 'run', 'tests', '--elapsed', '31', '--timeout', '31']);
    expect(past.out).toMatch(/It has run past that timeout \(risk high\)/);
    expect((await run(['timing', 'estimate', 'run tests', '--elapsed', '3'])).code).toBe(2);
    expect(await run(['timing', 'estimate', 'unknown', '--elapsed', '3', '--timeout', '9'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('end one first, or ask with --all-agents'),
    });
    expect((await run(['timing', 'stats', 'unknown'])).err).toContain('--all-agents');
    expect((await run(['timing'])).code).toBe(2);
  });

  test('says where the time went, by what is asked for', async () => {
    const cells = (out: string) => out.split('\n').map((line) => line.split(/ {2,}/));
    const { out } = await run(['timing', 'spent', 'run', 'tests', '--by', 'agent']);
    expect(cells(out)).toEqual([
      ['agent', 'tasks', 'spent', 'busy', 'of it running', 'failed'],
      ['ann', '5', '3 min 20 s', '3 min 20 s'],
      ['in all', '5', '3 min 20 s', '3 min 20 s'],
      [''],
    ]);
    expect((await run(['timing', 'spent'])).out).toMatch(/^day +task type +tasks.*\n2026-11-21 +run tests +5 /);
    expect((await run(['timing', 'spent', '--by', 'session'])).out).toMatch(/^session +tasks.*\nnone +5 /);
    const { time_spent } = JSON.parse((await run(['timing', 'spent', '--days', '30', '--json'])).out);
    expect(Date.parse(time_spent.until) - Date.parse(time_spent.since)).toBeGreaterThan(29 * 86_400_000);
    expect((await run(['timing', 'spent', '--agent-id', 'bob'])).out).toBe(
      'No task of this agent ran in the last 7 days; --all-agents shows those of all.\n',
    );
    expect((await run(['timing', 'spent', 'unknown', '-a', '--days', '1'])).out).toBe(
      'No task ran in the last 1 day.\n',
    );
    expect((await run(['timing', 'spent', '--by', 'week'])).code).toBe(2);
    expect((await run(['timing', 'spent', '--by', 'day,agent,project'])).err).toContain('--by takes two at most.');
  });

  test('says how long a task type takes since it has changed', async () => {
    await runTasks(services.timing, 'grown', [...Array(40).fill(10), ...Array(40).fill(20)], { agent: 'gus' });
    expect((await run(['timing', 'estimate', 'grown', '--agent-id', 'gus'])).out).toMatch(
      /\(80 runs, confidence high\)\.\nIt has changed: since 2\d{3}-\d\d-\d\d \d\d:\d\d UTC it takes 20 s\.\nA timeout of 24 s is advised/,
    );
  });

  test('estimates a type that nobody has ended by what is like it, or by what the user thinks', async () => {
    expect((await run(['timing', 'estimate', 'run', 'unit', 'tests'])).out).toMatch(
      /^run unit tests may take \d+ s\. No task of this type of this agent has .* similar names: run tests \(30 s\)/,
    );
    expect((await run(['timing', 'estimate', 'run unit tests', '-a'])).out).toContain(
      'No task of this type has ended ok',
    );
    const { out } = await run(['timing', 'estimate', 'translate', '--think', '40', '--json']);
    expect(JSON.parse(out).estimate).toMatchObject({ source: 'own_estimate', seconds: 40, sample_count: 0 });
    expect((await run(['timing', 'estimate', 'translate', '--think', 'long'])).code).toBe(2);
  });

  test('names other projects that know a task type, where the one that is asked about does not', async () => {
    await runTasks(services.timing, 'zip', [10, 10], { agent: 'bob', project: 'shop' });
    await runTasks(services.timing, 'zip', [10, 10], { agent: 'ann', project: 'depot' });
    const zip = (...more: string[]) => run(['timing', 'estimate', 'zip', ...more]);
    const others =
      "In other projects (depot, shop) it takes 10 s, p95 10 s (4 runs, confidence low); --project '*' says more.";
    expect((await zip('--project', 'mill')).out).toContain(`\n${others}\n`);
    expect((await zip('--project', '*')).out).toMatch(/^zip takes 10 s(?!.*other projects)/s);
    // In a space where nothing else is known.
    await runTasks(services.timing, 'zip', [10], { agent: 'ann', project: 'depot', space: 'bare' });
    expect(await zip('--project', 'mill', '--space', 'bare')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/No completed tasks .*\nIn other projects \(depot\) it takes 10 s/),
    });
    // That of bob, in the project itself.
    expect((await zip('--project', 'shop')).out).not.toContain('other projects');
    expect(JSON.parse((await zip('--project', 'mill', '--json')).out)).toMatchObject({
      estimate: { task_type: 'zip' },
      other_projects: { projects: ['depot', 'shop'], summary: { count: 4, median_seconds: 10 } },
    });
    expect((await zip('--project', 'mill', '--elapsed', '3', '--timeout', '9')).err).toContain(others);
  });

  test('names other projects where the one that is asked about knows few runs of a task type', async () => {
    await runTasks(services.timing, 'zag', Array(6).fill(10), { agent: 'bob', project: 'shop' });
    await runTasks(services.timing, 'zag', [40], { agent: 'ann', project: 'mill' });
    const zag = (...more: string[]) => run(['timing', 'estimate', 'zag', ...more]);
    expect((await zag('--project', 'mill')).out).toMatch(
      /^zag takes 40 s.*\nWith other projects \(shop\) it takes 10 s, p95 40 s \(7 runs, .*\); --project '\*' says more\.\n$/s,
    );
    expect(JSON.parse((await zag('--project', 'mill', '--json')).out)).toMatchObject({
      summary: { count: 1 },
      other_projects: { projects: ['shop'], summary: { count: 7 } },
    });
    const known = JSON.parse((await zag('--project', 'shop', '--agent-id', 'bob', '--json')).out);
    expect(known).not.toHaveProperty('other_projects');
    expect((await run(['timing', 'estimate', 'zag', '--project', '*'])).out).not.toContain('other projects');
    // More of the same project are no others.
    await runTasks(services.timing, 'zog', Array(6).fill(10), { agent: 'bob', project: 'mill' });
    await runTasks(services.timing, 'zog', [10], { agent: 'ann', project: 'mill' });
    expect((await run(['timing', 'estimate', 'zog', '--project', 'mill'])).out).not.toContain('other projects');
  });

  test('says how to ask further, where a project has no tasks', async () => {
    const none = async (...argv: string[]) =>
      (await run(['timing', ...argv, '--project', 'void', '--space', 'void'])).out;
    expect(await none('stats')).toBe(
      "No task of this agent in the project 'void' has ended yet; --all-agents and --project '*' show those of all.\n",
    );
    expect(await none('spent', '-a')).toBe(
      "No task in the project 'void' ran in the last 7 days; --project '*' shows those of all.\n",
    );
  });

  test('says how to ask about all agents and projects of a type without history', async () => {
    expect(
      (await run(['timing', 'estimate', 'zap', '--project', 'mill', '--elapsed', '3', '--timeout', '9'])).err,
    ).toContain("or ask with --all-agents or --project '*'");
  });

  test('says of a p95 that nobody has seen the end of that it is at least so long', async () => {
    await runTasks(services.timing, 'stage', Array(20).fill(240), { agent: 'ann' });
    await runTasks(services.timing, 'stage', [600, 600], { agent: 'ann', outcome: 'timeout' });
    const { out } = await run(['timing', 'stats', 'stage']);
    expect(out.split('\n')[1]?.split(/ {2,}/).slice(3)).toEqual(['at least 10 min', '4 min', '2']);
    expect((await run(['timing', 'estimate', 'stage'])).out).toMatch(
      /^stage takes .*, p95 at least 10 min \(20 runs, confidence low\)/,
    );
  });

  test('lists types that only failed, and says of a run that outlasts the others that those which lasted so long failed', async () => {
    await runTasks(services.timing, 'doomed', [5], { agent: 'eve', outcome: 'error' });
    const { out } = await run(['timing', 'stats', '--agent-id', 'eve']);
    expect(out.split('\n')[1]?.split(/ {2,}/)).toEqual(['doomed', '0', '1']);
    expect(JSON.parse((await run(['timing', 'stats', '--agent-id', 'eve', '--json'])).out)).toMatchObject({
      summaries: [],
      without_ok: [{ task_type: 'doomed' }],
    });
    await runTasks(services.timing, 'often', Array(10).fill(5), { agent: 'eve' });
    await runTasks(services.timing, 'often', [500], { agent: 'eve', outcome: 'error' });
    const often = ['timing', 'estimate', 'often', '--elapsed', '60', '--timeout', '90', '--agent-id', 'eve'];
    expect((await run(often)).out).toMatch(/No run that ended ok has lasted as long as this one\.\n$/);
  });

  test('counts a single run as one', async () => {
    await runTasks(services.timing, 'package once', [7], { agent: 'ann' });
    expect((await run(['timing', 'estimate', 'package once'])).out).toContain('(1 run, confidence low)');
    expect((await run(['timing', 'estimate', 'package once', '--agent-id', 'bob'])).out).toContain(
      'on 1 run of all agents.',
    );
  });

  test('watches what starts and ends, until it is stopped', async () => {
    const stop = new AbortController();
    let out = '';
    const watching = run(['timing', 'watch'], {
      signal: stop.signal,
      isTerminal: { stdin: true, stdout: true, stderr: true },
      out: (text) => {
        out += text;
      },
    });
    // The stream may begin after the first task, or in the midst of it: one that follows is seen whole.
    const whole = /^\d\d:\d\d:\d\d UTC {2}ann {2}deploy {2}started\n.*deploy {2}ok after 5 s/m;
    while (!whole.test(out)) await runTasks(services.timing, 'deploy', [5], { agent: 'ann' });
    const { clock, jobs } = services.timing;
    const timestamp = new Date(clock.now() - 2 * 86_400_000).toISOString();
    const begun = { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Agent-ID': 'ann' } };
    const body = JSON.stringify({ task_type: 'lost', timestamp });
    await fetch(`${services.timingUrl}/events/task-start`, { ...begun, body });
    await jobs.find(({ name }) => name === 'abandonment')?.run();
    const givenUp = /ann {2}lost {2}given up: nobody has ended it since 2026-11-\d\d \d\d:\d\d UTC\n/;
    while (!givenUp.test(out)) await new Promise(setImmediate);
    stop.abort();
    expect(await watching).toMatchObject({
      code: 130,
      err: 'Waiting for the tasks of this agent (--all-agents: of all); Ctrl-C ends.\n',
    });
  });
});

describe('statusline', () => {
  test('says what runs, against its p95, and nothing where nothing runs or nobody answers', async () => {
    expect(await run(['statusline'], { input: '{"session_id":"x"}' })).toEqual({ code: 0, out: '', err: '' });
    await runTasks(services.timing, 'lint', [60], { agent: 'ann' });
    const start = await fetch(`${services.timingUrl}/events/task-start?agent_id=ann`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"task_type":"lint","correlation_id":"c"}',
    });
    expect(start.status).toBe(200);
    services.timing.clock.advance(42_000);
    expect((await run(['statusline'])).out).toBe('⏱ lint 42 s of 1 min (p95)\n');
    services.timing.clock.advance(60_000);
    expect((await run(['statusline'])).out).toBe('⏱ lint 1 min 42 s, longer than its p95 of 1 min\n');
    expect(await run(['statusline', '--timing-url', NOBODY])).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('what the services do themselves', () => {
  const executed: { program: readonly string[]; env: Record<string, string | undefined> }[] = [];
  const edge: Partial<Edge> = {
    execute: async (program, given) => {
      executed.push({ program, env: given });
      return 7;
    },
  };
  beforeEach(() => {
    executed.length = 0;
  });

  test.each([
    [
      ['push', '--to', 'http://x', '--dry-run'],
      ['memory-service', 'push', '--data-dir', '/data/memory', '--to', 'http://x', '--dry-run'],
    ],
    [
      ['pull', '--data-dir=/d', '--from', 'http://x'],
      ['memory-service', 'pull', '--data-dir=/d', '--from', 'http://x'],
    ],
    [
      ['backup', 'memory'],
      ['memory-service', 'backup', '--data-dir', '/data/memory'],
    ],
    [
      ['restore', 'timing', '--db-path', 'x.db'],
      ['timing-service', 'restore', '--db-path', 'x.db'],
    ],
    [
      ['backup', 'timing', '--help'],
      ['timing-service', 'backup', '--help'],
    ],
    [['start'], ['start']],
    [
      ['start', 'memory'],
      ['start', 'memory'],
    ],
  ])('reaches them as it is: %j', async (argv, program) => {
    expect((await run(argv, edge)).code).toBe(7);
    expect(executed[0]?.program).toEqual(program);
  });

  test('has their variables, and key, agent and space under their names', async () => {
    const caller = { AGENT_FACULTIES_KEY: 'k', AGENT_ID: 'ann', AGENT_FACULTIES_SPACE: 'team-a' };
    const given = { ...caller, MEMORY_DATA_DIR: '/m' };
    await run(['push', '--to', 'http://x'], { ...edge, env: given });
    await run(['push', '--to', 'http://x'], { ...edge, env: { ...given, MEMORY_SPACE: 'team-b' } });
    const env = { ...given, MEMORY_API_KEY: 'k', MEMORY_AGENT_ID: 'ann', MEMORY_SPACE: 'team-a' };
    const program = ['memory-service', 'push', '--to', 'http://x'];
    expect(executed).toEqual([
      { program, env },
      { program, env: { ...env, MEMORY_SPACE: 'team-b' } },
    ]);
  });

  test.each([[['backup']], [['restore', 'both']], [['start', 'all']]])('refuses %j', async (argv) => {
    expect((await run(argv, edge)).code).toBe(2);
    expect(executed).toEqual([]);
  });
});

describe('completion', () => {
  const shells = ['bash', 'zsh', 'fish'] as const;

  test.each(shells)('%s takes its script', async (shell) => {
    const { out, code } = await run(['completion', shell]);
    expect(code).toBe(0);
    expect(out).toContain('contradictions');
    if (spawnSync(shell, ['--version']).error) return;
    execFileSync(shell, shell === 'fish' ? ['--no-execute', '/dev/stdin'] : ['-n'], { input: out });
  });

  test('bash completes commands and options', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'completion-'));
    const script = join(folder, 'completion');
    writeFileSync(script, (await run(['completion', 'bash'])).out);
    const completed = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `source ${script}; COMP_WORDS=(agent-faculties "$@"); COMP_CWORD=$#; _agent_faculties; echo "\${COMPREPLY[@]}"`,
          '-',
          ...words,
        ],
        { encoding: 'utf8' },
      ).trim();
    expect(completed('rec')).toBe('recall');
    expect(completed('recall', '--top')).toBe('--top-k');
    expect(completed('recall', 'words')).toBe('');
    expect(completed('backup', '--')).toBe('--help');
    rmSync(folder, { recursive: true });
  });

  test('wants a shell that it knows', async () => {
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
  });
});
