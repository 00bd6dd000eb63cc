import type { Request, RequestHandler } from 'express';
import { InvalidIdentityError } from './agent-id.ts';
import { type Caller, readCaller } from './caller.ts';
import { readTrustedCaller, readTrustedSpace, type TrustedOptions } from './trusted-caller.ts';

declare global {
  namespace Express {
    interface Request {
      /** Set by identityMiddleware. */
      caller?: Caller;
    }
  }
}

export interface IdentityOptions {
  /** Agent of a request that names none. */
  readonly defaultAgentId: string;
  /** For a service behind a gateway: the rules for a request; null for a request that needs no caller. */
  readonly trusted?: (req: Request) => TrustedOptions | null;
}

/** Sets `req.caller`. Mount it after the body parser and after validation, so that the fields of the identity are known to fit. */
export function identityMiddleware(options: IdentityOptions): RequestHandler {
  return (req, _res, next) => {
    refuseRepeatedHeader(req, 'X-Agent-ID');
    refuseRepeatedHeader(req, 'X-Session-ID');
    refuseRepeatedHeader(req, 'X-Project');
    refuseRepeatedHeader(req, 'X-Space');
    req.caller = callerOf(req, options);
    next();
  };
}

function callerOf(req: Request, { defaultAgentId, trusted }: IdentityOptions): Caller {
  const rules = trusted?.(req);
  if (rules) return readTrustedCaller(req, rules);
  // A request that needs no caller still stays in the space of its key.
  if (trusted) readTrustedSpace(req);
  return readCaller(req, { defaultAgentId });
}

/** Node joins a repeated header with ', ', which would name a wrong agent. */
function refuseRepeatedHeader(req: Request, header: string): void {
  const name = header.toLowerCase();
  if (!req.headers[name]?.includes(', ')) return;
  const values = req.headersDistinct[name];
  if (values === undefined || values.length < 2) return;
  throw new InvalidIdentityError(`header ${header}`, `header ${header} is given more than once: send it once.`);
}
