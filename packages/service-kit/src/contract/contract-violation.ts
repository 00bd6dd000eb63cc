import openApiValidator from 'express-openapi-validator';
import type { Fault } from '../problems/errors.ts';
import { patternMessage } from './contract-patterns.ts';
import { UNKNOWN_NAME } from './known-names.ts';

/** "1 items" */
const ONE_OF_THEM = /(\b1 (?:item|character))s\b/;

/** An error of express-openapi-validator. */
export interface ContractViolation {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors: readonly { readonly path: string; readonly message: string; readonly errorCode?: string }[];
}

/** A request can break a rule once per item; the first faults are enough to mend it. */
const MAX_FAULTS = 100;

export function contractViolation(error: unknown): ContractViolation | undefined {
  const { BadRequest, NotFound, MethodNotAllowed, UnsupportedMediaType } = openApiValidator.error;
  const ours = [BadRequest, NotFound, MethodNotAllowed, UnsupportedMediaType].some((kind) => error instanceof kind);
  return ours ? (error as ContractViolation) : undefined;
}

/** The faults in our words: 'body/name' instead of '/body/name', 'path/id' instead of '/params/id'. */
export function contractFaults({ errors }: ContractViolation): Fault[] {
  const faults = new Map<string, Fault>();
  const withPattern = new Set(errors.filter(isOfPattern).map(({ path }) => path));
  for (const { path, message, errorCode } of errors) {
    // Of an empty text the pattern says what is wanted, and its length the same in other words.
    if (errorCode === 'minLength.openapi.validation' && withPattern.has(path)) continue;
    const where = path
      .replace(/^\//, '')
      .replace(/^params\b/, 'path')
      .replace(/^headers\b/, 'header');
    const fault = { where, message: plainMessage(message, errorCode) };
    faults.set(`${where} ${fault.message}`, fault);
    if (faults.size === MAX_FAULTS) break;
  }
  return [...faults.values()];
}

function isOfPattern({ errorCode }: ContractViolation['errors'][number]): boolean {
  return errorCode === 'pattern.openapi.validation';
}

function plainMessage(message: string, errorCode: string | undefined): string {
  switch (errorCode) {
    case 'required.openapi.validation':
      return 'is required';
    case 'additionalProperties.openapi.validation':
    case 'unevaluatedProperties.openapi.validation':
      return UNKNOWN_NAME;
    case 'minProperties.openapi.validation':
      return 'must have at least one field';
    case 'type.openapi.validation':
      return message.replaceAll(',', ' or ');
    case 'enum.openapi.validation':
      return message.replace('equal to one of the allowed values:', 'one of');
    case 'minItems.openapi.validation':
    case 'minLength.openapi.validation':
      return message.replace('NOT have fewer than', 'have at least').replace(ONE_OF_THEM, '$1');
    case 'maxItems.openapi.validation':
    case 'maxLength.openapi.validation':
      return message.replace('NOT have more than', 'have at most');
    case 'uniqueItems.openapi.validation':
      return message.replace(/NOT have duplicate items \(items ## (\d+) and (\d+) are identical\)/, sameItems);
    default:
      return patternMessage(message);
  }
}

function sameItems(_message: string, one: string, other: string): string {
  const [first, second] = [Number(one), Number(other)].sort((a, b) => a - b);
  return `not hold the same item twice: ${first} and ${second} are the same, counted from 0`;
}

/** The validator's own errors, for paths that are outside the contract. */
export function methodNotAllowed(path: string, allow: string): Error {
  return new openApiValidator.error.MethodNotAllowed({ path, headers: { Allow: allow } });
}

export function noSuchPath(path: string): Error {
  return new openApiValidator.error.NotFound({ path });
}
