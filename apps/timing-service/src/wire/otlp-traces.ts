import { InvalidInputError } from '@agent-faculties/service-kit';
import { isStorable } from '../domain/instant.ts';
import { type Span, WORK_ATTRIBUTES } from '../domain/span-task.ts';

/** What names the agent of a resource or a span, besides what says which work it is. */
const AGENT_ATTRIBUTES = ['gen_ai.agent.name', 'service.name'] as const;
const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set([...AGENT_ATTRIBUTES, ...WORK_ATTRIBUTES]);
const TEXT_CHARACTERS = 200;
/** Exporters send 512 spans at a time unless they are told otherwise. */
const MOST_PARTS = 10_000;
/** As many as the SDKs put on a span unless they are told otherwise. */
const MOST_ATTRIBUTES = 128;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A request of OTLP with those fields and attributes alone that are read, and texts of at most 200 characters. What is no object
 * stays in its place as null, so that it can be refused under its number.
 * @throws InvalidInputError when it has more than 10,000 spans, scopes and resources
 * @complexity O(10,000 spans with 128 attributes)
 */
export function slimTraces(body: Fields): object {
  const { resourceSpans } = body;
  if (!Array.isArray(resourceSpans)) return resourceSpans === undefined ? {} : { resourceSpans: 'no list' };
  let parts = resourceSpans.length;
  requireFew(parts);
  /** Resources, scopes and spans together, so that none of them can be there by the million. */
  const counted = (given: unknown) => {
    const list = listOf(given);
    parts += list.length;
    requireFew(parts);
    return list;
  };
  return {
    resourceSpans: resourceSpans.map((one) => ({
      resource: { attributes: slimAttributes(fieldsOf(fieldsOf(one).resource).attributes) },
      scopeSpans: counted(fieldsOf(one).scopeSpans).map((scope) => ({
        spans: counted(fieldsOf(scope).spans).map(slimSpan),
      })),
    })),
  };
}

function requireFew(parts: number): void {
  if (parts <= MOST_PARTS) return;
  const message = `has more than ${MOST_PARTS} spans and groups of them: export smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE)`;
  throw InvalidInputError.at('body/resourceSpans', message);
}

function slimSpan(given: unknown): object | null {
  if (typeof given !== 'object' || given === null) return null;
  const { traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano, status, attributes } =
    given as Fields;
  const { code, message } = fieldsOf(status);
  return {
    ...short({ traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano }),
    status: short({ code, message }),
    attributes: slimAttributes(attributes),
  };
}

function slimAttributes(given: unknown): object[] {
  return listOf(given)
    .slice(0, MOST_ATTRIBUTES)
    .flatMap((one) => {
      const { key, value } = fieldsOf(one);
      const { stringValue } = fieldsOf(value);
      if (typeof key !== 'string' || !KEPT_ATTRIBUTES.has(key) || typeof stringValue !== 'string') return [];
      return [{ key, value: short({ stringValue }) }];
    });
}

/** Texts and numbers; nothing else is read. */
function short(fields: Fields): Fields {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, wellFormed(value.slice(0, TEXT_CHARACTERS))]];
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(kept) as Fields;
}

/** Halves of surrogate pairs, which the cut may leave too, cannot be stored. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}

/** A span as it was sent, or what is wrong with it. */
export type ReadSpan =
  | { readonly span: Span; readonly agent: string | null }
  | { readonly where: string; readonly fault: string };

/** A slim request. */
interface Traces {
  readonly resourceSpans?: readonly unknown[];
}

/** The spans of a slim request in their order, each with the agent that it or its resource names. */
export function* readTraces(traces: Traces): Generator<ReadSpan> {
  const executions = executionsIn(traces);
  for (const { given, resource, where } of spansIn(traces)) {
    const span = spanOf(given);
    if (typeof span === 'string') yield { where, fault: span };
    else yield { span: executed(span, executions), agent: agentOf(span, resource) };
  }
}

/** As they were sent. */
function* spansIn({ resourceSpans }: Traces) {
  for (const [r, resourceSpan] of (resourceSpans ?? []).entries()) {
    const resource = attributesOf(fieldsOf(fieldsOf(resourceSpan).resource).attributes);
    for (const [s, scope] of listOf(fieldsOf(resourceSpan).scopeSpans).entries()) {
      for (const [n, given] of listOf(fieldsOf(scope).spans).entries()) {
        yield { given, resource, where: `resourceSpans/${r}/scopeSpans/${s}/spans/${n}` };
      }
    }
  }
}

/**
 * The span in which Claude Code executes a tool, below that of the tool. It alone says when the tool ran, without the wait for a
 * permission, and that it failed.
 */
const EXECUTION = 'claude_code.tool.execution';

/** By the names of the spans that they are below. */
function executionsIn(traces: Traces): ReadonlyMap<string, Span> {
  const found = new Map<string, Span>();
  for (const { given } of spansIn(traces)) {
    if (fieldsOf(given).name !== EXECUTION) continue;
    const span = spanOf(given);
    if (typeof span !== 'string') found.set(nameOf(span.traceId, span.parentSpanId), span);
  }
  return found;
}

function executed(span: Span, executions: ReadonlyMap<string, Span>): Span {
  const execution = executions.get(nameOf(span.traceId, span.spanId));
  if (!execution) return span;
  const { startedMs, endedMs, failure } = execution;
  return { ...span, startedMs, endedMs, failure: span.failure ?? failure };
}

function nameOf(traceId: string, spanId: string | null): string {
  return `${traceId} ${spanId}`;
}

/** Of a resource that says nothing, the SDKs make `unknown_service:node`. */
function agentOf({ attributes }: Span, resource: Readonly<Record<string, string>>): string | null {
  const service = resource['service.name'];
  const named = service?.startsWith('unknown_service') ? undefined : service;
  return attributes['gen_ai.agent.name'] ?? resource['gen_ai.agent.name'] ?? named ?? null;
}

/** The code of a status that is an error. */
const STATUS_ERROR = 2;

/** The span, or what is wrong with it. */
function spanOf(given: unknown): Span | string {
  if (given === null) return 'is not an object';
  const fields = given as Fields;
  const { name, parentSpanId } = fields;
  const { code, message } = fieldsOf(fields.status);
  const traceId = hexId(fields.traceId, 32);
  const spanId = hexId(fields.spanId, 16);
  if (traceId === null) return 'traceId must be 32 hex digits, not all of them 0';
  if (spanId === null) return 'spanId must be 16 hex digits, not all of them 0';
  const startedMs = instantOf(fields.startTimeUnixNano);
  const endedMs = instantOf(fields.endTimeUnixNano);
  if (startedMs === null) return 'startTimeUnixNano must be nanoseconds since 1970, up to the year 2255';
  if (endedMs === null)
    return 'endTimeUnixNano must be nanoseconds since 1970, up to the year 2255: send a span when it has ended';
  if (endedMs < startedMs) return 'endTimeUnixNano lies before startTimeUnixNano';
  return {
    traceId,
    spanId,
    parentSpanId: hexId(parentSpanId, 16),
    name: typeof name === 'string' ? name : '',
    startedMs,
    endedMs,
    attributes: attributesOf(fields.attributes),
    failure: code === STATUS_ERROR || code === 'STATUS_CODE_ERROR' ? { message: String(message ?? '') } : null,
  };
}

function hexId(given: unknown, digits: number): string | null {
  if (typeof given !== 'string' || given.length !== digits || !/^[0-9a-f]+$/i.test(given)) return null;
  return /^0+$/.test(given) ? null : given.toLowerCase();
}

/** Epoch milliseconds with microseconds in the fraction; null for what is no instant after 1970. */
function instantOf(nanoseconds: unknown): number | null {
  const digits = typeof nanoseconds === 'number' ? String(nanoseconds) : nanoseconds;
  if (typeof digits !== 'string' || !/^[1-9]\d{0,19}$/.test(digits)) return null;
  const milliseconds = Number(BigInt(digits) / 1000n) / 1000;
  return isStorable(milliseconds) ? milliseconds : null;
}

function attributesOf(given: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listOf(given).map((one) => {
      const { key, value } = fieldsOf(one);
      return [key as string, fieldsOf(value).stringValue as string];
    }),
  );
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
