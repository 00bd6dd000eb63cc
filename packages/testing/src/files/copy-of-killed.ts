import { cpSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Copies a folder as a process that was killed at this moment leaves it behind; returns the path of the copy.
 * @param options.without names of files that stand for the process itself, which lives on in the test, such as its lock
 */
export function copyOfKilled(folder: string, { to, without }: { to: string; without: readonly string[] }): string {
  cpSync(folder, to, { recursive: true, filter: (path) => !without.includes(basename(path)) });
  return to;
}
