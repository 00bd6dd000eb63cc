import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Of transformers.js, what the embeddings import. */
const USED = ['./src/env.js', './src/tokenizers.js'];
/** What they never use: models in a browser. */
const UNUSED = /^onnxruntime-web$/;

const leaveOut = {
  name: 'leave-out',
  setup(building) {
    building.onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: 'left-out' }));
    building.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export default function leftOut() {}',
    }));
  },
};

/** A package of the name of transformers.js that has its tokenizers in one file: 0.2 MB in place of 45, and of sharp. */
export async function bundleTokenizers({ from, to }) {
  const original = realpathSync(join(from, 'node_modules/@xenova/transformers'));
  const { name, version, license } = JSON.parse(readFileSync(join(original, 'package.json'), 'utf8'));
  mkdirSync(to, { recursive: true });
  await build({
    stdin: { contents: USED.map((path) => `export * from '${join(name, path)}';`).join('\n'), resolveDir: from },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['onnxruntime-node'],
    plugins: [leaveOut],
    outfile: join(to, 'index.js'),
    logLevel: 'warning',
  });
  cpSync(join(original, 'LICENSE'), join(to, 'LICENSE'));
  const exports = Object.fromEntries(USED.map((path) => [path, './index.js']));
  const manifest = { name, version, license, type: 'module', exports };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
