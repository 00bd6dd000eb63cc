import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const page = readFileSync(new URL('../../../docs/integrations/mcp.md', import.meta.url), 'utf8');

/** Blocks of the page by what stands behind their language: the file that they are for. */
const BLOCKS = [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, file, text]) => ({
  language: language as string,
  file: file as string,
  text: text as string,
}));

const MEMORY = 'http://127.0.0.1:7832/mcp';
const TIMING = 'http://127.0.0.1:8080/mcp';

/** As each host wants a server to be written; `named` is what it calls the list of them. */
const FORMS: Readonly<Record<string, { readonly named: string; readonly server: (url: string) => object }>> = {
  '.mcp.json': { named: 'mcpServers', server: (url) => ({ type: 'http', url, headers: agent('claude-code') }) },
  '.cursor/mcp.json': { named: 'mcpServers', server: (url) => ({ url, headers: agent('cursor') }) },
  '.vscode/mcp.json': { named: 'servers', server: (url) => ({ type: 'http', url, headers: agent('vscode') }) },
  '.gemini/settings.json': { named: 'mcpServers', server: (httpUrl) => ({ httpUrl, headers: agent('gemini') }) },
};

function agent(id: string) {
  return { 'X-Agent-ID': id };
}

describe('docs/integrations/mcp.md', () => {
  test.each(Object.keys(FORMS))('has %s in the form of its host', (file) => {
    const { named, server } = FORMS[file] as (typeof FORMS)[string];
    const block = BLOCKS.find((one) => one.file === file);
    expect(JSON.parse(block?.text ?? '')).toEqual({
      [named]: { 'team-memory': server(MEMORY), 'sense-of-time': server(TIMING) },
    });
  });

  test('starts the bridge where a host starts a command', () => {
    const block = BLOCKS.find(({ file }) => file === 'claude_desktop_config.json');
    const server = (service: string) => ({
      command: 'agent-faculties',
      args: ['mcp', service],
      env: { AGENT_ID: 'claude-desktop' },
    });
    expect(JSON.parse(block?.text ?? '')).toEqual({
      mcpServers: { 'team-memory': server('memory'), 'sense-of-time': server('timing') },
    });
  });

  test('has tables of TOML for Codex', () => {
    const lines =
      BLOCKS.find(({ language }) => language === 'toml')
        ?.text.trim()
        .split('\n') ?? [];
    const table = (name: string, url: string) => [
      `[mcp_servers.${name}]`,
      `url = "${url}"`,
      'http_headers = { "X-Agent-ID" = "codex" }',
    ];
    expect(lines).toEqual([...table('team-memory', MEMORY), '', ...table('sense-of-time', TIMING)]);
  });

  test('names every file that a block is for, and no other JSON', () => {
    const json = BLOCKS.filter(({ language }) => language === 'json').map(({ file }) => file);
    expect(json.sort()).toEqual([...Object.keys(FORMS), 'claude_desktop_config.json'].sort());
  });
});
