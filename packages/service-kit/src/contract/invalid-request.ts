import { type Fault, InvalidInputError } from '../problems/errors.ts';

/**
 * The detail of a request that breaks the contract: the first fault in words, the others counted, and where the body has one, a body
 * that fits.
 */
export function contractDetail(faults: readonly Fault[], exampleBody?: object): string {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more in errors)` : '';
  const said = first ? `${first.where} ${first.message}${more}` : 'The request does not fit the contract';
  const isOfBody = faults.some(({ where }) => where.startsWith('body'));
  const fitting = exampleBody && isOfBody ? ` A body that fits: ${JSON.stringify(exampleBody)}` : '';
  return `${said}. Correct it; /docs shows the contract.${fitting}`;
}

/** The error for a request that breaks the contract in a way that the validator does not see. */
export function invalidRequest(faults: readonly Fault[], exampleBody?: object): InvalidInputError {
  return new InvalidInputError(contractDetail(faults, exampleBody), { code: 'invalid_request', faults });
}
