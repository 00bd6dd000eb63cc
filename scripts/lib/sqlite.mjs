// better-sqlite3's own install script fetches a prebuilt binary from GitHub, else compiles SQLite. It runs here, and not as a script
// of the package manager, so that other work goes on beside it, and with what makes the compile shorter: docs/decisions/0038.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildToolsAdvice, installBuildTools, mayInstallBuildTools, missingBuildTools } from './compiler.mjs';
import { fetchNodeHeaders, findNodeHeaders } from './node-headers.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';
import { KnownFailure, say } from './say.mjs';
import { checkSqlite, sqlitePackage } from './sqlite-check.mjs';

/**
 * Come after the flags of better-sqlite3. -O2 is as fast as its -O3 (bench in the decision) and compiles in three quarters of the
 * time; what is left out are the kinds of tables that nothing here has.
 */
const COMPILER_FLAGS = [
  '-O2',
  ...['FTS3', 'FTS3_PARENTHESIS', 'FTS4', 'GEOPOLY', 'RTREE'].map((feature) => `-USQLITE_ENABLE_${feature}`),
].join(' ');

/**
 * Read before the C++ of better-sqlite3. Since 24.19, Node's ObjectWrap asks for the environment when an object is collected, and ends
 * the process where there is none, as in a collection while nothing runs. Binaries built with older headers do not ask.
 */
const OBJECT_WRAP_WITHOUT_HOOKS = `#include <node.h>
namespace node {
inline void WithoutHook(v8::Isolate*, void (*)(void*), void*) {}
}
#define AddEnvironmentCleanupHook WithoutHook
#define RemoveEnvironmentCleanupHook WithoutHook
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
`;
const OBJECT_WRAP_FILE = 'object-wrap-without-hooks.h';

/** Makes better-sqlite3 load. Throws a KnownFailure. */
export async function installSqlite() {
  if ((await checkSqlite()).ok) return say('sqlite', 'installed by the other set-up');
  const home = realpathSync(sqlitePackage());
  const binary = join(home, 'build', 'Release', 'better_sqlite3.node');
  const kept = keptBinary(home);
  if (await takeKept(kept, binary)) return say('sqlite', `taken from ${kept}, where an earlier set-up left it`);
  say('sqlite', 'looking for a prebuilt binary; compiling it where there is none, which takes one to three minutes');
  const seconds = await buildUntilItWorks(home);
  keep(binary, kept);
  say('sqlite', `installed in ${seconds.toFixed(0)} s`);
}

/** Tries; where tools or headers are missing, sees to them if it may and tries again. Resolves to seconds. */
async function buildUntilItWorks(home) {
  let attempt = await build(home);
  if (!attempt.ok && (await mendBuildTools())) attempt = await build(home);
  if (!attempt.ok && !findNodeHeaders() && (await fetchNodeHeaders())) attempt = await build(home);
  if (!attempt.ok)
    throw new KnownFailure(
      `SQLite's module does not load: ${attempt.reason}\nThe end of what its install script said:\n${lastLines(attempt.output)}`,
    );
  return attempt.seconds;
}

async function build(home) {
  writeFileSync(join(home, OBJECT_WRAP_FILE), OBJECT_WRAP_WITHOUT_HOOKS);
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    CFLAGS: [process.env.CFLAGS, COMPILER_FLAGS].filter(Boolean).join(' '),
    // The compiler works in the folder build.
    CXXFLAGS: [process.env.CXXFLAGS, `-include ../${OBJECT_WRAP_FILE}`].filter(Boolean).join(' '),
    JOBS: 'max',
  };
  const headers = findNodeHeaders();
  if (headers) env.npm_config_nodedir = headers;
  const { scripts } = manifest(home);
  const script = scripts.install ? 'install' : 'install-later'; // as the tarball calls it: scripts/package/make.mjs
  const { output, seconds } = await runQuietly('npm', ['run', script], { cwd: home, env });
  return { ...(await checkSqlite()), output, seconds };
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

/** Where the binary for this Node and this C library is kept for the next clone. */
function keptBinary(home) {
  const { version } = manifest(home);
  const { platform, arch, versions } = process;
  const library = /** @type {any} */ (process.report.getReport()).header.glibcVersionRuntime ?? 'system';
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agent-faculties');
  return join(
    folder,
    `better-sqlite3-${version}-without-hooks-node-${versions.modules}-${platform}-${arch}-${library}.node`,
  );
}

function manifest(home) {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
}

async function takeKept(kept, binary) {
  if (!existsSync(kept) || !(await checkSqlite(kept)).ok) return false;
  put(kept, binary);
  return (await checkSqlite()).ok;
}

function keep(binary, kept) {
  try {
    put(binary, kept);
  } catch {
    // A home that cannot be written to costs the next clone its minute, and this one nothing.
  }
}

/** All or nothing: a set-up that is killed leaves no half of a file. */
function put(from, to) {
  const part = `${to}.${process.pid}.part`;
  mkdirSync(join(to, '..'), { recursive: true });
  try {
    copyFileSync(from, part);
    renameSync(part, to);
  } finally {
    rmSync(part, { force: true });
  }
}
