// faiss-node fetches a prebuilt binding from GitHub, else FAISS's sources from there. Here only the prebuilt is tried; where it
// cannot be had or does not work, the binding is built against the system's own FAISS, which takes seconds.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { aptInstall, mayUseApt } from './apt.mjs';
import { checkFaiss, faissPackage } from './faiss-check.mjs';
import { fetchNodeHeaders, findNodeHeaders } from './node-headers.mjs';
import { isOnPath } from './on-path.mjs';
import { root } from './root.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';
import { KnownFailure, say } from './say.mjs';

const PREBUILT_LIMIT_MILLISECONDS = 20_000; // it is 10 to 20 MB; a network that needs longer, or swallows it, must not hold the set-up
const DEBIAN_PACKAGES = ['libfaiss-dev', 'libopenblas-dev', 'cmake', 'make', 'g++'];

/** Makes faiss-node load. Whatever is put into node_modules was loaded and searched before. Throws a KnownFailure. */
export async function installFaiss() {
  if ((await checkFaiss()).ok) return say('faiss', 'installed by the other set-up');
  const nodePackage = realpathSync(faissPackage());
  const stage = makeStage();
  try {
    const how = (await fetchPrebuilt(nodePackage, stage)) ?? (await buildUntilItWorks(nodePackage, stage));
    const place = join(nodePackage, 'build');
    rmSync(place, { recursive: true, force: true });
    renameSync(join(stage, 'build'), place);
    const check = await checkFaiss();
    if (!check.ok)
      throw new KnownFailure(`FAISS's binding does not load: ${check.reason}\nDelete node_modules, then try again.`);
    say('faiss', how);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** An empty folder on the same file system as its destination, so that the result moves there in one step. */
function makeStage() {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, 'faiss-'));
}

/** Resolves to what to say about it, or null when there is no prebuilt binding that works. */
async function fetchPrebuilt(nodePackage, stage) {
  const installer = join(findDependency(nodePackage, 'prebuild-install'), 'bin.js');
  copyFileSync(join(nodePackage, 'package.json'), join(stage, 'package.json')); // it names the release
  say('faiss', `looking for a prebuilt binding (${PREBUILT_LIMIT_MILLISECONDS / 1000} s at most)`);
  const fetched = await runQuietly(process.execPath, [installer, '--runtime', 'napi'], {
    cwd: stage,
    limitMilliseconds: PREBUILT_LIMIT_MILLISECONDS,
  });
  if (fetched.code === 0 && (await worksIn(stage)).ok)
    return `prebuilt binding fetched in ${fetched.seconds.toFixed(1)} s`;
  rmSync(join(stage, 'build'), { recursive: true, force: true });
  return null;
}

/** Builds; where that fails for want of packages, installs them if it may and tries again. */
async function buildUntilItWorks(nodePackage, stage) {
  say('faiss', "none; building it against the system's FAISS, which takes one to three minutes");
  let result = await build(nodePackage, stage);
  if (result.failure && mayUseApt()) {
    say('faiss', `installing ${DEBIAN_PACKAGES.join(', ')}`);
    const failure = await aptInstall(DEBIAN_PACKAGES);
    if (failure)
      throw new KnownFailure(`${PROBLEM}\napt-get could not install what it needs:\n${lastLines(failure, 8)}`);
    result = await build(nodePackage, stage);
  }
  if (result.failure) {
    throw new KnownFailure(
      `${PROBLEM}\nInstall what it needs, then try again:\n\n  ${advice()}\n\nThe end of what the build said:\n${lastLines(result.failure, 8)}`,
    );
  }
  return `binding built in ${result.seconds.toFixed(1)} s`;
}

const PROBLEM =
  "FAISS's prebuilt binding cannot be fetched here, and building it against this system's FAISS does not work yet.";

async function build(nodePackage, stage) {
  if (!isOnPath('cmake')) return { failure: 'cmake is not installed' };
  const headers = findNodeHeaders() ?? (await fetchNodeHeaders());
  if (!headers) return { failure: "Node's own headers (include/node) are not here and cannot be fetched" };
  const workFolder = join(stage, 'cmake');
  rmSync(workFolder, { recursive: true, force: true });
  const configured = await runQuietly('cmake', [
    '-S',
    join(root, 'scripts', 'faiss'),
    '-B',
    workFolder,
    `-DFAISS_NODE=${nodePackage}`,
    `-DNODE_HEADERS=${join(headers, 'include', 'node')}`,
    `-DNODE_ADDON_API=${findDependency(nodePackage, 'node-addon-api')}`,
  ]);
  if (configured.code !== 0) return { failure: configured.output };
  const built = await runQuietly('cmake', ['--build', workFolder]);
  if (built.code !== 0) return { failure: built.output };
  mkdirSync(join(stage, 'build', 'Release'), { recursive: true });
  cpSync(join(workFolder, 'faiss-node.node'), join(stage, 'build', 'Release', 'faiss-node.node'));
  const check = await worksIn(stage);
  return check.ok ? { seconds: configured.seconds + built.seconds } : { failure: check.reason };
}

/** Both ways put the binding into build/Release, where the package looks for it. */
function worksIn(stage) {
  return checkFaiss(join(stage, 'build', 'Release', 'faiss-node.node'));
}

/** A dependency of faiss-node's own, which pnpm lets only faiss-node see. */
function findDependency(nodePackage, name) {
  return dirname(createRequire(join(nodePackage, 'package.json')).resolve(`${name}/package.json`));
}

function advice() {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  if (isOnPath('apt-get')) return `${sudo}apt-get update && ${sudo}apt-get install -y ${DEBIAN_PACKAGES.join(' ')}`;
  if (isOnPath('brew')) return 'brew install faiss libomp cmake';
  if (isOnPath('dnf')) return `${sudo}dnf install -y faiss-devel openblas-devel cmake make gcc-c++`;
  return "install FAISS's C++ library with headers (version 1.7.3 or newer), OpenBLAS, cmake, make and a C++ compiler";
}
