import { findSecrets } from '@agent-faculties/redaction';
import type { RequestHandler } from 'express';
import { routeOf } from '../contract/route-of.ts';
import { spaceOf } from '../observability/audit.ts';
import type { Logger } from '../observability/log.ts';
import { readTraceparent } from '../observability/trace-context.ts';
import type { Clock } from '../values/clock.ts';
import type { IdSource } from '../values/ids.ts';
import type {} from './request-fields.ts';

/** Request ids that are safe in logs and response headers; the gateway accepts the same. */
const USABLE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Paths that machines request every few seconds. */
const PROBED_ROUTES: ReadonlySet<string | null> = new Set(['/health/live', '/health/ready', '/metrics']);

export interface RequestLogOptions {
  readonly log: Logger;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/**
 * Gives every request an id and the time at which it came, echoes the id as X-Request-ID, and writes one line when the answer is sent
 * or the client is gone. The line has no body and no query values, which hold content. pino-http does the same at several times the cost.
 */
export function requestLog({ log, ids, clock }: RequestLogOptions): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && isUsable(given) ? given : ids.next();
    req.id = requestId;
    const arrivedMs = clock.now();
    req.arrivedMs = arrivedMs;
    res.setHeader('X-Request-ID', requestId);
    // Do not collect fields that the log level drops.
    if (!log.isLevelEnabled('info')) return next();
    const { method, path } = req;
    // 'close' is emitted exactly once, after the last byte or after an abort.
    res.once('close', () => {
      const route = routeOf(req);
      const level = PROBED_ROUTES.has(route) ? 'debug' : 'info';
      const line = {
        request_id: requestId,
        method,
        path,
        route,
        ...traceOf(req.headers.traceparent),
        agent: req.caller?.agentId ?? null,
        session: req.caller?.sessionId ?? null,
        ...spaceOf(req),
        status: res.statusCode,
        duration_ms: Math.round((clock.now() - arrivedMs) * 1000) / 1000,
        ...req.logFields,
      };
      if (res.writableFinished) log[level](line, 'request');
      else log[level]({ ...line, aborted: true }, 'request aborted');
    });
    next();
  };
}

/** The trace that a request belongs to, where its client says so. */
function traceOf(traceparent: unknown): { readonly trace_id?: string } {
  const context = readTraceparent(traceparent);
  return context === null ? {} : { trace_id: context.traceId };
}

/** Tokens are made of such characters too. */
function isUsable(requestId: string): boolean {
  return USABLE_REQUEST_ID.test(requestId) && findSecrets(requestId).length === 0;
}
