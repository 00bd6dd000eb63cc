import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

describe('a question that follows another one in its session', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await startTestService();
    await say(service, 'ops', 'Farid owes 5 euros to the coffee fund.');
    await say(service, 'ops', 'Wei owes 15 euros to the coffee fund.');
    await say(service, 'ops', 'Wei went to the fair.');
  });

  afterEach(() => service.close());
  afterAll(closeFastEmbedder);

  const ask = async (content: string, fields: object = {}) => {
    const sent = { role: 'user', agent_id: 'ann', session_id: 's1', content, ...fields };
    const answer = await supertest(service.app).post('/ingest_and_recall').send(sent);
    expect(answer.status).toBe(200);
    return answer.body.memories.map(({ gist }: { gist: string }) => gist);
  };

  test('is answered as it is meant, by nothing that was asked before it', async () => {
    await ask('How much does Farid owe to the coffee fund?');
    const answers = await ask('And Wei?');
    expect(answers[0]).toBe('Wei owes 15 euros to the coffee fund.');
    expect(answers).not.toContain('How much does Farid owe to the coffee fund?');
  });

  test('is asked by itself in another session, of another agent, and half an hour later', async () => {
    await ask('How much does Farid owe to the coffee fund?');
    const alone = 'Wei went to the fair.';
    expect((await ask('And Wei?', { session_id: 's2' }))[0]).toBe(alone);
    expect((await ask('And Wei?', { agent_id: 'bob' }))[0]).toBe(alone);
    service.clock.advance(31 * 60_000);
    expect((await ask('And Wei?'))[0]).toBe(alone);
  });
});
