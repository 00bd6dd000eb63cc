import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KnownFailure } from '../../scripts/lib/say.mjs';

/** For compilers, debuggers and tests only. */
const NEVER_LOADED = /\.map$|\.[cm]?ts$|\.test\.[cm]?js$|^\.tsbuildinfo/;
/** With the map by which a browser shows the sources of a page. */
const DASHBOARD = 'dist/dashboard/';

const platform = `bin/napi-v6/${process.platform}/${process.arch}/`;

/** Packages that bring far more than is loaded here: what stays of a folder of theirs; null for nothing. */
const KEPT = [
  // Binaries of every platform.
  { name: 'onnxruntime-node', folder: 'bin', keeps: (file) => file.startsWith(platform) },
  // Bundles for browsers; Node loads src.
  { name: '@xenova/transformers', folder: 'dist', keeps: null },
  // transformers.js imports it, and uses onnxruntime-node in its place.
  { name: 'onnxruntime-web', folder: 'dist', keeps: (file) => file === 'dist/ort-web.node.js' },
  // A compiler of protocols with an old JSDoc below it; only src is loaded.
  { name: 'protobufjs', folder: 'cli', keeps: null },
  { name: 'protobufjs', folder: 'dist', keeps: null },
  // SQLite's sources and what its compiler left.
  { name: 'better-sqlite3', folder: 'build', keeps: (file) => file === 'build/Release/better_sqlite3.node' },
  { name: 'better-sqlite3', folder: 'deps', keeps: null },
];

/**
 * Deletes from a deployment of pnpm what Node never loads on this platform, and no browser. Licences stay.
 * @param deployment a folder with node_modules/.pnpm
 * @throws KnownFailure when a rule keeps nothing that is there though it should: the package has changed
 */
export function prune(deployment) {
  for (const file of filesIn(deployment).filter((path) => !path.startsWith(DASHBOARD)))
    if (NEVER_LOADED.test(file.split('/').at(-1))) rmSync(join(deployment, file));
  for (const { name, folder, keeps } of KEPT) {
    for (const home of homesOf(deployment, name)) {
      const files = filesIn(home).filter((file) => file.startsWith(`${folder}/`));
      const kept = keeps === null ? [] : files.filter(keeps);
      if (kept.length === 0 && keeps !== null) {
        throw new KnownFailure(
          `${relative(deployment, home)}: nothing to keep in ${folder}. Mend docker/build/prune.mjs.`,
        );
      }
      for (const file of files) if (!kept.includes(file)) rmSync(join(home, file));
    }
  }
}

/** The folders of every version of a package. */
function homesOf(deployment, name) {
  const store = join(deployment, 'node_modules', '.pnpm');
  return readdirSync(store)
    .map((entry) => join(store, entry, 'node_modules', name))
    .filter((home) => home.includes(`.pnpm/${name.replace('/', '+')}@`) && existsSync(home));
}

/** Paths of the files below a folder, without those behind links. */
function filesIn(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesIn(folder, path) : [path];
  });
}
