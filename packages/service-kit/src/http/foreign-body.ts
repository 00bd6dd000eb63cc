import type { RequestHandler } from 'express';

/** Bodies in a form that others have laid down: larger than those of the contract, and little of each is kept. */
export interface ForeignBody {
  readonly isFor: (path: string) => boolean;
  /** Makes a body small, before anything looks through it. */
  readonly slim: (body: Readonly<Record<string, unknown>>) => object;
}

/** An edit of a file brings the whole file twice; a batch of spans may bring the words of models. */
export const FOREIGN_BODY_BYTES = 2 * 1024 ** 2;

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
