import { describe, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import type { OpenApiDocument } from '../../src/contract/openapi.ts';
import { rememberOperations } from '../../src/validator-workarounds/operation-memory.ts';

const PATHS = [
  '/things',
  '/things/{name}',
  '/things/active',
  '/things/{name}/parts/{part}',
  '/a.b/{x}',
  '/{any}/{two}',
];
const spec = {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: Object.fromEntries(PATHS.map((path) => [path, { get: {}, post: {} }])),
} as OpenApiDocument;

/** Asks twice; `find` stands for the validator and knows the answer. */
function asked(url: string, openApiRoute: string | null): { times: number; pathParams: unknown; error: unknown } {
  let times = 0;
  let error: unknown;
  const find: RequestHandler = (req, _res, next) => {
    times++;
    if (openApiRoute === null) return next(new Error('not found'));
    Object.assign(req, { openapi: { openApiRoute, pathParams: { from: 'find' }, schema: { operationId: 'x' } } });
    next();
  };
  const remember = rememberOperations(spec, find);
  let req = {} as { openapi?: { pathParams: unknown } };
  for (let round = 0; round < 2; round++) {
    req = { method: 'GET', originalUrl: url } as never;
    remember(req as never, {} as never, (thrown?: unknown) => {
      error = thrown;
    });
  }
  return { times, pathParams: req.openapi?.pathParams, error };
}

describe('the operation of a request', () => {
  test.each([
    ['/things', '/things', {}],
    ['/things?limit=1', '/things', {}],
    ['/things/active', '/things/active', {}],
    ['/things/a%2Fb%20c/parts/%D0%B0', '/things/{name}/parts/{part}', { name: 'a/b c', part: 'а' }],
  ])('is asked for once: %s', (url, route, pathParams) => {
    expect(asked(url, route)).toEqual({ times: 1, pathParams, error: undefined });
  });

  test.each([
    ['that two paths fit', '/things/pen', '/things/{name}'],
    ['that no path fits', '/things/pen/', '/things/{name}'],
    ['whose dot is another letter', '/aXb/1/2', '/a.b/{x}'],
    ['for which something else is found', '/things', '/things/{name}'],
  ])('is asked for each time by a URL %s', (_, url, route) => {
    expect(asked(url, route)).toMatchObject({ times: 2, pathParams: { from: 'find' } });
  });

  test('that does not exist is asked for each time', () => {
    expect(asked('/things', null)).toMatchObject({ times: 2, error: new Error('not found') });
  });
});
