import type { Request, RequestHandler } from 'express';
import { InvalidIdentityError } from './agent-id.ts';
import { type Caller, readCaller } from './caller.ts';

declare global {
  namespace Express {
    interface Request {
      /** Set by identityMiddleware. */
      caller?: Caller;
    }
  }
}

/** Sets `req.caller`. Mount it after the body parser and after validation, so that both identity fields are known to fit. */
export function identityMiddleware(options: { readonly defaultAgentId: string }): RequestHandler {
  return (req, _res, next) => {
    refuseRepeatedHeader(req, 'X-Agent-ID');
    refuseRepeatedHeader(req, 'X-Session-ID');
    req.caller = readCaller(req, options);
    next();
  };
}

/** Node joins a repeated header with ', ', which would silently name an agent that nobody meant. */
function refuseRepeatedHeader(req: Request, header: string): void {
  const name = header.toLowerCase();
  if (!req.headers[name]?.includes(', ')) return;
  const values = req.headersDistinct[name];
  if (values === undefined || values.length < 2) return;
  throw new InvalidIdentityError(`header ${header}`, `header ${header} is given more than once: send it once.`);
}
