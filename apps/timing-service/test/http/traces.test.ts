import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import supertest from 'supertest';
import { metric, parseExposition } from '../../../../packages/service-kit/test/exposition.ts';
import { rowCounts, startTestService, type TestService } from '../start-service.ts';

let service: TestService;
beforeEach(() => {
  service = startTestService();
});
afterEach(() => service.close());

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const READ = [text('gen_ai.operation.name', 'execute_tool'), text('gen_ai.tool.name', 'Read')];

/** The form of the example of opentelemetry-proto (examples/trace.json), with a span of a tool. */
const span = (fields: object = {}) => ({
  traceId: '5B8EFFF798038103D269B633813FC60C',
  spanId: 'EEE19B7EC3C1B174',
  parentSpanId: 'EEE19B7EC3C1B173',
  name: 'execute_tool Read',
  startTimeUnixNano: '1544712660000000000',
  endTimeUnixNano: '1544712661500000000',
  kind: 1,
  attributes: READ,
  ...fields,
});
const traces = (spans: readonly unknown[], resource: readonly object[] = [text('service.name', 'my.service')]) => ({
  resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope: { name: 'my.library' }, spans }] }],
});
const post = (body: object | string, query = '') =>
  supertest(service.app)
    .post(`/v1/traces${query}`)
    .set('Content-Type', 'application/json')
    .send(body as object);
const tasks = async (agent = '*') =>
  (await supertest(service.app).get('/tasks').query({ agent_id: agent })).body.tasks as Record<string, unknown>[];

describe('POST /v1/traces', () => {
  test('makes a task of the span of a tool', async () => {
    const answer = await post(traces([span()]));
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await tasks('my.service')).toEqual([
      {
        correlation_id: 'otlp-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174',
        agent_id: 'my.service',
        task_type: 'tool:Read',
        state: 'ended',
        outcome: 'ok',
        started_at: '2018-12-13T14:51:00.000000+00:00',
        ended_at: '2018-12-13T14:51:01.500000+00:00',
        duration_seconds: 1.5,
        elapsed_seconds: 1.5,
        estimated_seconds: null,
        metadata: {
          trace_id: '5b8efff798038103d269b633813fc60c',
          span_id: 'eee19b7ec3c1b174',
          parent_span_id: 'eee19b7ec3c1b173',
          span: 'execute_tool Read',
        },
      },
    ]);
    const stats = await supertest(service.app).get('/stats/durations/tool%3ARead?agent_id=my.service');
    expect(stats.body.summary).toMatchObject({ count: 1, p50_seconds: 1.5 });
  });

  test('takes from Claude Code when a tool ran, without the wait for a permission, and that it failed', async () => {
    const tool = { name: 'claude_code.tool', attributes: [text('tool_name', 'Bash')] };
    const execution = {
      name: 'claude_code.tool.execution',
      spanId: 'EEE19B7EC3C1B175',
      parentSpanId: 'EEE19B7EC3C1B174',
      startTimeUnixNano: '1544712660900000000',
      endTimeUnixNano: '1544712661400000000',
      attributes: [],
      status: { code: 2, message: 'ShellError' },
    };
    await post(traces([span(execution), span(tool)]));
    const told = { task_type: 'tool:Bash', started_at: '2018-12-13T14:51:00.900000+00:00', duration_seconds: 0.5 };
    expect(await tasks()).toMatchObject([{ ...told, outcome: 'error' }]);
    // Of another trace.
    const other = { traceId: '5B8EFFF798038103D269B633813FC60D' };
    await post(traces([span(execution), span({ ...tool, ...other })]));
    expect(await tasks()).toMatchObject([{ outcome: 'error' }, { outcome: 'ok', duration_seconds: 1.5 }]);
  });

  test('takes a span once, however often it comes', async () => {
    for (let times = 0; times < 3; times++) expect((await post(traces([span(), span()]))).body).toEqual({});
    expect(await tasks()).toHaveLength(1);
    const exposition = parseExposition((await supertest(service.app).get('/metrics')).text);
    expect(metric(exposition, 'timing_spans_total', { result: 'recorded' })).toBe(1);
    expect(metric(exposition, 'timing_spans_total', { result: 'repeated' })).toBe(5);
  });

  test('leaves spans out that are no work of an agent, without a word', async () => {
    const http = span({ attributes: [text('http.request.method', 'GET')] });
    expect((await post(traces([http]))).body).toEqual({});
    expect(await tasks()).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['names of Protocol Buffers', { resource_spans: [{ scope_spans: [{ spans: [span()] }] }] }],
    ['the groups of an earlier version', { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [span()] }] }] }],
  ])('says so where it finds no span, as in a request with %s', async (_what, body) => {
    expect((await post(body)).body).toEqual({
      partialSuccess: { rejectedSpans: '0', errorMessage: expect.stringContaining('no spans were found') },
    });
  });

  test('refuses bad spans one by one and takes the others', async () => {
    const answer = await post(
      traces([
        span({ traceId: 'W47/95gDgQPSabYzgT/GDA==' }),
        span({ spanId: '0000000000000000' }),
        null,
        span({ spanId: 'eee19b7ec3c1b175', endTimeUnixNano: '1544712659999999999' }),
        span({ spanId: 'eee19b7ec3c1b176', endTimeUnixNano: '0' }),
        span({ spanId: 'eee19b7ec3c1b177', startTimeUnixNano: '99999999999999999999' }),
        span({ spanId: 'eee19b7ec3c1b178', attributes: [...READ, text('gen_ai.agent.name', ' ann')] }),
        span(),
        span({ endTimeUnixNano: '1544712669000000000' }),
        span({ spanId: 'eee19b7ec3c1b179', endTimeUnixNano: '1795339800124000000' }),
        span({ spanId: 'eee19b7ec3c1b17a', attributes: [...READ, text('gen_ai.agent.name', 'an\u200bn')] }),
      ]),
    );
    const at = (n: number) => `resourceSpans/0/scopeSpans/0/spans/${n}`;
    expect(answer.status).toBe(200);
    expect(answer.body.partialSuccess.rejectedSpans).toBe('10');
    expect(answer.body.partialSuccess.errorMessage.split('; ')).toEqual([
      `${at(0)} traceId must be 32 hex digits, not all of them 0`,
      `${at(1)} spanId must be 16 hex digits, not all of them 0`,
      `${at(2)} is not an object`,
      `${at(3)} endTimeUnixNano lies before startTimeUnixNano`,
      `${at(4)} endTimeUnixNano must be nanoseconds since 1970, up to the year 2255: send a span when it has ended`,
      `${at(5)} startTimeUnixNano must be nanoseconds since 1970, up to the year 2255`,
      expect.stringMatching(/^span eee19b7ec3c1b178 names an agent that cannot be one: .* blank/),
      'span eee19b7ec3c1b179 lies more than a day in the future: correct the clock that it is from',
      'span eee19b7ec3c1b17a names an agent that cannot be one: agent contains the invisible character U+200B: send the name without it.',
      'otlp-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174 was recorded before with another agent, project, type, start, end or outcome',
    ]);
    expect(await tasks()).toHaveLength(1);
  });

  test.each([
    ['agent_id', '?agent_id=ann', {}, 'ann'],
    ['the header', '', { 'X-Agent-ID': 'bob' }, 'bob'],
    ['the span, then', '', {}, 'planner'],
  ])('takes the agent from %s', async (_from, query, headers, agent) => {
    const named = span({ attributes: [...READ, text('gen_ai.agent.name', 'planner')] });
    await post(traces([named], [text('gen_ai.agent.name', 'crew'), text('service.name', 'app')]), query).set(headers);
    expect((await tasks()).map(({ agent_id }) => agent_id)).toEqual([agent]);
  });

  test.each([
    [[text('gen_ai.agent.name', 'crew'), text('service.name', 'app')], 'crew'],
    [[text('service.name', 'app')], 'app'],
    [[text('service.name', 'unknown_service:node')], 'default'],
    [[], 'default'],
  ])('takes the agent from the resource %j', async (resource, agent) => {
    await post(traces([span()], resource));
    expect((await tasks()).map(({ agent_id }) => agent_id)).toEqual([agent]);
  });

  test('behind a gateway writes for the agent of the key, whatever spans say', async () => {
    const trusted = startTestService({ config: { trustIdentityHeader: true } });
    await supertest(trusted.app)
      .post('/v1/traces')
      .set('X-Agent-ID', 'ann')
      .send(traces([span()]));
    const own = await supertest(trusted.app).get('/tasks').set('X-Agent-ID', 'ann');
    expect(own.body.tasks).toHaveLength(1);
    trusted.close();
  });

  test('unpacks gzip, and keeps nothing of what was said', async () => {
    const said = text('gen_ai.input.messages', 'The launch code is swordfish.');
    const packed = gzipSync(
      JSON.stringify(traces([span({ attributes: [...READ, said], events: [{ name: 'swordfish' }] })])),
    );
    const answer = await supertest(service.app)
      .post('/v1/traces')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((body) => body as string)
      .send(packed as never);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const exported = await supertest(service.app).get('/export?agent_id=*').buffer(true);
    expect(exported.text).toContain('tool:Read');
    expect(exported.text).not.toContain('swordfish');
  });

  test('masks a secret in the name of a span', async () => {
    await post(traces([span({ name: `GET ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}` })]));
    const [task] = await tasks();
    expect(task?.metadata).toMatchObject({ span: expect.stringContaining('[REDACTED:') });
  });

  test.each([
    ['application/x-protobuf', 415, 'unsupported_media_type'],
    ['text/plain', 415, 'unsupported_media_type'],
    ['application/json', 400, 'malformed_json'],
  ])('refuses %s that is no JSON with %i', async (type, status, code) => {
    const answer = await supertest(service.app).post('/v1/traces').set('Content-Type', type).send('\u0001\u0002');
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (type.endsWith('protobuf')) expect(answer.body.detail).toContain('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json');
  });

  test.each([[{ resourceSpans: {} }], [{ resourceSpans: 7 }], [[]]])('refuses the form %j', async (body) => {
    expect((await post(JSON.stringify(body))).body).toMatchObject({ status: 422, code: 'invalid_request' });
  });

  test('refuses more than 10,000 spans and more than 2 MiB, and writes nothing', async () => {
    const many = await post(traces(Array.from({ length: 10_001 }, () => null)));
    expect([many.status, many.body.detail]).toEqual([422, expect.stringContaining('OTEL_BSP_MAX_EXPORT_BATCH_SIZE')]);
    const empty = await post({ resourceSpans: Array.from({ length: 10_001 }, () => ({})) });
    expect(empty.status).toBe(422);
    const large = await post(traces([span({ name: 'x'.repeat(2 * 1024 ** 2) })]));
    expect(large.status).toBe(413);
    expect(rowCounts(service).tasks).toBe(0);
  });
});

describe('the exporter of OpenTelemetry', () => {
  test.each(['none', 'gzip'])('fills the service (%s)', async (compression) => {
    const server = service.app.listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const { port } = server.address() as AddressInfo;
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'crew' }),
      spanProcessors: [
        new SimpleSpanProcessor(
          new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces`, compression: compression as never }),
        ),
      ],
    });
    const tracer = provider.getTracer('test');
    const timed = (name: string, attributes: Record<string, string>, seconds: number, failed = false) => {
      const started = tracer.startSpan(name, { attributes, startTime: 1_795_253_400_000 });
      if (failed) started.setStatus({ code: SpanStatusCode.ERROR, message: 'Request timed out.' });
      started.end(1_795_253_400_000 + seconds * 1000);
    };
    timed('chat claude-opus-5', { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'claude-opus-5' }, 3.25);
    timed('execute_tool Read', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Read' }, 120, true);
    timed('GET', { 'http.request.method': 'GET' }, 1);
    await provider.forceFlush();
    await provider.shutdown();
    await new Promise((done) => server.close(done));
    const held = (await tasks('crew')).map(({ task_type, outcome, duration_seconds }) => [
      task_type,
      outcome,
      duration_seconds,
    ]);
    expect(held.sort()).toEqual([
      ['chat claude-opus-5', 'ok', 3.25],
      ['tool:Read', 'timeout', 120],
    ]);
  });
});
