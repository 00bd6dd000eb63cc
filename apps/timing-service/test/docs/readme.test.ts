import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { runTasks, startTestService, type TestService } from '../start-service.ts';

const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const TABLE = /^\| question \| call \|\n((?:\|.*\n)+)/m.exec(README)?.[1] ?? '';
/** Method and path of each call of the table, and its body where there is one. */
const CALLS = [...TABLE.matchAll(/`(GET|POST) (\S+)`(?: with `([^`]+)`)?/g)].map(
  ([, method = '', path = '', body]) => [method, path.replace('{name}', 'tea'), body] as const,
);

let service: TestService;
beforeAll(async () => {
  service = startTestService();
  await runTasks(service, 'run tests', [60, 70, 80, 90]);
});
afterAll(() => service.close());

test('the README has a call for each question', () => {
  expect(CALLS).toHaveLength(9);
});

test.each(CALLS)('%s %s of the README is answered as it stands there', async (method, path, body) => {
  const request = method === 'GET' ? supertest(service.app).get(path) : supertest(service.app).post(path);
  const answer = await (body === undefined ? request : request.type('application/json').send(body));
  expect([path, answer.status]).toEqual([path, 200]);
});
