import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { contractFaults, contractViolation } from '../contract/contract-violation.ts';
import { operationIdOf } from '../contract/found-operation.ts';
import { invalidRequest } from '../contract/invalid-request.ts';
import { bodyFieldsOf, unknownName, withKnownField } from '../contract/known-names.ts';
import { exampleBodiesOf, type OpenApiDocument, operationsOf } from '../contract/openapi.ts';
import type { Fault } from '../problems/errors.ts';

interface Known {
  readonly repeatable: boolean;
  /** How a number is written; null for what is none. */
  readonly form: NumberForm | null;
}

interface NumberForm {
  readonly written: RegExp;
  readonly message: string;
}

/** By operation: the query parameters. */
type KnownParameters = ReadonlyMap<string, ReadonlyMap<string, Known>>;

/** Numbers as JSON has them, which is how clients write them; an integer in digits alone, and either may begin with zeros. */
const FORMS: ReadonlyMap<unknown, NumberForm> = new Map([
  ['integer', { written: /^-?\d+$/, message: 'must be an integer in decimal digits, such as 10' }],
  ['number', { written: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, message: 'must be a decimal number, such as 0.5' }],
]);

/**
 * Refuses all unknown and repeated query parameters, and numbers in other forms than decimal, together with the faults that the
 * validator found; says of an unknown field of a body which ones there are, and shows a body that fits. Mount the first handler right
 * after the validator, the second behind it. The validator alone reports the first unknown one, calls a repeated one "must be string",
 * and reads `0x10`, `+5` and a space as numbers.
 */
export function queryFaultHandlers(spec: OpenApiDocument): [RequestHandler, ErrorRequestHandler] {
  const known = knownParameters(spec);
  const fields = bodyFieldsOf(spec);
  const examples = exampleBodiesOf(spec);
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
      const ofBody = fields.get(operationIdOf(req)) ?? [];
      const faults = [...own, ...others.map((fault) => withKnownField(fault, ofBody))];
      next(invalidRequest(faults, examples.get(operationIdOf(req))));
    },
  ];
}

function queryFaults(req: Request, known: KnownParameters): Fault[] {
  const parameters = known.get(operationIdOf(req));
  if (!parameters) return [];
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(req.query)) {
    const where = `query/${name}`;
    const parameter = parameters.get(name);
    if (!parameter) faults.push({ where, message: unknownName(name, [...parameters.keys()]) });
    else if (Array.isArray(value) && !parameter.repeatable)
      faults.push({ where, message: 'is given more than once: send it once' });
    else if (parameter.form && !isWritten(req, name, parameter.form))
      faults.push({ where, message: parameter.form.message });
  }
  return faults;
}

/** Whether a number has its form as it was sent; so has what the validator takes for none, and says so. */
function isWritten({ originalUrl }: Request, name: string, { written }: NumberForm): boolean {
  const sent = new URLSearchParams(originalUrl.slice(originalUrl.indexOf('?'))).get(name) ?? '';
  return sent === '' || !Number.isFinite(Number(sent)) || written.test(sent);
}

function knownParameters(spec: OpenApiDocument): KnownParameters {
  return new Map(
    operationsOf(spec).map(({ operationId, parameters }) => {
      const inQuery = parameters.filter((parameter) => parameter.in === 'query');
      const entries = inQuery.map(({ name, schema }) => {
        const form = FORMS.get(schema?.type) ?? null;
        return [name, { repeatable: schema?.type === 'array', form }] as const;
      });
      return [operationId, new Map(entries)];
    }),
  );
}
