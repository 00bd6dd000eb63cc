import { setTimeout as pause } from 'node:timers/promises';
import { ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import type { Webhook } from '../../src/webhooks/webhooks-file.ts';
import { sharedDatabases } from '../persistence/postgres/shared-databases.ts';
import { sampleMemory } from '../sample-memory.ts';
import { closeFastEmbedder, START_MS, say, startTestService, type TestService } from '../start-service.ts';
import { add } from '../store/change-store.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

(hasPostgres() ? describe : describe.skip)('what one of several replicas does for all', () => {
  const databases = sharedDatabases();
  const clock = new ManualClock(START_MS);
  const ids = timeOrderedIds(clock);
  const running: TestService[] = [];
  let receiver: Receiver;
  let space: string;
  beforeEach(async () => {
    receiver = await startReceiver();
    space = databases.newSpace();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.close();
    await receiver.close();
  });
  afterAll(closeFastEmbedder);

  const open = async (webhooks: readonly Webhook[] = []) => {
    const shared = { database: databases.database(), space };
    const service = await startTestService({ clock, ids, shared, webhooks, config: { webhooksAllowPrivate: true } });
    running.push(service);
    return service;
  };
  const close = async (service: TestService) => {
    running.splice(running.indexOf(service), 1);
    await service.close();
  };
  const sending = async () => {
    const webhook: Webhook = {
      url: new URL(`http://127.0.0.1:${receiver.port}/hooks`),
      name: 'sample',
      keys: [Buffer.alloc(32, 'k')],
      events: ['added'],
      project: null,
      space: 'default',
    };
    const service = await open([webhook]);
    service.webhooks.start();
    return service;
  };
  const told = async () => {
    const { notice, answer } = await receiver.next();
    answer(204);
    return notice.data?.memory_id ?? notice.type;
  };
  /** Whether the next notice tells of what is added, and how many more there are. */
  const heardOf = async (work: () => Promise<string>) => {
    const id = await work();
    return [(await told()) === id, receiver.waiting];
  };
  /** Resolves once everything that was sent is known to have been taken. */
  const noted = async () => {
    const { postgres } = databases.database();
    const text = `SELECT 1 FROM memory.space JOIN memory.reader ON reader.space = space.name
      WHERE space.name = $1 AND reader.place = space.head`;
    while ((await postgres.query({ text, values: [space] })).rowCount === 0) await pause(100);
  };
  const added = async (service: TestService, content: string) => (await say(service, 'ann', content)).memory.id;

  test('a consolidation at one replica is told by the other one at once', async () => {
    const [one, other] = [await open(), await open()];
    const { body } = await supertest(one.app).post('/consolidate').send({});
    const told = await supertest(other.app).get('/consolidate');
    expect(told.body.last_report.run_id).toBe(body.report.run_id);
  });

  test('one sends the webhooks, and another one goes on where it stopped', async () => {
    const [one, other] = [await sending(), await sending()];
    expect(await told()).toBe('reset');
    for (const [at, service] of [one, other].entries())
      expect(await heardOf(() => added(service, `The door number ${at} is open.`))).toEqual([true, 0]);
    // It had the lease, because it was there first.
    await noted();
    await close(one);
    expect(await heardOf(() => added(other, 'The window is open.'))).toEqual([true, 0]);
    // Nothing happens while nobody sends.
    await noted();
    await close(other);
    const third = await sending();
    expect(await heardOf(() => added(third, 'The roof is open.'))).toEqual([true, 0]);
    await noted();
    await close(third);
    const silent = await open();
    await added(silent, 'The gate is open.');
    await close(silent);
    await sending();
    expect(await told()).toBe('reset');
  });

  test('a sender that is gone without a word is replaced, once its lease has run out', async () => {
    const [one, other] = [await sending(), await sending()];
    expect(await told()).toBe('reset');
    expect(await heardOf(() => added(one, 'The door is open.'))).toEqual([true, 0]);
    await noted();
    await close(one);
    // As if it were killed: nobody gives its lease back.
    const { postgres } = databases.database();
    const text = `INSERT INTO memory.lease VALUES ($1, gen_random_uuid(), now() + interval '4 seconds')
      ON CONFLICT (space) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until`;
    await postgres.query({ text, values: [space] });
    expect(await heardOf(() => added(other, 'The window is open.'))).toEqual([true, 0]);
  });

  test('vectors that another replica left to be made later are made by the one that has the jobs', async () => {
    const [owner, other] = [await open(), await open()];
    owner.start();
    other.start();
    await add(other.opened.store, sampleMemory(1, { scope: 'TEAM', project: null, kind: 'episodic', sources: [] }));
    expect(other.opened.figures.waitingForVectors()).toBe(1);
    const made = async () => (await supertest(other.app).get('/export?vectors=true')).text.includes('"vectors":[');
    while (!(await made())) await pause(100);
    expect(other.opened.figures.waitingForVectors()).toBe(0);
  });
});
