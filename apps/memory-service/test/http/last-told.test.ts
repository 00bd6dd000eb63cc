import { beforeEach, describe, expect, test } from '@jest/globals';
import { ask, START_MS, say, type TestService } from '../start-service.ts';
import { idsOf, requestsTo } from './requests.ts';
import { shareService } from './shared-service.ts';

const HOUR_MS = 3_600_000;

let service: TestService;
shareService((started) => {
  service = started;
});
const { post } = requestsTo(() => service);

/** Says each of these in an agent's session, a minute apart. */
async function told(agent: string, sessionId: string | null, texts: readonly string[], fields: object = {}) {
  const ids: string[] = [];
  for (const content of texts) {
    service.clock.advance(60_000);
    const { memory } = await say(service, agent, { content, ...(sessionId && { session_id: sessionId }), ...fields });
    ids.push(memory.id);
  }
  return ids;
}

type Asked = { query: string } & Record<string, unknown>;
const textsOf = async (agent: string, query: string | Asked) =>
  (await ask(service, agent, query)).memories.map(({ content }) => content);

const MONDAY = ['We began with the parser of dates.', 'The tests of the parser are green.'];
const TUESDAY = [
  'The exporter drops the last row.',
  'Shall we drop the header too?',
  'Yes.',
  'Then the fixture is next.',
];
const newestFirst = (texts: readonly string[]) => [...texts].reverse();

describe('a question for the last session', () => {
  beforeEach(async () => {
    await told('ann', 'monday', MONDAY);
    service.clock.advance(20 * HOUR_MS);
    await told('ann', 'tuesday', [...TUESDAY, 'ok', 'Thanks!']);
  });

  test.each(['Where did we leave off?', "let's continue where we left off", 'Summarize our last conversation'])(
    '%j brings it, newest first, without what says nothing',
    async (query) => {
      service.clock.advance(72 * HOUR_MS);
      const { memories, context } = await ask(service, 'ann', query);
      expect(memories.map(({ content }) => content)).toEqual(newestFirst(TUESDAY));
      expect(memories.map(({ relevance }) => relevance)).toEqual(memories.map(() => 'medium'));
      expect(context).toContain('The exporter drops the last row.');
      expect(context).not.toContain('parser');
    },
  );

  test('takes as many as are asked for, the newest', async () => {
    expect(await textsOf('ann', { query: 'Where were we?', top_k: 2 })).toEqual(newestFirst(TUESDAY).slice(0, 2));
  });

  test('leaves the session of the caller out', async () => {
    const query = 'Where did we leave off?';
    expect(await textsOf('ann', { query, session_id: 'tuesday' })).toEqual(newestFirst(MONDAY));
    expect(await textsOf('ann', { query, session_id: 'new' })).toEqual(newestFirst(TUESDAY));
  });

  test('brings what that session itself told before, where its host names the same one day after day', async () => {
    await told('bob', 'of-bob', ['The logo is blue.']);
    service.clock.advance(20 * HOUR_MS);
    await told('ann', 'tuesday', ['I look at the logs first.']);
    const asked = { query: 'Where did we leave off?', session_id: 'tuesday' };
    expect(await textsOf('ann', asked)).toEqual(newestFirst(TUESDAY));
    service.clock.advance(5 * HOUR_MS);
    expect(await textsOf('ann', asked)).toEqual(['I look at the logs first.', ...newestFirst(TUESDAY)]);
  });

  test('brings what the agent of the caller told, and what others told in that session', async () => {
    await told('bob', 'tuesday', ['I mend the fixture.']);
    await told('bob', 'of-bob', ['The logo is blue.']);
    const query = 'What did we do last time?';
    expect(await textsOf('ann', query)).toEqual(['I mend the fixture.', ...newestFirst(TUESDAY)]);
    expect(await textsOf('bob', query)).toEqual(['The logo is blue.']);
  });

  test('brings the last session of anybody to an agent that told nothing', async () => {
    expect(await textsOf('carl', 'What did we do last time?')).toEqual(newestFirst(TUESDAY));
    await told('bob', 'of-bob', ['The logo is blue.']);
    expect(await textsOf('carl', 'What did we do last time?')).toEqual(['The logo is blue.']);
  });

  test('never shows what is PRIVATE to others', async () => {
    await told('bob', 'tuesday', ['The salary of Ann is known to me.'], { scope: 'PRIVATE' });
    await told('bob', 'of-bob', ['My own notes.'], { scope: 'PRIVATE' });
    for (const agent of ['ann', 'carl'])
      expect(await textsOf(agent, 'Where did we leave off?')).toEqual(newestFirst(TUESDAY));
    expect(await textsOf('bob', 'Where did we leave off?')).toEqual(['My own notes.']);
  });

  test('leaves out what asked the same before, however often it is stored', async () => {
    for (const session of ['wednesday', 'thursday']) {
      service.clock.advance(24 * HOUR_MS);
      const message = { content: 'Where did we leave off?', role: 'user', agent_id: 'ann', session_id: session };
      const { memory, memories } = (await post('/ingest_and_recall', message)).body;
      expect(idsOf({ memories })).not.toContain(memory.id);
      expect(memories.map(({ content }: { content: string }) => content)).toEqual(newestFirst(TUESDAY));
    }
  });

  test('leaves out the message that it came with', async () => {
    const message = { content: 'I am at my desk now.', query: 'Where did we leave off?', agent_id: 'ann' };
    const { memories } = (await post('/ingest_and_recall', message)).body;
    expect(memories.map(({ content }: { content: string }) => content)).toEqual(newestFirst(TUESDAY));
  });

  test('names a day up to whose end it is looked for', async () => {
    service.clock.advance(48 * HOUR_MS);
    await told('ann', 'today', ['The release is out.']);
    expect(await textsOf('ann', 'Where did we leave off yesterday?')).toEqual(newestFirst(TUESDAY));
    expect(await textsOf('ann', 'Where did we leave off?')).toEqual(['The release is out.']);
  });

  test('is answered as of a moment, of a time, of agents and of kinds that are asked for', async () => {
    const query = 'Where did we leave off?';
    const [day1, day2] = [START_MS + 10 * 60_000, START_MS + 48 * HOUR_MS].map((at) => new Date(at).toISOString());
    await told('bob', 'of-bob', ['The logo is blue.'], { tags: ['logo'] });
    expect(await textsOf('ann', { query, as_of: day1 })).toEqual(newestFirst(MONDAY));
    expect(await textsOf('ann', { query, now: day1 })).toEqual(newestFirst(MONDAY));
    expect(await textsOf('ann', { query, until: day1 })).toEqual(newestFirst(MONDAY));
    expect(await textsOf('ann', { query, agent_ids: ['bob'] })).toEqual(['The logo is blue.']);
    expect(await textsOf('ann', { query, tags: ['logo'] })).toEqual(['The logo is blue.']);
    expect(await textsOf('ann', { query, kinds: ['episodic'] })).toEqual(newestFirst(TUESDAY));
    // These find nothing, and go on as a search.
    expect(await textsOf('ann', { query, since: day2 })).toEqual([]);
    expect(await textsOf('ann', { query, kinds: ['semantic'] })).toEqual([]);
  });

  test('is answered of the project of the caller', async () => {
    await told('ann', 'other', ['The shop opens at nine.'], { project: 'shop' });
    await told('ann', 'mine', ['The web shows all.'], { project: 'web' });
    const query = 'Where did we leave off?';
    expect(await textsOf('ann', { query, project: 'shop' })).toEqual(['The shop opens at nine.']);
    expect(await textsOf('ann', query)).toEqual(['The web shows all.']);
  });

  test('tells of what was superseded, with its note', async () => {
    const [id] = await told('ann', 'wednesday', ['The port is 8080.']);
    await told('ann', 'wednesday', ['The port is 9090.'], { supersedes: [id] });
    const { context } = await ask(service, 'ann', 'Where did we leave off?');
    expect(context).toMatch(/ann \(superseded\): The port is 8080\.\n.*ann: The port is 9090\./);
  });

  test('has scores that tell the place, and say why', async () => {
    const { memories } = await ask(service, 'ann', { query: 'Where were we?', explain: true, min_score: 0.98 });
    expect(memories.map(({ score }) => score)).toEqual([1, 0.99, 0.98]);
    for (const { score, why } of memories) {
      const parts = why as Record<string, number>;
      expect(parts.circumstance).toBe(score);
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(score);
    }
  });

  test('shows the gist of a long message, whatever words of the question it has', async () => {
    const steps = ['first', 'second', 'third', 'fourth', 'fifth'].map(
      (step) =>
        `In the ${step} step the backup of the archive goes from the old racks of the archive to the new racks, where it is checked.`,
    );
    const aside = 'What a session, what a discussion.';
    const [id] = await told('ann', 'long', [[...steps, aside].join(' ')]);
    const { gist } = await requestsTo(() => service).memoryOf(id as string);
    const { context } = await ask(service, 'ann', 'What did we do in our last session?');
    expect(gist).not.toContain(aside);
    expect(context).toContain(`: ${gist}\n`);
  });

  test('strengthens what it brings', async () => {
    service.clock.advance(72 * HOUR_MS);
    const { memories } = await ask(service, 'ann', { query: 'Where were we?', top_k: 1, strengthen: true });
    const { recall_count } = await requestsTo(() => service).memoryOf(memories[0]?.id as string);
    expect(recall_count).toBe(1);
  });

  test('says why another memory is not among it', async () => {
    const [id] = await told('bob', 'of-bob', ['The logo is blue.']);
    const whyNot = async (memoryId: string, fields: object = {}) =>
      (await post(`/memory/${memoryId}/why_not`, { query: 'Where were we?', agent_id: 'ann', ...fields })).body;
    expect(await whyNot(id as string)).toMatchObject({
      recalled: false,
      place: null,
      score: null,
      explanation: 'The question asks for what was told last, and this is not of it.',
    });
    const [last, , , first] = (await ask(service, 'ann', 'Where were we?')).memories;
    expect(await whyNot(last?.id as string)).toMatchObject({ recalled: true, place: 1 });
    expect(await whyNot(first?.id as string, { top_k: 2 })).toMatchObject({
      place: 4,
      explanation:
        'It comes in place 4, and the request takes 2. Its score is 0.97, that of the last one that is recalled 0.99.',
    });
  });
});

test('a question for the last session is asked as a search where nothing was told before', async () => {
  await told('ann', 'now', ['We left the parser off for today.']);
  expect(await textsOf('ann', { query: 'Where did we leave off?', session_id: 'now' })).toEqual([
    'We left the parser off for today.',
  ]);
});

test('notes without a session are those of one sitting: an agent, with no gap over four hours', async () => {
  await told('ann', null, ['The attic is cleared.']);
  service.clock.advance(5 * HOUR_MS);
  await told('ann', null, ['The boiler is old.']);
  service.clock.advance(3 * HOUR_MS);
  await told('bob', null, ['The garden is wet.']);
  await told('ann', 'talk', ['The kitchen is painted.']);
  await told('ann', null, ['The roof leaks.']);
  expect(await textsOf('ann', 'Where were we?')).toEqual(['The roof leaks.', 'The boiler is old.']);
  expect(await textsOf('carl', 'Where were we?')).toEqual(['The roof leaks.', 'The boiler is old.']);
  expect(await textsOf('bob', 'Where were we?')).toEqual(['The garden is wet.']);
});

test('a question for news brings what anybody told in the day up to the newest', async () => {
  await told('ann', 'monday', MONDAY);
  service.clock.advance(30 * HOUR_MS);
  await told('bob', 'of-bob', ['The logo is blue.', 'ok']);
  await told('bob', 'of-bob', ['The salary of Ann is known to me.'], { scope: 'PRIVATE' });
  service.clock.advance(20 * HOUR_MS);
  await told('ann', 'tuesday', TUESDAY.slice(0, 1));
  await told('carl', null, ['The van is sold.']);
  service.clock.advance(200 * HOUR_MS);
  await told('carl', 'now', ['I am looking at the wine.']);
  const news = ['The van is sold.', 'The exporter drops the last row.', 'The logo is blue.'];
  for (const query of ["What's new?", 'What did I miss?', 'I am back from holiday. What did I miss?'])
    expect(await textsOf('carl', { query, session_id: 'now' })).toEqual(news);
  expect(await textsOf('carl', { query: "What's new?", session_id: 'now', top_k: 1 })).toEqual(news.slice(0, 1));
  expect(await textsOf('carl', { query: "What's new?", session_id: 'new' })).toEqual(['I am looking at the wine.']);
});

test('a question for news is no follow-up of the question before it', async () => {
  await told('bob', 'of-bob', ['The logo is blue.']);
  const asked = (content: string) =>
    post('/ingest_and_recall', { content, role: 'user', agent_id: 'ann', session_id: 'now' });
  await asked('What broke on 2 November?');
  const { memories } = (await asked("What's new?")).body;
  expect(memories).toMatchObject([{ content: 'The logo is blue.', relevance: 'medium' }]);
});

test('a question with a subject is asked as a search', async () => {
  await told('ann', 'monday', MONDAY);
  await told('ann', 'tuesday', TUESDAY);
  const [first] = await textsOf('ann', 'Where did we leave off with the parser?');
  expect(first).toContain('parser');
  const [told1] = await textsOf('ann', 'The parser of dates fails again. What did we do last time?');
  expect(told1).toContain('parser');
});
