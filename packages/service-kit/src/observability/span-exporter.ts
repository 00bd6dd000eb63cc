import { Counter, type Registry } from 'prom-client';
import type { Logger } from './log.ts';

/** Spans that wait at most; further ones are dropped, as the SDKs of OpenTelemetry do. */
export const WAITING_LIMIT = 2_048;
/** Spans of one request to the collector, and how often it is sent to. */
const BATCH_SPANS = 512;
const EXPORT_EVERY_MS = 5_000;
const REQUEST_LIMIT_MS = 10_000;
/** The time that a stop waits for the last spans. */
const LAST_EXPORT_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** The statuses at which a request is sent again, by the specification of OTLP. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export const SPAN_KINDS = { internal: 1, server: 2 } as const;

/** A span that has ended. */
export interface FinishedSpan {
  /** Hex digits: 32, 16 and 16. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: keyof typeof SPAN_KINDS;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
}

export interface SpanExporterOptions {
  /** Of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name and version of the service. */
  readonly build: { readonly service: string; readonly version: string };
  readonly log: Logger;
  readonly registry: Registry;
  readonly fetch?: typeof fetch;
}

/** Takes spans, and sends them away when it is time. */
export interface SpanExporter {
  /** Never waits and never throws. */
  add(span: FinishedSpan): void;
  /** Sends what waits, one batch after the other, until a batch fails. */
  flush(): Promise<void>;
  /** A last flush of at most a second. */
  close(): Promise<void>;
}

/**
 * Sends spans to a collector as OTLP over HTTP, as JSON, in the background. Where the collector is away, spans wait up to a limit and
 * are dropped beyond it, which is counted.
 */
export function spanExporter(options: SpanExporterOptions): SpanExporter {
  const { endpoint, headers, build, log, registry, fetch: send = fetch } = options;
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const counter = new Counter({
    name: 'agent_faculties_spans_total',
    help: 'Own spans since the start: exported, dropped because too many waited, refused by the collector',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['exported', 'dropped', 'refused']) counter.inc({ result }, 0);
  const resource = resourceOf(build);
  const waiting: FinishedSpan[] = [];
  let flushing: Promise<void> | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | null = null;

  const schedule = (): void => {
    if (timer || waiting.length === 0) return;
    const pauseMs = failures === 0 ? EXPORT_EVERY_MS : Math.min(EXPORT_EVERY_MS * 2 ** failures, LONGEST_PAUSE_MS);
    timer = setTimeout(() => {
      timer = null;
      void flush();
    }, pauseMs).unref();
  };

  /** True when the batch is off the queue, taken or not. */
  const exportBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, BATCH_SPANS);
    const outcome = await post(send, { url, headers, body: requestOf(batch, resource) });
    if (outcome.kind === 'failed') {
      if (failures++ === 0)
        log.warn(
          { url, reason: outcome.reason },
          'spans cannot be exported: they wait, and are dropped when too many do',
        );
      return false;
    }
    if (failures > 0) log.info({ url }, 'spans are exported again');
    failures = 0;
    waiting.splice(0, batch.length);
    counter.inc({ result: 'exported' }, batch.length - outcome.refused);
    counter.inc({ result: 'refused' }, outcome.refused);
    if (outcome.refused > 0)
      log.warn({ url, spans: outcome.refused, reason: outcome.reason }, 'the collector refused spans');
    return true;
  };

  const flushAll = async (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    while (waiting.length > 0 && (await exportBatch()));
  };

  const flush = async (): Promise<void> => {
    flushing ??= flushAll().finally(() => {
      flushing = null;
      schedule();
    });
    await flushing;
  };

  return {
    add: (span) => {
      if (waiting.length >= WAITING_LIMIT) return counter.inc({ result: 'dropped' });
      waiting.push(span);
      schedule();
    },
    flush,
    close: async () => {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, LAST_EXPORT_MS).unref());
      await Promise.race([flush(), limit]);
      if (timer) clearTimeout(timer);
    },
  };
}

type Outcome =
  | { readonly kind: 'answered'; readonly refused: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly spans: number; readonly json: string };
}

async function post(send: typeof fetch, { url, headers, body }: Sending): Promise<Outcome> {
  try {
    const answer = await send(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: body.json,
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const text = await answer.text();
    if (RETRYABLE.has(answer.status)) return { kind: 'failed', reason: `status ${answer.status}` };
    if (!answer.ok) return { kind: 'answered', refused: body.spans, reason: `status ${answer.status}` };
    return { kind: 'answered', ...partialSuccess(text, body.spans) };
  } catch (error) {
    return { kind: 'failed', reason: (error as { cause?: Error }).cause?.message ?? (error as Error).message };
  }
}

function partialSuccess(text: string, spans: number): { refused: number; reason: string } {
  try {
    const { partialSuccess: partial } = JSON.parse(text) as {
      partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string };
    };
    const refused = Number(partial?.rejectedSpans ?? 0);
    return { refused: refused > 0 && refused <= spans ? refused : 0, reason: partial?.errorMessage ?? '' };
  } catch {
    return { refused: 0, reason: '' };
  }
}

function resourceOf({ service, version }: SpanExporterOptions['build']) {
  return { attributes: attributesOf({ 'service.name': service, 'service.version': version }) };
}

/** An ExportTraceServiceRequest. */
function requestOf(batch: readonly FinishedSpan[], resource: object): { spans: number; json: string } {
  const spans = batch.map(spanFields);
  const scope = { name: 'agent-faculties' };
  return {
    spans: batch.length,
    json: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }),
  };
}

const STATUS_ERROR = 2;

function spanFields(span: FinishedSpan): object {
  const { traceId, spanId, parentSpanId, name, kind, startedMs, endedMs, attributes, failed } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedMs),
    endTimeUnixNano: nanoseconds(Math.max(startedMs, endedMs)),
    attributes: attributesOf(attributes),
    status: failed ? { code: STATUS_ERROR } : {},
  };
}

/** From microseconds, beyond which the clock says nothing. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}

function attributesOf(attributes: FinishedSpan['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
