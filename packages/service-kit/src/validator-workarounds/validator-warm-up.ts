import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { contractViolation } from '../contract/contract-violation.ts';
import { type OpenApiDocument, operationsOf } from '../contract/openapi.ts';
import type { NextStep } from '../http/quiet-turns.ts';
import { FULLY_TOLD_VALUES } from './less-compilation.ts';

/** A small and a large body, which are validated differently. */
const BODY_VALUES = [0, FULLY_TOLD_VALUES + 1];

interface ValidatorWarmUp {
  readonly spec: OpenApiDocument;
  readonly validation: RequestHandler;
  readonly nextStep: NextStep;
}

/**
 * Sends the validator a request of each operation. It compiles an operation at its first request, which blocked all other requests
 * for up to 90 ms. Each is a step. No handler is called.
 * @throws Error when the contract cannot be compiled
 */
export async function warmUpValidator({ spec, validation, nextStep }: ValidatorWarmUp): Promise<void> {
  const stage = express();
  stage.enable('case sensitive routing');
  stage.use(validation);
  for (const { method, path } of operationsOf(spec)) {
    const contentTypes = Object.keys(spec.paths[path]?.[method]?.requestBody?.content ?? {});
    const sizes = contentTypes.length > 0 ? BODY_VALUES : [0];
    for (const contentType of contentTypes.length > 0 ? contentTypes : ['application/json']) {
      for (const bodyValues of sizes) {
        const request = requestOf(method, path, { contentType, bodyValues });
        const answer = new ServerResponse(request);
        await nextStep();
        const error = await new Promise((resolve) => stage(request as Request, answer as Response, resolve));
        if (error && !contractViolation(error)) throw error;
      }
    }
  }
}

function requestOf(
  method: string,
  path: string,
  { contentType, bodyValues }: { readonly contentType: string; readonly bodyValues: number },
): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = method.toUpperCase();
  request.url = path.replace(/\{[^{}]+\}/g, 'x');
  request.headers = { 'content-type': contentType };
  return Object.assign(request, { body: {}, bodyValues });
}
