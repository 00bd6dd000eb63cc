import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { contractFaults, contractViolation } from '../contract/contract-violation.ts';
import { invalidRequest } from '../contract/invalid-request.ts';
import { type OpenApiDocument, operationsOf } from '../contract/openapi.ts';
import type { Fault } from '../problems/errors.ts';

/** By operation: the query parameters, and whether each may be repeated. */
type KnownParameters = ReadonlyMap<string, ReadonlyMap<string, { readonly repeatable: boolean }>>;

/**
 * Refuses all unknown and repeated query parameters, together with the faults that the validator found. Mount the first handler right
 * after the validator, the second behind it. The validator alone reports the first unknown one, and calls a repeated one "must be
 * string".
 */
export function queryFaultHandlers(spec: OpenApiDocument): [RequestHandler, ErrorRequestHandler] {
  const known = knownParameters(spec);
  return [
    (req, _res, next) => {
      const faults = queryFaults(req, known);
      if (faults.length > 0) throw invalidRequest(faults);
      next();
    },
    (error, req, _res, next) => {
      const violation = contractViolation(error);
      if (violation?.status !== 400) return next(error);
      const own = queryFaults(req, known);
      const places = new Set(own.map(({ where }) => where));
      const others = contractFaults(violation).filter(({ where }) => !places.has(where));
      next(invalidRequest([...own, ...others]));
    },
  ];
}

function queryFaults(req: Request, known: KnownParameters): Fault[] {
  const { openapi } = req as { openapi?: { schema?: { operationId?: string } } };
  const parameters = known.get(openapi?.schema?.operationId ?? '');
  if (!parameters) return [];
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(req.query)) {
    const where = `query/${name}`;
    const parameter = parameters.get(name);
    if (!parameter) faults.push({ where, message: 'is not known here: remove it' });
    else if (Array.isArray(value) && !parameter.repeatable)
      faults.push({ where, message: 'is given more than once: send it once' });
  }
  return faults;
}

function knownParameters(spec: OpenApiDocument): KnownParameters {
  return new Map(
    operationsOf(spec).map(({ operationId, parameters }) => {
      const inQuery = parameters.filter((parameter) => parameter.in === 'query');
      const entries = inQuery.map(({ name, schema }) => [name, { repeatable: schema?.type === 'array' }] as const);
      return [operationId, new Map(entries)];
    }),
  );
}
