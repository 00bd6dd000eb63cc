import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Registry } from 'prom-client';
import supertest from 'supertest';
import { backgroundAudit } from '../../src/observability/audit.ts';
import { createLog } from '../../src/observability/log.ts';
import {
  type FinishedSpan,
  type SpanExporter,
  spanExporter,
  WAITING_LIMIT,
} from '../../src/observability/span-exporter.ts';
import { openTracing, tracing } from '../../src/observability/tracing.ts';
import { ManualClock } from '../../src/values/manual-clock.ts';
import { metric, parseExposition } from '../exposition.ts';
import { createSample } from '../sample-service.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SPAN: FinishedSpan = {
  traceId: TRACE,
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: null,
  name: 'GET /things/{name}',
  kind: 'server',
  startedMs: 1_795_253_400_123.456,
  endedMs: 1_795_253_400_124.5,
  attributes: { 'http.route': '/things/{name}', 'http.response.status_code': 200 },
  failed: false,
};

/** A collector that answers as it is told, on a port of its own. */
async function collector(answer: () => { status: number; body?: string }) {
  const requests: { url: string; headers: object; body: string }[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    requests.push({ url: req.url ?? '', headers: req.headers, body });
    const { status, body: text = '{}' } = answer();
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { requests, endpoint: `http://127.0.0.1:${port}`, close };
}

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function exporting(answer: () => { status: number; body?: string }) {
  const target = await collector(answer);
  const registry = new Registry();
  const lines: { level: string; msg: string }[] = [];
  const log = createLog({
    name: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const exporter = spanExporter({
    endpoint: `${target.endpoint}/`,
    headers: { 'api-key': 'abc' },
    build: { service: 'sample', version: '1.2.3' },
    log,
    registry,
  });
  open.push(target, exporter);
  const count = async (result: string) =>
    metric(parseExposition(await registry.metrics()), 'agent_faculties_spans_total', { result });
  return { ...target, exporter, lines, count };
}

describe('the exporter of spans', () => {
  test('sends them as the JSON of OTLP', async () => {
    const { exporter, requests, count } = await exporting(() => ({ status: 200 }));
    exporter.add(SPAN);
    exporter.add({ ...SPAN, parentSpanId: PARENT, kind: 'internal', failed: true });
    await exporter.flush();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      url: '/v1/traces',
      headers: { 'content-type': 'application/json', 'api-key': 'abc' },
    });
    const span = {
      traceId: TRACE,
      spanId: 'eee19b7ec3c1b174',
      name: 'GET /things/{name}',
      kind: 2,
      startTimeUnixNano: '1795253400123456000',
      endTimeUnixNano: '1795253400124500000',
      attributes: [
        { key: 'http.route', value: { stringValue: '/things/{name}' } },
        { key: 'http.response.status_code', value: { intValue: '200' } },
      ],
      status: {},
    };
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'sample' } },
              { key: 'service.version', value: { stringValue: '1.2.3' } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: 'agent-faculties' },
              spans: [span, { ...span, parentSpanId: PARENT, kind: 1, status: { code: 2 } }],
            },
          ],
        },
      ],
    });
    expect(await count('exported')).toBe(2);
  });

  test('keeps spans while the collector is away, and drops and counts what is too much', async () => {
    let status = 503;
    const { exporter, requests, count, lines } = await exporting(() => ({ status }));
    for (let n = 0; n < WAITING_LIMIT + 3; n++) exporter.add(SPAN);
    await exporter.flush();
    await exporter.flush();
    expect(requests).toHaveLength(2);
    expect([await count('dropped'), await count('exported')]).toEqual([3, 0]);
    status = 200;
    await exporter.flush();
    expect([await count('dropped'), await count('exported')]).toEqual([3, WAITING_LIMIT]);
    expect(requests).toHaveLength(2 + WAITING_LIMIT / 512);
    expect(lines.map(({ level, msg }) => `${level} ${msg.split(':')[0]}`)).toEqual([
      'warn spans cannot be exported',
      'info spans are exported again',
    ]);
  });

  test('keeps spans when nobody listens', async () => {
    const { exporter, count, close } = await exporting(() => ({ status: 200 }));
    await close();
    exporter.add(SPAN);
    await exporter.flush();
    expect([await count('exported'), await count('refused'), await count('dropped')]).toEqual([0, 0, 0]);
  });

  test.each([
    [400, '', 1, 0],
    [200, '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}', 1, 0],
    [200, 'not json', 0, 1],
  ])('counts what the collector refuses (%i %s)', async (status, body, refused, exported) => {
    const { exporter, count } = await exporting(() => ({ status, body }));
    exporter.add(SPAN);
    await exporter.flush();
    expect([await count('refused'), await count('exported')]).toEqual([refused, exported]);
  });
});

describe('the exporter of spans, by its own timer', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  /** @returns the answers that are owed to the requests so far */
  function exportingByTimer() {
    jest.useFakeTimers();
    const owed: ((status: number) => Promise<void>)[] = [];
    const exporter = spanExporter({
      endpoint: 'http://127.0.0.1:1',
      headers: {},
      build: { service: 'sample', version: '1.2.3' },
      log: createLog({ name: 'test', level: 'silent' }),
      registry: new Registry(),
      fetch: () =>
        new Promise<Response>((resolve) => {
          owed.push(async (status) => {
            resolve(new Response('{}', { status }));
            await jest.advanceTimersByTimeAsync(0);
          });
        }),
    });
    return { exporter, owed };
  }

  test('goes on when one came while another was sent, and none for a while after', async () => {
    const { exporter, owed } = exportingByTimer();
    exporter.add(SPAN);
    await jest.advanceTimersByTimeAsync(5_000);
    exporter.add(SPAN);
    await owed[0]?.(200);
    await owed[1]?.(200);
    await jest.advanceTimersByTimeAsync(5_000);
    exporter.add(SPAN);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(owed).toHaveLength(3);
  });

  test('goes on after a request that failed later than the next one was due', async () => {
    const { exporter, owed } = exportingByTimer();
    exporter.add(SPAN);
    await jest.advanceTimersByTimeAsync(5_000);
    exporter.add(SPAN);
    await jest.advanceTimersByTimeAsync(5_000);
    await owed[0]?.(503);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(owed).toHaveLength(2);
  });
});

describe('a service that exports spans', () => {
  function traced() {
    const spans: FinishedSpan[] = [];
    const clock = new ManualClock(1_795_253_400_000);
    let ids = 0;
    const exporter: Pick<SpanExporter, 'add'> = { add: (span) => void spans.push(span) };
    const randomHex = (bytes: number) => (++ids).toString(16).padStart(bytes * 2, '0');
    const own = tracing({ clock, exporter, randomHex });
    return { spans, own, clock, app: createSample({ options: { tracing: own, clock } }).app };
  }

  test('takes over the trace of the caller', async () => {
    const { app, spans } = traced();
    await supertest(app).get('/things/cup').set('traceparent', `00-${TRACE}-${PARENT}-01`).set('X-Request-ID', 'r-1');
    expect(spans).toEqual([
      {
        traceId: TRACE,
        spanId: '0000000000000001',
        parentSpanId: PARENT,
        name: 'GET /things/{name}',
        kind: 'server',
        startedMs: 1_795_253_400_000,
        endedMs: 1_795_253_400_000,
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/things/{name}',
          'http.response.status_code': expect.any(Number),
          'agent_faculties.request_id': 'r-1',
          'agent_faculties.agent': 'default',
        },
        failed: false,
      },
    ]);
  });

  test('begins a trace where the caller has none, or an unreadable one', async () => {
    const { app, spans } = traced();
    await supertest(app).get('/things/cup');
    await supertest(app)
      .get('/things/cup')
      .set('traceparent', `00-${'0'.repeat(32)}-${PARENT}-01`);
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([null, null]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  test('says nothing of a trace that is not sampled, of probes, and names no unknown path', async () => {
    const { app, spans } = traced();
    await supertest(app).get('/things/cup').set('traceparent', `00-${TRACE}-${PARENT}-00`);
    await supertest(app).get('/health/live');
    await supertest(app).get('/metrics');
    expect(spans).toEqual([]);
    await supertest(app).get('/secret/path');
    expect(spans.map(({ name }) => name)).toEqual(['GET']);
  });

  test('has a span for each job, failed ones too', async () => {
    const { spans, own, clock } = traced();
    const audit = backgroundAudit(createLog({ name: 'test', level: 'silent' }), own);
    await audit('retention', async () => clock.advance(2_000));
    await expect(
      audit('save', async () => {
        throw new TypeError('no');
      }),
    ).rejects.toThrow('no');
    expect(
      spans.map(({ name, kind, startedMs, endedMs, failed, attributes }) => [
        name,
        kind,
        endedMs - startedMs,
        failed,
        attributes,
      ]),
    ).toEqual([
      ['job retention', 'internal', 2_000, false, {}],
      ['job save', 'internal', 0, true, { 'error.type': 'TypeError' }],
    ]);
  });

  test('exports none unless it is told where to', async () => {
    const { tracing: none, close } = openTracing({
      config: { otlpEndpoint: null, otlpHeaders: null },
      clock: new ManualClock(0),
      build: { service: 'sample', version: '1' },
      log: createLog({ name: 'test', level: 'silent' }),
      registry: new Registry(),
    });
    expect(none).toBeUndefined();
    await close();
  });
});
