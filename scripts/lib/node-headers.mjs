// A native module is compiled against Node's own headers. node-gyp looks for them in npm_config_nodedir, else downloads them
// from nodejs.org. Most installations of Node carry them already, so the download is seldom needed.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';
import { runQuietly } from './run-quietly.mjs';
import { say } from './say.mjs';

const downloaded = join(root, 'node_modules', '.cache', `node-headers-${process.version}`);

function holdsHeaders(folder) {
  return existsSync(join(folder, 'include', 'node', 'node.h'));
}

/** The folder whose include/node has the headers of this Node, or null. */
export function findNodeHeaders() {
  const beside = dirname(dirname(process.execPath));
  return [process.env.npm_config_nodedir, beside, downloaded].find((folder) => folder && holdsHeaders(folder)) ?? null;
}

/**
 * Fetches the headers from the npm registry, for machines that reach it but not nodejs.org: the packages
 * node-<platform>-<arch> hold the whole official distribution. Resolves to the folder, or null when that fails too.
 */
export async function fetchNodeHeaders() {
  const name = `node-${process.platform}-${process.arch}@${process.versions.node}`;
  say('headers', `fetching Node's headers from the npm package ${name}`);
  mkdirSync(downloaded, { recursive: true });
  const packed = await runQuietly('npm', ['pack', '--silent', name], { cwd: downloaded });
  const archive = `node-${process.platform}-${process.arch}-${process.versions.node}.tgz`;
  const unpacked =
    packed.code === 0 && existsSync(join(downloaded, archive))
      ? await runQuietly('tar', ['-xzf', archive, '--strip-components=1', 'package/include'], { cwd: downloaded })
      : packed;
  rmSync(join(downloaded, archive), { force: true });
  return unpacked.code === 0 && holdsHeaders(downloaded) ? downloaded : null;
}
