import { type Embedder, openEmbedder } from '@agent-faculties/embeddings';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ask, say, startTestService, type TestService } from '../start-service.ts';

let embedder: Embedder;
let service: TestService;

beforeAll(async () => {
  embedder = await openEmbedder({ model: 'accurate', offline: true });
});
beforeEach(async () => {
  service = await startTestService({ embedder });
  await say(service, 'ann', 'The pool is closed on Mondays, says Priya.');
  await say(service, 'ann', { content: 'Lunch is at twelve on Thursdays.', project: 'kestrel' });
  await say(service, 'ann', 'Robert likes his coffee without milk.');
});
afterEach(() => service.close());
afterAll(() => embedder.close());

const contextOf = async (agent: string, query: string) => (await ask(service, agent, query)).context;

test('what is known of a pool does not answer what a stranger said of it', async () => {
  expect(await contextOf('bob', 'What did Priya say about the pool?')).toContain('closed on Mondays');
  const { memories, context } = await ask(service, 'bob', 'What did Oksana say about the pool?');
  expect([memories.length, new Set(memories.map(({ relevance }) => relevance)), context]).toEqual([
    3,
    new Set(['low']),
    '',
  ]);
});

test('who is named in the PRIVATE memories of another agent alone is a stranger', async () => {
  const query = 'What did Oksana say about the pool?';
  await say(service, 'ann', { content: 'Oksana said that the pool closes for good.', scope: 'PRIVATE' });
  expect(await contextOf('ann', query)).toContain('for good');
  expect(await contextOf('bob', query)).toBe('');
});

test('the name of a project is no stranger, and a short form is answered by what fits well', async () => {
  expect(await contextOf('bob', "When is Kestrel's lunch?")).toContain('at twelve');
  expect(await contextOf('bob', "When is Oksana's lunch?")).toBe('');
  expect(await contextOf('bob', 'Does Rob take milk in the coffee?')).toContain('without milk');
});
