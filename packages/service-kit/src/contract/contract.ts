import type { RequestHandler } from 'express';
import type { NextStep } from '../http/quiet-turns.ts';
import { type ContractOptions, contractValidation } from '../validator-workarounds/contract-validation.ts';
import { warmUpValidator } from '../validator-workarounds/validator-warm-up.ts';
import { loadSpec } from './load-spec.ts';
import type { OpenApiDocument } from './openapi.ts';

/** An OpenAPI document with the middleware that validates requests against it. */
export interface Contract {
  readonly spec: OpenApiDocument;
  readonly validation: RequestHandler;
  /** Compiles the contract, so that no request waits for it, one operation a step. @throws Error when it cannot be compiled */
  readonly warmUp: (nextStep: NextStep) => Promise<void>;
}

/** Reads a contract from YAML. @throws Error naming the file when it is no OpenAPI 3.1 document */
export function openContract(url: URL, options: Omit<ContractOptions, 'spec'>): Contract {
  const spec = loadSpec(url);
  const validation = contractValidation({ spec, ...options });
  return { spec, validation, warmUp: (nextStep) => warmUpValidator({ spec, validation, nextStep }) };
}
