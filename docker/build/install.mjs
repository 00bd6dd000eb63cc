// Installs what one service needs to be built: node docker/build/install.mjs SERVICE. Runs in an image, before the sources are
// there, so that its layer is kept while only they change. Nothing is fetched but from the npm registry: native modules are
// compiled, against Node's headers that came with Node or from the registry.
import { spawnSync } from 'node:child_process';
import { installFaiss } from '../../scripts/lib/faiss.mjs';
import { KnownFailure, runMain } from '../../scripts/lib/say.mjs';
import { installSqlite } from '../../scripts/lib/sqlite.mjs';

/** Honoured by prebuild-install, which better-sqlite3 and faiss-node ask for a binary from GitHub. */
process.env.npm_config_build_from_source = 'true';

const service = process.argv[2];

await runMain(async () => {
  const wanted = ['agent-faculties', `@agent-faculties/${service}...`].flatMap((name) => ['--filter', name]);
  const { status } = spawnSync('pnpm', ['install', '--frozen-lockfile', ...wanted], { stdio: 'inherit' });
  if (status !== 0) throw new KnownFailure('The packages could not be installed; pnpm says above why.');
  await (service === 'memory-service' ? installFaiss() : installSqlite());
});
