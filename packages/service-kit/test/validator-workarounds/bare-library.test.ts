import { afterEach, describe, expect, jest, test } from '@jest/globals';
import compiler from 'ajv/dist/core.js';
import express, { type ErrorRequestHandler } from 'express';
import openApiValidator from 'express-openapi-validator';
import schemaValidators from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import requestValidators from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import responseValidators from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import parameterMutators from 'express-openapi-validator/dist/middlewares/parsers/req.parameter.mutator.js';
import request from 'supertest';

// The bare library, and the behaviour that src/validator-workarounds corrects. A test that goes red names a work-around that
// is no longer needed: see the README of that folder.

const OBJECT = { type: 'object', properties: { name: { type: 'string' } } };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const OPERATIONS = {
  '/things': {
    get: {
      parameters: [
        { name: 'q', in: 'query', schema: { type: 'string' } },
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
      ],
    },
    post: { requestBody: { ...json({ ...OBJECT, required: ['name'], additionalProperties: false }), required: true } },
  },
  '/optional': {
    post: { requestBody: json(OBJECT) },
    put: { requestBody: { ...json(OBJECT), required: false } },
  },
  '/required': {
    post: { requestBody: { ...json(OBJECT), required: true } },
    put: { requestBody: { ...json({ ...OBJECT, required: [] }), required: true } },
  },
};

function middleware({ paths = OPERATIONS as object, components = {}, allErrors = false } = {}) {
  const withAnswers = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          { ...(operation as object), responses: { 200: { description: 'done' } } },
        ]),
      ),
    ]),
  );
  const apiSpec = { openapi: '3.0.3', info: { title: 'bare', version: '1' }, components, paths: withAnswers };
  return openApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    fileUploader: false,
    validateRequests: { allErrors },
  });
}

const parseJson = express.json({ limit: '1mb' });
const hasBody = (req: express.Request) => Number(req.headers['content-length'] ?? 0) > 0;

function bare(options: Parameters<typeof middleware>[0] = {}) {
  const app = express();
  // It would replace an empty body by {}.
  app.use((req, res, next) => (hasBody(req) ? parseJson(req, res, next) : next()));
  app.use(middleware(options));
  app.use((_req, res) => res.status(200).end());
  app.use(((error, _req, res, _next) =>
    res.status(error.status ?? 500).json({ message: error.message, errors: error.errors })) as ErrorRequestHandler);
  return request(app);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a query', () => {
  test('as it is usually encoded passes', async () => {
    expect((await bare().get('/things?q=a%2Bb')).status).toBe(200);
  });

  test('with a reserved character is refused without allowReserved', async () => {
    expect((await bare().get('/things?q=a+b')).status).toBe(400);
  });

  test('with two unknown parameters is told the first alone', async () => {
    const { body } = await bare({ allErrors: true }).get('/things?x=1&y=2');
    expect(body.message).toContain("'x'");
    expect(JSON.stringify(body)).not.toContain("'y'");
  });

  test('with a parameter given twice is told that it must be a string', async () => {
    expect((await bare().get('/things?q=a&q=b')).body.errors).toMatchObject([{ message: 'must be string' }]);
  });

  test.each(['0x10', '1e1', '%2B5', '%20'])('with %s for an integer passes', async (sent) => {
    expect((await bare().get(`/things?limit=${sent}`)).status).toBe(200);
  });
});

test('HEAD is refused where the contract has GET', async () => {
  expect((await bare().head('/things')).status).toBe(405);
});

describe('a request without a body', () => {
  test('is refused where the contract does not say whether one is required, and passes where it says no', async () => {
    expect((await bare().post('/optional')).status).toBe(415);
    expect((await bare().put('/optional')).status).toBe(200);
  });

  test('passes where one is required and its schema lists no required fields, not even none', async () => {
    const without = (method: 'post' | 'put') => bare()[method]('/required').set('Content-Type', 'application/json');
    expect((await without('post')).status).toBe(200);
    expect((await without('put')).status).toBe(400);
  });
});

test('the schema of OpenAPI is compiled, though the contract is not to be held against it', async () => {
  const { OpenAPISchemaValidator } = schemaValidators;
  let compiled = 0;
  schemaValidators.OpenAPISchemaValidator = class extends OpenAPISchemaValidator {
    constructor(options: ConstructorParameters<typeof OpenAPISchemaValidator>[0]) {
      super(options);
      compiled++;
    }
  };
  try {
    await bare().get('/things');
  } finally {
    schemaValidators.OpenAPISchemaValidator = OpenAPISchemaValidator;
  }
  expect(compiled).toBe(1);
});

test('a contract is gone through for references to other documents', async () => {
  const components = { schemas: { Unused: { $ref: './nowhere.yaml' } } };
  const { status, body } = await bare({ components }).get('/things');
  expect([status, body.message]).toEqual([500, expect.stringContaining('nowhere.yaml')]);
});

describe('for a schema that operations refer to', () => {
  const paths = {
    '/things': { post: { requestBody: json({ $ref: '#/components/schemas/Thing' }) } },
    '/others': { post: { requestBody: json({ $ref: '#/components/schemas/Thing' }) } },
  };
  const components = { schemas: { Thing: OBJECT } };

  test('the compiler is asked, to find what stands in the contract', async () => {
    const asked = jest.spyOn(compiler.default.prototype, 'getSchema');
    await bare({ paths, components }).get('/things');
    expect(asked).toHaveBeenCalledWith('#/components/schemas/Thing');
  });

  test('each operation has the whole contract compiled in', async () => {
    const added = jest.spyOn(compiler.default.prototype, 'addSchema');
    const service = bare({ paths, components });
    for (const path of ['/things', '/others']) await service.post(path).send({ name: 'x' });
    const whole = added.mock.calls.filter(([schema]) => Object.keys(schema).includes('components'));
    // The parameters and the body of two operations.
    expect(whole).toHaveLength(4);
  });

  test('each answer has the whole contract compiled in', () => {
    const contract = { openapi: '3.0.3', info: { title: 'bare', version: '1' }, components, paths: {} };
    const added = jest.spyOn(compiler.default.prototype, 'addSchema');
    const validator = new responseValidators.ResponseValidator(contract as never, {
      formats: {},
      strict: false,
    }) as unknown as {
      buildValidators(answers: object, key: string): void;
    };
    const answer = json({ $ref: '#/components/schemas/Thing' });
    validator.buildValidators({ 200: answer, 404: answer }, 'GET-/things');
    const whole = added.mock.calls.filter(([schema]) => Object.keys(schema).includes('components'));
    expect(whole).toHaveLength(2);
  });
});

test('the faults of a body are collected without a bound', async () => {
  const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`unknown${index}`, 1]));
  const { body } = await bare({ allErrors: true })
    .post('/things')
    .send({ name: 'x', ...fields });
  expect(body.errors).toHaveLength(3_000);
});

describe('what an operation needs is compiled', () => {
  const compilations = () =>
    jest.spyOn(
      requestValidators.RequestValidator.prototype as unknown as { buildMiddleware(): void },
      'buildMiddleware',
    );

  test('at its first request', async () => {
    const compiled = compilations();
    const service = bare();
    expect(compiled).toHaveBeenCalledTimes(0);
    for (const [path, times] of [
      ['/things', 1],
      ['/things', 1],
    ] as const) {
      await service.get(path);
      expect(compiled).toHaveBeenCalledTimes(times);
    }
  });

  test('and kept for each spelling of Content-Type', async () => {
    const compiled = compilations();
    const service = bare();
    for (let count = 1; count <= 3; count++) {
      await service.post('/things').set('Content-Type', `application/json; count=${count}`).send('{"name":"x"}');
      expect(compiled).toHaveBeenCalledTimes(count);
    }
  });
});

test('a regular expression is built for each path until one fits, at every request', async () => {
  const paths = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`/path${index + 10}/{id}`, { get: {} }]));
  const service = bare({ paths });
  const built: string[] = [];
  const Original = globalThis.RegExp;
  const counting = new Proxy(Original, {
    construct: (target, [source, flags]) => {
      built.push(String(source));
      return new target(source, flags);
    },
  });
  for (let round = 0; round < 2; round++) {
    built.length = 0;
    globalThis.RegExp = counting;
    try {
      await service.get('/path49/x');
    } finally {
      globalThis.RegExp = Original;
    }
    expect(built.filter((source) => source.includes('path')).length).toBe(40);
  }
});

test('the URL is read for parameters with brackets, lists and objects, also where there is no query', async () => {
  const modified = jest.spyOn(parameterMutators.RequestParameterMutator.prototype, 'modifyRequest');
  const service = bare();
  await service.get('/things');
  expect(modified).toHaveBeenCalledTimes(1);
});

test('what parses parameters is made for each request, also where there are none', async () => {
  const modified = jest.spyOn(parameterMutators.RequestParameterMutator.prototype, 'modifyRequest');
  const service = bare();
  for (const _ of [1, 2]) await service.post('/things').send({ name: 'a' });
  const [first, second] = modified.mock.contexts;
  expect([modified.mock.calls.length, first === second]).toEqual([2, false]);
});

test('it is a list of handlers, before each of which a router matches the path, and each waits for the contract', () => {
  expect(middleware().map(({ name }: { name: string }) => name)).toEqual([
    'pathParamsMiddleware',
    'metadataMiddleware',
    'securityMiddleware',
    'requestMiddleware',
  ]);
});
