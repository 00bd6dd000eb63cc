import { InvalidIdentityError } from './agent-id.ts';

/** The space of a request that names none, and the only one of a service that nobody told of spaces. */
export const DEFAULT_SPACE = 'default';

/** A name is a folder, a file and a label of hosts (RFC 1123): it has no letters whose case a file system could lose. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether this is the name of a space: 1 to 63 of `a-z`, `0-9` and `-`, with no `-` at either end. */
export function isSpaceName(value: string): boolean {
  return NAME.test(value);
}

/** Returns a valid name of a space unchanged; see {@link isSpaceName}. @throws InvalidIdentityError */
export function parseSpace(value: string, field: string): string {
  if (isSpaceName(value)) return value;
  throw new InvalidIdentityError(
    field,
    `${field} is no name of a space: send 1 to 63 of a-z, 0-9 and -, with no - at either end, such as "team-a".`,
  );
}
