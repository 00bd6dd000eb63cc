/** A place in a trace, by W3C Trace Context. */
export interface TraceContext {
  readonly traceId: string;
  readonly parentSpanId: string | null;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/;
const SAMPLED = 1;

/** Null for what is no traceparent. */
export function readTraceparent(header: unknown): TraceContext | null {
  const [, traceId, parentSpanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  if (traceId === undefined || parentSpanId === undefined || flags === undefined) return null;
  return { traceId, parentSpanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}
