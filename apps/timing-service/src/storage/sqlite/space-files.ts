import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SPACE, isSpaceName } from '@agent-faculties/agent-identity';
import { DatabaseOpenError, IN_MEMORY, realName } from './database-file.ts';

const ENDING = '.db';

/** The folder beside a database with those of the other spaces: `timing.db.spaces/NAME.db`. */
export function spacesFolder(path: string): string {
  return `${realName(path)}.spaces`;
}

/** The file of a space, which may not be there yet, and what stands there may be no file. */
export function spaceFile(path: string, name: string): string {
  if (name === DEFAULT_SPACE || path === IN_MEMORY) return path;
  return join(spacesFolder(path), `${name}${ENDING}`);
}

/**
 * The same, to be opened.
 * @throws DatabaseOpenError where a link stands in its place: what it leads to may be another space, or in use by another service
 */
export function spacePath(path: string, name: string): string {
  const file = spaceFile(path, name);
  if (file === path || !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  throw new DatabaseOpenError(
    `${file} is a symbolic link, and the file of a space must not be one: move the file itself there.`,
  );
}

/** The spaces that have a file, the default one first. */
export function spaceNames(path: string): string[] {
  const folder = path === IN_MEMORY ? null : spacesFolder(path);
  const files = folder !== null && existsSync(folder) ? readdirSync(folder) : [];
  const names = files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
  return [DEFAULT_SPACE, ...names.filter((name) => isSpaceName(name) && name !== DEFAULT_SPACE).sort()];
}
