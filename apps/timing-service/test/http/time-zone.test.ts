/** @jest-environment-options {"timeZone": "Europe/Berlin"} */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { startTestService, type TestService } from '../start-service.ts';

let service: TestService;
beforeAll(() => {
  service = startTestService();
});
afterAll(() => service.close());

test.each([
  ['', 'Europe/Berlin', '2026-11-14T23:00:00.000000+00:00'],
  ['&time_zone=UTC', 'UTC', '2026-11-14T00:00:00.000000+00:00'],
])(
  'time spent is that of the days of the zone of the server, or of the one that is asked for: %j',
  async (query, time_zone, since) => {
    const { body } = await supertest(service.app).get(`/stats/time-spent?until=2026-11-21${query}`).expect(200);
    expect(body.time_spent).toMatchObject({ time_zone, since });
  },
);
