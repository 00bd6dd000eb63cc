import { describe, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { inSequence } from '../../src/validator-workarounds/in-sequence.ts';

/** The answer of an Express app that mounts the handlers, by themselves and as one: the framework is the oracle. */
async function answers(...handlers: RequestHandler[]): Promise<unknown[]> {
  const bodies = [];
  for (const mounted of [handlers, [inSequence(...handlers)]]) {
    const app = express();
    app.use(...mounted);
    app.use((_req, res) => void res.send('end'));
    app.use(((error, _req, res, _next) => void res.send(`error ${error}`)) as express.ErrorRequestHandler);
    bodies.push((await request(app).get('/')).text);
  }
  return bodies;
}

const later: RequestHandler = (_req, _res, next) => void setImmediate(next);
const now: RequestHandler = (_req, _res, next) => next();
const answer: RequestHandler = (_req, res) => void res.send('answered');
const thrown: RequestHandler = () => {
  throw 'thrown';
};
const failed: RequestHandler = (_req, _res, next) => next('failed');

describe('handlers in sequence answer as a router has them answer', () => {
  test.each<[string, RequestHandler[], string]>([
    ['none', [now, later], 'end'],
    ['one that answers', [now, later, answer, thrown], 'answered'],
    ['one that throws', [now, thrown, answer], 'error thrown'],
    ['one that throws in a later turn', [later, thrown, answer], 'error thrown'],
    ['one that hands on an error', [later, failed, answer], 'error failed'],
  ])('%s', async (_, handlers, expected) => {
    expect(await answers(...handlers)).toEqual([expected, expected]);
  });
});
