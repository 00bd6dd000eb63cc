import { join } from 'node:path';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';

/** Beside the files of the default space. */
const SPACES_FOLDER = 'spaces';

/** The data directory of a space; null where nothing is kept on disk. */
export function spaceFolder(dataDir: string | null, space: string): string | null {
  return dataDir === null || space === DEFAULT_SPACE ? dataDir : join(dataDir, SPACES_FOLDER, space);
}
