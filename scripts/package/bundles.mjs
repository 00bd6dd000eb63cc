import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../lib/root.mjs';
import { lastLines, runQuietly } from '../lib/run-quietly.mjs';
import { KnownFailure, say } from '../lib/say.mjs';
import { BUNDLE_NAMES, bundleManifest } from './manifests.mjs';

/** Packages that are not ES modules call require. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Makes an .mcpb for each service in `out`, and has the format's own tool validate it. */
export async function makeBundles(out) {
  const mcpb = join(root, 'packages/cli/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
  for (const service of BUNDLE_NAMES) {
    const stage = mkdtempSync(join(tmpdir(), 'agent-faculties-mcpb-'));
    try {
      const manifest = bundleManifest(service);
      mkdirSync(join(stage, 'server'));
      writeJson(join(stage, 'manifest.json'), manifest);
      writeJson(join(stage, 'server/package.json'), { name: manifest.name, version: manifest.version, type: 'module' });
      await bundleCommandLine(join(stage, 'server/dist/main.js'));
      const file = join(out, `${manifest.name}-${manifest.version}.mcpb`);
      for (const args of [
        ['validate', join(stage, 'manifest.json')],
        ['pack', stage, file],
      ]) {
        const { code, output } = await runQuietly(process.execPath, [mcpb, ...args]);
        if (code !== 0) throw new KnownFailure(`mcpb ${args[0]} failed:\n${lastLines(output, 20)}`);
      }
      say('bundle', `${file} (${(statSync(file).size / 1e3).toFixed(0)} kB)`);
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  }
}

async function bundleCommandLine(outfile) {
  await build({
    entryPoints: [join(root, 'packages/cli/dist/main.js')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: BANNER },
    outfile,
    logLevel: 'warning',
  });
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
