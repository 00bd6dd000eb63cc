import { readFileSync } from 'node:fs';
import { loadSpec, operationsOf } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as client from '../src/index.ts';
import { type LiveServices, startLiveServices } from './live-services.ts';

interface Case {
  readonly service: 'memory' | 'timing';
  readonly operation: string;
  readonly title: string;
  readonly input: Record<string, unknown>;
  readonly options?: client.CallOptions;
  /** Another input of the same operation, sent first. */
  readonly before?: Record<string, unknown>;
  /** In place of an input: for an operation that takes lines. */
  readonly lineInput?: readonly client.Line[];
  readonly expect?: object;
  readonly contains?: string;
  /** All items of all pages are asked for, and there are so many. */
  readonly all?: true;
  readonly count?: number;
  readonly lines?: number;
  readonly expectEach?: object;
  /** So many events of a stream are read. */
  readonly events?: number;
  readonly error?: { status: number; code: string; class: string; where?: string | null };
  readonly save?: Record<string, string>;
  readonly saveHeader?: Record<string, string>;
}

const { cases } = JSON.parse(readFileSync(new URL('../../../clients/cases.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

type Method = (...args: unknown[]) => client.Paged<unknown, unknown> & AsyncIterable<unknown>;

let services: LiveServices;
let clients: Record<Case['service'], Record<string, Method>>;
const saved: Record<string, string> = {};

beforeAll(async () => {
  services = await startLiveServices();
  clients = {
    memory: client.memoryClient({ url: services.memoryUrl }) as never,
    timing: client.timingClient({ url: services.timingUrl }) as never,
  };
});
afterAll(() => services.close());

/** `$name` in any text stands for what was saved under that name. */
function filled<T>(value: T): T {
  const text = JSON.stringify(value).replace(/"\$(\w+)"/g, (_, name: string) =>
    JSON.stringify(saved[name] ?? `no ${name}`),
  );
  return JSON.parse(text) as T;
}

async function taken(items: AsyncIterable<unknown>, most = Number.POSITIVE_INFINITY): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) if (all.push(item) >= most) break;
  return all;
}

describe.each(['memory', 'timing'] as const)('every operation of the %s contract', (service) => {
  const contract = loadSpec(new URL(`../../../apps/${service}-service/openapi.yaml`, import.meta.url));
  // An operation that carries requests of another protocol has other clients.
  const operations = operationsOf(contract)
    .filter(({ method, path }) => contract.paths[path]?.[method]?.['x-carries-requests'] !== true)
    .map(({ operationId }) => operationId);

  test('has a method', () => {
    const methods = Object.entries(clients[service]).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    );
    expect(operations.filter((operation) => !methods.includes(operation))).toEqual([]);
  });

  test('has a case that succeeds or is refused for what it says', () => {
    const tried = new Set(cases.filter((one) => one.service === service).map(({ operation }) => operation));
    expect(operations.filter((operation) => !tried.has(operation))).toEqual([]);
  });
});

describe('against the services', () => {
  test.each(cases)('$service $operation $title', async (one) => {
    const method = clients[one.service][one.operation] as Method;
    const { options } = one;
    if (one.before) await method(one.before, options);
    const call = () => method(one.lineInput ?? filled(one.input), options);
    if (one.error) {
      const error = (await call().catch((thrown: unknown) => thrown)) as client.ApiError;
      const { status, code, class: name, where } = one.error;
      expect(error).toBeInstanceOf(client.ApiError);
      expect(error).toMatchObject({ name, status, code, requestId: expect.stringMatching(/^.+$/) });
      if (where) expect(error.errors.map((fault) => fault.where)).toContain(where);
      expect(error.message).toContain(error.problem.detail);
    } else if (one.all) {
      expect(await taken(call())).toHaveLength(one.count as number);
    } else if (one.lines !== undefined) {
      const lines = await taken(call());
      expect(lines).toHaveLength(one.lines);
      for (const line of lines) expect(line).toMatchObject(one.expectEach ?? {});
    } else if (one.events !== undefined) {
      expect(await taken(call(), one.events)).toEqual([
        { event: expect.any(String), id: expect.stringMatching(/^\d/), data: expect.anything() },
      ]);
    } else if (one.contains !== undefined) {
      expect(String(await call()).toLowerCase()).toContain(one.contains.toLowerCase());
    } else if (one.saveHeader) {
      const { data, response } = await call().withResponse();
      expect(data).toMatchObject(filled(one.expect ?? {}));
      for (const [name, header] of Object.entries(one.saveHeader)) saved[name] = response.headers.get(header) ?? '';
    } else {
      const answer = await call();
      expect(answer).toMatchObject(filled(one.expect ?? {}));
      for (const [name, path] of Object.entries(one.save ?? {})) saved[name] = String(valueAt(answer, path));
    }
  });
});

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((part, name) => (part as Record<string, unknown>)[name], value);
}
