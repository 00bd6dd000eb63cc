import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOST_NAMES, type HostName } from '@agent-faculties/agent-hooks';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import supertest from 'supertest';
import { isAnswerOf, mutated } from '../../../../packages/agent-hooks/test/mutated-payloads.ts';
import { SAMPLES } from '../../../../packages/agent-hooks/test/payloads.ts';
import { START_MS, startTestService, type TestService } from '../start-service.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

let service: TestService;
beforeEach(() => {
  service = startTestService();
});
afterEach(() => service.close());

const hook = (host: string, payload: unknown, query = '') =>
  supertest(service.app)
    .post(`/hooks/${host}?agent_id=ann${query}`)
    .set('Content-Type', 'application/json')
    .send(typeof payload === 'string' ? payload : JSON.stringify(payload));
const sample = (host: HostName, event: string) =>
  SAMPLES.find((one) => one.host === host && one.event === event)?.payload as Record<string, unknown>;
const tasks = async () =>
  (await supertest(service.app).get('/tasks?agent_id=ann')).body.tasks as Record<string, unknown>[];
const exported = async () => (await supertest(service.app).get('/export?agent_id=*').buffer(true)).text;
const bash = (event: string, fields: object = {}) => ({
  hook_event_name: event,
  session_id: 's-1',
  cwd: '/app',
  tool_name: 'Bash',
  tool_input: { command: 'npm test -- --watch=false' },
  tool_use_id: 'toolu_1',
  ...fields,
});
const prompt = (exchange: string, text = 'Go on.', session = 's-1') => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: session,
  prompt_id: exchange,
  cwd: '/app',
  prompt: text,
});
const contextOf = (body: { hookSpecificOutput?: { additionalContext: string } }) =>
  body.hookSpecificOutput?.additionalContext;

describe('a prompt', () => {
  test('is told what time it is where the user is', async () => {
    const answer = await hook('claude-code', prompt('t-1'), '&time_zone=Asia/Tokyo');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: 'It is Saturday 2026-11-21 18:30 (Asia/Tokyo).',
      },
    });
  });

  test.each(['', '&time_zone=Nowhere/Town'])(
    "says that a zone is the server's where nobody told the user's (%s)",
    async (query) => {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      expect(contextOf((await hook('claude-code', prompt('t-1'), query)).body)).toContain(
        `(${zone}, the server's time zone).`,
      );
    },
  );

  test('is told how long ago the last message came, and how long commands take here', async () => {
    await hook('claude-code', prompt('t-1'));
    for (const [index, seconds] of [30, 38, 71].entries()) {
      const id = `toolu_${index}`;
      await hook('claude-code', bash('PreToolUse', { tool_use_id: id }));
      service.clock.advance(seconds * SECOND_MS);
      await hook('claude-code', bash('PostToolUse', { tool_use_id: id, duration_ms: seconds * SECOND_MS }));
    }
    service.clock.set(START_MS + 40 * HOUR_MS);
    const answer = await hook('claude-code', prompt('t-2'), '&time_zone=UTC');
    expect(contextOf(answer.body)).toBe(
      "It is Monday 2026-11-23 01:30 (UTC). The user's last message was 40 h ago. `npm test` takes 38 s (median), p95 71 s, 3 runs.",
    );
  });

  test('is told how long a command takes since it became slower, and not how long all runs took', async () => {
    for (let index = 0; index < 60; index++) {
      const seconds = (index < 40 ? 30 : 90) + (index % 3);
      service.clock.advance(100 * SECOND_MS);
      const fields = { tool_use_id: `toolu_${index}`, duration_ms: seconds * SECOND_MS };
      await hook('claude-code', bash('PostToolUse', fields));
    }
    const answer = await hook('claude-code', prompt('t-1'), '&time_zone=UTC');
    expect(contextOf(answer.body)).toContain('`npm test` takes 91 s (median), p95 92 s, the newest 20 runs.');
  });

  test('gives up the calls that its session left open, and takes their ends all the same', async () => {
    await hook('claude-code', bash('PreToolUse', { tool_use_id: 'toolu_denied' }));
    await hook('claude-code', bash('PreToolUse', { tool_use_id: 'toolu_other', session_id: 's-2' }));
    service.clock.advance(30 * SECOND_MS);
    await hook('claude-code', prompt('t-1'));
    const states = async () => (await tasks()).map(({ task_type, state }) => `${task_type} ${state}`).sort();
    expect(await states()).toEqual(['exchange active', 'npm test abandoned', 'npm test active']);
    const [exchange, ...calls] = await tasks();
    const givenUp = calls.find(({ state }) => state === 'abandoned');
    expect(givenUp?.abandoned_at).toBe(exchange?.started_at);
    service.clock.advance(SECOND_MS);
    await hook('claude-code', bash('PreToolUse', { tool_use_id: 'toolu_next' }));
    await hook('claude-code', prompt('t-1'));
    await hook('claude-code', bash('PostToolUse', { tool_use_id: 'toolu_denied' }));
    expect(await states()).toEqual(['exchange active', 'npm test active', 'npm test active', 'npm test ended']);
  });

  test('and what is done count, whatever numbers they bring', async () => {
    const payload = JSON.stringify(bash('PostToolUse', { duration_ms: 1_000, tool_response: { id: 7 } }));
    expect((await hook('claude-code', payload.replace('"id":7', '"id":1234567890123456789'))).status).toBe(200);
    expect(await tasks()).toMatchObject([{ outcome: 'ok', duration_seconds: 1 }]);
  });

  test('in another directory is told of what is done there', async () => {
    for (const [index, cwd] of ['/a', '/a', '/a', '/b', '/b', '/b'].entries()) {
      const fields = {
        cwd,
        tool_use_id: `toolu_${index}`,
        tool_input: { command: cwd === '/a' ? 'make' : 'npm test' },
      };
      await hook('claude-code', bash('PostToolUse', { ...fields, duration_ms: 60_000 }));
    }
    const told = contextOf((await hook('claude-code', { ...prompt('t-1'), cwd: '/b' })).body);
    expect(told).toContain('`npm test` takes 60 s');
    expect(told).not.toContain('make');
  });

  test('with #skip is told nothing', async () => {
    expect((await hook('claude-code', prompt('t-1', '#skip hello'))).body).toEqual({});
  });

  test('and its reply are an exchange, once, however often they are delivered', async () => {
    await hook('claude-code', prompt('t-1'));
    await hook('claude-code', prompt('t-1'));
    service.clock.advance(90 * SECOND_MS);
    const stop = { hook_event_name: 'Stop', session_id: 's-1', prompt_id: 't-1', last_assistant_message: 'Done.' };
    await hook('claude-code', stop);
    service.clock.advance(SECOND_MS);
    await hook('claude-code', stop);
    expect(await tasks()).toMatchObject([{ task_type: 'exchange', outcome: 'ok', duration_seconds: 90 }]);
  });

  test('ends an exchange that was broken off in its session, and no other', async () => {
    await hook('claude-code', prompt('t-1'));
    await hook('claude-code', prompt('t-x', 'Go on.', 's-2'));
    service.clock.advance(SECOND_MS);
    await hook('claude-code', prompt('t-2'));
    expect((await tasks()).map(({ state, outcome }) => [state, outcome])).toEqual([
      ['active', null],
      ['active', null],
      ['ended', 'cancelled'],
    ]);
  });

  test('that is broken off with its session ends with it, and so do its calls; others run on', async () => {
    await hook('claude-code', prompt('t-1'));
    await hook('claude-code', prompt('t-x', 'Go on.', 's-2'));
    await hook('claude-code', bash('PreToolUse'));
    service.clock.advance(30 * SECOND_MS);
    const end = { hook_event_name: 'SessionEnd', session_id: 's-1', reason: 'other' };
    for (let times = 0; times < 2; times++) await hook('claude-code', end);
    await hook('claude-code', { hook_event_name: 'SessionEnd' });
    expect((await tasks()).map(({ task_type, state, outcome }) => [task_type, state, outcome])).toEqual([
      ['npm test', 'abandoned', null],
      ['exchange', 'active', null],
      ['exchange', 'ended', 'cancelled'],
    ]);
    expect((await tasks())[2]?.duration_seconds).toBe(30);
    const listed = (await supertest(service.app).get('/hooks?agent_id=ann')).body.hooks;
    expect(listed.map(({ result }: { result: string }) => result).slice(0, 3)).toEqual([
      'ignored',
      'ignored',
      'recorded',
    ]);
  });

  test('that has begun since its session ended, of which the host told late, goes on', async () => {
    service.clock.advance(HOUR_MS);
    await hook('gemini', sample('gemini', 'BeforeAgent'));
    const { session_id } = sample('gemini', 'BeforeAgent');
    await hook('gemini', { hook_event_name: 'SessionEnd', session_id }, `&at=${new Date(START_MS).toISOString()}`);
    expect(await tasks()).toMatchObject([{ task_type: 'exchange', state: 'active' }]);
  });

  test('that is broken off counts until its session was last heard of, where that is long ago', async () => {
    const next = async (afterMs: number) => {
      service.clock.advance(afterMs);
      await hook('claude-code', prompt(`t-${afterMs}`));
      return (await tasks()).find(({ task_type, state }) => task_type === 'exchange' && state === 'ended');
    };
    await hook('claude-code', prompt('t-1'));
    service.clock.advance(20 * SECOND_MS);
    await hook('claude-code', bash('PreToolUse'));
    await hook('claude-code', bash('PreToolUse', { session_id: 's-2', tool_use_id: 'toolu_other' }));
    service.clock.advance(10 * SECOND_MS);
    await hook('claude-code', bash('PostToolUse'));
    expect(await next(15 * HOUR_MS)).toMatchObject({ outcome: 'cancelled', duration_seconds: 30 });
    expect(await next(60 * SECOND_MS)).toMatchObject({ outcome: 'cancelled', duration_seconds: 60 });
    // Of a session that was never heard of again.
    expect(await next(HOUR_MS)).toMatchObject({ outcome: 'cancelled', duration_seconds: 0 });
  });

  test('that had its reply stays as it is when its session ends', async () => {
    await hook('claude-code', prompt('t-1'));
    service.clock.advance(SECOND_MS);
    await hook('claude-code', { hook_event_name: 'Stop', session_id: 's-1', prompt_id: 't-1' });
    await hook('claude-code', { hook_event_name: 'SessionEnd', session_id: 's-1' });
    expect(await tasks()).toMatchObject([{ outcome: 'ok', duration_seconds: 1 }]);
  });

  test('leaves nothing of what was said', async () => {
    await hook('claude-code', prompt('t-1', 'The codename is Marmalade.'));
    const stop = { hook_event_name: 'Stop', session_id: 's-1', prompt_id: 't-1', last_assistant_message: 'Marmalade!' };
    await hook('claude-code', stop);
    expect(await exported()).toContain('exchange');
    expect(await exported()).not.toContain('armalade');
  });
});

describe('a call of a tool', () => {
  test('becomes a task that lasts as long as the host measured', async () => {
    await hook('claude-code', bash('PreToolUse'));
    // The user thinks about the permission.
    service.clock.advance(300 * SECOND_MS);
    await hook('claude-code', bash('PostToolUse', { duration_ms: 38_250, tool_response: { stdout: 'ok' } }));
    expect(await tasks()).toMatchObject([
      {
        task_type: 'npm test',
        state: 'ended',
        outcome: 'ok',
        duration_seconds: 38.25,
        metadata: { host: 'claude-code', session: 's-1', cwd: '/app' },
      },
    ]);
  });

  test.each([
    [{ error: 'Exit code 1' }, 'error'],
    [{ error: 'Command timed out after 2m 0s' }, 'timeout'],
    [{ error: 'x', is_interrupt: true }, 'cancelled'],
  ])('that failed with %j ends with the outcome %s', async (fields, outcome) => {
    await hook('claude-code', bash('PreToolUse'));
    service.clock.advance(5 * SECOND_MS);
    await hook('claude-code', bash('PostToolUseFailure', fields));
    expect(await tasks()).toMatchObject([{ task_type: 'npm test', outcome, duration_seconds: 5 }]);
  });

  test.each(HOST_NAMES)('of %s is counted once, in whatever order and however often it is told', async (host) => {
    const [started, ended] = ['tool_started', 'tool_ended'].map((kind) => {
      const names = /start|end/.exec(kind)?.[0] === 'start' ? /pre|before/i : /post|after/i;
      return SAMPLES.find((one) => one.host === host && names.test(one.event) && /tool/i.test(one.event));
    });
    if (!started || !ended) throw new Error('no samples');
    const send = async (one: typeof started) => {
      const answer = await hook(host, one.payload, `&event=${one.event}`);
      expect([answer.status, answer.body]).toEqual([200, {}]);
    };
    for (const one of [started, started, ended, ended, started, ended]) {
      await send(one);
      service.clock.advance(SECOND_MS);
    }
    expect(await tasks()).toMatchObject([{ task_type: 'node', state: 'ended', outcome: 'ok' }]);
  });

  test('whose start nobody told of is recorded where the host measured it', async () => {
    await hook('claude-code', bash('PostToolUse', { duration_ms: 4_000 }));
    await hook('codex', bash('PostToolUse', { tool_use_id: 'other' }));
    expect(await tasks()).toMatchObject([
      { duration_seconds: 4, started_at: '2026-11-21T09:29:56.123456+00:00', outcome: 'ok' },
    ]);
  });

  test('behind which a command runs on says nothing of how long that takes', async () => {
    const fields = { tool_input: { command: 'npm test', run_in_background: true } };
    await hook('claude-code', bash('PreToolUse', fields));
    const tool_response = { stdout: '', interrupted: false, backgroundTaskId: 'b1' };
    await hook('claude-code', bash('PostToolUse', { ...fields, tool_response, duration_ms: 41 }));
    expect(await tasks()).toEqual([]);
  });

  test('that was moved to the background took longer than until then', async () => {
    await hook('claude-code', bash('PreToolUse'));
    const tool_response = { stdout: '', interrupted: false, backgroundTaskId: 'b1' };
    await hook('claude-code', bash('PostToolUse', { tool_response, duration_ms: 120_000 }));
    expect(await tasks()).toMatchObject([{ task_type: 'npm test', outcome: 'timeout', duration_seconds: 120 }]);
  });

  test('that launched an agent is given up, once, and another one runs on', async () => {
    const launch = (event: string, id: string, more: object = {}) =>
      hook('claude-code', bash(event, { tool_name: 'Agent', tool_use_id: id, tool_input: { prompt: 'x' }, ...more }));
    for (const id of ['toolu_1', 'toolu_2']) await launch('PreToolUse', id);
    const launched = { tool_response: { isAsync: true, status: 'async_launched' }, duration_ms: 12 };
    for (const id of ['toolu_2', 'toolu_2', 'toolu_unknown']) await launch('PostToolUse', id, launched);
    expect((await tasks()).map(({ task_type, state }) => `${task_type} ${state}`)).toEqual([
      'tool:Agent abandoned',
      'tool:Agent active',
    ]);
  });

  test('that is delivered late is recorded when it was, and answered with nothing', async () => {
    await hook('codex', bash('PreToolUse'), '&at=2026-11-20T10:00:00Z');
    await hook('codex', bash('PostToolUse'), '&at=2026-11-20T10:00:42Z');
    expect(await tasks()).toMatchObject([{ duration_seconds: 42, started_at: '2026-11-20T10:00:00.000000+00:00' }]);
    expect((await hook('codex', prompt('t-1'), '&at=2026-11-20T10:00:00Z')).body).toEqual({});
  });

  test('that is delivered as from before 1970 is not recorded: nothing that is stored lies there', async () => {
    expect((await hook('codex', bash('PreToolUse'), '&at=1969-12-31T23:59:59Z')).body).toEqual({});
    expect(await tasks()).toEqual([]);
  });

  test('of what a tool wrote, however large, nothing is kept', async () => {
    const stdout = 'The codename is Marmalade. '.repeat(30_000);
    await hook('claude-code', bash('PostToolUse', { duration_ms: 1, tool_response: { stdout } }));
    expect(await exported()).toContain('npm test');
    expect(await exported()).not.toContain('Marmalade');
  });

  test('without ids ends the one that did the same', async () => {
    const of = (command: string) => ({ ...sample('gemini', 'BeforeTool'), tool_input: { command } });
    const after = (command: string) => ({ ...sample('gemini', 'AfterTool'), tool_input: { command } });
    await hook('gemini', of('npm test -- a'));
    service.clock.advance(SECOND_MS);
    await hook('gemini', of('npm test -- b'));
    service.clock.advance(SECOND_MS);
    await hook('gemini', after('npm test -- b'));
    expect((await tasks()).map(({ state, duration_seconds }) => [state, duration_seconds])).toEqual([
      ['ended', 1],
      ['active', null],
    ]);
  });

  test('without ids is ended, once, by an end that a prompt overtook, and one that never ran is not', async () => {
    const call = { sessionId: 's-1', cwd: '/app', toolName: 'bash', toolArgs: { command: 'npm test' } };
    const copilot = (event: string, fields: object, query = '') =>
      hook('copilot-cli', { ...call, ...fields }, `&event=${event}${query}`);
    await copilot('preToolUse', { timestamp: START_MS });
    service.clock.advance(60 * SECOND_MS);
    await copilot('userPromptSubmitted', { prompt: 'And?', timestamp: START_MS + 60 * SECOND_MS });
    expect(await tasks()).toMatchObject([{ task_type: 'exchange' }, { task_type: 'npm test', state: 'abandoned' }]);
    service.clock.advance(30 * SECOND_MS);
    const end = (query = '') => copilot('postToolUse', { toolResult: { resultType: 'success' } }, query);
    await end();
    const ofCalls = async () =>
      (await tasks()).flatMap(({ task_type, state, duration_seconds }) =>
        task_type === 'npm test' ? [[state, duration_seconds]] : [],
      );
    expect(await ofCalls()).toEqual([['ended', 90]]);
    service.clock.advance(60 * SECOND_MS);
    await copilot('preToolUse', { timestamp: START_MS + 150 * SECOND_MS });
    service.clock.advance(SECOND_MS);
    await copilot('userPromptSubmitted', { prompt: 'No.', timestamp: START_MS + 151 * SECOND_MS });
    await end(`&at=${new Date(START_MS + 100 * SECOND_MS).toISOString()}`);
    expect(await ofCalls()).toEqual([
      ['abandoned', null],
      ['ended', 90],
    ]);
  });
});

describe('what is no good', () => {
  test.each([
    ['no JSON', '{'],
    ['no object', '[1]'],
    ['a text', '"x"'],
    ['nothing', ''],
    ['deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
    ['a number out of range', '{"a":1e999}'],
    ['no session', '{"session_id":5,"hook_event_name":"Stop"}'],
    [
      'a secret where an id stands',
      `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"x","correlation_id":"ghp_${'a'.repeat(36)}"}`,
    ],
  ])('is answered as the host goes on: %s', async (_what, body) => {
    const answer = await hook('claude-code', body);
    expect([answer.status, answer.body]).toEqual([200, {}]);
  });

  test('is counted and logged, with labels of which there are few', async () => {
    await hook('claude-code', '{');
    await hook('nobody-knows', '{}');
    const metrics = (await supertest(service.app).get('/metrics')).text;
    expect(metrics).toContain('agent_faculties_hook_calls_total{host="claude-code",event="other",result="refused"} 1');
    expect(metrics).toContain('agent_faculties_hook_calls_total{host="unknown",event="other",result="refused"} 1');
    expect(service.lines.filter(({ msg }) => msg === 'a hook sent what is no good')).toMatchObject([
      { level: 'warn', host: 'claude-code', code: 'malformed_json' },
      { level: 'warn', host: 'unknown' },
    ]);
  });

  test('is refused where it would come past a guard', async () => {
    const foreign = await hook('claude-code', '{}').set('Host', 'evil.example');
    const page = await hook('claude-code', '{}').set('Origin', 'https://evil.example');
    const large = await hook('claude-code', JSON.stringify({ prompt: 'x'.repeat(9_000_000) }));
    expect([foreign.status, page.status, large.status]).toEqual([421, 403, 413]);
    const metrics = (await supertest(service.app).get('/metrics')).text;
    expect(metrics).toContain('agent_faculties_hook_calls_total{host="claude-code",event="other",result="refused"} 1');
    expect(service.lines.filter(({ msg }) => msg === 'a hook sent what is no good')).toMatchObject([
      { host: 'claude-code', code: 'payload_too_large', status: 413 },
    ]);
  });

  test('is taken with the picture that a tool has read', async () => {
    const read = { session_id: 's-1', tool_name: 'Read', tool_use_id: 't-1' };
    await hook('claude-code', JSON.stringify({ ...read, hook_event_name: 'PreToolUse' }));
    const picture = { file: { base64: 'x'.repeat(7_000_000) } };
    await hook('claude-code', JSON.stringify({ ...read, hook_event_name: 'PostToolUse', tool_response: picture }));
    const { tasks } = (await supertest(service.app).get('/tasks?agent_id=*')).body;
    expect(tasks).toMatchObject([{ task_type: 'tool:Read', state: 'ended' }]);
  });
});

test.each(HOST_NAMES)('%s is answered in its form, whatever it sends', async (host) => {
  for (const { event, body } of fc.sample(mutated(host), { numRuns: 60, seed: 5 })) {
    const answer = await hook(host, body, `&event=${encodeURIComponent(event)}`);
    expect([answer.status, isAnswerOf(host, answer.text), body]).toEqual([200, true, body]);
  }
});

test('the last calls are listed, the latest first, without what was said', async () => {
  await hook('claude-code', prompt('t-1'));
  await hook('codex', bash('PreToolUse'));
  const at = '2026-11-21T09:30:00.123456+00:00';
  const listed = async (query: string) => (await supertest(service.app).get(`/hooks${query}`)).body.hooks;
  expect(await listed('?agent_id=ann')).toEqual([
    { agent_id: 'ann', host: 'codex', event: 'tool_started', result: 'recorded', at, took_ms: 0 },
    { agent_id: 'ann', host: 'claude-code', event: 'prompt', result: 'context', at, took_ms: 0 },
  ]);
  expect(await listed('?agent_id=bob')).toEqual([]);
});

test('a call that was refused tells how long it took', async () => {
  const server = service.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue' };
  const call = request({ port, host: '127.0.0.1', method: 'POST', path: '/hooks/codex?agent_id=ann', headers });
  call.flushHeaders();
  await once(call, 'continue');
  service.clock.advance(40);
  call.end('{');
  const [response] = await once(call, 'response');
  response.resume();
  const { body } = await supertest(service.app).get('/hooks?agent_id=ann');
  expect(body.hooks).toMatchObject([{ result: 'refused', took_ms: 40 }]);
  await new Promise((resolve) => server.close(resolve));
});

test('whoever calls, the list of another agent stays as it is', async () => {
  await hook('codex', bash('PreToolUse'));
  const call = (agent: string, body: string) =>
    supertest(service.app).post('/hooks/codex').set('X-Agent-ID', agent).type('json').send(body);
  for (let times = 0; times < 25; times++) await call('bob', '[]');
  await call('*', '[]');
  const listed = async (agent: string): Promise<{ agent_id: string | null; result: string }[]> =>
    (await supertest(service.app).get('/hooks').query({ agent_id: agent })).body.hooks;
  expect((await listed('ann')).map(({ result }) => result)).toEqual(['recorded']);
  const ofBob = await listed('bob');
  expect([ofBob.length, new Set(ofBob.map(({ agent_id, result }) => `${agent_id} ${result}`))]).toEqual([
    20,
    new Set(['bob refused']),
  ]);
  expect((await listed('*')).slice(0, 2).map(({ agent_id }) => agent_id)).toEqual([null, 'bob']);
});
