import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import { denseBodyGuard } from './dense-body.ts';
import type { ForeignBody } from './foreign-body.ts';
import { inexactIntegers } from './inexact-integers.ts';
import { utf8Guard } from './request-guards.ts';

type Verify = (req: IncomingMessage, res: ServerResponse, body: Buffer, charset: string) => void;

/**
 * Reads the body of a request as JSON: an object or a list, in UTF-8. Foreign bodies may be larger than the limit, and their integers
 * longer than is kept exactly: the service keeps little of such a body, and its sender is a program that nobody can change.
 */
export function jsonBody(limitBytes: number, foreign: readonly ForeignBody[]): RequestHandler {
  const parser = (limit: number, verify: Verify) => express.json({ limit, strict: true, verify });
  const plain = parser(limitBytes, guardPlain);
  const large = foreign.map((form) => ({
    isFor: form.isFor,
    parse: parser(Math.max(limitBytes, form.limitBytes), guardBytes),
  }));
  return (req, res, next) => (large.find(({ isFor }) => isFor(req.path))?.parse ?? plain)(req, res, next);
}

const guardPlain: Verify = (req, res, body, charset) => {
  guardBytes(req, res, body, charset);
  (req as Request).inexactIntegers = inexactIntegers(body);
};

const guardBytes: Verify = (req, _res, body, charset) => {
  utf8Guard(req, body, charset);
  denseBodyGuard(body);
};
