import { installFaiss } from './faiss.mjs';
import { checkFaiss } from './faiss-check.mjs';
import { installSqlite } from './sqlite.mjs';
import { checkSqlite } from './sqlite-check.mjs';

/** Fetches or builds each native module that does not load. Resolves to whether there was one. Throws a KnownFailure. */
export async function mendNativeModules() {
  const [sqlite, faiss] = await Promise.all([checkSqlite(), checkFaiss()]);
  if (!sqlite.ok) await installSqlite();
  if (!faiss.ok) await installFaiss();
  return !sqlite.ok || !faiss.ok;
}
