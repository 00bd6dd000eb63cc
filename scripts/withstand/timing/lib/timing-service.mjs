// Starts the built timing-service on a free port.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../../lib/root.mjs';
import { KnownFailure } from '../../../lib/say.mjs';
import { startProcess } from '../../lib/service.mjs';

export { requester, residentMiB, scratchFolder, startProcess } from '../../lib/service.mjs';

const ENTRY = join(root, 'apps/timing-service/dist/main.js');

/** The service's own, so that the file is read with the version that wrote it. */
export const SqliteDatabase = createRequire(join(root, 'apps/timing-service/package.json'))('better-sqlite3');

/** @param dbPath null: `env` names a store @param flags of its command line */
export function startTiming(dbPath, { flags = [], env = {}, nodeFlags = [] } = {}) {
  if (!existsSync(ENTRY)) throw new KnownFailure('timing-service is not built: run npm run build first.');
  const file = dbPath === null ? [] : ['--db-path', dbPath];
  const command = [...nodeFlags, ENTRY, ...file, '--port', '0', '--log-level', 'warn', ...flags];
  return startProcess(command, { env, name: 'timing-service' });
}
