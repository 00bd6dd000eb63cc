import { InvalidInputError } from '../problems/errors.ts';
import { parseInstant } from './instant.ts';

/** A time range of a request in epoch milliseconds, `untilMs` excluded; an end that is not given is open. */
export interface TimeRange {
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
}

/**
 * Reads `since` and `until`, ISO 8601 instants.
 * @param part of the request that holds them, for the error
 * @throws InvalidInputError where one is no instant, or nothing lies between them
 */
export function parseTimeRange(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  part: 'query' | 'body',
): TimeRange {
  const sinceMs = since === undefined ? undefined : parseInstant(since, `${part}/since`);
  const untilMs = until === undefined ? undefined : parseInstant(until, `${part}/until`);
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw InvalidInputError.at(`${part}/until`, 'must be later than since');
  }
  return { sinceMs, untilMs };
}
