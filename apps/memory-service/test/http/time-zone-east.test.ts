/** @jest-environment-options {"timeZone": "Asia/Kathmandu"} */
import { describe, expect, test } from '@jest/globals';
import { ask, say, type TestService } from '../start-service.ts';
import { shareService } from './shared-service.ts';

let service: TestService;
shareService((started) => {
  service = started;
});

describe('a service in Kathmandu, where each month begins while UTC has the last day of the one before', () => {
  test('takes January for that of an earlier year, where nothing of the last one was told', async () => {
    await say(service, 'ann', { content: 'The pump was mended.', timestamp: '2025-01-15T12:00:00Z' });
    await say(service, 'ann', { content: 'The gate was painted.', timestamp: '2025-06-15T12:00:00Z' });
    const { memories } = await ask(service, 'ann', { query: 'What was said in January?', now: '2026-11-29T12:00:00Z' });
    expect(memories.map(({ content, relevance }) => [content, relevance])).toEqual([
      ['The pump was mended.', expect.stringMatching(/high|medium/)],
      ['The gate was painted.', 'low'],
    ]);
    expect(memories[0]?.score).toBeGreaterThan(0);
  });
});
