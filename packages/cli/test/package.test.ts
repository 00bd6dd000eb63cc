import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSIONED_MANIFEST_SCHEMAS } from '@anthropic-ai/mcpb';
import { describe, expect, test } from '@jest/globals';
import { dataFolder } from '../src/data-folder.ts';

const ROOT = new URL('../../../', import.meta.url);
const script = async (name: string) => await import(new URL(`scripts/package/${name}`, ROOT).href);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

describe('the package for npm', () => {
  const manifest = async () => {
    const { packageJson, catalogVersions } = await script('package-json.mjs');
    return packageJson(catalogVersions(), { mcpName: 'x/y' });
  };

  test('names exact versions, and installs from elsewhere nothing that it carries', async () => {
    const { dependencies, bundleDependencies } = await manifest();
    for (const [name, wanted] of Object.entries(dependencies))
      expect([name, wanted]).toEqual([name, expect.stringMatching(/^\^?\d+\.\d+\.\d+$/)]);
    for (const name of ['@agent-faculties/service-kit', '@xenova/transformers', 'onnxruntime-node', 'faiss-node'])
      expect(bundleDependencies).toContain(name);
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining([...bundleDependencies, 'better-sqlite3', 'express']),
    );
    expect(dependencies).not.toHaveProperty('sharp');
  });

  test('starts the programs of the command line, on this platform', async () => {
    const { bin, os, cpu } = await manifest();
    for (const file of Object.values(bin)) expect(existsSync(new URL(file as string, ROOT))).toBe(true);
    expect([os, cpu]).toEqual([[process.platform], [process.arch]]);
  });
});

describe('server.json', () => {
  // The rules of the schema of 2025-12-11 (modelcontextprotocol/registry, docs/reference/server-json) for the fields that are used.
  test('keeps to the schema of the registry', async () => {
    const { serverJson, MCP_NAME } = await script('manifests.mjs');
    const server = serverJson();
    expect(server.name).toBe(MCP_NAME);
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    for (const text of [server.title, server.description]) {
      expect(text.length).toBeGreaterThanOrEqual(1);
      expect(text.length).toBeLessThanOrEqual(100);
    }
    expect(server.version).toBe(version);
    const [npm, ...others] = server.packages;
    expect(others).toEqual([]);
    expect(npm).toMatchObject({
      registryType: 'npm',
      identifier: 'agent-faculties',
      version,
      transport: { type: 'stdio' },
    });
    for (const argument of npm.packageArguments) {
      expect(argument.type).toBe('positional');
      expect(argument.value ?? argument.valueHint).toEqual(expect.any(String));
    }
    for (const { name } of npm.environmentVariables) expect(name).toMatch(/^[A-Z_]+$/);
  });
});

describe('a bundle for Claude Desktop', () => {
  test.each(['memory', 'timing'])('has a manifest that the format accepts (%s)', async (service) => {
    const { bundleManifest } = await script('manifests.mjs');
    const manifest = bundleManifest(service);
    const { success, error } = VERSIONED_MANIFEST_SCHEMAS['0.3'].safeParse(manifest);
    expect(error?.issues ?? []).toEqual([]);
    expect(success).toBe(true);
    const settings = [...JSON.stringify(manifest.server).matchAll(/\$\{user_config\.(\w+)\}/g)].map(([, name]) => name);
    expect(settings.sort()).toEqual(Object.keys(manifest.user_config).sort());
    expect(manifest.server.mcp_config.args).toEqual([`\${__dirname}/server/dist/main.js`, 'mcp', service]);
  });
});

describe('the data of start', () => {
  const clone = fileURLToPath(ROOT);

  test('stands in the clone, in the folder of the user for an installed package, or where the user says', () => {
    expect(dataFolder(clone, {})).toBe(`${clone}data`);
    expect(dataFolder('/x/node_modules/agent-faculties', { XDG_DATA_HOME: '/h/data' })).toBe('/h/data/agent-faculties');
    expect(dataFolder(clone, { AGENT_FACULTIES_DATA: '/mnt/team' })).toBe('/mnt/team');
  });
});
