import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import requestValidators from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import fc from 'fast-check';
import request from 'supertest';
import { createSample } from '../sample-service.ts';

const { app } = createSample();
const post = (body: unknown) =>
  request(app)
    .post('/things')
    .send(body as object);

let asked: ReturnType<typeof jest.spyOn>;
beforeEach(async () => {
  // The first request has the library compile what the later ones need.
  await post({ name: 'first' });
  asked = jest.spyOn(requestValidators.RequestValidator.prototype, 'validate');
});
afterEach(() => void jest.restoreAllMocks());

test('a request that fits its operation is not shown to the library, one that does not fit or has a query is', async () => {
  expect((await post({ name: 'a', count: 1, metadata: null })).status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(0);
  const refused = await post({ name: 'a', count: -1, other: true });
  expect([refused.status, refused.body.errors.length]).toEqual([422, 2]);
  expect(asked).toHaveBeenCalledTimes(1);
  await request(app).get('/things?limit=3');
  expect(asked).toHaveBeenCalledTimes(2);
});

test('parameters that are not given have their defaults, also at a later request', async () => {
  for (const _ of [1, 2]) expect((await request(app).get('/things')).body.query).toEqual({ limit: 50 });
});

test('what fits is what the library lets pass, as it does where there is a query', async () => {
  const field = fc.constantFrom('name', 'count', 'agent_id', 'metadata', 'parts', 'other');
  const value = fc.oneof(fc.constantFrom('a', '', null, 1, -1, 1.5, true), fc.jsonValue({ maxDepth: 2 }));
  const body = fc.tuple(fc.dictionary(field, value, { maxKeys: 3 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(body, async ([fields, named]) => {
      const sent = named ? { name: 'a', ...fields } : fields;
      const [ours, library] = [await post(sent), await request(app).post('/things?').send(sent)];
      const told = ({ status, body: { errors } }: request.Response) => [status, errors];
      expect(told(ours)).toEqual(told(library));
    }),
    { numRuns: 60 },
  );
});
