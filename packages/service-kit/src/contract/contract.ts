import type { RequestHandler } from 'express';
import { type ContractOptions, contractValidation } from '../validator-workarounds/contract-validation.ts';
import { warmUpValidator } from '../validator-workarounds/validator-warm-up.ts';
import { loadSpec, type OpenApiDocument } from './openapi.ts';

/** An OpenAPI document with the middleware that validates requests against it. */
export interface Contract {
  readonly spec: OpenApiDocument;
  readonly validation: RequestHandler;
  /** Compiles the contract, so that no request waits for it. @throws Error when it cannot be compiled */
  readonly warmUp: () => Promise<void>;
}

/** Reads a contract from YAML. @throws Error naming the file when it is no OpenAPI 3.1 document */
export function openContract(url: URL, { validateResponses }: Omit<ContractOptions, 'spec'>): Contract {
  const spec = loadSpec(url);
  const validation = contractValidation({ spec, validateResponses });
  return { spec, validation, warmUp: () => warmUpValidator(spec, validation) };
}
