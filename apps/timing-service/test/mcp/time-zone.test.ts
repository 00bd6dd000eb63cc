/** @jest-environment-options {"timeZone": "America/Los_Angeles"} */
import { listen } from '@agent-faculties/service-kit/http';
import { expect, test } from '@jest/globals';
import { callTool, connectMcp } from '../../../../packages/mcp-kit/test/mcp-client.ts';
import { clockInWords } from '../../src/mcp/in-words.ts';
import { startTestService } from '../start-service.ts';

test('the clock says the day of the time zone of the server beside that of UTC, which may be the next one', () => {
  // Los Angeles is at UTC-8 in winter and at UTC-7 in summer.
  expect(clockInWords('2026-11-29T04:00:00.000000+00:00')).toBe(
    'It is 2026-11-29T04:00:00.000000+00:00, a Sunday. In America/Los_Angeles, the time zone of this server, it is Saturday 2026-11-28 20:00.',
  );
  expect(clockInWords('2026-07-01T12:00:00.000000+00:00')).toContain('it is Wednesday 2026-07-01 05:00.');
});

test('so does the tool now', async () => {
  const service = startTestService();
  const listening = await listen(service.app, { host: '127.0.0.1', port: 0 });
  const client = await connectMcp(`${listening.address.url}/mcp`, { era: 'legacy' });
  const { data, text } = await callTool(client, 'now', {});
  expect(data).toMatchObject({ local_time: 'Saturday 2026-11-21 01:30', time_zone: 'America/Los_Angeles' });
  expect(text).toContain('In America/Los_Angeles, the time zone of this server, it is Saturday 2026-11-21 01:30.');
  await client.close();
  listening.server.closeAllConnections();
  await new Promise((resolve) => listening.server.close(resolve));
  service.close();
});
