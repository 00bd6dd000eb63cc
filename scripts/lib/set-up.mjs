import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFaiss } from './faiss.mjs';
import { checkFaiss } from './faiss-check.mjs';
import { installFingerprint, isInstalled, removeStamp, writeStamp } from './install-stamp.mjs';
import { withLock } from './lock.mjs';
import { root } from './root.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';
import { KnownFailure, runMain, say } from './say.mjs';
import { installSqlite } from './sqlite.mjs';
import { checkSqlite } from './sqlite-check.mjs';

/** The steps of the set-up in their order. A second run finds everything done. */
export function setUp({ build }) {
  return runMain(async () => {
    if (isInstalled(installFingerprint())) {
      say('packages', 'installed already');
    } else {
      await holdingLock(installPackages);
    }
    // Looked at each time: pnpm may have put a package there anew, or the system may have lost a library.
    const [sqlite, faiss] = await Promise.all([checkSqlite(), checkFaiss()]);
    const work = [];
    if (!sqlite.ok) work.push(installSqlite);
    if (!faiss.ok) work.push(installFaiss);
    if (build) work.push(buildSources);
    if (work.length > 0) await holdingLock(() => allOf(work));
  });
}

/** At once; the first fault is thrown when all have come to an end, because the lock is released then. */
async function allOf(work) {
  const ends = await Promise.allSettled(work.map((start) => start()));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function holdingLock(work) {
  const onWait = () => say('waiting', 'another set-up is at work in this folder');
  return withLock(join(root, '.bootstrap.lock'), { onWait, work });
}

async function installPackages() {
  const fingerprint = installFingerprint();
  if (isInstalled(fingerprint)) return say('packages', 'installed by the other set-up');
  removeStamp();
  const pnpm = pinnedPnpm();
  say('packages', `installing with ${pnpm}`);
  const env = { ...process.env, CI: 'true' }; // pnpm asks questions of people, never of CI
  // Through npx: nothing global, and the version of package.json's packageManager.
  const { code, output, seconds } = await runQuietly('npx', ['-y', pnpm, 'install', '--frozen-lockfile'], { env });
  if (code !== 0) throw new KnownFailure(explainInstallFailure(output));
  say('packages', `installed in ${seconds.toFixed(1)} s`);
  writeStamp(fingerprint);
}

function pinnedPnpm() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
}

function explainInstallFailure(output) {
  const details = `\nThe end of what pnpm said:\n${lastLines(output)}`;
  if (/ERR_PNPM_OUTDATED_LOCKFILE|FROZEN_LOCKFILE/.test(output)) {
    return `pnpm-lock.yaml does not fit the package.json files. After a change of dependencies run:\n\n  npx -y ${pinnedPnpm()} install --no-frozen-lockfile\n${details}`;
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ERR_PNPM_META_FETCH_FAIL/.test(output)) {
    return `The npm registry cannot be reached. Check the network (and npm's proxy settings), then try again.${details}`;
  }
  if (/ENOSPC/.test(output)) return `The disk is full. Make room (about 1 GB), then try again.${details}`;
  return `Installing the packages failed.${details}`;
}

/** Compiles all but the tests, since what docs/integrations tells people to run after npm start is more than the services; joins the dashboards. */
async function buildSources() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const sources = references.map(({ path }) => path).filter((path) => !path.endsWith('/test'));
  const { code, output, seconds } = await runQuietly(process.execPath, [compiler, '-b', ...sources]);
  if (code !== 0) throw new KnownFailure(`The sources do not compile:\n${lastLines(output, 60)}`);
  // It needs a package.
  const { buildDashboards } = await import('./dashboards.mjs');
  await buildDashboards();
  say('build', `up to date after ${seconds.toFixed(1)} s`);
}
