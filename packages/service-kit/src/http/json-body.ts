import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import { denseBodyGuard } from './dense-body.ts';
import { FOREIGN_BODY_BYTES, type ForeignBody } from './foreign-body.ts';
import { utf8Guard } from './request-guards.ts';

/** Comes with its head in one or two reads of the socket. */
const SMALL_BYTES = 16 * 1024;
/** As most clients spell it. */
const PLAIN_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset=UTF-8',
]);
const BYTE_ORDER_MARK = '\ufeff';
const BEGINS_AS_LIST_OR_OBJECT = /^[ \t\n\r]*[{[]/;

/**
 * Reads the body of a request as JSON: an object or a list, in UTF-8. Foreign bodies may be larger than the limit.
 * A small body that came with its head is taken as it is; `express.json` reads all others, which costs a fifth of what a small write
 * takes in all. Both answer alike.
 */
export function jsonBody(limitBytes: number, foreign: readonly ForeignBody[]): RequestHandler {
  const parser = (limit: number) => express.json({ limit, strict: true, verify: guardBytes });
  const plain = parser(limitBytes);
  const large = parser(Math.max(limitBytes, FOREIGN_BODY_BYTES));
  const smallBytes = Math.min(limitBytes, SMALL_BYTES);
  const read: RequestHandler = (req, res, next) =>
    (foreign.some(({ isFor }) => isFor(req.path)) ? large : plain)(req, res, next);
  return (req, res, next) => {
    if (!isSmall(req, smallBytes)) return read(req, res, next);
    // By then the parser of HTTP has handed over what came together.
    process.nextTick(() => {
      if (req.readableLength !== bytesOf(req)) return read(req, res, next);
      try {
        req.body = parsed(req, req.read() as Buffer);
      } catch (error) {
        return next(error);
      } finally {
        // Only a stream that flows comes to its end.
        req.resume();
      }
      next();
    });
  };
}

function guardBytes(req: IncomingMessage, _res: ServerResponse, body: Buffer, charset: string): void {
  utf8Guard(req, body, charset);
  denseBodyGuard(body);
}

const bytesOf = ({ headers }: Request): number => Number(headers['content-length'] ?? 0);

function isSmall(req: Request, mostBytes: number): boolean {
  const { headers } = req;
  const bytes = bytesOf(req);
  return (
    bytes > 0 &&
    bytes <= mostBytes &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    PLAIN_TYPES.has(headers['content-type'])
  );
}

/** @throws Error with the `type` of body-parser */
function parsed(req: Request, bytes: Buffer): unknown {
  utf8Guard(req, bytes, 'utf-8');
  const decoded = bytes.toString();
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  // A byte order mark and nothing else counts as no text, and that as an empty object.
  if (text === '') return {};
  if (!BEGINS_AS_LIST_OR_OBJECT.test(text)) throw noJson();
  try {
    return JSON.parse(text);
  } catch {
    throw noJson();
  }
}

function noJson(): Error {
  return Object.assign(new Error('The body is not valid JSON.'), { type: 'entity.parse.failed' });
}
