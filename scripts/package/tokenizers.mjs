import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** What the embeddings never use: images, and models in a browser. */
const UNUSED = /^(?:sharp|onnxruntime-web)$/;

const leaveOut = {
  name: 'leave-out',
  setup(building) {
    building.onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: 'left-out' }));
    building.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export default function leftOut() {}',
    }));
  },
};

/** A package of the name of transformers.js that has its tokenizers in one file: 0.6 MB in place of 45, and of sharp. */
export async function bundleTokenizers({ from, to }) {
  const original = realpathSync(join(from, 'node_modules/@xenova/transformers'));
  const { name, version, license } = JSON.parse(readFileSync(join(original, 'package.json'), 'utf8'));
  mkdirSync(to, { recursive: true });
  await build({
    stdin: { contents: `export { AutoTokenizer, env } from '${name}';`, resolveDir: from },
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
  const manifest = { name, version, license, type: 'module', exports: './index.js' };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
