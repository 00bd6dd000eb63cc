import { randomUUID } from 'node:crypto';
import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { hasPostgres, startPostgres } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { NO_METERS, openMemoryDatabase } from '../../src/persistence/postgres/memory-database.ts';
import { sharedDatabases } from '../persistence/postgres/shared-databases.ts';
import { ask, closeFastEmbedder, START_MS, say, startTestService, type TestService } from '../start-service.ts';

afterAll(closeFastEmbedder);

(hasPostgres() ? describe : describe.skip)('two replicas over one database', () => {
  const databases = sharedDatabases();
  const clock = new ManualClock(START_MS);
  let replicas: [TestService, TestService];
  const open = async () => {
    const shared = { database: databases.database(), space: 'default' };
    return await startTestService({ clock, ids: timeOrderedIds(clock), shared });
  };
  beforeAll(async () => {
    replicas = [await open(), await open()];
  });
  afterAll(async () => {
    for (const service of replicas) await service.close();
  });
  const each = async <Answer>(work: (service: TestService) => PromiseLike<Answer>) =>
    (await Promise.all(replicas.map(work))) as [Answer, Answer];
  const withoutTime = ({ text }: { text: string }) => text.replace(/"took_ms":[\d.]+/, '');

  test('a recall at one finds what was said to the other, as soon as it is answered', async () => {
    for (let number = 0; number < 20; number++) {
      const [writer, reader] = number % 2 ? replicas : ([replicas[1], replicas[0]] as const);
      const { memory } = await say(writer, 'ann', `The door number ${number} opens with the code ${number * 37}.`);
      const { memories } = await ask(reader, 'bob', `Which code opens the door number ${number}?`);
      expect(memories.map(({ id }) => id)).toContain(memory.id);
      expect((await supertest(reader.app).get(`/memory/${memory.id}`)).status).toBe(200);
    }
  });

  test('one key told to both at once becomes one memory, and both say which', async () => {
    for (let number = 0; number < 20; number++) {
      const message = { content: `The parcel ${number} has arrived.`, idempotency_key: `parcel-${number}` };
      const [one, other] = await each((service) => say(service, 'ann', message));
      expect(one.memory.id).toBe(other.memory.id);
      expect([one.duplicate, other.duplicate].sort()).toEqual([false, true]);
    }
  });

  test('of two edits of one version one is made', async () => {
    const { memory } = await say(replicas[0], 'ann', 'The lamp in the hall is broken.');
    const { etag } = (await supertest(replicas[1].app).get(`/memory/${memory.id}`)).headers as { etag: string };
    const edits = replicas.map(({ app }, at) =>
      supertest(app)
        .put(`/memory/${memory.id}`)
        .set('X-Agent-ID', 'ann')
        .set('If-Match', etag)
        .send({ importance: 0.2 + at / 2 }),
    );
    const answers = await Promise.all(edits);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = answers[0]?.status === 200 ? 0.2 : 0.7;
    const read = await each(({ app }) => supertest(app).get(`/memory/${memory.id}`));
    expect(read.map(({ body }) => body.memory.importance)).toEqual([won, won]);
  });

  test('what was superseded at one stays so at both while its successor is edited and reverted, until that is deleted', async () => {
    const [{ app: one }, { app: other }] = replicas;
    const { memory: old } = await say(replicas[0], 'ann', 'The bakery closes at six.');
    const { memory: next } = await say(replicas[1], 'ann', {
      content: 'The bakry closes at five.',
      supersedes: [old.id],
    });
    const successors = async () =>
      (await each(({ app }) => supertest(app).get(`/memory/${old.id}`))).map(({ body }) => body.memory.superseded_by);
    const path = `/memory/${next.id}`;
    await supertest(one).put(path).send({ gist: 'The bakery closes at five.' }).expect(200);
    expect(await successors()).toEqual([next.id, next.id]);
    const [edit] = (await supertest(other).get(`${path}/history`)).body.versions;
    await supertest(other).post(`${path}/revert`).send({ version: edit.version }).expect(200);
    expect(await successors()).toEqual([next.id, next.id]);
    await supertest(one).delete(path).expect(200);
    expect(await successors()).toEqual([null, null]);
  });

  test('what was deleted at one is gone at the other', async () => {
    const { memory } = await say(replicas[0], 'ann', 'The spare key lies under the blue flower pot.');
    const question = 'Where is the spare key?';
    expect((await ask(replicas[1], 'ann', question)).memories[0]?.id).toBe(memory.id);
    const path = `/memory/${memory.id}`;
    expect((await supertest(replicas[1].app).delete(path).set('X-Agent-ID', 'ann')).status).toBe(200);
    expect((await ask(replicas[0], 'ann', question)).memories.map(({ id }) => id)).not.toContain(memory.id);
    expect((await supertest(replicas[0].app).get(path)).status).toBe(404);
  });

  test('what is erased at one is not brought back by a revert at the other', async () => {
    const [{ app: one }, { app: other }] = replicas;
    for (let number = 0; number < 10; number++) {
      const { memory } = await say(replicas[0], 'eve', `The safe number ${number} opens with a turn.`);
      const path = `/memory/${memory.id}`;
      await supertest(other).delete(path).set('X-Agent-ID', 'eve').expect(200);
      const { versions } = (await supertest(one).get(`${path}/history`).set('X-Agent-ID', 'eve')).body;
      const [{ version }] = versions;
      const what = number % 2 ? path : '/memories/agent/eve';
      const erasing = supertest(one).delete(what).query({ erase: true }).set('X-Agent-ID', 'eve');
      const reverting = supertest(other).post(`${path}/revert`).set('X-Agent-ID', 'eve').send({ version });
      const [erased, reverted] = await Promise.all([erasing, reverting]);
      expect(erased.status).toBe(200);
      expect([200, 404]).toContain(reverted.status);
      for (const { app } of replicas) {
        expect((await supertest(app).get(path).set('X-Agent-ID', 'eve')).status).toBe(404);
        expect((await supertest(app).get(`${path}/history`).set('X-Agent-ID', 'eve')).status).toBe(404);
      }
    }
  });

  test('what is pruned at one is listed, restored, undone and erased at the other', async () => {
    const [{ app: one }, { app: other }] = replicas;
    const post = async (app: typeof one, path: string, body: object) =>
      (await supertest(app).post(path).set('X-Agent-ID', 'eve').send(body)).body;
    const pruned = async (app: typeof one) =>
      (await supertest(app).get('/pruned').set('X-Agent-ID', 'eve')).body.pruned.map(
        ({ memory }: { memory: { gist: string } }) => memory.gist,
      );
    const texts = ['Sounds good, see you!', 'Nothing new here.', 'The weather is fine.'];
    const old = { importance: 0.1, timestamp: '2026-01-05T10:00:00Z', scope: 'PRIVATE' };
    const ids: string[] = [];
    for (const [at, content] of texts.entries()) {
      const { memory } = await say(replicas[at % 2] as TestService, 'eve', { ...old, content, session_id: `s${at}` });
      ids.push(memory.id);
    }
    const { report } = await post(one, '/consolidate', { keep_per_agent: 0 });
    expect([report.pruned, report.prune_skipped]).toEqual([3, null]);
    for (const app of [one, other]) expect((await pruned(app)).sort()).toEqual([...texts].sort());
    expect(await post(other, '/pruned/restore', { ids: [ids[0]] })).toEqual({
      restored: [ids[0]],
      not_found: [],
      without_key: [],
    });
    const undo = `/consolidate/${report.run_id}/undo`;
    expect(await post(other, undo, { ids: [ids[1]] })).toMatchObject({ restored: [ids[1]], not_undone: [] });
    expect((await post(one, undo, {})).restored).toEqual([ids[2]]);
    for (const app of [one, other]) expect(await pruned(app)).toEqual([]);
    expect((await supertest(one).get(`/memory/${ids[2]}`).set('X-Agent-ID', 'eve')).status).toBe(200);
    // Nothing prunes again what came back, so a fourth one is erased in the archive.
    const { memory } = await say(replicas[1], 'eve', { ...old, content: 'Nightshade grows behind the shed.' });
    await post(other, '/consolidate', { keep_per_agent: 0 });
    expect(await pruned(one)).toEqual(['Nightshade grows behind the shed.']);
    const gone = await supertest(one).delete(`/memory/${memory.id}?erase=true`).set('X-Agent-ID', 'eve');
    expect(gone.status).toBe(200);
    const text = `SELECT (SELECT count(*) FROM memory.pruned WHERE body LIKE '%Nightshade%')::int AS pruned,
      (SELECT count(*) FROM memory.change WHERE body LIKE '%Nightshade%')::int AS lines`;
    expect((await databases.database().postgres.query({ text })).rows).toEqual([{ pruned: 0, lines: 0 }]);
    for (const id of ids) await supertest(one).delete(`/memory/${id}`).set('X-Agent-ID', 'eve');
  });

  test('both answer the same to the byte, and so does one that starts later', async () => {
    // What was told again is a recall, which is written a little later.
    await each(({ app }) => supertest(app).post('/save'));
    const third = await open();
    const questions = ['Which code opens the door number 7?', 'What has arrived?', 'Where is the spare key?'];
    for (const query of questions) {
      const answers = await Promise.all(
        [...replicas, third].map(({ app }) =>
          supertest(app).post('/recall').set('X-Agent-ID', 'new').send({ query, strengthen: false, explain: true }),
        ),
      );
      expect(answers[0]?.body.memories.length).toBeGreaterThan(0);
      const [first, ...others] = answers.map(withoutTime);
      for (const other of others) expect(other).toBe(first);
    }
    for (const path of ['/memories?limit=100', '/stats', '/export']) {
      const answers = await Promise.all([...replicas, third].map(({ app }) => supertest(app).get(path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [first, ...others] = answers.map(({ text }) => text);
      for (const other of others) expect(other).toBe(first);
    }
    await third.close();
  });

  test('one that starts from a checkpoint answers the same to the byte', async () => {
    const question = { query: 'Which code opens the door number 7?', strengthen: false, explain: true };
    const told = async ({ app }: TestService) => [
      withoutTime(await supertest(app).post('/recall').set('X-Agent-ID', 'newer').send(question)),
      ...(await Promise.all(
        ['/memories?limit=100', '/stats', '/export'].map(async (path) => (await supertest(app).get(path)).text),
      )),
    ];
    expect((await supertest(replicas[1].app).post('/save')).status).toBe(200);
    const later = await open();
    expect(later.opened.persistence.state()).toMatchObject({ unsavedChanges: 0, lastSavedAt: START_MS });
    expect(await told(later)).toEqual(await told(replicas[0]));
    await later.close();
  });

  test('a recall looks at the head once, and a message once before it is written', async () => {
    const { postgres } = databases.database();
    const asked = jest.spyOn(postgres, 'query');
    const namesOf = async (work: () => Promise<unknown>) => {
      asked.mockClear();
      await work();
      return asked.mock.calls.flatMap(([{ name }]) => (name?.match(/head|append|lines/) ? [name] : []));
    };
    // What runs by itself in the background looks too.
    const least = async (work: () => Promise<unknown>) => {
      const looks = [];
      for (let time = 0; time < 5; time++) looks.push(await namesOf(work));
      return looks.sort((one, other) => one.length - other.length)[0];
    };
    expect(await least(() => ask(replicas[0], 'ann', 'Which code opens the door number 7?'))).toEqual(['memory-head']);
    let number = 0;
    const telling = () => say(replicas[0], 'ann', `The door number ${++number} of the annex is blue.`);
    expect(await least(telling)).toEqual(['memory-head', 'memory-append']);
    asked.mockRestore();
  });

  test('tells a listener at one of what happens at the other', async () => {
    const { opened } = replicas[0];
    const told = new Promise((resolve) => opened.onChange(resolve));
    await say(replicas[1], 'ann', 'Somebody rang the bell.');
    expect(await told).toMatchObject({ kind: 'memory', before: null, after: { content: 'Somebody rang the bell.' } });
  });

  test('what has expired is erased at one with what it absorbed, and of the rows of both', async () => {
    const [{ app: one, opened }, { app: other }] = replicas;
    const hours = (count: number) => new Date(clock.now() + count * 3_600_000).toISOString();
    // No digits alone: an id or a vector may hold them by chance.
    for (const [word, path] of [
      ['qzuvix', '/memories/agent/bob'],
      ['qzuvox', null],
    ] as const) {
      const words = { content: `The guest entrance of the staging host is port ${word}.`, expires_at: hours(1) };
      const { memory: own } = await say(replicas[0], 'ann', words);
      clock.advance(1_000);
      const { memory: absorbed } = await say(replicas[1], 'bob', words);
      await supertest(other).post('/consolidate').set('X-Agent-ID', 'ann').send({});
      expect((await supertest(one).get(`/memory/${absorbed.id}`)).body.memory.id).toBe(own.id);
      await opened.persistence.save();
      const text = `SELECT (SELECT count(*) FROM memory.change WHERE body LIKE $1)::int AS lines,
        (SELECT count(*) FROM memory.checkpoint WHERE position($2::bytea IN body) > 0)::int AS parts`;
      const values = [`%${word}%`, Buffer.from(word)];
      const rows = async () => (await databases.database().postgres.query({ text, values })).rows[0];
      expect((await rows()) as { parts: number }).toMatchObject({ lines: 0 });
      expect(((await rows()) as { parts: number }).parts).toBeGreaterThan(0);
      clock.advance(3_600_000);
      const erasing = supertest(other)
        .delete(path ?? `/memory/${absorbed.id}`)
        .query({ erase: true });
      expect((await erasing.set('X-Agent-ID', 'bob')).status).toBe(200);
      expect(await rows()).toEqual({ lines: 0, parts: 0 });
      expect((await supertest(one).post('/end_of_day').set('X-Agent-ID', 'ann').send({})).body.report.expired).toBe(0);
    }
  });

  test('names the database without user and password', async () => {
    const { body } = await supertest(replicas[0].app).get('/health');
    expect(body.persistence.data_dir).toMatch(/^postgres:\/\/[^@]+:\d+\/\w+$/);
  });
});

(hasPostgres() ? describe : describe.skip)('the nights of two replicas', () => {
  const databases = sharedDatabases();
  const CRON = { consolidateCron: '0 3 * * *', consolidateTimezone: 'UTC' };
  const HOUR_MS = 3_600_000;

  test('reach every space, also those that nobody has open, each once', async () => {
    const clock = new ManualClock(START_MS);
    const { postgres } = databases.database();
    const shared = { database: databases.database(), space: 'default' };
    const open = async () => await startTestService({ clock, shared, config: CRON, logLevel: 'info' });
    const written = async (spaces: readonly string[], messages: readonly object[]) => {
      const writer = await open();
      for (const space of spaces) {
        for (const message of messages)
          await supertest(writer.app).post('/ingest').set('X-Space', space).send(message).expect(200);
      }
      await writer.close();
    };
    const spaces = ['a', 'b', 'c', 'd', 'e'];
    const expires_at = new Date(START_MS + HOUR_MS).toISOString();
    await written(spaces, [{ content: 'Nightshade grows here.', expires_at }, { content: 'The door is green.' }]);
    // Written to by the clock of the tests.
    const text = 'UPDATE memory.space SET created_at = $1';
    await postgres.query({ text, values: [new Date(START_MS)] });
    const replicas = [await open(), await open()] as const;
    for (const { start } of replicas) start();
    const nightsOf = () =>
      replicas.flatMap(({ lines }) =>
        lines.flatMap(({ job, why, space }) => (job === 'end of day' && why !== undefined && space ? [space] : [])),
      );
    const night = async () => {
      clock.advance(24 * HOUR_MS);
      await Promise.all(replicas.map(({ nights }) => nights()));
    };
    await night();
    expect(nightsOf().sort()).toEqual(spaces);
    const words = `SELECT (SELECT count(*) FROM memory.change WHERE body LIKE '%Nightshade%')::int AS lines,
      (SELECT count(*) FROM memory.checkpoint WHERE position('Nightshade'::bytea IN body) > 0)::int AS parts,
      (SELECT count(*) FROM memory.lease WHERE space <> 'default')::int AS leases`;
    expect((await postgres.query({ text: words })).rows).toEqual([{ lines: 0, parts: 0, leases: 0 }]);
    // A space in which nothing happened has no night on the next day.
    await written(['c'], [{ content: 'It is blue.' }]);
    await night();
    expect(nightsOf().sort()).toEqual(['a', 'b', 'c', 'c', 'd', 'e']);
    for (const service of replicas) await service.close();
  });
});

(hasPostgres() ? describe : describe.skip)('a replica whose database is killed', () => {
  test('answers 503 and when to try again, has nothing half done, and goes on when it is back', async () => {
    const server = await startPostgres();
    const log = createLog({ name: 'test', level: 'silent' });
    const url = parseStoreUrl(await server.newDatabase('memory'));
    const database = await openMemoryDatabase({ url, log, newToken: randomUUID, random: () => 0.5, meters: NO_METERS });
    const service = await startTestService({ shared: { database, space: 'default' } });
    await say(service, 'ann', 'The boiler is on.');
    await server.kill();
    const post = (path: string, body: object) => supertest(service.app).post(path).set('X-Agent-ID', 'ann').send(body);
    for (const answer of [
      await post('/recall', { query: 'Is the boiler on?' }),
      await post('/ingest', { content: 'The boiler is off.' }),
      await supertest(service.app).get('/memories'),
    ]) {
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
        503,
        'storage_unavailable',
        '5',
      ]);
    }
    const ready = await supertest(service.app).get('/health/ready');
    expect(ready.body.reasons).toMatchObject([{ code: 'storage_unavailable' }]);
    await server.startAgain();
    // Somebody has broken the tables, which is no fault of this service either.
    await database.postgres.query({ text: 'ALTER TABLE memory.space RENAME TO space_away' });
    const broken = await post('/recall', { query: 'Is the boiler on?' });
    expect([broken.status, broken.body.code]).toEqual([503, 'storage_unavailable']);
    expect(broken.body.detail).toMatch(/a table is missing: start one replica of this version anew/);
    const reasons = (await supertest(service.app).get('/health/ready')).body.reasons;
    expect(reasons).toMatchObject([{ code: 'storage_unavailable' }]);
    await database.postgres.query({ text: 'ALTER TABLE memory.space_away RENAME TO space' });
    await say(service, 'ann', 'The boiler is off.');
    const { body } = await supertest(service.app).get('/memories');
    expect(body.memories.map(({ content }: { content: string }) => content)).toEqual([
      'The boiler is off.',
      'The boiler is on.',
    ]);
    expect((await supertest(service.app).get('/health/ready')).body.reasons).toEqual([]);
    await service.close();
    await database.postgres.close();
    await server.remove();
  });
});
