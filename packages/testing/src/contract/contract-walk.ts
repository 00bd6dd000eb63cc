import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import supertest, { type Test } from 'supertest';
import { contractOperations, readContract } from './operations.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
type Body = object | string | undefined;

/** One request of an operation that is answered with 200, and one with its documented error. */
export interface OperationExample {
  /** A text is sent as NDJSON. */
  readonly request: readonly [method: Method, url: string, body?: object | string];
  readonly fault: readonly [method: Method, url: string, status: number, code: string, body?: object];
}

export interface ContractWalk {
  readonly contract: URL;
  /** By operationId. */
  readonly examples: Readonly<Record<string, OperationExample>>;
  /** The service, which the tests of a file share. */
  readonly app: () => RequestListener;
  /** The URL of an example with the ids of this service in it; the URL itself unless given. */
  readonly urlOf?: (url: string) => string;
  /** All that the service keeps, to see that a refused request changed nothing. */
  readonly state: () => Promise<unknown>;
  /** Called before the request that is answered with 200, which may delete what another one needs. */
  readonly prepare?: (operationId: string) => Promise<unknown>;
  /** Ends the answer of an operation that never ends by itself. */
  readonly endless?: Readonly<Record<string, (request: Test) => void>>;
  /** Paths that the service does not have. */
  readonly nothingAt: readonly string[];
}

/**
 * What Python's re, RE2 (Go), Java, Rust and JavaScript without the u flag read alike: literals, classes, \\xHH, \\s, \\S, escaped
 * signs, groups without look-around, repetitions.
 */
const READ_ALIKE =
  /^(?:[\w ^$|.*+?,-]|\(\?:|\((?!\?)|[)[\]]|\{\d+(?:,\d*)?\}|\\x[0-9a-f]{2}|\\[sS]|\\[.*+?()[\]{}|^$\\/-])*$/;

/** What browsers send along for a page that is not the service's own; none can send less. */
const FOREIGN_PAGES: readonly Record<string, string>[] = [
  { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.test' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' },
];

/**
 * Registers the tests that hold a service to its contract, operation by operation: its example, its error, another host, pages of
 * other sites, HEAD, the methods of a path. service-kit holds each answer against the contract in tests.
 */
export function walkContract(walk: ContractWalk): void {
  const { examples, app, state, urlOf = (url) => url } = walk;
  const contract = readContract(walk.contract);
  const operations = contractOperations(contract);
  const exampleOf = (operationId: string) => examples[operationId] as OperationExample;
  const send = (method: Method, url: string, body?: Body): Test => {
    const request = supertest(app())[method](urlOf(url));
    if (body === undefined) return request;
    return (typeof body === 'string' ? request.type('application/x-ndjson') : request).send(body);
  };

  describe('the contract', () => {
    test('has only patterns that the tools of other languages read alike', () => {
      const patterns = patternsIn(contract);
      expect(patterns.length).toBeGreaterThan(0);
      expect(patterns.filter((pattern) => !READ_ALIKE.test(pattern))).toEqual([]);
      const others = ['\\p{Cc}', '(?=a)', '\\u0000', '(?<!a)b', '(?<name>a)'];
      expect(others.filter((pattern) => READ_ALIKE.test(pattern))).toEqual([]);
    });

    test('has an example for every operation', () => {
      expect(operations.length).toBeGreaterThan(0);
      expect(Object.keys(examples).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    });

    test('is what /openapi.json shows', async () => {
      expect((await supertest(app()).get('/openapi.json')).body).toEqual(contract);
    });

    // Before the request that is answered with 200, which may delete what the fault speaks of.
    test.each(operations)('$method $path answers its documented error', async ({ operationId }) => {
      const [method, url, status, code, body] = exampleOf(operationId).fault;
      const answer = await send(method, url, body);
      expect([answer.status, answer.type]).toEqual([status, 'application/problem+json']);
      expect(JSON.parse(answer.text)).toMatchObject({ status, code, detail: expect.stringMatching(/\S{2,}.*\S/) });
    });

    test.each(operations)('$method $path is not there for another host', async ({ operationId }) => {
      const before = await state();
      const answer = await send(...exampleOf(operationId).request).set('Host', 'evil.test:8080');
      expect([answer.status, answer.body.code]).toEqual([421, 'misdirected_request']);
      expect(await state()).toEqual(before);
    });

    const writes = operations.filter(({ method }) => method !== 'get');
    test.each(writes)('$method $path does nothing for a page of another site', async ({ operationId }) => {
      const { request } = exampleOf(operationId);
      const before = await state();
      for (const headers of FOREIGN_PAGES) {
        const whole = await send(...request).set(headers);
        const bare = await send(request[0], request[1]).set(headers);
        expect([whole.body.code, bare.body.code, whole.status]).toEqual(['cross_site', 'cross_site', 403]);
      }
      expect(await state()).toEqual(before);
    });

    const reads = operations.filter(({ method }) => method === 'get');
    test.each(reads)('HEAD $path is answered as GET, without a body and to its end', async ({ operationId }) => {
      await walk.prepare?.(operationId);
      const answer = await supertest(app()).head(urlOf(exampleOf(operationId).request[1]));
      expect([answer.status, answer.text ?? '']).toEqual([200, '']);
    });

    test.each(operations)('$method $path answers 200 as the contract says', async ({ operationId }) => {
      await walk.prepare?.(operationId);
      const request = send(...exampleOf(operationId).request);
      walk.endless?.[operationId]?.(request);
      const { status, text } = await request;
      expect({ status, fault: status === 200 ? '' : text }).toEqual({ status: 200, fault: '' });
    });

    // What the service has made by itself cannot be known before: the page says where to find it.
    const isId = (name: string) => name === 'id' || name.endsWith('_id');
    test.each(operations)('$method $path explains what /docs asks for', ({ body, parameters }) => {
      expect(parameters.filter(({ description }) => !description)).toEqual([]);
      const needed = parameters.filter(({ required, schema }) => required && !schema.enum);
      expect(needed.filter(({ name, example }) => !isId(name) && example === undefined)).toEqual([]);
      expect(body?.example).toEqual(body && expect.any(Object));
    });

    const taken = operations.filter(({ body }) => body?.example);
    test.each(taken)('$method $path takes the body that stands at /docs', async ({ operationId, body }) => {
      await walk.prepare?.(operationId);
      const [method, url] = exampleOf(operationId).request;
      const { status, text } = await send(method, url, body?.example);
      // 404: it names what nobody has stored here.
      expect({ fits: status === 200 || status === 404, text }).toEqual({ fits: true, text });
    });

    test.each(['/docs', '/dashboard'])('the page at %s names nothing outside this server', async (path) => {
      const page = await supertest(app()).get(path);
      expect([page.status, page.type]).toEqual([200, 'text/html']);
      expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    });

    test.each(Object.keys(contract.paths))('%s names the methods that it answers', async (path) => {
      const known = operations.filter((operation) => operation.path === path).map(({ method }) => method);
      const named = [...known, ...(known.includes('get') ? ['head'] : [])].map((method) => method.toUpperCase());
      for (const method of ['get', 'post', 'put', 'delete', 'patch'] as const) {
        if (known.includes(method)) continue;
        const answer = await supertest(app())[method](path.replaceAll(/\{[^{}]+\}/g, 'x'));
        expect([method, answer.status, answer.type]).toEqual([method, 405, 'application/problem+json']);
        expect(answer.headers.allow?.split(', ').sort()).toEqual(named.sort());
      }
    });

    test.each(['/', '/nothing', ...walk.nothingAt])('there is nothing at %s', async (path) => {
      const answer = await supertest(app()).get(path).set('X-Request-ID', 'r');
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toEqual({
        type: 'urn:agent-faculties:problem:not_found',
        title: 'Not found',
        status: 404,
        detail:
          'There is nothing at this path: see /docs for the paths that exist, and write them exactly as there; hosts of MCP ask at /mcp.',
        code: 'not_found',
        request_id: 'r',
      });
    });
  });
}

function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}
