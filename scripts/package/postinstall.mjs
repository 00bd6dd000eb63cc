// Runs when a user installs the tarball: makes the native modules load here, as the set-up of the repository does.

import { installFaiss } from '../lib/faiss.mjs';
import { checkFaiss } from '../lib/faiss-check.mjs';
import { runMain } from '../lib/say.mjs';
import { installSqlite } from '../lib/sqlite.mjs';
import { checkSqlite } from '../lib/sqlite-check.mjs';

await runMain(async () => {
  if (!(await checkSqlite()).ok) await installSqlite();
  if (!(await checkFaiss()).ok) await installFaiss();
});
