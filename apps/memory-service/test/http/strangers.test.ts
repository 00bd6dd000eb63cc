import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { ask, closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService();
  await say(service, 'ann', 'The pool is closed on Mondays, says Priya.');
  await say(service, 'ann', { content: 'The pool opens at seven.', project: 'kestrel' });
});
afterEach(() => service.close());
afterAll(closeFastEmbedder);

test('what is known of a pool does not answer what a stranger said of it', async () => {
  expect((await ask(service, 'bob', 'What did Priya say about the pool?')).context).toContain('closed on Mondays');
  const { memories, context } = await ask(service, 'bob', 'What did Oksana say about the pool?');
  expect([memories.length, new Set(memories.map(({ relevance }) => relevance)), context]).toEqual([
    2,
    new Set(['low']),
    '',
  ]);
});

test('who is named in the PRIVATE memories of another agent alone is a stranger', async () => {
  const query = 'What did Oksana say about the pool?';
  const before = await ask(service, 'bob', query);
  await say(service, 'ann', { content: 'Oksana closes the pool for good.', scope: 'PRIVATE' });
  expect((await ask(service, 'ann', query)).context).toContain('for good');
  expect((await ask(service, 'bob', query)).context).toBe(before.context);
});

test('the name of a project is no stranger, and a message that asks nothing is about anybody', async () => {
  expect((await ask(service, 'bob', 'Does Kestrel open the pool at seven?')).context).toContain('at seven');
  expect((await ask(service, 'bob', 'Tell them of Oksana that the pool is closed.')).context).toContain('pool');
});
