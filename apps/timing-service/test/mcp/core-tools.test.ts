import { type Listening, listen } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { callTool, connectMcp, ERAS } from '../../../../packages/mcp-kit/test/mcp-client.ts';
import { runTasks, startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let listening: Listening;
let url: string;

beforeAll(async () => {
  service = startTestService();
  listening = await listen(service.app, { host: '127.0.0.1', port: 0 });
  url = `${listening.address.url}/mcp`;
});

afterAll(async () => {
  listening.server.closeAllConnections();
  await new Promise((resolve) => listening.server.close(resolve));
  service.close();
});

describe.each(ERAS)('the core tools of timing, with the client of the SDK (%s)', (era) => {
  let client: Client;
  const build = `build ${era}`;

  beforeAll(async () => {
    client = await connectMcp(url, { era, headers: { 'X-Agent-ID': `ann-${era}` } });
  });
  afterAll(() => client.close());

  /** Runs a task for so long. */
  async function run(task_type: string, seconds: number, outcome = 'ok'): Promise<void> {
    const { data } = await callTool(client, 'start', { task_type });
    service.clock.advance(seconds * 1_000);
    await callTool(client, 'end', { task_type, correlation_id: (data as Started).correlation_id, outcome });
  }

  test('stand at an address with a slash at its end too, with its query', async () => {
    const other = await connectMcp(`${url}/?tools=opentime`, { era });
    expect((await other.listTools()).tools.map(({ name }) => name)).toContain('event_task_start');
    await other.close();
  });

  test('are these six', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['start', 'end', 'expect', 'check', 'compare', 'now']);
  });

  test('start and end measure a task, and a start tells what such tasks took', async () => {
    const first = await callTool(client, 'start', { task_type: build, estimated_seconds: 20 });
    expect(first.text).toContain('No such task has ended ok yet.');
    service.clock.advance(38_000);
    const { correlation_id } = first.data as Started;
    const ended = await callTool(client, 'end', { task_type: build, correlation_id });
    expect(ended.text).toBe(`${build} took 38 s (ok); your estimate was 20 s.`);
    expect(ended.data).toMatchObject({ duration_seconds: 38, replayed: false });
    const again = await callTool(client, 'end', { task_type: build, correlation_id });
    expect(again.data).toMatchObject({ duration_seconds: 38, replayed: true });
    const failed = await callTool(client, 'end', { task_type: build, correlation_id, outcome: 'error' });
    expect(failed.text).toContain("is known to have ended with the outcome 'ok', and nothing was changed");
    const second = await callTool(client, 'start', { task_type: build, correlation_id: `own-${era}` });
    expect(second.data).toMatchObject({ correlation_id: `own-${era}`, of: 'this agent', summary: { count: 1 } });
    expect(second.text).toContain('It takes 38 s mostly, p95 38 s (1 run), of this agent.');
  });

  test('end takes the correlation id alone, also again, and says what it needs without any', async () => {
    const task_type = `pack ${era}`;
    const correlation_id = `alone-${era}`;
    await callTool(client, 'start', { task_type, correlation_id, project: 'shop' });
    service.clock.advance(7_000);
    const ended = await callTool(client, 'end', { correlation_id, task_type: '', project: 'shop', outcome: 'error' });
    expect(ended).toMatchObject({ isError: false, text: `${task_type} took 7 s (error).` });
    const again = await callTool(client, 'end', { correlation_id });
    expect(again.data).toMatchObject({ replayed: true, task: { task_type, outcome: 'error' } });
    const anew = await callTool(client, 'start', { task_type, correlation_id, project: 'shop' });
    expect(anew.text).toMatch(/^Nothing was started: .* has ended before \(error, 7 s\)\. Give another correlation_id/);
    const unknown = await callTool(client, 'end', { correlation_id: `none-${era}` });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining(`none-${era}`) });
    const neither = await callTool(client, 'end', { outcome: 'ok' });
    expect(neither.text).toBe(
      'Give the correlation_id from start, or the task_type of a running task. (invalid_input)',
    );
  });

  test('take the project of the connection, or of the call', async () => {
    const inShop = await connectMcp(url, { era, headers: { 'X-Agent-ID': `ann-${era}`, 'X-Project': 'shop' } });
    const task_type = `sell ${era}`;
    const started = await callTool(inShop, 'start', { task_type, correlation_id: `sell-${era}` });
    expect(started.data).toMatchObject({ task: { project: 'shop' } });
    service.clock.advance(5_000);
    const elsewhere = await callTool(client, 'end', { task_type, correlation_id: `sell-${era}`, project: 'blog' });
    expect(elsewhere.text).toContain("in the project 'blog'");
    await callTool(client, 'end', { task_type, correlation_id: `sell-${era}`, project: 'shop' });
    const told = async (from: Client, given: object) => (await callTool(from, 'expect', { task_type, ...given })).data;
    expect(await told(inShop, {})).toMatchObject({ summary: { count: 1 } });
    expect(await told(client, { project: 'shop' })).toMatchObject({ summary: { count: 1 } });
    expect(await told(client, { project: 'blog' })).toMatchObject({ summary: null });
    expect(await told(inShop, { project: 'blog' })).toMatchObject({ summary: null });
    expect(await told(inShop, { project: '*' })).toMatchObject({ summary: { count: 1 } });
    await inShop.close();
  });

  test('say of a type without history in a project what others know, and how to ask for it', async () => {
    const task_type = `ship ${era}`;
    await runTasks(service, task_type, [40, 42, 44, 46, 48], { agent: 'dora', project: `mine-${era}` });
    const asked = { task_type, project: `new-${era}` };
    const inOthers = 'In other projects it takes 44 s mostly, p95 48 s (5 runs): expect with project "*" says more.';
    const started = await callTool(client, 'start', asked);
    expect(started.text).toMatch(/No such task has ended ok yet\. In other projects/);
    const [expected, checked, all, nowhere] = [
      await callTool(client, 'expect', asked),
      await callTool(client, 'check', asked),
      await callTool(client, 'expect', { task_type, project: '*' }),
      await callTool(client, 'expect', { task_type: `nobody did ${era}`, project: asked.project }),
    ];
    expect([expected.text, checked.text]).toEqual([
      expect.stringContaining(inOthers),
      expect.stringContaining(inOthers),
    ]);
    expect(all.text).toContain(`${task_type} takes 44 s mostly`);
    expect(nowhere.text).not.toContain('other projects');
    await runTasks(service, task_type, [1], { agent: 'dora', project: asked.project });
    const thin = await callTool(client, 'expect', asked);
    expect(thin.text).toMatch(
      /takes 1 s mostly.* In all projects it takes 43 s mostly, p95 48 s \(6 runs\): expect with/,
    );
    expect(all.text).not.toContain('In all projects');
    await runTasks(service, task_type, [1, 1, 1, 1], { agent: 'dora', project: asked.project });
    expect((await callTool(client, 'expect', asked)).text).not.toContain('In all projects');
    const approaches = [1, 2].map((nth) => ({ name: `way ${nth}`, steps: [{ task_type: `${task_type} twice` }] }));
    await runTasks(service, `${task_type} twice`, [40, 42], { agent: 'dora', project: `mine-${era}` });
    const compared = await callTool(client, 'compare', { approaches, project: asked.project });
    expect(compared.text).toContain('Other projects have history of more of these steps: ask with project "*".');
    await callTool(client, 'end', { ...asked, outcome: 'cancelled' });
  });

  test('check tells the risk of a running task, with the recommended timeout unless another is given', async () => {
    await callTool(client, 'start', { task_type: build, correlation_id: `checked-${era}` });
    service.clock.advance(10_000);
    const checked = await callTool(client, 'check', { correlation_id: `checked-${era}` });
    expect(checked.data).toMatchObject({
      task_type: build,
      state: 'active',
      of: 'this agent',
      risk: { elapsed_seconds: 10, timeout_seconds: expect.closeTo(45.6, 9) },
    });
    await callTool(client, 'end', { task_type: build, correlation_id: `checked-${era}` });
    const ended = await callTool(client, 'check', { correlation_id: `checked-${era}` });
    expect(ended.data).toMatchObject({ state: 'ended', risk: null });
    const unnamed = await callTool(client, 'check', {});
    expect(unnamed).toMatchObject({ isError: true, text: expect.stringContaining('Give the task_type or') });
  });

  test('expect and check refuse what means nothing of a type without history too', async () => {
    for (const [tool, wrong, said] of [
      ['check', { elapsed_seconds: -4 }, 'elapsed_seconds must be >= 0.'],
      ['check', { elapsed_seconds: 'ten' }, 'elapsed_seconds must be number.'],
      ['check', { elapsed_seconds: 10, timeout_seconds: 0 }, 'timeout_seconds must be > 0.'],
      ['expect', { percentile: 95 }, 'percentile must be <= 1.'],
      ['expect', { safety_margin: 0 }, 'safety_margin must be >= 1.'],
    ] as const) {
      const answer = await callTool(client, tool, { task_type: `never ${era}`, ...wrong });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(said) });
    }
  });

  test('check tells the risk of a task that counts as forgotten too, since it may still run', async () => {
    const task_type = `train ${era}`;
    const correlation_id = `train-${era}`;
    await callTool(client, 'start', { task_type, correlation_id });
    service.clock.advance(30 * 3_600_000);
    await service.jobs.find((job) => job.name === 'abandonment')?.run();
    const checked = await callTool(client, 'check', { correlation_id });
    expect(checked.data).toMatchObject({ state: 'abandoned', risk: null });
    const byType = await callTool(client, 'check', { task_type });
    expect(byType).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        / is running, but one that began at .* UTC counts as forgotten: give its correlation_id /,
      ),
    });
    const givenUp = 'if it still runs, end it when it is over';
    expect(checked.text).toMatch(new RegExp(`^${task_type} has run for 30 h\\. .*${givenUp}`));
    for (const hours of [60, 61]) await run(task_type, hours * 3_600);
    const known = await callTool(client, 'check', { correlation_id, timeout_seconds: 600 * 3_600 });
    expect(known.data).toMatchObject({ state: 'abandoned', risk: { elapsed_seconds: 151 * 3_600 } });
    expect(known.text).toContain(givenUp);
    expect((await callTool(client, 'end', { correlation_id })).text).toContain('took 6 d 7 h (ok)');
  });

  test('start tells of a run of the type that was left open for long', async () => {
    const task_type = `left open ${era}`;
    await run(task_type, 20);
    await callTool(client, 'start', { task_type, correlation_id: `left-${era}` });
    service.clock.advance(200_000);
    const early = await callTool(client, 'start', { task_type, correlation_id: `next-${era}` });
    expect(early.text).not.toContain('Still open');
    service.clock.advance(1_000);
    const late = await callTool(client, 'start', { task_type, correlation_id: `next-${era}` });
    expect(late.text).toContain(
      `Still open: ${task_type}, running for 3 min 21 s (correlation_id left-${era}). If it is over, end it as cancelled`,
    );
    for (const correlation_id of [`left-${era}`, `next-${era}`])
      await callTool(client, 'end', { correlation_id, outcome: 'cancelled' });
    const alone = await callTool(client, 'start', { task_type });
    expect(alone.text).not.toContain('Still open');
    await callTool(client, 'end', { task_type, outcome: 'cancelled' });
  });

  test('check by its type finds the only running task, and names those that run where there are several', async () => {
    const task_type = `sync ${era}`;
    await run(task_type, 20);
    const none = await callTool(client, 'check', { task_type });
    expect(none).toMatchObject({
      isError: true,
      text: expect.stringContaining(`No task of yours of the type ${task_type} is running`),
    });
    await callTool(client, 'start', { task_type, correlation_id: `sync-1-${era}` });
    service.clock.advance(30_000);
    const only = await callTool(client, 'check', { task_type });
    expect(only.data).toMatchObject({ task_type, state: 'active', risk: { elapsed_seconds: 30 } });
    expect(only.text).toMatch(/confidence low; 1 run, of this agent\).* see whether it still does something/);
    await callTool(client, 'start', { task_type, correlation_id: `sync-2-${era}` });
    const several = await callTool(client, 'check', { task_type });
    expect(several.isError).toBe(true);
    expect(several.text).toMatch(
      new RegExp(`^Several are running: .*sync-2-${era}\\); .*sync-1-${era}\\)\\. \\(invalid_input\\)$`),
    );
    const ended = await callTool(client, 'end', { task_type });
    expect(ended.text).toContain(`the one that ended ('sync-`);
    for (const one of ['1', '2']) await callTool(client, 'end', { task_type, correlation_id: `sync-${one}-${era}` });
  });

  test('expect answers from the history of all agents where the own one is empty, and says so', async () => {
    await run(`deploy ${era}`, 60);
    const bob = await connectMcp(url, { era, headers: { 'X-Agent-ID': 'bob' } });
    const expected = await callTool(bob, 'expect', { task_type: `deploy ${era}` });
    expect(expected.data).toMatchObject({
      of: 'all agents',
      summary: { count: 1, median_seconds: 60 },
      recommendation: { recommended_seconds: 72 },
    });
    // One run bounds nothing: its 60 s must not stand there as the safer choice.
    expect(expected.text).toContain('Recommended timeout: 72 s (confidence low).');
    // Of one run of bob and one of ann, the own one tells as much; of one and five, those of all agents tell more.
    await runTasks(service, `deploy ${era}`, [10], { agent: 'bob' });
    expect((await callTool(bob, 'expect', { task_type: `deploy ${era}` })).data).toMatchObject({
      of: 'this agent',
      recommendation: { recommended_seconds: 12 },
    });
    await runTasks(service, `deploy ${era}`, [60, 61, 62], { agent: 'carl' });
    expect((await callTool(bob, 'expect', { task_type: `deploy ${era}` })).data).toMatchObject({
      of: 'all agents',
      summary: { count: 5 },
      recommendation: { percentile_value: 62 },
    });
    const checked = await callTool(bob, 'check', { task_type: `deploy ${era}`, elapsed_seconds: 30 });
    const late = await callTool(bob, 'check', { task_type: `deploy ${era}`, elapsed_seconds: 80 });
    expect(late.text).toMatch(/^deploy .* has run for 80 s, past the recommended timeout of 74 s \(/);
    expect(checked.text).toMatch(/^deploy .* has run for 30 s, of the recommended 74 s\..*5 runs, of all agents\)/);
    const never = await callTool(bob, 'expect', { task_type: 'never done' });
    expect(never).toMatchObject({ isError: false, data: { of: null, summary: null, recommendation: null } });
    expect(never.text).toContain(`deploy ${era}`);
    expect(never.text).toMatch(/ Other work takes \d+ s mostly, which says little of this/);
    await bob.close();
  });

  test('expect and check name a type as it is kept', async () => {
    const task_type = `blank spaces ${era}`;
    await run(task_type, 60);
    const asked = { task_type: `blank   spaces\u00a0${era}` };
    const expected = await callTool(client, 'expect', asked);
    expect([expected.data, expected.text]).toMatchObject([
      { task_type },
      expect.stringContaining(`${task_type} takes`),
    ]);
    const checked = await callTool(client, 'check', { ...asked, elapsed_seconds: 5 });
    expect([checked.data, checked.text]).toMatchObject([
      { task_type },
      expect.stringContaining(`${task_type} has run`),
    ]);
  });

  test('expect tells of runs that were cut off, and never less than they took', async () => {
    const taskType = `hang ${era}`;
    await run(taskType, 7_200, 'timeout');
    const { data, text } = await callTool(client, 'expect', { task_type: taskType });
    expect(data).toMatchObject({ summary: null, estimate: { seconds: 7_200 } });
    expect(text).toMatch(new RegExp(`^No task of the type ${taskType} has ended ok yet: .* It may take 2 h, as far`));
    expect(text.slice(text.indexOf('Other types:'))).not.toContain(taskType);
  });

  test('expect and start tell how long a type takes since it has changed', async () => {
    const agent = `ann-${era}`;
    const task_type = `grown ${era}`;
    await runTasks(
      service,
      task_type,
      [...Array(40).fill(30), ...Array.from({ length: 40 }, (_, index) => 80 + 10 * (index % 3))],
      { agent },
    );
    const expected = await callTool(client, 'expect', { task_type });
    expect(expected.data).toMatchObject({ summary: { count: 80 }, estimate: { seconds: 90, sample_count: 40 } });
    const late =
      / It has changed: since 2026-\d\d-\d\d \d\d:\d\d UTC it takes 90 s mostly \(8\d % of runs: 80 s to 100 s\)\. Plan by that\./;
    expect(expected.text).toMatch(late);
    const started = await callTool(client, 'start', { task_type });
    expect(started.text).toMatch(late);
    await callTool(client, 'end', { task_type });
  });

  test('expect and check tell of runs that did not end ok', async () => {
    const task_type = `shaky ${era}`;
    for (const seconds of [3, 4, 5]) await run(task_type, seconds, 'error');
    await run(task_type, 60, 'timeout');
    const tried = '3 runs failed, after 4 s mostly; 1 run timed out, after 60 s at most.';
    expect((await callTool(client, 'expect', { task_type })).text).toContain(
      `set a generous timeout now. ${tried} It may take 60 s, as far as is known`,
    );
    expect((await callTool(client, 'check', { task_type, elapsed_seconds: 9 })).text).toMatch(
      /nothing tells how long it takes\. 3 runs failed, after 4 s mostly; 1 run timed out/,
    );
    await run(task_type, 10, 'cancelled');
    await run(task_type, 7);
    expect((await callTool(client, 'expect', { task_type })).text).toContain(
      'Beside these, 3 failed, 1 timed out and 1 was cancelled.',
    );
  });

  test('check says that a timeout has passed, and that runs which came so far were cut off', async () => {
    const task_type = `stuck ${era}`;
    await run(task_type, 10);
    for (const seconds of [400, 500]) await run(task_type, seconds, 'timeout');
    const past = await callTool(client, 'check', { task_type, elapsed_seconds: 90, timeout_seconds: 60 });
    expect(past.text).toMatch(
      /^stuck .* has run for 90 s, past its timeout of 60 s \(risk high, confidence low; 1 run, of this agent\)\. Most runs that/,
    );
    expect(past.text).not.toContain('probability');
  });

  test('start and end take the times of work that is told of later', async () => {
    const task_type = `told later ${era}`;
    const { data, text: began } = await callTool(client, 'start', { task_type, timestamp: '2026-11-20T07:00:00' });
    expect(began).toMatch(/^Started: told later .*\), \d.* ago \(2026-11-20 07:00 UTC\)\./);
    const { correlation_id } = data as Started;
    const early = await callTool(client, 'end', { correlation_id, timestamp: '2026-11-20T06:00:00Z' });
    expect(early).toMatchObject({ isError: true, text: expect.stringContaining('lies before the start of the task') });
    const { text } = await callTool(client, 'end', { correlation_id, timestamp: '2026-11-20T07:01:30Z' });
    expect(text).toBe(`${task_type} took 90 s (ok).`);
  });

  test('expect and check say that what takes longer fails', async () => {
    const task_type = `fails late ${era}`;
    for (let index = 0; index < 12; index++) await run(task_type, 60 + index);
    for (let index = 0; index < 6; index++) await run(task_type, 1_800 + index, 'error');
    const { text, data } = await callTool(client, 'expect', { task_type });
    expect(text).toMatch(
      /Of the 6 runs that took longer and were not cut off, 6 failed: one that has not ended by then/,
    );
    expect(data).toMatchObject({ recommendation: { longer_runs: { ok: 0, error: 6 } } });
    const late = await callTool(client, 'check', { task_type, elapsed_seconds: 600 });
    expect(late.text).toMatch(
      /No run that ended ok has lasted as long as this one\. Of 6 runs that came this far and ended, 6 failed\. Most of those that took longer failed, and this one most likely will: see what it does\.$/,
    );
    expect(late.data).toMatchObject({ risk: { longer_runs: { ok: 0, error: 6 }, beyond_history: true } });
  });

  test('compare asks the history of all agents where the own one tells too little', async () => {
    for (const [type, seconds] of [
      ['quick', 5],
      ['slow', 50],
    ] as const)
      await runTasks(service, `${type} ${era}`, Array(10).fill(seconds), { agent: `ann-${era}` });
    const approaches = ['quick', 'slow'].map((name) => ({ name, steps: [{ task_type: `${name} ${era}` }] }));
    const cara = await connectMcp(url, { era, headers: { 'X-Agent-ID': `cara-${era}` } });
    const ofAll = await callTool(cara, 'compare', { approaches });
    expect(ofAll.data).toMatchObject({ of: 'all agents', verdict: 'clear', recommendation: 'quick' });
    expect(ofAll.text).toMatch(/^Take quick\. \(By the runs of all agents\.\)\n- quick: 5 s on average/);
    const own = await callTool(client, 'compare', { approaches });
    expect(own.data).toMatchObject({ of: 'this agent', verdict: 'clear' });
    expect(own.text).toMatch(/^Take quick\.\n/);
    await cara.close();
    const dan = await connectMcp(url, { era, headers: { 'X-Agent-ID': `dan-${era}` } });
    await runTasks(service, `slow ${era}`, Array(10).fill(50), { agent: `dan-${era}` });
    const ofBoth = await callTool(dan, 'compare', { approaches });
    expect(ofBoth.data).toMatchObject({ of: 'all agents', verdict: 'clear', recommendation: 'quick' });
    const none = { name: 'none', steps: [{ task_type: 'never' }] };
    const [, slow] = approaches;
    const half = await callTool(dan, 'compare', { approaches: [slow, none] });
    expect(half.text).toMatch(/^There is too little history to tell: .*\n- slow: 50 s .*\n- none: a step has neither/);
    await dan.close();
  });

  test('compare says where what is mostly the fastest takes longer on average', async () => {
    const agent = `ann-${era}`;
    await runTasks(
      service,
      `gamble ${era}`,
      Array.from({ length: 50 }, (_, index) => (index % 5 === 4 ? 300 : 10)),
      { agent },
    );
    await runTasks(service, `sure ${era}`, Array(50).fill(30), { agent });
    const approaches = ['gamble', 'sure'].map((name) => ({ name, steps: [{ task_type: `${name} ${era}` }] }));
    const { text } = await callTool(client, 'compare', { approaches });
    // The mean of gamble is 68 s, its standard error sqrt(0.16 * 290^2 / 49) s, and t of 49 degrees of freedom 2.01.
    expect(text).toMatch(
      /^Take gamble\. It is mostly the fastest and now and then very slow: on average sure takes 38 s less than gamble \(95 %: 4\.7 s to 71 s\)\.\n/,
    );
  });

  test('compare says which way is fastest', async () => {
    const compared = await callTool(client, 'compare', {
      approaches: [
        { name: 'slow', steps: [{ task_type: 'never', estimated_seconds: 900 }] },
        { name: 'quick', steps: [{ task_type: 'never', estimated_seconds: 9 }] },
      ],
    });
    expect(compared.data).toMatchObject({ approaches: [{ name: 'quick' }, { name: 'slow' }] });
    expect(compared.text.split('\n')[1]).toMatch(
      /^- quick: \d+ s on average, .* the fastest with a probability of \d+ %/,
    );
    const unknown = { name: 'dark', steps: [{ task_type: 'never' }] };
    const quick = { name: 'quick', steps: [{ task_type: 'never', estimated_seconds: 9 }] };
    expect((await callTool(client, 'compare', { approaches: [unknown, quick] })).text).not.toContain('the fastest');
    for (const approaches of [[], [{ name: 'one', steps: [{ task_type: build }] }]]) {
      const alone = await callTool(client, 'compare', { approaches });
      expect(alone).toMatchObject({ isError: true, text: expect.stringContaining('Give two ways or more') });
    }
  });

  test.each([
    [
      1,
      /^There is too little history to tell: a step has fewer than five runs\. Time more, and take these figures for guesses\.\n- brisk: 5 s/,
    ],
    [5, /^Take brisk\.\n- brisk: 5 s/],
  ])('compare says what it lacks, and tells no more where it has that: %i runs of each', async (count, said) => {
    const name = (way: string) => `${way} ${count} ${era}`;
    for (const [way, seconds] of [
      ['brisk', 5],
      ['tardy', 50],
    ] as const)
      await runTasks(service, name(way), Array(count).fill(seconds), { agent: `ann-${era}` });
    const approaches = ['brisk', 'tardy'].map((way) => ({ name: way, steps: [{ task_type: name(way) }] }));
    expect((await callTool(client, 'compare', { approaches })).text).toMatch(said);
  });

  test('compare says that it corrects an estimate by what came of the others', async () => {
    const guesser = await connectMcp(url, { era, headers: { 'X-Agent-ID': `guesser-${era}` } });
    for (let round = 0; round < 5; round++) {
      const { data } = await callTool(guesser, 'start', { task_type: 'guess', estimated_seconds: 10 });
      service.clock.advance(40_000);
      const { correlation_id } = data as Started;
      await callTool(guesser, 'end', { task_type: 'guess', correlation_id });
    }
    const steps = [{ task_type: `unseen ${era}`, estimated_seconds: 60 }];
    const { text } = await callTool(guesser, 'compare', {
      approaches: [
        { name: 'new', steps },
        { name: 'old', steps: [{ task_type: 'guess' }] },
      ],
    });
    expect(text).toMatch(
      new RegExp(
        `^- new: .* %; corrected by what came of your estimates so far: unseen ${era} from 60 s to 4 min$`,
        'm',
      ),
    );
    expect(text).toMatch(/^- old: .* %$/m);
    await guesser.close();
  });

  test('now tells the time, what has passed, and what is running', async () => {
    await callTool(client, 'start', { task_type: 'long work', correlation_id: `long-${era}` });
    const since = new Date(service.clock.now()).toISOString();
    service.clock.advance(7_260_000);
    const now = await callTool(client, 'now', { since });
    expect(now.data).toMatchObject({
      elapsed_seconds: expect.closeTo(7_260, 2),
      active_tasks: expect.arrayContaining([
        expect.objectContaining({ task_type: 'long work', correlation_id: `long-${era}`, elapsed_seconds: 7_260 }),
      ]),
    });
    expect(now.text).toMatch(/^It is 2026-\d\d-\d\dT[\d:.]+\+00:00, a \w+day\. That is 2 h 1 min after/);
    const soon = new Date(service.clock.now() + 7_260_000).toISOString();
    expect((await callTool(client, 'now', { since: soon })).text).toContain(`${soon} is in 2 h 1 min.`);
    await callTool(client, 'end', { task_type: 'long work', correlation_id: `long-${era}` });
  });

  test('compare says how many runs of a step failed, which no total holds', async () => {
    const [sure, flaky, broken] = [`sure ${era}`, `flaky ${era}`, `broken ${era}`];
    await runTasks(service, sure, [20, 21, 22, 23, 24], { agent: `ann-${era}` });
    await runTasks(service, flaky, [10, 11, 12, 13, 14], { agent: `ann-${era}` });
    await runTasks(service, flaky, [9, 9, 9], { agent: `ann-${era}`, outcome: 'error' });
    const approaches = [sure, flaky].map((task_type) => ({ name: task_type, steps: [{ task_type }, { task_type }] }));
    const { data, text } = await callTool(client, 'compare', { approaches });
    expect(text).toContain(`; of 8 runs of ${flaky}, 3 failed`);
    expect(text.match(/failed/g)).toHaveLength(1);
    const steps = new Map((data as Compared).approaches.map(({ name, steps }) => [name, steps]));
    expect(steps.get(flaky)).toMatchObject([{ sample_count: 5, failed_count: 3 }, { failed_count: 3 }]);
    expect(steps.get(sure)?.[0]).not.toHaveProperty('failed_count');
    await runTasks(service, broken, [3, 3], { agent: `ann-${era}`, outcome: 'error' });
    const ways = [sure, broken].map((task_type) => ({ name: task_type, steps: [{ task_type }] }));
    expect((await callTool(client, 'compare', { approaches: ways })).text).toContain(
      `- ${broken}: a step has neither a run that ended ok nor an estimate; of 2 runs of ${broken}, 2 failed`,
    );
  });

  test('what is wrong is said by the names of the arguments, with what to do', async () => {
    const wrong = await callTool(client, 'start', { task_type: '', estimated_seconds: -1 });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(
      /^task_type must not be blank and must hold no control characters\. estimated_seconds must be > 0/,
    );
    expect(wrong.text).toMatch(/\(invalid_request\)$/);
    const unknown = await callTool(client, 'end', { task_type: 'x', correlation_id: 'never started' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('(unknown_correlation_id)') });
    const words = await callTool(client, 'compare', { approaches: ['full build', 'changed files'] });
    expect(words.text).toMatch(
      /^approaches\/0 must be object.* Arguments that fit: {"approaches":\[{"name":.*\(invalid_request\)$/,
    );
    const stranger = await callTool(client, 'now', { zone: 'Europe/Berlin' });
    expect(stranger).toMatchObject({ isError: true, text: expect.stringContaining('now takes since') });
  });

  test('the summary and the prompt hold what is known', async () => {
    await run(`npm test ${era}`, 12);
    const summary = await client.readResource({ uri: 'timing://summary' });
    expect((summary.contents[0] as { text: string }).text).toContain(
      `- npm test ${era}: 12 s mostly, p95 12 s (1 run)`,
    );
    const prompt = await client.getPrompt({ name: 'time-aware-work' });
    expect((prompt.messages.at(0) as { content: { text: string } }).content.text).toContain(
      `- npm test ${era}: 12 s mostly`,
    );
  });
});

interface Compared {
  readonly approaches: readonly { readonly name: string; readonly steps: readonly object[] }[];
}

interface Started {
  readonly correlation_id: string;
}
