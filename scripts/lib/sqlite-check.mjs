import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';
import { runQuietly } from './run-quietly.mjs';

const member = join(root, 'apps', 'timing-service');
const program = `
  const Database = require('better-sqlite3');
  const nativeBinding = process.argv[1];
  const database = new Database(':memory:', nativeBinding ? { nativeBinding } : {});
  process.stdout.write(database.prepare('select sqlite_version()').pluck().get());`;

/** The folder of better-sqlite3, as timing-service finds it; null where it is not installed. */
export function sqlitePackage() {
  try {
    return dirname(createRequire(join(member, 'package.json')).resolve('better-sqlite3/package.json'));
  } catch {
    return null;
  }
}

/**
 * Opens a database in memory, in a process of its own. Takes the path of a binary, else looks at the one installed. Resolves to
 * {ok: true, version} or {ok: false, reason}.
 */
export async function checkSqlite(binary = '') {
  if (sqlitePackage() === null) return { ok: false, reason: 'better-sqlite3 is not installed' };
  const { code, output } = await runQuietly(process.execPath, ['-e', program, binary], { cwd: member });
  if (code === 0) return { ok: true, version: output.trim() };
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? output.trim().split('\n').at(-1);
  return { ok: false, reason: reason.trim() || `exit code ${code}` };
}
