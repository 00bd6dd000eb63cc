import { atOnce, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import supertest from 'supertest';
import { namedDaysInSteps } from '../../src/domain/text/days/named-days.ts';
import { sharedDatabases } from '../persistence/postgres/shared-databases.ts';
import { closeFastEmbedder, START_MS, say, startTestService, type TestService } from '../start-service.ts';
import { servicesOnDisk } from './services-on-disk.ts';
import { shareService } from './shared-service.ts';

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly first_day: string;
  readonly last_day: string;
  readonly recurring: boolean;
  readonly called_off: boolean;
}
interface Agenda {
  readonly first_day: string;
  readonly last_day: string;
  readonly days: readonly { readonly day: string; readonly total: number; readonly memories: readonly Entry[] }[];
  readonly months: readonly { readonly month: string; readonly total: number; readonly memories: readonly Entry[] }[];
}

const DAY_MS = 86_400_000;
const WITHOUT_MODEL = { embedder: null };

async function agenda(service: Pick<TestService, 'app'>, query = '', agent = 'ann'): Promise<Agenda> {
  const answer = await supertest(service.app).get(`/memories/agenda?${query}`).set('X-Agent-ID', agent);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
}

/** The texts of each day. */
async function days(service: Pick<TestService, 'app'>, query = '', agent = 'ann') {
  const told = await agenda(service, query, agent);
  return Object.fromEntries(told.days.map(({ day, memories }) => [day, memories.map(({ text }) => text)]));
}

/** It starts on Saturday 21 November 2026, at 9:30. */
describe('the agenda', () => {
  let service: TestService;
  shareService((started) => {
    service = started;
  }, WITHOUT_MODEL);
  const call = (method: 'put' | 'post' | 'delete', path: string, body: object = {}) =>
    supertest(service.app)[method](path).set('X-Agent-ID', 'ann').send(body).expect(200);

  test('tells which day has what, however the day was named', async () => {
    await say(service, 'ann', {
      content: 'Dentist tomorrow at 9.',
      name: 'Dana',
      role: 'user',
      timestamp: '2026-11-21',
    });
    await say(service, 'bob', { content: 'The release is on Sunday, 22 November.', timestamp: '2026-11-10' });
    await say(service, 'bob', 'Demo for Halden on 24 Nov.');
    const { memory } = await say(service, 'ann', 'Nobody knows when the lift is mended.');
    const told = await agenda(service);
    expect(told).toMatchObject({ first_day: '2026-11-21', last_day: '2026-12-04', months: [] });
    expect(told.days.map(({ day, total }) => [day, total])).toEqual([
      ['2026-11-22', 2],
      ['2026-11-24', 1],
    ]);
    expect(told.days[0]?.memories[0]).toEqual({
      id: expect.any(String),
      text: 'Dentist tomorrow at 9.',
      first_day: '2026-11-22',
      last_day: '2026-11-22',
      recurring: false,
      called_off: false,
      agent_id: 'ann',
      name: 'Dana',
      role: 'user',
      source: 'user',
      scope: 'TEAM',
      project: null,
      created_at: '2026-11-21T00:00:00.000Z',
    });
    expect(JSON.stringify(told)).not.toContain(memory.id);
  });

  test('has longer times on each of their days, behind what is on that day alone, and weekly things last', async () => {
    await say(service, 'ann', 'Retro every Wednesday at 14:00.');
    await say(service, 'ann', 'The fair is next week.');
    await say(service, 'bob', { content: 'Board meeting on 25 November.', timestamp: '2026-11-20' });
    const told = await agenda(service, 'from=2026-11-23&to=2026-12-02');
    const day = (name: string) => told.days.find((one) => one.day === name)?.memories;
    expect(day('2026-11-25')).toMatchObject([
      { text: 'Board meeting on 25 November.', first_day: '2026-11-25', last_day: '2026-11-25', recurring: false },
      { text: 'The fair is next week.', first_day: '2026-11-23', last_day: '2026-11-29', recurring: false },
      { text: 'Retro every Wednesday at 14:00.', first_day: '2026-11-25', last_day: '2026-11-25', recurring: true },
    ]);
    expect(told.days.map(({ day: name }) => name)).toEqual([
      ...[23, 24, 25, 26, 27, 28, 29].map((number) => `2026-11-${number}`),
      '2026-12-02',
    ]);
    // Nobody knows whether it was so before it was said.
    expect(await days(service, 'from=2026-11-01&to=2026-11-22')).toEqual({});
  });

  test('counts what names a day and a weekday once, as of the day', async () => {
    await say(service, 'ann', 'Retro every Thursday, the next one on 26 November.');
    const told = await agenda(service, 'days=14');
    expect(
      told.days.map(({ day, total, memories }) => [day, total, memories.map(({ recurring }) => recurring)]),
    ).toEqual([
      ['2026-11-26', 1, [false]],
      ['2026-12-03', 1, [true]],
    ]);
  });

  test('says of a day what is called off on it, and has no day that is an exception', async () => {
    await say(service, 'ann', 'Stand-up every weekday at 9:15.');
    await say(service, 'bob', 'No stand-up on Tuesday, the room is taken.');
    await say(service, 'bob', "Wednesday's review moved to Thursday.");
    await say(service, 'ann', 'Yoga on Tuesdays except 24 November.');
    await say(service, 'ann', 'Away from 30 November to 3 December, but not on 1 December.');
    const told = await agenda(service, 'from=2026-11-24&to=2026-12-01');
    const seen = told.days.map(({ day, total, memories }) => [
      day.slice(-2),
      total,
      ...memories.map(({ text, called_off }) => `${called_off ? 'no ' : ''}${text.split(' ')[0]}`),
    ]);
    expect(seen).toEqual([
      ['24', 2, 'no No', 'Stand-up'],
      ['25', 2, "no Wednesday's", 'Stand-up'],
      ['26', 2, "Wednesday's", 'Stand-up'],
      ['27', 1, 'Stand-up'],
      ['30', 2, 'Away', 'Stand-up'],
      ['01', 2, 'Yoga', 'Stand-up'],
    ]);
  });

  test('has what happens until a day, or from one on, on no other day', async () => {
    await say(service, 'ann', 'Choir every Tuesday until 8 December.');
    await say(service, 'ann', 'The market is every Wednesday from 2 December.');
    const of = async (query: string) => (await agenda(service, query)).days.map(({ day }) => day.slice(5));
    expect(await of('days=40')).toEqual([...['11-24', '12-01', '12-02', '12-08', '12-09', '12-16', '12-23', '12-30']]);
  });

  test('has what happens every other week in its weeks where a day of it is known, else in each', async () => {
    await say(service, 'ann', 'Book club every other Tuesday from 3 November.');
    await say(service, 'ann', 'Planning biweekly on Mondays.');
    await say(
      service,
      'ann',
      'The board meets on the first Thursday of each month, the crew on the last Friday of every month.',
    );
    const told = await agenda(service, 'from=2026-11-21&to=2026-12-08');
    expect(
      told.days.map(({ day, memories: [entry] }) => [day.slice(5), entry?.text.split(' ')[0], entry?.recurring]),
    ).toEqual([
      ['11-23', 'Planning', true],
      ['11-27', 'The', true],
      ['11-30', 'Planning', true],
      ['12-01', 'Book', true],
      ['12-03', 'The', true],
      ['12-07', 'Planning', true],
    ]);
  });

  test('has months as a whole apart, each that a day of it was asked for', async () => {
    await say(service, 'ann', 'In December we move offices.');
    await say(service, 'ann', 'In January the lease ends.');
    expect(await agenda(service, 'days=10')).toMatchObject({ days: [], months: [] });
    expect((await agenda(service, 'days=11')).months).toMatchObject([
      { month: '2026-12', total: 1, memories: [{ first_day: '2026-12-01', last_day: '2026-12-31', recurring: false }] },
    ]);
    expect((await agenda(service, 'days=62')).months.map(({ month }) => month)).toEqual(['2026-12', '2027-01']);
  });

  test('has what happens each day, and on a day of each month, from when it was said', async () => {
    await say(service, 'ann', { content: 'Rent is due on the 23rd of each month.', timestamp: '2026-11-01' });
    await say(service, 'ann', 'Stand-up every weekday at 9:15.');
    await say(service, 'ann', 'Inventory each Wednesday and every month on the 23rd.');
    const told = await agenda(service, 'from=2026-11-21&to=2026-12-23&limit=3');
    const monday = told.days.find(({ day }) => day === '2026-11-23');
    expect([monday?.total, monday?.memories.map(({ text, recurring }) => [text.split(' ')[0], recurring])]).toEqual([
      3,
      [
        ['Inventory', true],
        ['Stand-up', true],
        ['Rent', true],
      ],
    ]);
    const wednesday = told.days.find(({ day }) => day === '2026-12-23');
    expect([wednesday?.total, wednesday?.memories.length]).toEqual([3, 3]);
    expect(told.days.some(({ day }) => day === '2026-11-28')).toBe(false);
  });

  test('takes a year below 100 for no year of the last century', async () => {
    await say(service, 'ann', 'The bridge was built in January 1950.');
    expect((await agenda(service, 'from=1950-01-05&days=1')).months).toMatchObject([{ month: '1950-01', total: 1 }]);
    expect((await agenda(service, 'from=0050-01-05&days=1')).months).toEqual([]);
  });

  test('has a quarter at each of its months, behind what names the month', async () => {
    await say(service, 'ann', 'In January the lease ends.');
    await say(service, 'ann', 'The new warehouse opens in Q1 2027.');
    const { months } = await agenda(service, 'from=2027-01-15&to=2027-03-01');
    const seen = months.map(({ month, total, memories }) => [
      month,
      total,
      memories.map((one) => [one.text.slice(0, 14), one.first_day, one.last_day]),
    ]);
    const quarter = ['The new wareho', '2027-01-01', '2027-03-31'];
    expect(seen).toEqual([
      ['2027-01', 2, [['In January the', '2027-01-01', '2027-01-31'], quarter]],
      ['2027-02', 1, [quarter]],
      ['2027-03', 1, [quarter]],
    ]);
  });

  test('goes over ends of months and years, and leap days', async () => {
    await say(service, 'ann', 'The fireworks are from 31 December to 1 January.');
    expect(Object.keys(await days(service, 'from=2026-12-31&to=2027-01-01'))).toEqual(['2026-12-31', '2027-01-01']);
    const longest = await agenda(service, 'days=62');
    expect([longest.first_day, longest.last_day]).toEqual(['2026-11-21', '2027-01-21']);
    expect((await agenda(service, 'from=2026-11-21&to=2027-01-21')).days).toEqual(longest.days);
    service.clock.set(Date.parse('2028-02-27T23:59:59Z'));
    await say(service, 'ann', 'The audit is tomorrow.');
    await say(service, 'ann', 'We are closed on 29 February and 1 March.');
    expect(Object.keys(await days(service, 'days=4'))).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  });

  test.each([
    ['days=0', 'invalid_request', 'days'],
    ['days=63', 'invalid_request', 'days'],
    ['limit=101', 'invalid_request', 'limit'],
    ['from=tomorrow', 'invalid_input', "query/from 'tomorrow' is no day of the calendar: send one such as 2026-11-30."],
    ['from=2026-11-21T10:00:00Z', 'invalid_input', "'2026-11-21T10:00:00Z' is no day"],
    ['from=2026-02-29', 'invalid_input', "query/from '2026-02-29' is no day of the calendar"],
    ['to=2026-11-31', 'invalid_input', "query/to '2026-11-31' is no day of the calendar"],
    ['to=2026-11-20', 'invalid_input', 'query/to must not be before from, which is 2026-11-21.'],
    ['to=2027-01-22', 'invalid_input', 'query/to must be 2027-01-21 at the latest, the last of 62 days.'],
    ['to=2026-11-30&days=3', 'invalid_input', 'query/days cannot stand beside to: send one of the two.'],
    ['from=9999-12-31', 'invalid_input', 'query/days go beyond the year 9999.'],
    ['as_of=soon', 'invalid_input', "query/as_of: 'soon' is not an instant"],
  ])('refuses %s', async (query, code, detail) => {
    const { status, body } = await supertest(service.app).get(`/memories/agenda?${query}`);
    expect([status, body.code]).toEqual([422, code]);
    expect(body.detail).toContain(detail);
  });

  test('has no more of a day than asked, the newest first, and says how many there are', async () => {
    for (const place of [1, 3, 2])
      await say(service, 'ann', { content: `Talk ${place} is on 24 November.`, timestamp: `2026-11-1${place}` });
    await say(service, 'ann', 'Stand-up every Tuesday.');
    const [day] = (await agenda(service, 'limit=2')).days;
    expect([day?.total, day?.memories.map(({ text }) => text)]).toEqual([
      4,
      ['Talk 3 is on 24 November.', 'Talk 2 is on 24 November.'],
    ]);
    const [whole] = (await agenda(service, 'limit=4')).days;
    expect(whole?.memories.map(({ text }) => text)).toEqual([
      ...[3, 2, 1].map((place) => `Talk ${place} is on 24 November.`),
      'Stand-up every Tuesday.',
    ]);
  });

  test('has what a letter of 200,000 characters names at its end', async () => {
    const audit = 'The audit is on 24 November.';
    const letter = `Dear all. ${'Nothing of this names a time. '.repeat(6_666)}`.slice(0, 199_900);
    await say(service, 'ann', `${letter.trimEnd()}. ${audit}`);
    expect(await days(service)).toEqual({ '2026-11-24': [`Dear all. … ${audit}`] });
  });

  test('leaves out what only asks', async () => {
    await say(service, 'ann', 'What is on tomorrow?');
    await say(service, 'ann', 'Can we meet on Sunday?');
    await say(service, 'ann', 'The van comes on 22 November, can you be there?');
    expect(await days(service)).toEqual({ '2026-11-22': ['The van comes on 22 November, can you be there?'] });
  });

  test('leaves out what no longer holds, and tells what held at another moment', async () => {
    const { memory: moved } = await say(service, 'ann', 'The review is on 24 November.');
    const { memory: cancelled } = await say(service, 'ann', 'The workshop is on 25 November.');
    await say(service, 'ann', { content: 'Ask Ann for the code on 26 November.', expires_at: '2026-11-22T00:00:00Z' });
    service.clock.advance(3_600_000);
    await say(service, 'ann', { content: 'The review moved to 27 November.', supersedes: [moved.id] });
    await call('post', `/memory/${cancelled.id}/invalidate`, { reason: 'Too few came.' });
    const before = Object.keys(await days(service, `as_of=${new Date(START_MS + 1_000).toISOString()}`));
    expect(before).toEqual(['2026-11-24', '2026-11-25', '2026-11-26']);
    expect(Object.keys(await days(service))).toEqual(['2026-11-26', '2026-11-27']);
    service.clock.advance(DAY_MS);
    expect(Object.keys(await days(service))).toEqual(['2026-11-27']);
  });

  test('has a memory on no day on which it does not hold', async () => {
    const holds = { valid_from: '2026-11-24T00:00:00Z', valid_until: '2026-12-15T00:00:00Z' };
    await say(service, 'ann', { content: 'Stand-up every Tuesday.', ...holds });
    await say(service, 'ann', { content: 'The hall is closed from 14 to 16 December.', ...holds });
    expect(Object.keys(await days(service, 'days=62'))).toEqual([
      '2026-11-24',
      '2026-12-01',
      '2026-12-08',
      '2026-12-14',
    ]);
    const untilNoon = { content: 'Cake on 23 November.', valid_until: '2026-11-23T12:00:00Z' };
    await say(service, 'ann', untilNoon);
    expect(await days(service, 'days=3')).toEqual({ '2026-11-23': [untilNoon.content] });
  });

  test('follows what becomes of a memory', async () => {
    const { memory } = await say(service, 'ann', 'The review is on 24 November.');
    await call('put', `/memory/${memory.id}`, { gist: 'The review is on 26 November.' });
    expect(await days(service)).toEqual({ '2026-11-26': ['The review is on 26 November.'] });
    await call('put', `/memory/${memory.id}`, { gist: 'The review has no day yet.' });
    expect(await days(service)).toEqual({});
    const { memory: other } = await say(service, 'ann', 'The party is on 28 November.');
    expect(Object.keys(await days(service))).toEqual(['2026-11-28']);
    await call('delete', `/memory/${other.id}?erase=true`);
    expect(await days(service)).toEqual({});
    const record = { id: other.id.replace('8000', '9000'), content: 'Brought: the fair is on 29 November.' };
    await call('post', '/merge', { memories: [{ ...record, agent_id: 'bob', created_at: '2026-11-20T10:00:00Z' }] });
    expect(await days(service)).toEqual({ '2026-11-29': [record.content] });
  });

  test('has once what is said twice, and what is made of both', async () => {
    const twice = { content: 'The fire drill is on 24 November at ten in the yard.', timestamp: '2026-11-19' };
    await say(service, 'ann', twice);
    await say(service, 'bob', { ...twice, content: 'The fire drill is on 24 November at ten, in the yard.' });
    await call('post', '/consolidate', { prune: false });
    const [day] = (await agenda(service)).days;
    expect([day?.day, day?.total, day?.memories.length]).toEqual(['2026-11-24', 1, 1]);
  });

  test('shows what the caller may see, of one author where it names one', async () => {
    await say(service, 'ann', { content: 'My salary talk is on 23 November.', scope: 'PRIVATE' });
    await say(service, 'bob', { content: 'Shop: the sale is on 24 November.', project: 'shop' });
    await say(service, 'bob', {
      content: 'All hands on 25 November.',
      scope: 'SHARED',
      project: 'shop',
      tags: ['all'],
    });
    const seen = async (query: string, agent = 'bob') => Object.keys(await days(service, query, agent));
    expect(await seen('')).toEqual(['2026-11-24', '2026-11-25']);
    expect(await seen('', 'ann')).toEqual(['2026-11-23', '2026-11-24', '2026-11-25']);
    expect(await seen('agent_id=ann')).toEqual([]);
    expect(await seen('agent_id=ann', 'ann')).toEqual(['2026-11-23']);
    expect(await seen('agent_id=*', 'ann')).toEqual(['2026-11-23', '2026-11-24', '2026-11-25']);
    expect(await seen('project=other')).toEqual(['2026-11-25']);
    expect(await seen('tag=all', 'ann')).toEqual(['2026-11-25']);
    expect(await seen('scope=PRIVATE', 'ann')).toEqual(['2026-11-23']);
    expect(await seen('session_id=none', 'ann')).toEqual([]);
    expect(await seen('space=elsewhere')).toEqual([]);
  });

  test('names in the log what it showed', async () => {
    const logged = await startTestService({ embedder: null, logLevel: 'info' });
    const { memory } = await say(logged, 'ann', 'The fair is next week.');
    await agenda(logged);
    expect(logged.lines.at(-1)).toMatchObject({ memory_ids: [memory.id] });
    await logged.close();
  });
});

/** In words that name a day of the next weeks, a weekday, a month, or nothing. */
const WORDS = fc.constantFrom(
  'tomorrow',
  'yesterday',
  'on Friday',
  'every Tuesday',
  'next week',
  'on 1 December',
  'in December',
  'until Thursday',
  'every Friday except 11 December',
  'not on Friday',
  'soon',
);
const SAID = fc.record({
  words: WORDS,
  agent: fc.constantFrom('ann', 'bob'),
  scope: fc.constantFrom('TEAM', 'PRIVATE'),
  daysAgo: fc.integer({ min: 0, max: 20 }),
  holdsForDays: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
});

test('the agenda tells what a look at each memory for each day tells', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(SAID, { maxLength: 12 }),
      fc.integer({ min: -10, max: 20 }),
      fc.integer({ min: 1, max: 30 }),
      async (said, start, count) => {
        const service = await startTestService(WITHOUT_MODEL);
        for (const [place, one] of said.entries()) {
          const saidAt = START_MS - one.daysAgo * DAY_MS;
          await say(service, one.agent, {
            content: `Number ${place} is ${one.words}.`,
            scope: one.scope,
            timestamp: new Date(saidAt).toISOString(),
            ...(one.holdsForDays !== null && {
              valid_until: new Date(saidAt + one.holdsForDays * DAY_MS).toISOString(),
            }),
          });
        }
        const from = new Date(START_MS + start * DAY_MS).toISOString().slice(0, 10);
        const told = await agenda(service, `from=${from}&days=${count}&limit=100`);
        const ids = Object.fromEntries(
          told.days.map(({ day, memories }) => [day, memories.map(({ id }) => id).sort()]),
        );
        const { body } = await supertest(service.app).get('/memories?limit=1000').set('X-Agent-ID', 'ann');
        expect(ids).toEqual(lookedUp(body.memories, Date.parse(from), count));
        expect(told.days.every(({ total, memories }) => total === memories.length)).toBe(true);
        await service.close();
      },
    ),
    { numRuns: 25 },
  );
});

interface Listed {
  readonly id: string;
  readonly content: string;
  readonly created_at: string;
  readonly valid_until: string | null;
}

function lookedUp(memories: readonly Listed[], from: number, count: number): Record<string, string[]> {
  const days = Array.from({ length: count }, (_, place) => from + place * DAY_MS);
  const named = days.map((day) => {
    const name = new Date(day).toISOString().slice(0, 10);
    const fitting = memories.filter(({ content, created_at, valid_until }) => {
      const saidAt = Date.parse(created_at);
      const terms = atOnce(namedDaysInSteps(content, saidAt));
      const isWeekly =
        terms.includes(`every=${new Date(day).getUTCDay()}`) && !terms.includes(`not=${name}`) && saidAt < day + DAY_MS;
      const until = valid_until === null ? Number.POSITIVE_INFINITY : Date.parse(valid_until);
      return (terms.includes(`on=${name}`) || isWeekly) && until > Math.max(day, START_MS);
    });
    return [name, fitting.map(({ id }) => id).sort()] as const;
  });
  return Object.fromEntries(named.filter(([, ids]) => ids.length > 0));
}

describe('the agenda of a store on disk', () => {
  const disk = servicesOnDisk();

  test.each([
    ['with a model', {}],
    ['without one', WITHOUT_MODEL],
  ])('is the same after a restart, saved or killed, %s', async (_how, options) => {
    const service = await disk.start(options);
    await say(service, 'ann', 'The review is on 24 November.');
    await say(service, 'bob', 'Stand-up every Tuesday.');
    await say(service, 'bob', { content: 'My talk is on 24 November.', scope: 'PRIVATE' });
    const told = await agenda(service);
    expect(told.days[0]?.total).toBe(2);
    const killed = await startTestService({ dataDir: disk.killed(), clock: disk.clock, ...options });
    expect(await agenda(killed)).toEqual(told);
    await killed.close();
    expect(await agenda(await disk.restarted(service, options))).toEqual(told);
  });
});

(hasPostgres() ? describe : describe.skip)('the agenda of replicas', () => {
  const databases = sharedDatabases();
  afterAll(closeFastEmbedder);

  test('has at one what was told to the other just before', async () => {
    const shared = { database: databases.database(), space: databases.newSpace() };
    const clock = new ManualClock(START_MS);
    const ids = timeOrderedIds(clock);
    const [one, other] = [
      await startTestService({ shared, clock, ids, ...WITHOUT_MODEL }),
      await startTestService({ shared, clock, ids, ...WITHOUT_MODEL }),
    ];
    const { memory } = await say(one, 'ann', 'The review is on 24 November.');
    expect(await days(other)).toEqual({ '2026-11-24': ['The review is on 24 November.'] });
    await supertest(other.app).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann').send({ gist: 'No review.' });
    expect(await days(one)).toEqual({});
    for (const service of [one, other]) await service.close();
  });
});
