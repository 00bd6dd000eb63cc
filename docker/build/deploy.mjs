// Compiles one service, joins its dashboard, and puts what it needs to run, and nothing else, into a folder:
// node docker/build/deploy.mjs SERVICE FOLDER
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { buildDashboards } from '../../scripts/lib/dashboards.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { KnownFailure, runMain } from '../../scripts/lib/say.mjs';
import { prune } from './prune.mjs';

process.env.npm_config_build_from_source = 'true';

const [service, folder] = process.argv.slice(2);

await runMain(async () => {
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', join('apps', service)]);
  await buildDashboards({ services: [service] });
  run('pnpm', ['--filter', `@agent-faculties/${service}`, 'deploy', '--legacy', '--prod', '--offline', folder]);
  checkVersions();
  copyBuilt(service === 'memory-service' ? 'faiss-node' : 'better-sqlite3');
  prune(folder);
});

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new KnownFailure(`${command} ${args.join(' ')} failed; see above.`);
}

/** pnpm resolves anew what it deploys; an image must not hold what the lock file does not name. */
function checkVersions() {
  const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const installed = readdirSync(join(folder, 'node_modules', '.pnpm'))
    .map((entry) => /^(@[^+]+\+)?([^@]+@[^_(]+)/.exec(entry)?.[0].replace('+', '/'))
    .filter((name) => name !== undefined && !name.startsWith('@agent-faculties/'));
  const unknown = installed.filter((name) => !lock.includes(`\n  ${name}:`) && !lock.includes(`\n  '${name}':`));
  if (unknown.length > 0) throw new KnownFailure(`Not of pnpm-lock.yaml: ${unknown.join(', ')}`);
  console.log(`${installed.length} packages, all of them as in pnpm-lock.yaml`);
}

/** pnpm did not build it, so it is not in pnpm's store. */
function copyBuilt(name) {
  const built = join(root, 'apps', service, 'node_modules', name, 'build');
  cpSync(built, join(realpathSync(join(folder, 'node_modules', name)), 'build'), { recursive: true });
}
