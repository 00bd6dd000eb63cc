import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

let service: TestService;

/** When the team asks: a Sunday. */
const NOW = '2026-11-29T12:00:00Z';
const SAID: readonly (readonly [timestamp: string, content: string])[] = [
  ['2026-11-02T09:00:00Z', 'On-call rota: 16-22 Nov Ann, 23-29 Nov Bob, 30 Nov to 6 Dec Dana.'],
  ['2026-11-03T09:00:00Z', 'I am off from 3 to 7 December, visiting my sister in Lyon.'],
  ['2026-11-05T09:00:00Z', 'The security audit is in January.'],
  ['2026-11-10T09:00:00Z', 'Standup is every Monday at 9:30 in the Aspen room.'],
  ['2026-11-18T09:00:00Z', 'We met with Adyen on Monday, they were late.'],
  ['2026-11-20T09:00:00Z', 'The deploy on 13 November failed because of the disk.'],
  ['2026-11-23T09:00:00Z', 'Tomorrow the electrician comes to the office at 8.'],
  ['2026-11-26T09:00:00Z', 'Interview with Sofia on Monday at 14:00.'],
  ['2026-11-27T09:00:00Z', 'Yesterday the staging database ran full.'],
  ['2026-11-28T09:00:00Z', 'We use Loki for the logs and keep them 30 days.'],
  ['2026-11-28T10:00:00Z', 'The office is closed from 24 December until 3 January.'],
  ['2026-11-28T11:00:00Z', 'Lunch on 18 March is cancelled.'],
  ['2026-11-28T12:00:00Z', 'Choir every Friday from 5 to 19 March.'],
];

beforeAll(async () => {
  service = await startTestService({ clock: new ManualClock(Date.parse(NOW)) });
  for (const [timestamp, content] of SAID) await say(service, 'ann', { content, timestamp });
});
afterAll(async () => {
  await service.close();
  await closeFastEmbedder();
});

async function ask(query: string, more: object = {}): Promise<{ memories: { content: string }[]; context: string }> {
  const { body } = await request(service.app)
    .post('/recall')
    .set('X-Agent-ID', 'ann')
    .send({ query, strengthen: false, ...more });
  return body;
}

/** The first words of what the context of a question holds. */
async function told(query: string, more: object = {}): Promise<readonly string[]> {
  const { context } = await ask(query, more);
  const lines = [...context.matchAll(/^- \d{4}-\d\d-\d\d [^:]*: (\w+)/gm)];
  return lines.map(([, first = '']) => first);
}

describe('an agenda', () => {
  test.each([
    ['What is on tomorrow?', ['On', 'Standup', 'Interview']],
    ['Good morning Claude! What is on tomorrow? Make a short list please.', ['On', 'Standup', 'Interview']],
    ['Anything before Christmas? Thanks!', ['On', 'I', 'Standup', 'Interview', 'The']],
    ['What is on next week?', ['On', 'I', 'Standup', 'Interview']],
    ['Anything planned for 28 December?', ['Standup', 'The']],
    ['Which events are in January?', ['The', 'The']],
    ['What is on on 20 February?', []],
    ['Am I free on Tuesday?', ['On']],
    ['What is on on 18 March?', ['Lunch']],
    ['What is on on Friday 12 March?', ['Choir']],
    ['What is on on Friday 26 March?', []],
  ])('%j has what was said of those days, whenever that was: %j', async (query, expected) => {
    expect(await told(query)).toEqual(expected);
  });

  test('is not asked for by a question about the past, which finds what was told of its day', async () => {
    expect(await told('What happened on Thursday?')).toContain('Yesterday');
    expect(await told('What happened on 13 November?')).toContain('The');
  });
});

test('a message that tells something too has what names the day that it asks about first, and not the day that it tells of', async () => {
  const { memories } = await ask(
    'Yesterday I moved into the Aspen room. What is on tomorrow? I can stay until Friday.',
  );
  const best = memories.slice(0, 3).map(({ content }) => content.split(' ')[0]);
  expect(best.toSorted()).toEqual(['Interview', 'On-call', 'Standup']);
});

test('a question with a subject and a day ahead finds what names that day', async () => {
  expect(await told('Who is on call on Tuesday?')).toContain('On');
});

test('an agenda leaves out what was planned once, and tells it as of the day on which it held', async () => {
  const say = async (body: object) =>
    (await request(service.app).post('/ingest').set('X-Agent-ID', 'ann').send(body)).body.memory.id as string;
  const planned = await say({ content: 'Gas check on 24 February.', timestamp: '2026-11-25T09:00:00Z' });
  await say({ content: 'Gas check on 25 February.', timestamp: '2026-11-27T09:00:00Z', supersedes: [planned] });
  expect(await told('What is on on 24 February?')).toEqual([]);
  expect(await told('What is on on 25 February?')).toEqual(['Gas']);
  expect(await told('What is on on 24 February?', { as_of: '2026-11-26T09:00:00Z' })).toEqual(['Gas']);
});
