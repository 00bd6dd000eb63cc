import { afterEach, expect, jest, test } from '@jest/globals';
import compiler from 'ajv/dist/core.js';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { contractValidation } from '../../src/validator-workarounds/contract-validation.ts';

const THINGS = {
  type: 'object',
  properties: { things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
};
const THING = {
  type: 'object',
  properties: { size: { type: 'integer' }, part: { $ref: '#/components/schemas/Thing' } },
  additionalProperties: false,
};
const get: object = {
  responses: { 200: { description: 'done', content: { 'application/json': { schema: THINGS } } } },
};

/** Answers what it is asked for. */
function service(more: object = {}) {
  const spec = {
    openapi: '3.1.0',
    info: { title: 'sample', version: '1', ...more },
    paths: { '/things': { get }, '/others': { get } },
    components: { schemas: { Thing: THING } },
  };
  const app = express();
  app.use(contractValidation({ spec, validateResponses: true, validateContract: false }));
  app.use((req, res) => void res.json(JSON.parse(req.get('X-Answer') ?? '')));
  app.use(((error, _req, res, _next) => void res.status(error.status).json(error.errors)) as ErrorRequestHandler);
  return request(app);
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('answers are held against schemas that they refer to, to any depth, though these are compiled once', async () => {
  const added = jest.spyOn(compiler.default.prototype, 'addSchema');
  const sent = service();
  for (const path of ['/things', '/others']) {
    const answered = (thing: object) =>
      sent.get(path).set('X-Answer', JSON.stringify({ things: [{ size: 1 }, thing] }));
    expect([path, (await answered({ size: 2, part: { part: { size: 3 } } })).status]).toEqual([path, 200]);
    for (const [thing, place] of [
      [{ size: '2' }, 'size'],
      [{ size: 2, part: { part: { size: 1.5 } } }, 'part/part/size'],
      [{ size: 2, part: { colour: 'red' } }, 'part/colour'],
    ] as const) {
      const { status, body } = await answered(thing);
      expect([path, status, body[0].path]).toEqual([path, 500, `/response/things/1/${place}`]);
    }
  }
  expect(added.mock.calls.filter(([schema]) => Object.keys(schema).includes('components'))).toEqual([]);
});

test('no other document is looked for, in no part of a contract', async () => {
  const sent = service({ 'x-more': { $ref: './nowhere.yaml' } });
  expect((await sent.get('/things').set('X-Answer', '{}')).status).toBe(200);
});
