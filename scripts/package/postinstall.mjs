// Runs when a user installs the tarball: makes FAISS's binding load here, as the set-up of the repository does.

import { installFaiss } from '../lib/faiss.mjs';
import { checkFaiss } from '../lib/faiss-check.mjs';
import { runMain } from '../lib/say.mjs';

await runMain(async () => {
  if (!(await checkFaiss()).ok) await installFaiss();
});
