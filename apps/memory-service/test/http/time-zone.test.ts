/** @jest-environment-options {"timeZone": "America/Los_Angeles"} */
import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

/** Saturday 28 November 2026, 20:00 in Los Angeles, where it is Sunday by UTC. */
const SATURDAY_EVENING = Date.parse('2026-11-29T04:00:00Z');
const HOUR_MS = 3_600_000;

afterAll(closeFastEmbedder);

describe('a service in Los Angeles', () => {
  let service: TestService;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = new ManualClock(SATURDAY_EVENING);
    service = await startTestService({ clock });
  });
  afterEach(async () => await service.close());

  const agenda = async () => (await supertest(service.app).get('/memories/agenda').set('X-Agent-ID', 'ann')).body;
  const daysOnAgenda = async () => (await agenda()).days.map(({ day }: { day: string }) => day);
  const recalled = async (query: string) => {
    const answer = await supertest(service.app).post('/recall').set('X-Agent-ID', 'ann').send({ query }).expect(200);
    return answer.body as { context: string; memories: { id: string; relevance: string }[] };
  };

  test('takes "tomorrow", said on Saturday evening, for Sunday', async () => {
    await say(service, 'ann', 'Lunch with Priya tomorrow.');
    expect(await agenda()).toMatchObject({ time_zone: 'America/Los_Angeles', first_day: '2026-11-28' });
    expect(await daysOnAgenda()).toEqual(['2026-11-29']);
    const { context } = await recalled('What is on on Sunday?');
    expect(context).toMatch(/^- 2026-11-28 ann: Lunch with Priya tomorrow\.$/m);
  });

  test('takes its own midnight for the end of yesterday', async () => {
    await say(service, 'ann', 'The pump was mended.');
    clock.advance(3 * HOUR_MS);
    const late = await say(service, 'ann', 'The gate was painted.');
    // It is 9:00 on Sunday.
    clock.advance(10 * HOUR_MS);
    await say(service, 'ann', 'The roof was swept.');
    const { context, memories } = await recalled('What happened yesterday?');
    expect(context).toContain('pump');
    expect(context).toContain('gate');
    expect(context).not.toContain('roof');
    expect(memories.find(({ id }) => id === late.memory.id)?.relevance).not.toBe('low');
  });

  test('a week in which the clocks are set back ends with its Sunday', async () => {
    await service.close();
    clock = new ManualClock(Date.parse('2026-11-05T18:00:00Z'));
    service = await startTestService({ clock });
    await say(service, 'ann', { content: 'The pump was mended.', timestamp: '2026-11-02T07:30:00Z' });
    await say(service, 'ann', { content: 'The gate was painted.', timestamp: '2026-11-02T08:30:00Z' });
    const { context } = await recalled('What happened last week?');
    expect(context).toContain('pump');
    expect(context).not.toContain('gate');
  });

  test('holds what has no beginning of its own until it has ended there', async () => {
    await say(service, 'ann', { content: 'The gym is open every day at 7:00.', valid_until: '2026-11-30T08:00:00Z' });
    expect(await daysOnAgenda()).toEqual(['2026-11-28', '2026-11-29']);
  });
});
