import { HOST_NAMES, HOSTS } from '@agent-faculties/agent-hooks';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import supertest from 'supertest';
import { isAnswerOf, mutated } from '../../../../packages/agent-hooks/test/mutated-payloads.ts';
import { SAMPLES } from '../../../../packages/agent-hooks/test/payloads.ts';
import { FRAME_BEGIN, FRAME_END } from '../../src/domain/recall/context/frame.ts';
import { say, startTestService, type TestService } from '../start-service.ts';
import { shareService } from './shared-service.ts';

let service: TestService;
shareService((started) => {
  service = started;
});

const hook = (host: string, payload: unknown, query = '') =>
  supertest(service.app)
    .post(`/hooks/${host}?agent_id=ann${query}`)
    .set('Content-Type', 'application/json')
    .send(typeof payload === 'string' ? payload : JSON.stringify(payload));
const memories = async (agent = 'ann') =>
  (await supertest(service.app).get('/memories').set('X-Agent-ID', agent)).body.memories as Record<string, unknown>[];
const contents = async () => (await memories()).map(({ content }) => content);
const prompt = (text: string, fields: object = {}) => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: 's-1',
  prompt_id: 't-1',
  cwd: '/app',
  prompt: text,
  ...fields,
});
const stop = (text: string, fields: object = {}) => ({
  hook_event_name: 'Stop',
  session_id: 's-1',
  prompt_id: 't-1',
  cwd: '/app',
  stop_hook_active: false,
  last_assistant_message: text,
  ...fields,
});
const WINDOW = 'The deploy window of the billing service is Tuesday from 14:00 to 16:00.';
const QUESTION = 'When is the deploy window of the billing service?';

describe('a prompt', () => {
  test('that is long is answered before it has its vectors, and has them soon after', async () => {
    const log = Array.from({ length: 60 }, (_, line) => `Step ${line} of the build has taken a while.`).join('\n');
    await hook('claude-code', prompt(log.slice(0, 2_000)));
    const pending = async () => (await supertest(service.app).get('/health')).body.embedding.pending;
    expect(await pending()).toBe(0);
    await hook('claude-code', prompt(log));
    expect(await pending()).toBe(1);
    await hook('claude-code', stop(`Done. ${log}`));
    expect(await pending()).toBe(2);
    service.jobs.makeVectors();
    while ((await pending()) > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test('is stored, and answered with what is relevant to it', async () => {
    await say(service, 'ops', WINDOW);
    const answer = await hook('claude-code', prompt(QUESTION));
    expect(answer.status).toBe(200);
    const { hookEventName, additionalContext } = answer.body.hookSpecificOutput;
    expect(hookEventName).toBe('UserPromptSubmit');
    expect(additionalContext).toContain(WINDOW);
    expect(additionalContext.startsWith(FRAME_BEGIN)).toBe(true);
    expect(additionalContext).not.toContain(QUESTION);
    expect((await memories()).find(({ content }) => content === QUESTION)).toMatchObject({
      agent_id: 'ann',
      session_id: 's-1',
      role: 'user',
      source: 'user',
      scope: 'TEAM',
      metadata: { host: 'claude-code', cwd: '/app' },
    });
  });

  test.each(['continue', 'yes please'])('that says no more than %j is stored, and brings nothing', async (text) => {
    await say(service, 'ops', 'We continue with the deploy on Tuesday, yes.');
    expect((await hook('claude-code', prompt(text))).body).toEqual({});
    expect(await contents()).toContain(text);
  });

  test('is answered however many sessions have asked the same before', async () => {
    const told =
      'Remember for all of our services: we deploy billing on Tuesdays and Thursdays before noon, and never later.';
    await say(service, 'ops', told);
    const asking = ['When can I deploy billing?', 'when can i deploy billing'];
    for (let session = 0; session < 20; session++)
      await hook('claude-code', prompt(asking[session % 2] as string, { session_id: `asked-${session}` }));
    for (const question of asking) {
      const { body } = await hook('claude-code', prompt(question, { session_id: 'asks-now' }));
      expect(body.hookSpecificOutput.additionalContext).toContain(told);
      expect(body.hookSpecificOutput.additionalContext).not.toMatch(/can i deploy/i);
    }
  });

  test('does not hear again what its own session has just told, and hears it later or elsewhere', async () => {
    await hook('claude-code', prompt(WINDOW));
    expect((await hook('claude-code', prompt(QUESTION, { prompt_id: 't-2' }))).body).toEqual({});
    const elsewhere = await hook('claude-code', prompt(QUESTION, { session_id: 's-2' }));
    expect(JSON.stringify(elsewhere.body)).toContain(WINDOW);
    service.clock.advance(2 * 3_600_000);
    const later = await hook('claude-code', prompt(QUESTION, { prompt_id: 't-3' }));
    expect(JSON.stringify(later.body)).toContain(WINDOW);
  });

  test('that goes on from the last session brings that one, and nothing of its own', async () => {
    await say(service, 'ops', 'The deploy froze at noon.');
    await hook('claude-code', prompt('The exporter drops the last row.', { session_id: 's-0' }));
    service.clock.advance(60_000);
    await hook('claude-code', stop('The fixture of the exporter has no last row.', { session_id: 's-0' }));
    const linesFor = async (text: string) => {
      service.clock.advance(60_000);
      const { body } = await hook('claude-code', prompt(text, { prompt_id: text }));
      const context: string = body.hookSpecificOutput?.additionalContext ?? '';
      return context.split('\n').slice(1, -1);
    };
    const lastSession = [
      '- 2026-11-21 user (told by ann): The exporter drops the last row.',
      '- 2026-11-21 ann: The fixture of the exporter has no last row.',
    ];
    expect(await linesFor("Let's continue where we left off")).toEqual(lastSession);
    expect(await linesFor('hi')).toEqual([]);
    expect(await linesFor('Where did we leave off?')).toEqual(lastSession);
  });

  test('is seen by the agent alone where the service is set so', async () => {
    const own = await startTestService({ config: { hookScope: 'PRIVATE' } });
    await supertest(own.app).post('/hooks/claude-code?agent_id=ann').send(prompt(WINDOW));
    const seenBy = async (agent: string) =>
      (await supertest(own.app).get('/memories').set('X-Agent-ID', agent)).body.memories as unknown[];
    expect([(await seenBy('ann')).length, (await seenBy('bob')).length]).toEqual([1, 0]);
    await own.close();
  });

  test('of which nothing is known gets no context', async () => {
    expect((await hook('claude-code', prompt('How do I bake sourdough bread?'))).body).toEqual({});
    expect(await contents()).toEqual(['How do I bake sourdough bread?']);
  });

  test('delivered again is one memory, wherever the host is by then', async () => {
    await say(service, 'ops', WINDOW);
    await hook('claude-code', prompt(QUESTION));
    service.clock.advance(3 * 86_400_000);
    const again = await hook('claude-code', prompt(QUESTION, { cwd: '/elsewhere' }));
    expect(JSON.stringify(again.body)).toContain(WINDOW);
    expect((await contents()).sort()).toEqual([WINDOW, QUESTION]);
  });

  test('delivered late is stored as of then, and answered with nothing', async () => {
    await say(service, 'ops', WINDOW);
    const answer = await hook('claude-code', prompt(QUESTION), '&at=2026-11-20T10:00:00Z');
    expect(answer.body).toEqual({});
    expect((await memories()).find(({ content }) => content === QUESTION)).toMatchObject({
      created_at: '2026-11-20T10:00:00.000Z',
    });
  });

  test('with #skip stores and recalls nothing, and neither does its reply; the next one does', async () => {
    await say(service, 'ops', WINDOW);
    expect((await hook('claude-code', prompt(`#skip ${QUESTION}`))).body).toEqual({});
    await hook('claude-code', stop('I may not tell.'));
    expect(await contents()).toEqual([WINDOW]);
    await hook('claude-code', prompt('We moved to Node 22.', { prompt_id: 't-2' }));
    await hook('claude-code', stop('Noted.', { prompt_id: 't-2' }));
    expect(await contents()).toEqual(['Noted.', 'We moved to Node 22.', WINDOW]);
  });

  test('with #skip keeps its reply out also where either is delivered late', async () => {
    const at = (minute: number) => `&at=2026-11-20T10:0${minute}:00Z`;
    await hook('claude-code', prompt(`#skip ${QUESTION}`), at(0));
    await hook('claude-code', stop('I may not tell.'), at(1));
    await hook('claude-code', prompt('We moved to Node 22.', { prompt_id: 't-2' }), at(2));
    await hook('claude-code', stop('Noted.', { prompt_id: 't-2' }), at(3));
    expect(await contents()).toEqual(['Noted.', 'We moved to Node 22.']);
    await hook('claude-code', prompt('#skip And now?', { prompt_id: 't-4' }));
    await hook('claude-code', prompt('The window is Tuesday.', { prompt_id: 't-3' }), at(4));
    await hook('claude-code', stop('Of the late turn.', { prompt_id: 't-3' }), at(5));
    await hook('claude-code', stop('Of the present turn.', { prompt_id: 't-4' }));
    const late = new Date(service.clock.now() - 2_000).toISOString();
    await hook('claude-code', stop('Of the present turn, by a clock that is behind.'), `&at=${late}`);
    expect(await contents()).toEqual(['Of the late turn.', 'The window is Tuesday.', 'Noted.', 'We moved to Node 22.']);
  });

  test.each([
    ['cursor', { hook_event_name: 'afterAgentResponse', conversation_id: 'reply-of-cursor' }],
    ['opencode', { event: 'session.idle', sessionID: 'reply-of-opencode' }],
  ])('with #skip is what a reply of %s may speak of: it is stored in its words', async (host, event) => {
    const text = 'Write #skip into a prompt that nobody is to keep.';
    await hook(host, { ...event, text });
    expect(await contents()).toEqual([text]);
  });

  test('with #remember matters', async () => {
    await hook('claude-code', prompt('The window is Tuesday. #remember'));
    expect(await memories()).toMatchObject([
      { content: 'The window is Tuesday.', importance: 0.9, tags: ['remember'] },
    ]);
  });

  test('is kept without its private part and without secrets', async () => {
    await hook('claude-code', prompt(`Use the key ghp_${'a1B2'.repeat(9)} <private>and call me Bob</private> today.`));
    expect(await contents()).toEqual(['Use the key [REDACTED:github-token] today.']);
    await hook('claude-code', prompt('<private>all of it</private>', { prompt_id: 't-2' }));
    expect(await contents()).toHaveLength(1);
  });

  test('never brings its own context back', async () => {
    await say(service, 'ops', WINDOW);
    const { additionalContext } = (await hook('claude-code', prompt(QUESTION))).body.hookSpecificOutput;
    const before = await contents();
    await hook('claude-code', prompt(additionalContext, { prompt_id: 't-2' }));
    await hook('claude-code', stop(`You said:\n${additionalContext}`, { prompt_id: 't-2' }));
    const after = await contents();
    expect(after.filter((content) => !before.includes(content))).toEqual(['You said:']);
    expect(after.join()).not.toContain(FRAME_END);
  });
});

test.each(HOST_NAMES)('%s: the prompt and the reply are stored, the rest is not', async (host) => {
  for (const { payload, event } of SAMPLES.filter((one) => one.host === host)) {
    for (let time = 0; time < 2; time++) {
      const answer = await hook(host, payload, `&event=${event}`);
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
  }
  const said = SAMPLES.filter((one) => one.host === host).flatMap(({ payload, event }) => {
    const read = HOSTS[host].read(payload, event);
    return read && 'text' in read && read.text !== '' ? [read.text] : [];
  });
  expect((await contents()).sort()).toEqual(said.sort());
});

test.each(HOST_NAMES)('%s is answered in its form, whatever it sends', async (host) => {
  for (const { event, body } of fc.sample(mutated(host), { numRuns: 60, seed: 6 })) {
    const answer = await hook(host, body, `&event=${encodeURIComponent(event)}`);
    expect([answer.status, isAnswerOf(host, answer.text), body]).toEqual([200, true, body]);
  }
});

test('a session whose name cannot be one is left out', async () => {
  await hook('cursor', {
    conversation_id: 'x'.repeat(500),
    hook_event_name: 'beforeSubmitPrompt',
    prompt: 'Hello Ann.',
  });
  expect(await memories()).toMatchObject([{ content: 'Hello Ann.', session_id: null }]);
});

test.each(['{', '[]', '"x"', '', '{"session_id":[]}', '{"hook_event_name":"Stop","last_assistant_message":7}'])(
  'what is no good is answered as the host goes on: %s',
  async (body) => {
    const answer = await hook('claude-code', body);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await contents()).toEqual([]);
  },
);

test('the last calls are listed without what was said', async () => {
  await hook('claude-code', prompt('Something new.'));
  const { hooks } = (await supertest(service.app).get('/hooks?agent_id=ann')).body;
  expect(hooks[0]).toEqual({
    agent_id: 'ann',
    host: 'claude-code',
    event: 'prompt',
    result: 'recorded',
    at: '2026-11-21T09:30:00.123Z',
    took_ms: expect.any(Number),
  });
});
