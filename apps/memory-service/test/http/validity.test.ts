import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { ask, START_MS, say, startTestService, type TestService } from '../start-service.ts';
import { shareService } from './shared-service.ts';

let service: TestService;
shareService((started) => {
  service = started;
});

const HOUR = 3_600_000;
const instant = (ms: number) => new Date(ms).toISOString();
const inHours = (hours: number) => instant(START_MS + hours * HOUR);
const as = (agent: string, request: supertest.Test) => request.set('X-Agent-ID', agent);
const get = (path: string, agent = 'ann') => as(agent, supertest(service.app).get(path));
const post = (path: string, body: object, agent = 'ann') => as(agent, supertest(service.app).post(path)).send(body);
const put = (id: string, change: object, agent = 'ann') =>
  as(agent, supertest(service.app).put(`/memory/${id}`)).send(change);

describe('validity at ingest and edit', () => {
  test('comes back as it was said, in any form of an instant', async () => {
    const { memory } = await say(service, 'ann', {
      content: 'The release freeze is on.',
      valid_from: '2026-11-21',
      valid_until: '2026-12-05T10:00:00+01:00',
      expires_at: '2027-01-01T00:00:00.5004Z',
    });
    const said = {
      valid_from: '2026-11-21T00:00:00.000Z',
      valid_until: '2026-12-05T09:00:00.000Z',
      expires_at: '2027-01-01T00:00:00.500Z',
      invalidation: null,
    };
    expect(memory).toMatchObject(said);
    expect((await get(`/memory/${memory.id}`)).body.memory).toMatchObject(said);
  });

  test('ends with the year 9999 of UTC, so that an export is read again', async () => {
    const forEver = { content: 'The office is closed on Sundays.', valid_until: '9999-12-31T23:59:59-05:00' };
    const refused = await post('/ingest', forEver);
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('of a year before 10000 in UTC');
    await say(service, 'ann', { ...forEver, valid_until: '9999-12-31T23:59:59.999Z' });
    const { text } = await get('/export');
    const again = await post('/merge', { memories: [JSON.parse(text)] });
    expect(again.body.report).toMatchObject({ received: 1, rejected: [] });
    expect((await get('/memories/timeline?until=9999-12-31T23:59:59-12:00')).status).toBe(422);
  });

  test('is taken back with null, field by field', async () => {
    const { memory } = await say(service, 'ann', {
      content: 'The release freeze is on.',
      valid_from: inHours(1),
      valid_until: inHours(2),
      expires_at: inHours(3),
    });
    const left: Record<string, string | null> = {
      valid_from: inHours(1),
      valid_until: inHours(2),
      expires_at: inHours(3),
    };
    for (const field of Object.keys(left)) {
      left[field] = null;
      const answer = await put(memory.id, { [field]: null });
      expect([answer.status, answer.body.memory]).toEqual([200, expect.objectContaining(left)]);
    }
  });

  test.each([
    [{ valid_from: inHours(2), valid_until: inHours(2) }, 'body/valid_until'],
    [{ valid_from: inHours(2), valid_until: inHours(1) }, 'body/valid_until'],
    [{ expires_at: inHours(0) }, 'body/expires_at'],
    [{ valid_until: 'soon' }, 'body/valid_until'],
    [{ valid_from: 5 }, 'body/valid_from'],
  ])('refuses %j and says where', async (validity, where) => {
    const refused = await post('/ingest', { content: 'The release freeze is on.', ...validity });
    expect([refused.status, refused.body.errors?.[0]?.where]).toEqual([422, where]);
    expect((await get('/memories')).body.total).toBe(0);
    const { memory } = await say(service, 'ann', 'Another thing.');
    const edit = await put(memory.id, validity);
    expect([edit.status, edit.body.errors?.[0]?.where]).toEqual([422, where]);
    expect((await get(`/memory/${memory.id}`)).body.memory).toEqual(memory);
  });

  test('an edit of one end is held against the other end that is stored', async () => {
    const { memory } = await say(service, 'ann', { content: 'The freeze is on.', valid_from: inHours(5) });
    expect((await put(memory.id, { valid_until: inHours(4) })).status).toBe(422);
    expect((await put(memory.id, { valid_until: inHours(6) })).status).toBe(200);
    expect((await put(memory.id, { valid_from: inHours(6) })).status).toBe(422);
  });
});

describe('the same words with another validity', () => {
  const words = 'The release freeze is on.';
  const total = async () => (await get('/memories')).body.total;

  test('are a new memory once the first one has ended, and strengthen it until then', async () => {
    const first = await say(service, 'ann', { content: words, valid_until: inHours(2) });
    service.clock.advance(HOUR);
    expect(await say(service, 'ann', words)).toMatchObject({ duplicate: true, memory: { id: first.memory.id } });
    service.clock.advance(HOUR);
    expect(await say(service, 'ann', words)).toMatchObject({ duplicate: false, memory: { valid_until: null } });
    expect(await total()).toBe(2);
  });

  test('that say when they hold are kept beside those that hold for good', async () => {
    await say(service, 'ann', words);
    const bounded = { content: words, valid_until: inHours(2) };
    expect((await say(service, 'ann', bounded)).duplicate).toBe(false);
    expect((await say(service, 'ann', bounded)).duplicate).toBe(true);
    expect(await total()).toBe(2);
  });

  test('are never lost with a memory that expires', async () => {
    await say(service, 'ann', { content: words, expires_at: inHours(2) });
    expect((await say(service, 'ann', words)).duplicate).toBe(false);
  });
});

const idOf = async (message: Parameters<typeof say>[2], agent = 'ann') =>
  (await say(service, agent, message)).memory.id;
const memoryOf = async (id: string) => (await get(`/memory/${id}`)).body.memory;
const invalidate = (id: string, body: object, agent = 'ann') => post(`/memory/${id}/invalidate`, body, agent);
const contextOf = async (query: string, more: object = {}) => (await ask(service, 'ann', { query, ...more })).context;

describe('recall and list as of a moment', () => {
  test('hold what was said by then, had not ended and was not superseded yet', async () => {
    const at = async (hours: number) => {
      const listed = (await get(`/memories?as_of=${inHours(hours)}`)).body;
      const body = { query: 'backup retention days', as_of: inHours(hours), top_k: 100 };
      const recalled = await ask(service, 'ann', body);
      const both = (
        await post('/ingest_and_recall', {
          content: `What are the backup retention days? ${hours}`,
          as_of: inHours(hours),
        })
      ).body;
      const said = (memories: { content: string }[]) =>
        memories.map(({ content }) => Number(/\d+/.exec(content)?.[0])).sort();
      const list = said(listed.memories);
      expect(said(recalled.memories)).toEqual(list);
      expect(said(both.memories)).toEqual(list);
      expect(listed.total).toBe(list.length);
      return list;
    };
    const first = await idOf('Backup retention is 30 days.');
    service.clock.advance(HOUR);
    await idOf({ content: 'Backup retention is 60 days.', valid_until: inHours(3) });
    service.clock.advance(HOUR);
    await idOf({ content: 'Backup retention is 90 days.', supersedes: [first] });
    service.clock.set(START_MS + 9 * HOUR);
    expect([await at(-1), await at(0), await at(1), await at(2), await at(3)]).toEqual([
      [],
      [30],
      [30, 60],
      [60, 90],
      [90],
    ]);
    // What is shown of them is as it is now.
    expect(await contextOf('backup retention days', { as_of: inHours(1) })).not.toContain('superseded');
  });

  test('go by the time of the successor where nobody noted when it came in place', async () => {
    const record = (n: number, more: object) => ({
      id: `0193a0000000700080000000000000c${n}`,
      content: `Backup retention is ${n}0 days.`,
      created_at: inHours(-n),
      ...more,
    });
    const successor = record(2, {});
    await post('/merge', { memories: [successor, record(5, { superseded_by: successor.id })] });
    const at = async (hours: number) =>
      (await get(`/memories?as_of=${inHours(hours)}`)).body.memories.map(({ content }: { content: string }) => content);
    expect(await at(-3)).toEqual(['Backup retention is 50 days.']);
    expect(await at(-1)).toEqual(['Backup retention is 20 days.']);
  });

  test.each(['soon', '2026-02-30'])('refuse %s', async (moment) => {
    expect((await get(`/memories?as_of=${moment}`)).status).toBe(422);
    expect((await post('/recall', { query: 'x', as_of: moment })).body.errors[0].where).toBe('body/as_of');
  });
});

describe('what has ended', () => {
  test('ranks behind what holds, and contexts say until when it held', async () => {
    const ended = await idOf({ content: 'The backup retention is 30 days.', valid_until: inHours(1) });
    const other = await idOf('The backup retention was discussed for 90 days.');
    await idOf({ content: 'The backup retention is 99 days.', valid_from: inHours(200) });
    const order = async () => (await ask(service, 'ann', 'What is the backup retention?')).memories.map(({ id }) => id);
    expect((await order()).indexOf(ended)).toBeLessThan((await order()).indexOf(other));
    service.clock.advance(HOUR);
    expect((await order()).indexOf(ended)).toBeGreaterThan((await order()).indexOf(other));
    const context = await contextOf('What is the backup retention?');
    expect(context).toContain('ann (held until 2026-11-21): The backup retention is 30 days.');
    expect(context).toContain('ann (holds from 2026-11-29): The backup retention is 99 days.');
  });

  test('is in no open contradiction, and in it again when that is taken back', async () => {
    const a = await idOf('Deploys to production need 2 approvals.');
    const b = await idOf('Deploys to production need 3 approvals.', 'bob');
    const pairs = async () =>
      (await post('/contradictions', { threshold: 0 })).body.contradictions.map(
        (one: { a: { memory_id: string }; b: { memory_id: string } }) => [one.a.memory_id, one.b.memory_id],
      );
    expect(await pairs()).toEqual([[a, b]]);
    await invalidate(a, { reason: 'Decided anew.' });
    expect(await pairs()).toEqual([]);
    const c = await idOf('Deploys to production need 4 approvals.', 'carol');
    expect(await pairs()).toEqual([[b, c]]);
    await put(a, { valid_until: null });
    expect((await pairs()).toSorted()).toEqual(
      [
        [a, b],
        [a, c],
        [b, c],
      ].toSorted(),
    );
  });

  test('joins no derived memory, and leaves the one that it is in', async () => {
    const ids: string[] = [];
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday']) {
      ids.push(await idOf(`The Kestrel deployment pipeline failed on ${day} during database migration.`));
    }
    const semantic = async () => (await get('/memories?kind=semantic')).body.memories;
    await post('/consolidate', {});
    expect((await semantic())[0].sources).toHaveLength(4);
    await invalidate(ids[0] as string, { reason: 'It was Sunday.' });
    expect((await semantic())[0].sources).toEqual(ids.slice(1));
    expect((await post('/consolidate', {})).body.report.changed).toBe(false);
    const [derived] = await semantic();
    const refused = [await invalidate(derived.id, { reason: 'x' }), await put(derived.id, { valid_until: inHours(1) })];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, 'validity_of_sources']));
  });
});

describe('POST /memory/{id}/invalidate', () => {
  test('refuses an end before what it says begins to hold', async () => {
    const { body } = await post('/ingest', { content: 'The lamp needs 40 watts.', valid_from: inHours(2) });
    const answer = await invalidate(body.memory.id, { reason: 'x', at: inHours(1) });
    expect([answer.status, answer.body.errors?.[0]?.where]).toEqual([422, 'body/at']);
  });

  test('ends a memory, says who and why, and keeps it', async () => {
    const id = await idOf('The backup retention is 30 days.');
    service.clock.advance(HOUR);
    const answer = await invalidate(id, { reason: ' The contract ended. ' }, 'bob');
    const ended = {
      valid_until: inHours(1),
      invalidation: { agent_id: 'bob', at: inHours(1), reason: 'The contract ended.' },
    };
    expect([answer.status, answer.body.memory]).toEqual([200, expect.objectContaining(ended)]);
    expect(answer.headers.etag).toBe((await get(`/memory/${id}`)).headers.etag);
    service.clock.advance(HOUR);
    const again = await invalidate(id, { reason: 'The contract ended.' }, 'bob');
    expect([again.headers.etag, again.body.memory]).toEqual([answer.headers.etag, expect.objectContaining(ended)]);
    const back = await put(id, { valid_until: null });
    expect(back.body.memory).toMatchObject({ valid_until: null, invalidation: null });
  });

  test('takes the moment that it is told, and leaves an earlier end where it is', async () => {
    const id = await idOf({ content: 'The backup retention is 30 days.', valid_until: inHours(1) });
    service.clock.advance(2 * HOUR);
    expect((await invalidate(id, { reason: 'Ended.' })).body.memory.valid_until).toBe(inHours(1));
    expect((await invalidate(id, { reason: 'Ended.', at: inHours(-5) })).body.memory.valid_until).toBe(inHours(-5));
    expect((await invalidate(id, { reason: 'Ended.', at: inHours(50) })).body.memory.valid_until).toBe(inHours(50));
  });

  test('ends now what was to end later, also for the same reason', async () => {
    const id = await idOf('The backup retention is 30 days.');
    await invalidate(id, { reason: 'The contract ends.', at: inHours(50) });
    service.clock.advance(HOUR);
    const answer = await invalidate(id, { reason: 'The contract ends.' });
    expect(answer.body.memory.valid_until).toBe(inHours(1));
  });

  test('ends what was to begin later', async () => {
    const id = await idOf({ content: 'The backup retention is 30 days.', valid_from: inHours(5) });
    expect((await invalidate(id, { reason: 'Called off.' })).body.memory).toMatchObject({
      valid_from: inHours(5),
      valid_until: inHours(0),
    });
  });

  test('honours If-Match, and says no to what is no reason or no moment', async () => {
    const id = await idOf('The backup retention is 30 days.');
    const stale = await invalidate(id, { reason: 'x' }).set('If-Match', '"0"');
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    const { etag } = (await get(`/memory/${id}`)).headers;
    for (const body of [
      {},
      { reason: '' },
      { reason: '\t' },
      { reason: 'x'.repeat(1_001) },
      { reason: 'x', at: 'soon' },
    ]) {
      expect((await invalidate(id, body)).status).toBe(422);
    }
    expect((await invalidate(id, { reason: ' ' })).body.detail).toContain('body/reason must not be blank');
    expect((await get(`/memory/${id}`)).headers.etag).toBe(etag);
    expect((await invalidate(id, { reason: 'x' }).set('If-Match', etag as string)).status).toBe(200);
  });
});

describe('supersedes', () => {
  test('puts the new memory in the place of others, with who, when and why', async () => {
    const old = [await idOf('The backup retention is 30 days.'), await idOf('Backups are kept for 30 days.', 'bob')];
    service.clock.advance(HOUR);
    const id = await idOf({ content: 'The backup retention is 90 days.', supersedes: old }, 'carol');
    for (const one of old) {
      expect(await memoryOf(one)).toMatchObject({
        superseded_by: id,
        supersession: { agent_id: 'carol', at: inHours(1), reason: 'said anew' },
      });
    }
  });

  test('brings the new one with the old one, whatever its own words say of the question', async () => {
    const old = await idOf('The choir rehearses in the blue hall on Mondays.');
    service.clock.advance(HOUR);
    await idOf({ content: 'From now on it is Tuesdays, in Almada.', supersedes: [old] });
    const query = 'When does the choir rehearse in the blue hall?';
    const lines = (await contextOf(query)).split('\n').filter((line: string) => line.startsWith('- '));
    expect(lines).toEqual([
      expect.stringContaining('(superseded): The choir rehearses'),
      expect.stringContaining('From now on it is Tuesdays'),
    ]);
    const { memories } = await ask(service, 'ann', { query });
    expect(memories.map(({ relevance }: { relevance: string }) => relevance)).toEqual(['high', 'high']);
    // Of a moment before that only the old one is there.
    expect(await contextOf(query, { as_of: inHours(0.5) })).not.toContain('Tuesdays');
  });

  test('brings the last one with the old one where others are better answers, unless the request leaves it out', async () => {
    const old = await idOf({ content: 'The choir rehearses in the blue hall on Mondays.', tags: ['choir'] });
    const query = 'When does the choir rehearse in the blue hall?';
    service.clock.advance(HOUR);
    const next = await idOf({ content: 'From now on it is Tuesdays, in Almada.', supersedes: [old] });
    service.clock.advance(HOUR);
    await idOf({ content: 'It is Fridays by now, in Lisbon.', supersedes: [next], tags: ['choir'] });
    for (const hall of ['red', 'green', 'old', 'new']) await idOf(`The choir of the ${hall} hall sings in May.`);
    const told = async (more: object) =>
      (await contextOf(query, { top_k: 2, ...more })).split('\n').filter((line: string) => /rehearses| is /.test(line));
    const [first, last] = [expect.stringContaining('(superseded): The choir'), expect.stringContaining('Fridays')];
    expect(await told({})).toEqual([first, last]);
    expect(await told({ tags: ['choir'] })).toEqual([first, last]);
    expect(await told({ max_context_chars: 190 })).toEqual([last]);
    expect(await told({ until: inHours(1) })).toEqual([first]);
    expect(await told({ until: inHours(1.5) })).toEqual([first, expect.stringContaining('Tuesdays')]);
    expect(await told({ as_of: inHours(0.5) })).toEqual([expect.stringContaining('ann: The choir rehearses')]);
  });

  test('is for own memories behind a gateway, unless an administrator asks', async () => {
    const gated = await startTestService({ embedder: null, config: { trustIdentityHeader: true } });
    const tell = async (agent: string, role: string, body: object) =>
      (await as(agent, supertest(gated.app).post('/ingest')).set('X-Role', role).send(body)).body;
    const { memory: own } = await tell('ann', 'agent-rw', { content: 'The gate opens at seven.' });
    const next = { content: 'The gate opens at eight.', supersedes: [own.id] };
    expect(await tell('bob', 'agent-rw', next)).toMatchObject({ status: 403, code: 'not_the_creator' });
    expect(await tell('ann', 'agent-rw', next)).toMatchObject({ memory: { content: next.content } });
    const third = { content: 'The gate opens at nine.', supersedes: [own.id] };
    expect(await tell('bob', 'team-admin', third)).toMatchObject({ memory: { content: third.content } });
    await gated.close();
  });

  test('stores nothing where it names what is not there, not visible, or must not be superseded', async () => {
    const open = await idOf('The backup retention is 30 days.');
    const hidden = await idOf({ content: 'The backup retention hides 30 days.', scope: 'PRIVATE' }, 'bob');
    const unknown = await post('/ingest', { content: 'It is 90 days.', supersedes: [open, hidden, 'none'] });
    expect([unknown.status, unknown.body.errors.map(({ where }: { where: string }) => where)]).toEqual([
      422,
      ['body/supersedes/1', 'body/supersedes/2'],
    ]);
    expect(unknown.body.detail).toContain(`'${hidden}' is no memory that you may see`);
    const closed = await post('/ingest', { content: 'It is 90 days.', supersedes: [open], scope: 'PRIVATE' });
    expect([closed.status, closed.body.code]).toEqual([409, 'private_winner']);
    expect((await get('/memories')).body.total).toBe(1);
    expect((await memoryOf(open)).superseded_by).toBeNull();
  });

  test('of words that are there already puts the memory that has them in place, once', async () => {
    const old = await idOf('The backup retention is 30 days.');
    const known = await idOf('The backup retention is 90 days.');
    const repeat = { content: 'The backup retention is 90 days.', supersedes: [old], idempotency_key: 'k' };
    expect(await say(service, 'ann', repeat)).toMatchObject({ duplicate: true, memory: { id: known } });
    const { etag } = (await get(`/memory/${old}`)).headers;
    expect(await memoryOf(old)).toMatchObject({ superseded_by: known });
    await say(service, 'ann', repeat);
    expect((await get(`/memory/${old}`)).headers.etag).toBe(etag);
    const back = await post('/ingest', { content: 'The backup retention is 30 days.', supersedes: [known] });
    // It goes back to what it was.
    expect([back.body.memory.superseded_by, (await memoryOf(known)).superseded_by]).toEqual([null, old]);
    const itself = await post('/ingest', { content: 'The backup retention is 30 days.', supersedes: [old] });
    expect([itself.status, itself.body.code]).toEqual([409, 'superseded_in_a_circle']);
    expect(itself.body.detail).toBe(
      `Memory '${old}' says just this: no memory takes its own place, leave it out of supersedes.`,
    );
  });

  test('goes back to what was said before several others, each in the place of the last', async () => {
    const green = await idOf('The deploy is green.');
    const red = await idOf({ content: 'The deploy is red.', supersedes: [green] });
    const yellow = await idOf({ content: 'The deploy is yellow.', supersedes: [red] });
    const back = await post('/ingest', { content: 'The deploy is green.', supersedes: [yellow] });
    expect([back.status, back.body]).toMatchObject([
      200,
      { duplicate: true, memory: { id: green, superseded_by: null } },
    ]);
    expect(back.body.already_superseded).toBeUndefined();
    expect([(await memoryOf(yellow)).superseded_by, (await memoryOf(red)).superseded_by]).toEqual([green, yellow]);
  });

  test('tells what was in the place of a memory before and holds beside the new one, until that is superseded too', async () => {
    const first = await idOf('The stand-up is at 9:00.');
    const second = await idOf({ content: 'The stand-up is at 10:00.', supersedes: [first] });
    const third = await idOf({ content: 'The stand-up is at 9:30.', supersedes: [second] }, 'bob');
    const fourth = { content: 'The stand-up is at 9:15.', supersedes: [first] };
    const by = {
      id: third,
      agent_id: 'bob',
      name: null,
      gist: 'The stand-up is at 9:30.',
      created_at: inHours(0),
    };
    const told = await say(service, 'ann', fourth);
    expect(told).toMatchObject({ duplicate: false, already_superseded: [{ id: first, by }] });
    const again = await say(service, 'ann', { ...fourth, supersedes: [third] });
    expect(again).toMatchObject({ duplicate: true, memory: { id: told.memory.id } });
    expect(again).not.toHaveProperty('already_superseded');
    expect((await memoryOf(third)).superseded_by).toBe(told.memory.id);
  });

  test('tells it again to a repeat under the key of the message, as long as both hold', async () => {
    const first = await idOf('The stand-up is at 9:00.');
    const second = await idOf({ content: 'The stand-up is at 10:00.', supersedes: [first] });
    const other = await idOf('The stand-up is in room 4.');
    const third = { content: 'The stand-up is at 9:15.', supersedes: [first, other], idempotency_key: 'k' };
    const told = await say(service, 'ann', third);
    const already_superseded = [{ id: first, by: expect.objectContaining({ id: second }) }];
    expect(told).toMatchObject({ duplicate: false, already_superseded });
    expect(await say(service, 'ann', third)).toMatchObject({ duplicate: true, already_superseded });
    await say(service, 'ann', { content: third.content, supersedes: [second] });
    expect(await say(service, 'ann', third)).not.toHaveProperty('already_superseded');
    await put(second, { superseded_by: null });
    expect(await say(service, 'ann', third)).toMatchObject({ duplicate: true, already_superseded });
    await put(first, { superseded_by: null });
    expect(await say(service, 'ann', third)).not.toHaveProperty('already_superseded');
  });

  test('tells of none that does not hold beside the new one', async () => {
    const [a, b] = [await idOf('The stand-up is at 9:00.'), await idOf('The demo is on Monday.')];
    const next = await idOf({ content: 'The stand-up is at 10:00.', supersedes: [a] });
    // All of the line is named.
    const all = await say(service, 'ann', { content: 'The stand-up is at 9:30.', supersedes: [a, next] });
    expect(all).not.toHaveProperty('already_superseded');
    // The one that took its place holds no longer.
    await idOf({ content: 'The demo is on Friday.', supersedes: [b], valid_until: inHours(1) });
    service.clock.advance(2 * HOUR);
    const demo = await say(service, 'ann', { content: 'The demo is on Tuesday.', supersedes: [b] });
    expect(demo).not.toHaveProperty('already_superseded');
    // The new one is the old one, which is in the place of its own successor again.
    const back = await say(service, 'ann', { content: 'The stand-up is at 10:00.', supersedes: [all.memory.id, a] });
    expect(back).toMatchObject({ memory: { id: next, superseded_by: null } });
    expect(back).not.toHaveProperty('already_superseded');
  });

  test('is compared under a known key, in any order: 409 names it', async () => {
    const [a, b] = [await idOf('The backup retention is 30 days.'), await idOf('Backups are kept for a month.')];
    const request = { content: 'The backup retention is 90 days.', supersedes: [a, b], idempotency_key: 'k' };
    const memory = await idOf(request);
    expect((await say(service, 'ann', { ...request, supersedes: [b, a] })).memory.id).toBe(memory);
    for (const supersedes of [[a], []]) {
      const { status, body } = await post('/ingest', { ...request, supersedes });
      expect([status, body.detail]).toEqual([409, expect.stringContaining('differs in supersedes:')]);
    }
    const plain = { content: 'Deploys are on Monday.', idempotency_key: 'p' };
    await idOf(plain);
    const later = await post('/ingest', { ...plain, supersedes: [a] });
    expect([later.status, later.body.detail]).toEqual([409, expect.stringContaining('differs in supersedes:')]);
  });

  test('a repeated request under its key changes nothing, whatever came since', async () => {
    const old = await idOf('The backup retention is 30 days.');
    const request = { content: 'The backup retention is 90 days.', supersedes: [old], idempotency_key: 'k' };
    await idOf(request);
    await put(old, { superseded_by: null });
    expect((await say(service, 'ann', request)).duplicate).toBe(true);
    expect((await memoryOf(old)).superseded_by).toBeNull();
  });

  test('is taken back by an edit, which opens the contradiction again where it was decided in one', async () => {
    const a = await idOf('Deploys to production need 2 approvals.');
    const b = await idOf('Deploys to production need 3 approvals.', 'bob');
    const open = async () => (await post('/contradictions', { threshold: 0 })).body.contradictions;
    const [{ id }] = (await open()) as [{ id: string }];
    await post(`/contradictions/${id}/resolve`, { winner: b, note: 'Bob knows.' });
    expect([await open(), await memoryOf(a)]).toEqual([
      [],
      expect.objectContaining({ superseded_by: b, supersession: expect.objectContaining({ reason: 'Bob knows.' }) }),
    ]);
    // What is wrong in the same request leaves the decision as it is.
    expect((await put(a, { superseded_by: null, expires_at: inHours(-1) })).status).toBe(422);
    const { etag } = (await get(`/memory/${a}`)).headers;
    const stale = await put(a, { superseded_by: null }).set('If-Match', '"0"');
    expect([stale.status, await open()]).toEqual([412, []]);
    const undone = await put(a, { superseded_by: null, importance: 0.9 }).set('If-Match', etag as string);
    expect(undone.body.memory).toMatchObject({ superseded_by: null, supersession: null, importance: 0.9 });
    expect(await open()).toMatchObject([{ id, state: 'open', decision: null }]);
    const versions = async () => (await get(`/memory/${a}/history`)).body.versions;
    expect((await versions()).map(({ operation }: { operation: string }) => operation)).toEqual(['edit', 'resolve']);
    // A revert to what it was before the decision is the same.
    await post(`/contradictions/${id}/resolve`, { winner: b });
    const [decided] = await versions();
    await post(`/memory/${a}/revert`, { version: decided.version });
    expect([(await memoryOf(a)).superseded_by, await open()]).toEqual([
      null,
      [expect.objectContaining({ id, state: 'open', decision: null })],
    ]);
    const recalled = await post('/recall', { query: 'How many approvals do deploys to production need?' });
    expect(recalled.body.context).toContain('\n- undecided: ');
  });
});
