import type { RequestHandler } from 'express';

/** Bodies in a form that others have laid down: larger than those of the contract, and little of each is kept. */
export interface ForeignBody {
  readonly isFor: (path: string) => boolean;
  /** The largest one that is read, whatever the limit of the service is. */
  readonly limitBytes: number;
  /** Makes a body small, before anything looks through it. */
  readonly slim: (body: Readonly<Record<string, unknown>>) => object;
}

/** Behind the parser of JSON: a foreign body holds whatever its sender was given, and becomes small before it is searched for secrets. */
export function slimForeignBodies(foreign: readonly ForeignBody[]): RequestHandler {
  return (req, _res, next) => {
    const { body } = req as { body: unknown };
    const form = foreign.find(({ isFor }) => isFor(req.path));
    if (form && typeof body === 'object' && body !== null && !Array.isArray(body)) {
      req.body = form.slim(body as Readonly<Record<string, unknown>>);
    }
    next();
  };
}
