import { type Embedder, openEmbedder } from '@agent-faculties/embeddings';
import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ask, say, startTestService, type TestService } from '../start-service.ts';

/** What a newcomer tells first, of a team. */
const TOLD = [
  { role: 'user', name: 'Dana', content: 'I prefer short answers without emoji.' },
  { role: 'assistant', content: 'Priya is the product owner of the shop.' },
  { role: 'user', name: 'Priya', content: 'We go live on 4 December, no matter what.' },
  { role: 'assistant', content: 'Lena took over the mobile app from Tom.' },
  { role: 'assistant', content: 'Demo postponed to Monday 23 November, 10:00, because the customer is ill.' },
  { role: 'user', name: 'Sam', content: 'What is the staging server called?' },
  { role: 'assistant', content: 'The staging server is called heron.' },
  { role: 'assistant', content: 'Backups run every night at 03:15 and are kept for 35 days.' },
  { role: 'assistant', content: 'Nils likes a seat at the window.' },
  { role: 'assistant', content: 'Badges for guests cost 4 euros.' },
  { role: 'user', name: 'Sam', content: 'I live in Aachen with two parrots, Kiki and Lora.' },
  { role: 'user', content: 'ok' },
  { role: 'user', content: 'hi' },
];

let service: TestService;
let embedder: Embedder;

beforeAll(async () => {
  embedder = await openEmbedder({ model: 'accurate', offline: true });
  service = await startTestService({ embedder, clock: new ManualClock(Date.UTC(2026, 10, 27, 9)) });
  for (const message of TOLD) await say(service, 'planner', { ...message, timestamp: '2026-11-20T09:00:00Z' });
});

afterAll(async () => {
  await service.close();
  await embedder.close();
});

test.each([
  ['What does Dana prefer?', 'I prefer short answers without emoji.'],
  ['Who is Priya?', 'Priya is the product owner of the shop.'],
  ['What do you know about Priya?', 'Priya is the product owner of the shop.'],
  ['Summarize what you know about Priya', 'Priya is the product owner of the shop.'],
  ["What are Sam's parrots called?", 'I live in Aachen with two parrots, Kiki and Lora.'],
  ['Who works on the mobile app?', 'Lena took over the mobile app from Tom.'],
  ['What was postponed last week?', 'Demo postponed to Monday 23 November'],
  ['What do you know about me?', 'I prefer short answers without emoji.'],
  ['What does Nils prefer?', 'Nils likes a seat at the window.'],
  ['What do badges cost?', 'Badges for guests cost 4 euros.'],
  ['What changed about the demo?', 'Demo postponed to Monday 23 November'],
])('%j brings %j', async (query, expected) => {
  expect((await ask(service, 'coder', { query })).context).toContain(expected);
});

test.each(['Who is Milo?', 'What is our AWS bill?', 'What do lanyards cost?', 'What do you know about the car park?'])(
  '%j, of which nobody spoke, brings nothing',
  async (query) => {
    expect((await ask(service, 'coder', { query })).context).toBe('');
  },
);

test.each(['x', 'q?', 'the'])('%j, which means nothing, brings nothing', async (query) => {
  expect((await ask(service, 'coder', { query })).context).toBe('');
});

test('a question that somebody asked before is no answer to it', async () => {
  const { memories, context } = await ask(service, 'coder', { query: 'What is the staging server called?' });
  expect(memories[0]?.content).toBe('The staging server is called heron.');
  expect(context).not.toContain('What is the staging server called?');
});
