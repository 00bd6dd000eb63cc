import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { startTestService, type TestService } from '../start-service.ts';

/** Holds what all projects did, and `alone` nothing but what `shop` and no project did. */
let all: TestService;
let alone: TestService;

type Answer = Awaited<ReturnType<typeof ask>>;
const ask = (service: TestService, method: 'get' | 'post' | 'delete', path: string, body?: object) => {
  const request = supertest(service.app)[method](path).set('X-Agent-ID', 'ann');
  return body === undefined ? request : request.send(body);
};
const inBoth = async (project: string | null, method: 'get' | 'post' | 'delete', path: string, body: object) => {
  const said = project === null ? body : { ...body, project };
  const answer = await ask(all, method, path, said);
  if (answer.status !== 200) throw new Error(answer.text);
  if (project !== 'blog') await ask(alone, method, path, said);
};
const advance = (ms: number) => {
  for (const { clock } of [all, alone]) clock.advance(ms);
};

beforeAll(async () => {
  [all, alone] = [startTestService(), startTestService()];
  const projects = ['shop', 'blog', null];
  for (let run = 0; run < 45; run++) {
    const project = projects[run % 3] as string | null;
    const task = { task_type: run % 4 === 0 ? 'lint' : 'build', correlation_id: `run-${run}` };
    await inBoth(project, 'post', '/events/task-start', { ...task, estimated_seconds: 1 + (run % 7) });
    // Those of blog take a hundred times as long.
    advance((project === 'blog' ? 100_000 : 1_000) + run * 37);
    if (run < 40) {
      const outcome = run % 9 === 8 ? 'timeout' : 'ok';
      await inBoth(project, 'post', '/events/task-end', { ...task, outcome });
    }
  }
  await inBoth('blog', 'post', '/events', { event_type: 'deploy', task_type: 'publish' });
  await inBoth('shop', 'post', '/events', { event_type: 'deploy', task_type: 'sell' });
  for (const [project, name] of [
    ['blog', 'tea'],
    ['shop', 'tea'],
    [null, 'eggs'],
    ['blog', 'post'],
  ] as const) {
    const query = project === null ? '' : `?project=${project}`;
    await ask(all, 'post', `/stopwatch/${name}/start${query}`);
    if (project !== 'blog') await ask(alone, 'post', `/stopwatch/${name}/start${query}`);
  }
});
afterAll(() => {
  all.close();
  alone.close();
});

/** Without the ids of events, which the service makes, and the words of an error. */
const told = ({ status, body, text }: Answer) =>
  status >= 400 ? [status, body.code] : text.replace(/"(id|event_id|end_event_id)":"\w+"/g, '"$1":""');

const STEPS = [{ task_type: 'build' }, { task_type: 'unknown', estimated_seconds: 9 }];
const COMPARISON = { approaches: [{ name: 'a', steps: STEPS }] };
const GETS = [
  '/tasks?limit=1000',
  '/tasks?state=active',
  '/tasks/run-0',
  '/tasks/run-2',
  '/events?limit=1000',
  '/events?event_type=deploy',
  '/events/active',
  '/stopwatches',
  '/stopwatch/tea',
  '/stopwatch/eggs',
  '/stopwatch/post',
  '/stats/task-types',
  '/stats/durations',
  '/stats/durations/build',
  '/stats/durations/build?agent_id=*',
  '/stats/durations/build?since=2026-11-21T09:30:20Z',
  '/stats/durations/build?outcome=timeout',
  '/stats/recommend-timeout/build',
  '/stats/recommend-timeout/build?agent_id=*&percentile=0.5',
  '/stats/check-timeout/build?elapsed_seconds=1&timeout_seconds=3',
  '/stats/distribution/build',
  '/stats/estimate/build',
  '/stats/estimate/build%20all?estimated_seconds=5',
  '/stats/trend/build',
  '/stats/trend/publish',
  '/stats/time-spent',
  '/stats/time-spent?agent_id=*&group_by=project&then_by=task_type&since=2026-11-21',
  '/export',
  '/export?agent_id=*',
];
// Each row is whole: jest hands a callback to a test for what a row lacks.
const QUESTIONS = [
  ...GETS.map((path) => ['get', path, undefined] as const),
  ['post', '/stats/compare-approaches', COMPARISON] as const,
];

describe('a question in a project', () => {
  test.each(QUESTIONS)('%s %s is answered as if nothing else were there', async (method, path, body) => {
    const inProject = `${path}${path.includes('?') ? '&' : '?'}project=shop`;
    const answer = await ask(all, method, inProject, body);
    expect(told(answer)).toEqual(told(await ask(alone, method, path, body)));
    expect(answer.text).not.toContain('blog"');
  });

  test.each(QUESTIONS)('%s %s without one, or with all, is about everything', async (method, path, body) => {
    const inAll = `${path}${path.includes('?') ? '&' : '?'}project=*`;
    const answer = await ask(all, method, path, body);
    expect(told(await ask(all, method, inAll, body))).toEqual(told(answer));
  });

  test('does not find what belongs to another one', async () => {
    const { body } = await ask(all, 'get', '/events?event_type=deploy&task_type=publish');
    const [{ id }] = body.events;
    for (const path of ['/tasks/run-1', `/events/${id}`]) {
      expect((await ask(all, 'get', path)).status).toBe(200);
      expect((await ask(all, 'get', `${path}?project=blog`)).status).toBe(200);
      expect((await ask(all, 'get', `${path}?project=shop`)).status).toBe(404);
    }
  });

  test('is asked for by header, query and body', async () => {
    const count = async (path: string, header = '') => {
      const answer = await supertest(all.app).get(path).set({ 'X-Agent-ID': 'ann', 'X-Project': header });
      return answer.body.summary.count as number;
    };
    const [shop, everything] = [
      await count('/stats/durations/build?project=shop'),
      await count('/stats/durations/build'),
    ];
    expect(shop).toBeLessThan(everything);
    expect(await count('/stats/durations/build', 'shop')).toBe(shop);
    expect(await count('/stats/durations/build?project=shop', 'blog')).toBe(shop);
    expect(await count('/stats/durations/build?project=*', 'shop')).toBe(everything);
    const compared = async (project?: string) => {
      const body = { approaches: [{ name: 'a', steps: STEPS }], project };
      return (await ask(all, 'post', '/stats/compare-approaches', body)).body.approaches[0].steps[0].sample_count;
    };
    expect([await compared('shop'), await compared()]).toEqual([shop, everything]);
  });
});

describe('the projects', () => {
  test('are those in which an agent named a task type', async () => {
    const list = async (query: string) => (await ask(all, 'get', `/projects${query}`)).body.projects;
    expect(await list('')).toEqual(['blog', 'shop']);
    expect(await list('?project=*')).toEqual(['blog', 'shop']);
    expect(await list('?project=shop')).toEqual(['shop']);
    expect(await list('?agent_id=bob')).toEqual([]);
    expect(await list('?agent_id=*')).toEqual(['blog', 'shop']);
    const first = (await ask(all, 'get', '/projects?limit=1')).body;
    expect(first).toEqual({ projects: ['blog'], next_cursor: expect.any(String) });
    const second = (await ask(all, 'get', `/projects?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second).toEqual({ projects: ['shop'], next_cursor: null });
    expect((await ask(all, 'get', '/projects?cursor=0')).body.errors).toMatchObject([{ where: 'query/cursor' }]);
  });

  test.each([
    ['post', '/events', { event_type: 'x', project: '*' }],
    ['post', '/events/task-start', { task_type: 'x', project: '*' }],
    ['post', '/events/task-end?project=*', { task_type: 'x' }],
    ['post', '/stopwatch/tea/stop?project=*', undefined],
    ['delete', '/stopwatch/tea?project=*', undefined],
    ['post', '/events', { event_type: 'x', project: ' shop' }],
    ['post', '/events', { event_type: 'x', project: 7 }],
    ['get', `/tasks?project=${'x'.repeat(129)}`, undefined],
  ] as const)('%s %s %j is refused', async (method, path, body) => {
    expect((await ask(all, method, path, body)).status).toBe(422);
  });

  test('are left out of answers where there is none', async () => {
    const { body } = await ask(all, 'get', '/tasks/run-2');
    expect(body.task).not.toHaveProperty('project');
    expect((await ask(all, 'get', '/tasks/run-0')).body.task.project).toBe('shop');
  });
});

describe('a start and its end', () => {
  const start = (correlation_id: string, project?: string) =>
    ask(all, 'post', '/events/task-start', { task_type: 'pair', correlation_id, project });
  const end = (fields: object) => ask(all, 'post', '/events/task-end', { task_type: 'pair', ...fields });

  test.each([
    ['shop', 'shop', 200, 'shop'],
    ['shop', undefined, 200, 'shop'],
    [undefined, 'shop', 200, 'shop'],
    [undefined, undefined, 200, undefined],
    ['shop', 'blog', 404, undefined],
  ])('in %s and %s: %d', async (ofStart, ofEnd, status, ofEvent) => {
    const correlation_id = `pair-${ofStart}-${ofEnd}`;
    expect((await start(correlation_id, ofStart)).status).toBe(200);
    const ended = await end({ correlation_id, project: ofEnd });
    expect(ended.status).toBe(status);
    if (status === 404) {
      expect(ended.body).toMatchObject({
        code: 'unknown_correlation_id',
        detail: `No task with the correlation id '${correlation_id}' in the project 'blog': start it first, and end it with the id of the answer.`,
      });
      expect((await end({ correlation_id })).status).toBe(200);
      return;
    }
    expect([ended.body.event.project, ended.body.task.project]).toEqual([ofEvent, ofStart]);
  });

  test('go together by type within a project, when both name one', async () => {
    await start('by-type-shop', 'shop');
    await start('by-type-blog', 'blog');
    expect((await end({})).body.code).toBe('ambiguous_task');
    expect((await end({ project: 'other' })).body.code).toBe('no_active_task');
    expect((await end({ project: 'blog' })).body.task.correlation_id).toBe('by-type-blog');
    expect((await end({})).body.task.correlation_id).toBe('by-type-shop');
  });

  test('the same start in another project is another task', async () => {
    await start('same', 'shop');
    expect((await start('same', 'shop')).body.replayed).toBe(true);
    expect((await start('same', 'blog')).body.code).toBe('correlation_id_in_use');
    expect((await start('same')).body.code).toBe('correlation_id_in_use');
  });
});

describe('an import', () => {
  const send = (service: TestService, lines: string, query = '') =>
    supertest(service.app).post(`/import${query}`).set('Content-Type', 'application/x-ndjson').send(lines);
  const exported = async (service: TestService, query: string) =>
    (await supertest(service.app).get(`/export?agent_id=*${query}`)).text;

  test('takes in projects as they were given out', async () => {
    const copy = startTestService();
    const lines = await exported(all, '');
    expect((await send(copy, lines)).body).toMatchObject({ rejected_count: 0, duplicates: 0 });
    copy.clock.advance(all.clock.now() - copy.clock.now());
    expect(await exported(copy, '')).toBe(await exported(all, ''));
    expect(await exported(copy, '&project=shop')).toBe(await exported(all, '&project=shop'));
    expect((await supertest(copy.app).get('/projects?agent_id=*')).body.projects).toEqual(['blog', 'shop']);
    copy.close();
  });

  test('in a project makes what has none one of it, and rejects what is of another', async () => {
    const copy = startTestService();
    const task = { kind: 'task', agent_id: 'ann', task_type: 't', state: 'active', started_at: '2026-01-01' };
    const watch = { kind: 'stopwatch', agent_id: 'ann', started_at: '2026-01-01' };
    const event = { kind: 'event', agent_id: 'ann', event_type: 'e', timestamp: '2026-01-01' };
    const lines = [
      { ...task, correlation_id: 'none' },
      { ...task, correlation_id: 'shop', project: 'shop' },
      { ...task, correlation_id: 'blog', project: 'blog' },
      { ...watch, name: 'none', project: null },
      { ...event, id: 'none' },
      { ...event, id: 'star', project: '*' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect((await send(copy, text, '?project=shop')).body).toMatchObject({
      imported: 4,
      rejected: [
        { line: 3, reason: "project is 'blog', and what is imported goes to 'shop'" },
        { line: 6, reason: 'project must name one project' },
      ],
    });
    const found = (await exported(copy, '')).split('\n').slice(0, -1);
    expect(found.map((line) => JSON.parse(line).project)).toEqual(['shop', 'shop', 'shop', 'shop']);
    copy.close();
  });

  test('rejects a task that is known in another project', async () => {
    const copy = startTestService();
    const task = { kind: 'task', agent_id: 'ann', task_type: 't', state: 'active', started_at: '2026-01-01' };
    const line = (project?: string) => `${JSON.stringify({ ...task, correlation_id: 'c', project })}\n`;
    await send(copy, line('shop'));
    expect((await send(copy, line('blog'))).body).toMatchObject({ rejected_count: 1 });
    expect((await send(copy, line())).body).toMatchObject({ duplicates: 1 });
    copy.close();
  });
});
