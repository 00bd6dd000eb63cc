import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../lib/root.mjs';

export const SERVICES = ['apps/timing-service', 'apps/memory-service'];

/** Libraries of the workspace that run in production; they travel inside the tarball. */
export const WORKSPACE_LIBRARIES = Object.fromEntries(
  [
    'agent-hooks',
    'agent-identity',
    'client',
    'embeddings',
    'mcp-kit',
    'postgres-kit',
    'redaction',
    'service-kit',
    'stats-math',
  ].map((name) => [`@agent-faculties/${name}`, `packages/${name}`]),
);

/**
 * Third-party packages that travel inside as well, because npm would run their scripts, which compile or fetch from elsewhere, and would
 * not follow the overrides of this workspace; with what they need to run, which npm installs.
 */
const CARRIED = {
  '@xenova/transformers': {},
  // Beside the driver that it imports.
  'drizzle-orm': {},
  'better-sqlite3': { bindings: '^1.5.0', 'prebuild-install': '^7.1.1' },
  'onnxruntime-node': { 'onnxruntime-common': 'onnxruntime-node' },
  'faiss-node': { bindings: '^1.5.0', 'node-addon-api': '^6.0.0', 'prebuild-install': '^7.1.1' },
};

export function readJson(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

export function catalogVersions() {
  return parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')).catalog;
}

/**
 * The package.json of the tarball: exact versions of the catalog, for this platform. The registry of MCP servers looks for `mcpName`
 * in the package that server.json names.
 */
export function packageJson(catalog, { mcpName }) {
  const { version, license, bin } = readJson('packages/cli');
  const { engines } = readJson('.');
  const members = [...SERVICES, 'packages/cli', ...Object.values(WORKSPACE_LIBRARIES)];
  const named = members.flatMap((folder) => Object.keys(readJson(folder).dependencies ?? {}));
  const thirdParty = [...new Set(named)].filter((name) => !(name in WORKSPACE_LIBRARIES) && !(name in CARRIED)).sort();
  const carriedNeeds = Object.values(CARRIED).flatMap((needs) =>
    Object.entries(needs).map(([name, wanted]) => [name, catalog[wanted] ?? wanted]),
  );
  return {
    name: 'agent-faculties',
    version,
    description: 'A sense of time and a shared memory for AI agents: two small servers, their command line and MCP',
    license,
    type: 'module',
    mcpName,
    engines,
    os: [process.platform],
    cpu: [process.arch],
    bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, file.replace('./', './packages/cli/')])),
    scripts: { postinstall: 'node scripts/package/postinstall.mjs' },
    files: ['apps', 'packages', 'scripts', 'integrations', 'LICENSE', 'README.md'],
    dependencies: Object.fromEntries([
      ...thirdParty.map((name) => [name, catalog[name]]),
      ...carriedNeeds,
      ...Object.keys(WORKSPACE_LIBRARIES).map((name) => [name, version]),
      ...Object.keys(CARRIED).map((name) => [name, catalog[name]]),
    ]),
    bundleDependencies: [...Object.keys(WORKSPACE_LIBRARIES), ...Object.keys(CARRIED)],
  };
}
