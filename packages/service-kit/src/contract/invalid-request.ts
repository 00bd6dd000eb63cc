import { type Fault, InvalidInputError } from '../problems/errors.ts';

/** The detail of a request that breaks the contract: the first fault in words, the others counted. */
export function contractDetail(faults: readonly Fault[]): string {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more in errors)` : '';
  return `${first ? `${first.where} ${first.message}${more}` : 'The request does not fit the contract'}. Correct it; /docs shows the contract.`;
}

/** The error for a request that breaks the contract in a way that the validator does not see. */
export function invalidRequest(faults: readonly Fault[]): InvalidInputError {
  return new InvalidInputError(contractDetail(faults), { code: 'invalid_request', faults });
}
