import { findSecrets } from '@agent-faculties/redaction';
import type { RequestHandler } from 'express';
import { routeOf } from '../contract/route-of.ts';
import type { Logger } from '../observability/log.ts';
import type { Clock } from '../values/clock.ts';
import type { IdSource } from '../values/ids.ts';

declare global {
  namespace Express {
    interface Request {
      /** Set by requestLog: the client's X-Request-ID when it is usable, else a new id. */
      id?: string;
      /** Further fields of this request's line in the log. */
      logFields?: Readonly<Record<string, unknown>>;
    }
  }
}

/** What may be written into logs and response headers as it came; the gateway keeps the same. */
const USABLE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Asked by machines, every few seconds. */
const PROBED_ROUTES: ReadonlySet<string | null> = new Set(['/health/live', '/health/ready', '/metrics']);

export interface RequestLogOptions {
  readonly log: Logger;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/**
 * Gives every request an id, echoes it as X-Request-ID, and writes one line when the answer is sent or the client is gone.
 * Never bodies nor query values, which hold what agents said. pino-http does the same at a multiple of the cost.
 */
export function requestLog({ log, ids, clock }: RequestLogOptions): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && isUsable(given) ? given : ids.next();
    req.id = requestId;
    res.setHeader('X-Request-ID', requestId);
    // What nobody reads need not be gathered.
    if (!log.isLevelEnabled('info')) return next();
    const startMs = clock.now();
    const { method, path } = req;
    // 'close' comes exactly once, after the last byte as well as after an abort.
    res.once('close', () => {
      const route = routeOf(req);
      const level = PROBED_ROUTES.has(route) ? 'debug' : 'info';
      const line = {
        request_id: requestId,
        method,
        path,
        route,
        agent: req.caller?.agentId ?? null,
        session: req.caller?.sessionId ?? null,
        status: res.statusCode,
        duration_ms: Math.round((clock.now() - startMs) * 1000) / 1000,
        ...req.logFields,
      };
      if (res.writableFinished) log[level](line, 'request');
      else log[level]({ ...line, aborted: true }, 'request aborted');
    });
    next();
  };
}

/** Tokens are made of such characters too. */
function isUsable(requestId: string): boolean {
  return USABLE_REQUEST_ID.test(requestId) && findSecrets(requestId).length === 0;
}
