import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { denseBodyGuard } from './dense-body.ts';
import { FOREIGN_BODY_BYTES, type ForeignBody } from './foreign-body.ts';
import { utf8Guard } from './request-guards.ts';

/** Reads the body of a request as JSON: an object or a list, in UTF-8. Foreign bodies may be larger than the limit. */
export function jsonBody(limitBytes: number, foreign: readonly ForeignBody[]): RequestHandler {
  const parser = (limit: number) => express.json({ limit, strict: true, verify: guardBytes });
  const plain = parser(limitBytes);
  const large = parser(Math.max(limitBytes, FOREIGN_BODY_BYTES));
  return (req, res, next) => (foreign.some(({ isFor }) => isFor(req.path)) ? large : plain)(req, res, next);
}

function guardBytes(req: IncomingMessage, _res: ServerResponse, body: Buffer, charset: string): void {
  utf8Guard(req, body, charset);
  denseBodyGuard(body);
}
