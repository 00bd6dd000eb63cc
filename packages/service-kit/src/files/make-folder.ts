import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. One by one, because Node's recursive mkdir never ends where an existing parent
 * takes no folder (/proc).
 */
export function makeFolder(path: string, options: { readonly mode?: number } = {}): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, options);
  try {
    mkdirSync(path, options);
  } catch (error) {
    // Another process may have made it first.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
