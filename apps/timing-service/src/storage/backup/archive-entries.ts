import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';

// The entries of a backup of several spaces: a database for each, that of the default space first.

export const HOME_ENTRY = 'default.db';
/** The last entry: an archive that was cut short has none. */
export const MANIFEST = 'backup.json';
/** In the manifest. */
export const SERVICE = 'timing-service';

export function entryOf(name: string): string {
  return name === DEFAULT_SPACE ? HOME_ENTRY : `spaces/${name}.db`;
}
