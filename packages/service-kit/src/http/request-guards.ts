import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { foundOperation } from '../contract/found-operation.ts';
import { invalidRequest } from '../contract/invalid-request.ts';
import type { Fault } from '../problems/errors.ts';
import { TurnQueue } from '../process/turn-queue.ts';

/** Deeper than any body of the contracts, and far below the depth at which recursive code overflows the stack. */
const MAX_BODY_DEPTH = 64;
const NOT_FINITE = 'must be a finite number';
const INEXACT = 'is beyond 2^53, where numbers are not kept exactly: send it as a string';

/**
 * Refuses percent-encoding that is not UTF-8, in the path and in the query, which Express would decode wrongly; and parameter names
 * with a bracket, which the validator would rewrite.
 * @throws URIError, which is answered with malformed_url
 */
export const urlGuard: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%')) decodeURIComponent(req.url);
  if (/\[|%5b/i.test(req.url)) {
    const bracketed = Object.keys(req.query).find((name) => name.includes('['));
    if (bracketed !== undefined) throw new URIError(`The parameter name ${bracketed} contains a bracket.`);
  }
  next();
};

/** The type of the error, in the style of body-parser. */
export const NOT_UTF8 = 'entity.not.utf8';

/**
 * Refuses a body that claims to be UTF-8 and is not; it would be stored with U+FFFD in place of the broken bytes. Notes how large
 * it is for `largeBodiesInTurn`.
 * @throws Error of the type NOT_UTF8
 */
export function utf8Guard(req: IncomingMessage, body: Buffer, charset: string): void {
  (req as Request).bodyBytes = body.length;
  if (charset !== 'utf-8' || isUtf8(body)) return;
  throw Object.assign(new Error('The body is not UTF-8.'), { type: NOT_UTF8 });
}

declare global {
  namespace Express {
    interface Request {
      /** Fields and items of the body, at all levels. Set by bodyGuard. */
      bodyValues?: number;
      /** Set by utf8Guard. */
      bodyBytes?: number;
      /** What those integers of the body became that would not come back as they were sent. Set by jsonBody. */
      inexactIntegers?: ReadonlySet<number>;
    }
  }
}

/** A larger one takes milliseconds to be looked at. */
const SMALL_BODY_BYTES = 64 * 1024;

/** Lets one large body a turn go on, and none in the turn that has parsed it: many of them may have come in at once. */
export function largeBodiesInTurn(): RequestHandler {
  const queue = new TurnQueue();
  return (req, _res, next) => {
    if ((req.bodyBytes ?? 0) <= SMALL_BODY_BYTES) return next();
    void queue.run(() => {});
    void queue.run(() => next());
  };
}

/** Refuses JSON that is nested too deep, or has a number beyond the range of a double (1e999 becomes Infinity) or not kept exactly. */
export const bodyGuard: RequestHandler = (req, _res, next) => {
  if (typeof req.body === 'object' && req.body !== null) {
    const { faults, values } = inspected(req.body, req);
    if (faults.length > 0) throw invalidRequest(faults);
    req.bodyValues = values;
  }
  next();
};

/** What no handler expects of a body, and how many fields and items it has. Iterative, because the depth is what it is there to check. */
export function inspected(
  body: object,
  { inexactIntegers }: Pick<Request, 'inexactIntegers'>,
): { faults: Fault[]; values: number } {
  const faults: Fault[] = [];
  let values = 0;
  const pending: { node: object; where: string; depth: number }[] = [{ node: body, where: 'body', depth: 1 }];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (entry.depth > MAX_BODY_DEPTH) {
      return { faults: [{ where: 'body', message: `is nested deeper than ${MAX_BODY_DEPTH} levels` }], values };
    }
    for (const key of Object.keys(entry.node)) {
      const value = (entry.node as Record<string, unknown>)[key];
      values++;
      if (typeof value === 'number' && !Number.isFinite(value)) {
        faults.push({ where: `${entry.where}/${key}`, message: NOT_FINITE });
      } else if (typeof value === 'number' && inexactIntegers?.has(value)) {
        faults.push({ where: `${entry.where}/${key}`, message: INEXACT });
      } else if (typeof value === 'object' && value !== null) {
        pending.push({ node: value, where: `${entry.where}/${key}`, depth: entry.depth + 1 });
      }
    }
  }
  return { faults, values };
}

/** Refuses numbers in query and path that the validator accepts: 'Infinity' and '1e999' pass minimum and maximum. */
export const finiteGuard: RequestHandler = (req, _res, next) => {
  const faults = [...infinities('query', req.query), ...infinities('path', foundOperation(req)?.pathParams ?? {})];
  if (faults.length > 0) throw invalidRequest(faults);
  next();
};

function infinities(place: string, values: object): Fault[] {
  return Object.entries(values)
    .filter(([, value]) => [value].flat().some((item) => typeof item === 'number' && !Number.isFinite(item)))
    .map(([name]) => ({ where: `${place}/${name}`, message: NOT_FINITE }));
}
