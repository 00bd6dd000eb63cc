import type { Request } from 'express';

/** The operation of a request, which the validator sets as `req.openapi`. */
export interface FoundOperation {
  /** The path template, such as '/events/{event_id}'. */
  readonly openApiRoute: string;
  readonly pathParams: Readonly<Record<string, unknown>>;
  readonly schema: { readonly operationId: string };
}

/** Undefined for a path outside the contract, and before the request has come to the validator. */
export function foundOperation(req: Request): FoundOperation | undefined {
  return (req as { openapi?: FoundOperation }).openapi;
}

/** '' where there is none. */
export function operationIdOf(req: Request): string {
  return foundOperation(req)?.schema.operationId ?? '';
}
