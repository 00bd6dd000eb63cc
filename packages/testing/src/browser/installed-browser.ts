import { existsSync } from 'node:fs';
import process from 'node:process';

interface Wanted {
  readonly name: string;
  /** Where it may lie, the first choice first. */
  readonly candidates: readonly (string | undefined)[];
  readonly advice: string;
}

/** Where a browser is, or null (on CI an error) with a message that says how to get it. */
export function installedBrowser({ name, candidates, advice }: Wanted): string | null {
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found !== undefined) return found;
  const message = `${name} was not found: ${advice}`;
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`${message} The tests of the dashboard in it are skipped.`);
  return null;
}
