import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import type { Webhook } from '../../src/webhooks/webhooks-file.ts';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

let receiver: Receiver;
let service: TestService;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await service.close();
  await receiver.close();
});
afterAll(() => closeFastEmbedder());

async function start(about: Partial<Webhook> = {}): Promise<void> {
  const webhook: Webhook = {
    url: new URL(`http://127.0.0.1:${receiver.port}/hooks`),
    name: 'sample',
    keys: [Buffer.alloc(32, 'k')],
    events: ['added', 'edited', 'deleted', 'contradiction', 'consolidation'],
    project: null,
    space: 'default',
    ...about,
  };
  service = await startTestService({ webhooks: [webhook], config: { webhooksAllowPrivate: true }, embedder: null });
  service.webhooks.start();
  expect((await taken()).type).toBe('reset');
}

async function taken() {
  const { notice, answer } = await receiver.next();
  answer(204);
  return notice;
}

describe('the webhooks of a service', () => {
  test('are told what the operations of the service change', async () => {
    await start();
    const { memory } = await say(service, 'ann', 'The kettle boils at noon.');
    const about = { memory_id: memory.id, agent_id: 'ann', project: null, scope: 'TEAM' };
    expect(await taken()).toMatchObject({ type: 'added', data: { ...about, by: 'ann', operation: null } });
    await supertest(service.app)
      .put(`/memory/${memory.id}`)
      .set('X-Agent-ID', 'bob')
      .send({ gist: 'At one.' })
      .expect(200);
    expect(await taken()).toMatchObject({ type: 'edited', data: { ...about, by: 'bob', operation: 'edit' } });
    await supertest(service.app).post('/consolidate').expect(200);
    expect(await taken()).toMatchObject({ type: 'consolidation', data: { outcome: 'done' } });
    await supertest(service.app).delete(`/memory/${memory.id}`).set('X-Agent-ID', 'cleo').expect(200);
    expect(await taken()).toMatchObject({ type: 'deleted', data: { ...about, by: 'cleo', operation: 'delete' } });
  });

  test('are told the same, to the last byte, whether agents have told PRIVATE memories or not', async () => {
    const heardWith = async (isPrivateToo: boolean) => {
      await start();
      const said: string[] = [];
      const next = async () => {
        const { body, answer } = await receiver.next();
        answer(204);
        // Ids are counted here; the real ones have no order.
        said.push(body.replace(/"run_id":"[-0-9a-f]+"/, '"run_id":"…"'));
      };
      const privately = async (agent: string, content: string) => {
        if (isPrivateToo) await say(service, agent, { content, scope: 'PRIVATE' });
      };
      await privately('ann', 'The locker code of the billing room is moss.');
      const { memory } = await say(service, 'ann', { content: 'Nightly backups of billing take 40 minutes.' });
      await next();
      await privately('ann', 'Nightly backups of billing take 70 minutes.');
      await supertest(service.app).post('/contradictions').set('X-Agent-ID', 'ann').send({ include_same_agent: true });
      await supertest(service.app).post('/consolidate').expect(200);
      await next();
      await supertest(service.app).delete(`/memory/${memory.id}`).set('X-Agent-ID', 'ann').expect(200);
      await next();
      expect(receiver.waiting).toBe(0);
      await service.close();
      return said.map((body) => body.replaceAll(memory.id, 'ID'));
    };
    const without = await heardWith(false);
    expect(await heardWith(true)).toEqual(without);
    expect(without.map((body) => JSON.parse(body).type)).toEqual(['added', 'consolidation', 'deleted']);
  });

  test('stand in /health by their number alone, and in /metrics by their names', async () => {
    await start({ url: new URL(`http://127.0.0.1:${receiver.port}/moss`) });
    await say(service, 'ann', 'The kettle boils at noon.');
    (await receiver.next()).answer(410);
    const figures = async () => (await supertest(service.app).get('/health')).body.webhooks;
    for (let turns = 0; turns < 1_000 && (await figures()).gone === 0; turns++);
    expect(await figures()).toEqual({ configured: 1, failing: 0, gone: 1 });
    expect((await supertest(service.app).get('/metrics')).text).toContain('memory_webhook_gone{webhook="sample"} 1');
  });
});

test('a service without webhooks says so', async () => {
  service = await startTestService({ embedder: null });
  const { webhooks } = (await supertest(service.app).get('/health')).body;
  expect(webhooks).toEqual({ configured: 0, failing: 0, gone: 0 });
});
