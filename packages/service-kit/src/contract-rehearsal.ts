import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { FULLY_TOLD_VALUES } from './contract-validation.ts';
import { contractViolation } from './contract-violation.ts';
import { type OpenApiDocument, operationsOf } from './openapi.ts';

/** Empty, and with more values than all faults are told of: the validator checks the two differently. */
const BODIES = [{}, Array.from({ length: FULLY_TOLD_VALUES + 1 }, () => null)];

/**
 * Shows the validator a request of each operation. It compiles what it needs for an operation at the first request that asks
 * for it, which took up to 90 ms, and nobody else was answered meanwhile. No handler is called.
 * @throws Error when the contract cannot be compiled
 */
export async function rehearse(spec: OpenApiDocument, validation: RequestHandler): Promise<void> {
  const stage = express();
  stage.enable('case sensitive routing');
  stage.use(validation);
  for (const { method, path } of operationsOf(spec)) {
    const contentTypes = Object.keys(spec.paths[path]?.[method]?.requestBody?.content ?? {});
    const bodies = contentTypes.length > 0 ? BODIES : [undefined];
    for (const contentType of contentTypes.length > 0 ? contentTypes : ['application/json']) {
      for (const body of bodies) {
        const request = requestOf(method, path, { contentType, body });
        const answer = new ServerResponse(request);
        const error = await new Promise((resolve) => stage(request as Request, answer as Response, resolve));
        if (error && !contractViolation(error)) throw error;
      }
    }
  }
}

function requestOf(
  method: string,
  path: string,
  { contentType, body }: { readonly contentType: string; readonly body: unknown },
): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = method.toUpperCase();
  request.url = path.replace(/\{[^{}]+\}/g, 'x');
  request.headers = { 'content-type': contentType };
  return Object.assign(request, { body });
}
