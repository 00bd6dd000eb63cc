import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runQuietly } from './run-quietly.mjs';

const member = join(root, 'apps', 'timing-service');
const program =
  "const D = require('better-sqlite3'); const d = new D(':memory:'); process.stdout.write(d.prepare('select sqlite_version()').pluck().get())";

/** Opens a database in memory, in a process of its own. Resolves to {ok, version} or {ok: false, reason}. */
export async function checkSqlite() {
  if (!existsSync(join(member, 'node_modules', 'better-sqlite3')))
    return { ok: false, reason: 'better-sqlite3 is not installed' };
  const { code, output } = await runQuietly(process.execPath, ['-e', program], { cwd: member });
  if (code === 0) return { ok: true, version: output.trim() };
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? output.trim().split('\n').at(-1);
  return { ok: false, reason: reason.trim() };
}
