#!/usr/bin/env node
// Makes what a user can install, in dist/: npm run pack:tarball
//   agent-faculties-VERSION-PLATFORM-ARCH.tgz   both services with their models and the command line, for npm install
//   agent-faculties-SERVICE-VERSION.mcpb        for Claude Desktop
//   server.json                                 for the registry of MCP servers
// The tarball has the folders of this repository, so that programs find each other as they do here, the libraries of the workspace,
// the bundled models, and those third-party packages that npm alone would not install: see docs/decisions/0032-packaging.md.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboards } from '../lib/dashboards.mjs';
import { root } from '../lib/root.mjs';
import { lastLines, runQuietly } from '../lib/run-quietly.mjs';
import { KnownFailure, runMain, say } from '../lib/say.mjs';
import { makeBundles } from './bundles.mjs';
import { MCP_NAME, serverJson } from './manifests.mjs';
import { catalogVersions, packageJson, readJson, SERVICES, WORKSPACE_LIBRARIES } from './package-json.mjs';
import { bundleTokenizers } from './tokenizers.mjs';

const out = join(root, 'dist');
const platform = `${process.platform}-${process.arch}`;
/** Of the workspace, what runs: no types, no maps, no states of the compiler. */
const RUNS = /\.(?:m?js|json|css|html|yaml|sql|svg|ico)$/;
/** Written anew, since what is there has the files of the page before it too. */
const DASHBOARD = /\/dist\/dashboard$/;
/** What start and the set-up of the native modules need. */
const SCRIPTS = [
  'apt',
  'compiler',
  'faiss',
  'faiss-check',
  'log-file',
  'native-modules',
  'node-headers',
  'on-path',
  'root',
  'run-quietly',
  'say',
  'service-process',
  'sqlite',
  'sqlite-check',
];

await runMain(async () => {
  const stage = mkdtempSync(join(tmpdir(), 'agent-faculties-package-'));
  try {
    copyWorkspace(stage);
    await buildDashboards({ to: stage });
    await copyThirdParties(stage);
    const manifest = packageJson(catalogVersions(), { mcpName: MCP_NAME });
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const { code, output } = await runQuietly('npm', ['pack', '--silent', '--pack-destination', stage], { cwd: stage });
    if (code !== 0) throw new KnownFailure(`npm pack failed:\n${lastLines(output, 20)}`);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const tarball = join(out, `agent-faculties-${manifest.version}-${platform}.tgz`);
    cpSync(join(stage, `agent-faculties-${manifest.version}.tgz`), tarball);
    writeJson(join(out, 'server.json'), serverJson());
    await makeBundles(out);
    say('package', `${tarball} (${(statSync(tarball).size / 1e6).toFixed(1)} MB)`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
});

function copyWorkspace(stage) {
  for (const folder of [...SERVICES, 'packages/cli']) {
    for (const part of ['bin', ...readJson(folder).files]) copyRunning(join(folder, part), join(stage, folder, part));
    const { name, version, type } = readJson(folder);
    writeJson(join(stage, folder, 'package.json'), { name, version, type });
  }
  for (const [name, folder] of Object.entries(WORKSPACE_LIBRARIES)) {
    const target = join(stage, 'node_modules', name);
    const { version, type, exports, files } = readJson(folder);
    for (const part of files) copyRunning(join(folder, part), join(target, part));
    const paths = Object.entries(exports).map(([path, { default: file }]) => [path, file]);
    writeJson(join(target, 'package.json'), { name, version, type, exports: Object.fromEntries(paths) });
  }
  for (const name of SCRIPTS)
    cpSync(join(root, 'scripts/lib', `${name}.mjs`), join(stage, 'scripts/lib', `${name}.mjs`));
  for (const path of [
    'scripts/start.mjs',
    'scripts/faiss',
    'scripts/package/postinstall.mjs',
    'LICENSE',
    'integrations',
  ])
    cpSync(join(root, path), join(stage, path), { recursive: true });
  cpSync(join(root, 'docs/integrations/command-line.md'), join(stage, 'README.md'));
}

function copyRunning(from, to) {
  const source = join(root, from);
  if (!existsSync(source)) return;
  const isData = /\/(?:models|tables)$/.test(from);
  const isTaken = (path) => (statSync(path).isDirectory() ? !DASHBOARD.test(path) : RUNS.test(path));
  cpSync(source, to, { recursive: true, filter: (path) => isData || isTaken(path) });
}

async function copyThirdParties(stage) {
  const modules = join(stage, 'node_modules');
  const embeddings = join(root, 'packages/embeddings/node_modules');
  await bundleTokenizers({ from: join(root, 'packages/embeddings'), to: join(modules, '@xenova/transformers') });
  const onnx = realpathSync(join(embeddings, 'onnxruntime-node'));
  const binaries = join('bin/napi-v6', process.platform, process.arch);
  if (!existsSync(join(onnx, binaries))) throw new KnownFailure(`onnxruntime-node has no binaries for ${platform}.`);
  for (const part of ['dist', binaries, 'README.md'])
    cpSync(join(onnx, part), join(modules, 'onnxruntime-node', part), { recursive: true });
  copyManifest(onnx, join(modules, 'onnxruntime-node'));
  const faiss = realpathSync(join(root, 'apps/memory-service/node_modules/faiss-node'));
  for (const part of ['lib', 'src', 'build/Release', 'LICENSE'])
    cpSync(join(faiss, part), join(modules, 'faiss-node', part), { recursive: true });
  copyManifest(faiss, join(modules, 'faiss-node'));
  const sqlite = realpathSync(join(root, 'apps/timing-service/node_modules/better-sqlite3'));
  for (const part of ['lib', 'src', 'deps', 'binding.gyp', 'build/Release/better_sqlite3.node', 'LICENSE'])
    cpSync(join(sqlite, part), join(modules, 'better-sqlite3', part), { recursive: true });
  copyManifest(sqlite, join(modules, 'better-sqlite3'));
  const drizzle = realpathSync(join(root, 'apps/timing-service/node_modules/drizzle-orm'));
  const isLoaded = (path) => statSync(path).isDirectory() || /\.js$/.test(path);
  cpSync(drizzle, join(modules, 'drizzle-orm'), { recursive: true, filter: isLoaded });
  copyManifest(drizzle, join(modules, 'drizzle-orm'));
}

/**
 * Without dependencies: those that run are ours. Without its scripts, which npm would run: scripts/package/postinstall.mjs looks first
 * whether the binary that is carried loads, and runs `install-later` of better-sqlite3 where it does not.
 */
function copyManifest(from, to) {
  const { name, version, license, main, type, exports, binary, scripts } = JSON.parse(
    readFileSync(join(from, 'package.json'), 'utf8'),
  );
  const later = name === 'better-sqlite3' ? { gypfile: false, scripts: { 'install-later': scripts.install } } : {};
  writeJson(join(to, 'package.json'), { name, version, license, main, type, exports, binary, ...later });
}

function writeJson(path, value) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
