import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildToolsAdvice, installBuildTools, mayInstallBuildTools, missingBuildTools } from './compiler.mjs';
import { installFaiss } from './faiss.mjs';
import { checkFaiss } from './faiss-check.mjs';
import { installFingerprint, isInstalled, removeStamp, writeStamp } from './install-stamp.mjs';
import { withLock } from './lock.mjs';
import { fetchNodeHeaders, findNodeHeaders } from './node-headers.mjs';
import { root } from './root.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';
import { KnownFailure, runMain, say } from './say.mjs';
import { checkSqlite } from './sqlite-check.mjs';

/** The steps of the set-up in their order. A second run finds everything done. */
export function setUp({ build }) {
  return runMain(async () => {
    if (isInstalled(installFingerprint())) {
      say('packages', 'installed already');
    } else {
      await holdingLock(installPackages);
    }
    // Looked at each time: pnpm may have put the package there anew, or the system may have lost a library.
    if (!(await checkFaiss()).ok) await holdingLock(installFaiss);
    if (build) await holdingLock(buildSources);
  });
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
  say('packages', `installing with ${pnpm} (the first time takes a minute or two where SQLite must be compiled)`);
  const seconds = await installUntilItWorks(pnpm);
  say('packages', `installed in ${seconds.toFixed(1)} s`);
  const sqlite = await sqliteThatLoads(pnpm);
  say('sqlite', `${sqlite.version} loads`);
  writeStamp(fingerprint);
}

function pinnedPnpm() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
}

/** pnpm through npx: nothing global, and the version of package.json's packageManager. */
function runPnpm(pnpm, args) {
  const env = { ...process.env, CI: 'true' }; // pnpm asks questions of people, never of CI
  const headers = findNodeHeaders();
  if (headers) env.npm_config_nodedir = headers;
  return runQuietly('npx', ['-y', pnpm, ...args], { env });
}

/** Installs; where the native module cannot be built for want of tools or headers, mends that if it may and tries again. */
async function installUntilItWorks(pnpm) {
  const install = () => runPnpm(pnpm, ['install', '--frozen-lockfile']);
  let result = await install();
  if (result.code !== 0 && isNativeBuildFailure(result.output) && (await mendBuildTools())) result = await install();
  if (result.code !== 0 && isNativeBuildFailure(result.output) && !findNodeHeaders() && (await fetchNodeHeaders())) {
    result = await install();
  }
  if (result.code !== 0) throw new KnownFailure(explainInstallFailure(result.output));
  return result.seconds;
}

function isNativeBuildFailure(output) {
  return /better-sqlite3/.test(output) && /gyp|prebuild-install|ELIFECYCLE|exit(ed)? (status|code|with)/i.test(output);
}

/** True when build tools were missing and are there now. Throws when a person has to install them. */
async function mendBuildTools() {
  const missing = missingBuildTools();
  if (missing.length === 0) return false;
  const problem = `SQLite's module has to be compiled here, and this machine lacks ${missing.join(', ')}.`;
  if (!mayInstallBuildTools())
    throw new KnownFailure(`${problem}\nInstall them, then try again:\n\n  ${buildToolsAdvice()}`);
  const failure = await installBuildTools();
  if (failure) throw new KnownFailure(`${problem} apt-get could not install them:\n${lastLines(failure, 8)}`);
  return true;
}

function explainInstallFailure(output) {
  const details = `\nThe end of what pnpm said:\n${lastLines(output)}`;
  if (/ERR_PNPM_OUTDATED_LOCKFILE|FROZEN_LOCKFILE/.test(output)) {
    return `pnpm-lock.yaml does not fit the package.json files. After a change of dependencies run:\n\n  npx -y ${pinnedPnpm()} install --no-frozen-lockfile\n${details}`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ERR_PNPM_META_FETCH_FAIL/.test(output) &&
    !isNativeBuildFailure(output)
  ) {
    return `The npm registry cannot be reached. Check the network (and npm's proxy settings), then try again.${details}`;
  }
  if (/ENOSPC/.test(output)) return `The disk is full. Make room (about 1 GB), then try again.${details}`;
  return `Installing the packages failed.${details}`;
}

/** Loads SQLite; a binary left over from another version of Node is rebuilt once. */
async function sqliteThatLoads(pnpm) {
  let sqlite = await checkSqlite();
  if (!sqlite.ok) {
    say('sqlite', `does not load (${sqlite.reason}); building it again`);
    await runPnpm(pnpm, ['rebuild', '--recursive', 'better-sqlite3']);
    sqlite = await checkSqlite();
  }
  if (!sqlite.ok) {
    const tools = missingBuildTools();
    const advice = tools.length
      ? `Install the build tools:\n\n  ${buildToolsAdvice()}\n\nThen`
      : 'Delete node_modules, then';
    throw new KnownFailure(
      `The packages are installed, but SQLite does not load: ${sqlite.reason}\n${advice} try again.`,
    );
  }
  return sqlite;
}

/** Compiles all but the tests: what docs/integrations tells people to run after npm start is more than the services. */
async function buildSources() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const sources = references.map(({ path }) => path).filter((path) => !path.endsWith('/test'));
  const { code, output, seconds } = await runQuietly(process.execPath, [compiler, '-b', ...sources]);
  if (code !== 0) throw new KnownFailure(`The sources do not compile:\n${lastLines(output, 60)}`);
  say('build', `up to date after ${seconds.toFixed(1)} s`);
}
