import type { RedactionCounts } from '@agent-faculties/redaction';
import { type Fault, InvalidInputError } from '../problems/errors.ts';

/** Identifiers: two different ones would become one under a mask. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  'agent_id',
  'project',
  'correlation_id',
  'idempotency_key',
  'end_event_id',
]);
const MAX_FAULTS = 100;

/** The secrets of a request: how many of each type, and in which of its parts. */
export interface FoundInRequest {
  readonly counts: RedactionCounts;
  readonly faults: Fault[];
}

export function addCounts(counts: RedactionCounts, others: RedactionCounts): void {
  for (const [type, count] of others) counts.set(type, (counts.get(type) ?? 0) + count);
}

/** Notes that a part of a request holds secrets of these types. */
export function noteFault(faults: Fault[], where: string, types: readonly string[]): void {
  if (faults.length < MAX_FAULTS || isIdentifier(where))
    faults.push({ where, message: `holds a secret (${types.join(', ')})` });
}

/** Whether a part of a request names something. */
export function isIdentifier(where: string): boolean {
  const steps = where.split('/');
  // A field of metadata with such a name is not an identifier.
  return IDENTIFIERS.has(steps.at(-1) as string) && !steps.includes('metadata');
}

export function secretFound(faults: readonly Fault[]): InvalidInputError {
  return new InvalidInputError(
    `${faults
      .map(({ where, message }) => `${where} ${message}`)
      .slice(0, 5)
      .join(', ')}: take it out and send the rest. Nothing was stored.`,
    { code: 'secret_found', faults },
  );
}

export function secretInIdentifier(faults: readonly Fault[]): InvalidInputError {
  return new InvalidInputError(
    `${(faults[0] as Fault).where} ${(faults[0] as Fault).message}, and an identifier cannot be masked without taking two for one: send another. Nothing was stored.`,
    { code: 'secret_in_identifier', faults },
  );
}
