import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { routeOf } from '../contract/route-of.ts';
import type {} from '../http/request-fields.ts';
import type { Clock } from '../values/clock.ts';
import type { Logger } from './log.ts';
import { type FinishedSpan, type SpanExporter, type SpanExporterOptions, spanExporter } from './span-exporter.ts';
import { readTraceparent, type TraceContext } from './trace-context.ts';

/** What machines ask every few seconds; and the address of spans, which a service may export to itself. */
const UNTRACED_ROUTES: ReadonlySet<string | null> = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  '/v1/traces',
]);

export interface Tracing {
  /** A span for each request, in the trace of its caller; a caller that says its trace is not sampled gets none. */
  readonly middleware: RequestHandler;
  /** A span around work that no request asked for. */
  readonly job: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export interface TracingOptions {
  readonly clock: Clock;
  readonly exporter: Pick<SpanExporter, 'add'>;
  /** Random digits for ids, two a byte. */
  readonly randomHex?: (bytes: number) => string;
}

export interface OpenTracing {
  /** Absent where nothing is to be exported. */
  readonly tracing?: Tracing;
  /** Sends the last spans. */
  readonly close: () => Promise<void>;
}

/** Tracing by the settings of a service. */
export function openTracing({
  config,
  clock,
  ...options
}: {
  readonly config: {
    readonly otlpEndpoint: string | null;
    readonly otlpHeaders: SpanExporterOptions['headers'] | null;
  };
  readonly clock: Clock;
  readonly build: SpanExporterOptions['build'];
  readonly log: Logger;
  readonly registry: SpanExporterOptions['registry'];
}): OpenTracing {
  const { otlpEndpoint, otlpHeaders } = config;
  if (otlpEndpoint === null) return { close: async () => {} };
  const exporter = spanExporter({ ...options, endpoint: otlpEndpoint, headers: otlpHeaders ?? {} });
  return { tracing: tracing({ clock, exporter }), close: exporter.close };
}

export function tracing({ clock, exporter, randomHex = hexOf }: TracingOptions): Tracing {
  const newSpanId = () => randomHex(8);
  return {
    middleware: (req, res, next) => {
      const context = readTraceparent(req.headers.traceparent) ?? rootContext(randomHex);
      const { traceId, parentSpanId, isSampled } = context;
      const spanId = newSpanId();
      const startedMs = clock.now();
      // Tool calls over MCP are requests of their own, and pass this on; the log reads the trace from it.
      req.headers.traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
      if (!isSampled) return next();
      res.once('close', () => {
        const route = routeOf(req);
        if (UNTRACED_ROUTES.has(route)) return;
        const { statusCode } = res;
        exporter.add({
          traceId,
          spanId,
          parentSpanId,
          name: route === null ? req.method : `${req.method} ${route}`,
          kind: 'server',
          startedMs,
          endedMs: clock.now(),
          attributes: {
            'http.request.method': req.method,
            ...(route !== null && { 'http.route': route }),
            'http.response.status_code': statusCode,
            ...(req.id !== undefined && { 'agent_faculties.request_id': req.id }),
            ...(req.caller && { 'agent_faculties.agent': req.caller.agentId }),
            ...(statusCode >= 500 && { 'error.type': String(statusCode) }),
          },
          failed: statusCode >= 500,
        });
      });
      next();
    },
    job: async (name, work) => {
      const { traceId } = rootContext(randomHex);
      const startedMs = clock.now();
      const ended = ({ failed, attributes = {} }: { failed: boolean; attributes?: FinishedSpan['attributes'] }) =>
        exporter.add({
          traceId,
          spanId: newSpanId(),
          parentSpanId: null,
          name: `job ${name}`,
          kind: 'internal',
          startedMs,
          endedMs: clock.now(),
          attributes,
          failed,
        });
      try {
        const result = await work();
        ended({ failed: false });
        return result;
      } catch (error) {
        ended({ failed: true, attributes: { 'error.type': error instanceof Error ? error.name : '_OTHER' } });
        throw error;
      }
    },
  };
}

function rootContext(randomHex: (bytes: number) => string): TraceContext {
  return { traceId: randomHex(16), parentSpanId: null, isSampled: true };
}

function hexOf(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
