import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { HOST_NAMES } from '@agent-faculties/agent-hooks';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'jsonc-parser';
import { run } from './run-cli.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'install-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const call = (...argv: readonly string[]) => run(argv, { env: { HOME: home }, cwd: join(home, 'project') });
const at = (path: string) => join(home, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const put = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const leftIn = (folder = home): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort();
const filesIn = () => leftIn().filter((path) => !path.endsWith('.bak'));
const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);

test('Claude Code is told both addresses, and needs no program', async () => {
  const { code, out } = await call('install', 'claude-code');
  expect(code).toBe(0);
  const hook = (url: string) => ({
    hooks: [{ type: 'http', url, timeout: 2, headers: { 'X-Agent-ID': 'claude-code' } }],
  });
  const memory = hook('http://127.0.0.1:7832/hooks/claude-code');
  const timing = hook(`http://127.0.0.1:8080/hooks/claude-code?time_zone=${zone}`);
  expect(JSON.parse(read('.claude/settings.json'))).toEqual({
    hooks: {
      UserPromptSubmit: [memory, timing],
      PreToolUse: [timing],
      PostToolUse: [timing],
      PostToolUseFailure: [timing],
      Stop: [memory, timing],
      StopFailure: [timing],
      SessionEnd: [timing],
    },
  });
  expect(JSON.parse(read('.claude.json'))).toEqual({
    mcpServers: {
      'team-memory': { type: 'http', url: 'http://127.0.0.1:7832/mcp', headers: { 'X-Agent-ID': 'claude-code' } },
      'sense-of-time': { type: 'http', url: 'http://127.0.0.1:8080/mcp', headers: { 'X-Agent-ID': 'claude-code' } },
    },
  });
  expect(out).toContain('+    "team-memory": {');
  expect(out).toContain('Claude Code: changed 2 files.');
});

describe.each(HOST_NAMES)('%s', (host) => {
  const scope = host === 'vscode' ? ['--project'] : [];

  test('is set up once, and as it was afterwards', async () => {
    expect((await call('install', host, ...scope)).code).toBe(0);
    const once = filesIn().map((path) => [path, read(path)]);
    expect(once.length).toBeGreaterThan(0);
    expect((await call('install', host, ...scope)).out).toContain('nothing to change');
    expect(filesIn().map((path) => [path, read(path)])).toEqual(once);
    await call('uninstall', host, ...scope);
    expect(filesIn()).toEqual([]);
    expect(leftIn()).toEqual([]);
    expect((await call('uninstall', host, ...scope)).out).toContain('nothing to change');
  });

  test('says at both MCP servers who asks, as at the hooks', async () => {
    const { out } = await call('install', host, ...scope, '--dry-run', '--agent-id', 'mine');
    const servers = out.split(/(?=127\.0\.0\.1:\d+\/mcp)/).slice(1);
    expect(servers.length).toBe(2);
    for (const server of servers)
      expect(server).toMatch(/^\S+\s+\+\s*"?(http_)?headers"?.*\s*.*"X-Agent-ID"( =|:) "mine"/);
  });

  test('names project and space of the environment at both MCP servers and at each hook', async () => {
    const env = { HOME: home, AGENT_FACULTIES_PROJECT: 'web-shop', AGENT_FACULTIES_SPACE: 'team-a' };
    const { out } = await run(['install', host, ...scope, '--dry-run'], { env, cwd: join(home, 'project') });
    const servers = out.split(/(?=127\.0\.0\.1:\d+\/mcp)/).slice(1);
    expect(servers.length).toBe(2);
    for (const server of servers)
      expect(server).toMatch(
        /"X-Agent-ID"( =|:) "[a-z-]+",\s*(\+\s*)?"X-Project"( =|:) "web-shop",\s*(\+\s*)?"X-Space"( =|:) "team-a"/,
      );
    const hooks = out.match(/agent-faculties-hook\.mjs\\?" .*/g) ?? [];
    for (const hook of hooks) expect(hook).toMatch(/ --project \\?"web-shop\\?" --space \\?"team-a\\?"/);
    const own = { 'claude-code': 9, opencode: 1 } as const;
    if (host in own) expect(out.match(/"X-Project":\s*"web-shop"/g)).toHaveLength(2 + own[host as keyof typeof own]);
    else expect(hooks.length).toBeGreaterThan(0);
  });

  test('is not touched by a dry run, which shows all', async () => {
    const { out } = await call('install', host, ...scope, '--dry-run');
    expect(out).toMatch(/^--- \/dev\/null/m);
    expect(out).toMatch(/would change \d+ file/);
    expect(filesIn()).toEqual([]);
  });

  test("keeps what is the user's own, and gets other addresses in place of old ones", async () => {
    await call('install', host, ...scope);
    const files = filesIn().filter((path) => path.endsWith('.json'));
    for (const path of files) {
      const value = JSON.parse(read(path)) as { hooks?: Record<string, unknown[]> };
      for (const list of Object.values(value.hooks ?? {})) list.unshift({ command: 'mine' });
      writeFileSync(at(path), `// mine\n${JSON.stringify({ mine: 1, ...value }, null, 4)}\n`);
    }
    const others = ['--memory-url', 'https://host.example/a', '--timing-url', 'https://host.example/b/'];
    await call('install', host, ...scope, ...others);
    for (const path of filesIn()) expect(read(path)).not.toMatch(/127\.0\.0\.1/);
    expect(filesIn().map(read).join()).toMatch(/https:\/\/host\.example\/a/);
    await call('uninstall', host, ...scope);
    for (const path of files) {
      expect(read(path)).toMatch(/^\/\/ mine\n/);
      expect(read(path)).not.toContain('host.example');
      const left = parse(read(path)) as { mine: number; hooks?: Record<string, unknown[]> };
      expect(left.mine).toBe(1);
      for (const list of Object.values(left.hooks ?? {})) expect(list).toEqual([{ command: 'mine' }]);
    }
  });
});

test.each([
  ['claude-code', '.claude/settings.json', 'Stop'],
  ['gemini', '.gemini/settings.json', 'AfterAgent'],
  ['codex', '.codex/hooks.json', 'Stop'],
])('what the user has put beside our handler stays: %s', async (host, path, event) => {
  await call('install', host);
  const bell = { type: 'command', command: 'bell' };
  const settings = JSON.parse(read(path));
  settings.hooks[event][0].hooks.push(bell);
  writeFileSync(at(path), JSON.stringify(settings));
  await call('install', host);
  const events = JSON.parse(read(path)).hooks[event];
  expect(events[0]).toEqual({ hooks: [bell] });
  expect(events.length).toBe(settings.hooks[event].length + 1);
  expect((await call('install', host)).out).toContain('nothing to change');
  await call('uninstall', host);
  expect(JSON.parse(read(path)).hooks).toEqual({ [event]: [{ hooks: [bell] }] });
});

test('an uninstall keeps comments behind our entries, and reads lists in one line', async () => {
  const path = '.claude/settings.json';
  put(path, '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] } // my bell\n      // more\n    ]\n  }\n}\n');
  await call('install', 'claude-code');
  await call('uninstall', 'claude-code');
  expect(read(path)).toMatch(/\/\/ my bell\n *\/\/ more\n/);
  put(path, '{"hooks":{"Stop":[{"hooks":[]}]}}');
  await call('install', 'claude-code');
  writeFileSync(at(path), JSON.stringify(JSON.parse(read(path))));
  expect(await call('uninstall', 'claude-code')).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(read(path))).toEqual({ hooks: { Stop: [{ hooks: [] }] } });
});

test('says which file cannot be read or written, and shows what was changed before', async () => {
  mkdirSync(at('.claude.json'));
  expect(await call('install', 'claude-code')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^agent-faculties: .*\.claude\.json cannot be read \(EISDIR.*call this again\.\n$/),
  });
  put('.gemini', 'no folder');
  expect((await call('install', 'gemini')).err).toMatch(/settings\.json cannot be written \(/);
  put('.cline/data', 'no folder');
  const { code, out, err } = await call('install', 'cline');
  expect([code, out]).toEqual([1, expect.stringContaining('UserPromptSubmit.sh')]);
  expect(err).toMatch(/cline_mcp_settings\.json cannot be written \(/);
});

test("comments, order and the user's other hooks stay byte for byte", async () => {
  const settings = `{
    // what I like
    "theme": "dark", /* really */
    "hooks": {
        "Stop": [
            // my bell
            { "hooks": [{ "type": "command", "command": "bell" }] }
        ]
    }
}
`;
  put('.gemini/settings.json', settings);
  await call('install', 'gemini');
  expect(read('.gemini/settings.json')).toContain('// my bell');
  expect(read('.gemini/settings.json.agent-faculties.bak')).toBe(settings);
  await call('uninstall', 'gemini');
  expect(read('.gemini/settings.json')).toBe(settings);
});

test('a settings file that begins with a byte order mark keeps it', async () => {
  put('.gemini/settings.json', '\ufeff{"theme":"dark"}\n');
  expect(await call('install', 'gemini')).toMatchObject({ code: 0, err: '' });
  expect(read('.gemini/settings.json')).toMatch(/^\ufeff\{\s*"theme": ?"dark",/);
  await call('uninstall', 'gemini');
  expect(read('.gemini/settings.json')).toMatch(/^\ufeff\{\s*"theme": ?"dark"/);
  put('.gemini/settings.json', '\ufeff');
  await call('install', 'gemini');
  await call('uninstall', 'gemini');
  expect(existsSync(at('.gemini/settings.json'))).toBe(false);
});

test('the TOML of Codex keeps its lines, and gets ours at its end', async () => {
  const config = '# mine\nmodel = "x"\nlimit = 9223372036854775807\n\n[mcp_servers.other]\ncommand = "y"\n';
  put('.codex/config.toml', config);
  await call('install', 'codex');
  expect(read('.codex/config.toml')).toBe(`${config}
# agent-faculties: begin
[mcp_servers.team-memory]
url = "http://127.0.0.1:7832/mcp"
http_headers = { "X-Agent-ID" = "codex" }

[mcp_servers.sense-of-time]
url = "http://127.0.0.1:8080/mcp"
http_headers = { "X-Agent-ID" = "codex" }
# agent-faculties: end
`);
  await call('uninstall', 'codex');
  expect(read('.codex/config.toml')).toBe(config);
});

test('a TOML of Codex that cannot be read is refused and stays as it is', async () => {
  const broken = 'model = "x"\napproval = on request\n';
  put('.codex/config.toml', broken);
  const { code, err } = await run(['install', 'codex'], { env: { HOME: home }, cwd: home });
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/config\.toml is no valid TOML at line 2 \(.+\); nothing was changed: mend it/),
  ]);
  expect(read('.codex/config.toml')).toBe(broken);
  expect(existsSync(at('.codex/hooks.json'))).toBe(false);
});

test.each([
  '[mcp_servers.team-memory]\nurl = "http://memory.example/mcp"\n',
  '[mcp_servers.\'team-memory\'.http_headers]\nX-Agent-ID = "me"\n',
  'mcp_servers.team-memory.url = "http://memory.example/mcp"\n',
  '[mcp_servers]\nteam-memory = { url = "http://memory.example/mcp" }\n',
])('Codex keeps the server that its user has named already, and gets no second one: %j', async (own) => {
  put('.codex/config.toml', own);
  await call('install', 'codex');
  expect(read('.codex/config.toml').split('team-memory')).toHaveLength(2);
  expect(read('.codex/config.toml')).toContain(`${own}\n# agent-faculties: begin\n[mcp_servers.sense-of-time]\n`);
  expect((await call('install', 'codex')).out).toBe('Codex: nothing to change.\n');
  const both = `${own}\n[mcp_servers.sense-of-time]\ncommand = "x"\n`;
  put('.codex/config.toml', `${both}\n# [mcp_servers.team-memory]\n`);
  await call('install', 'codex');
  expect(read('.codex/config.toml')).toBe(`${both}\n# [mcp_servers.team-memory]\n`);
});

test('Codex is given nothing where its servers stand in one line, which no table can add to', async () => {
  const own = 'mcp_servers = { team-memory = { url = "http://memory.example/mcp" } }\n';
  put('.codex/config.toml', own);
  const { code, err } = await call('install', 'codex');
  expect([code, err]).toEqual([1, expect.stringContaining('has mcp_servers in one line')]);
  expect(read('.codex/config.toml')).toBe(own);
  const both = 'mcp_servers = { team-memory = { command = "x" }, sense-of-time = { command = "x" } }\n';
  put('.codex/config.toml', both);
  expect((await call('install', 'codex')).code).toBe(0);
  expect(read('.codex/config.toml')).toBe(both);
});

test('names of any script reach the services from the plugin of OpenCode, which sends them by fetch', async () => {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { HOME: home, AGENT_FACULTIES_PROJECT: '商店', MEMORY_URL: url, TIMING_URL: url };
  await run(['install', 'opencode'], { env, cwd: home });
  const plugin = filesIn().find((path) => path.endsWith('.js')) ?? '';
  const program = `
    // However long it takes on a busy machine.
    AbortSignal.timeout = () => new AbortController().signal;
    const { AgentFaculties } = await import(process.argv[1]);
    const hooks = await AgentFaculties({ directory: '/' });
    await hooks['chat.message']({ sessionID: 's' }, { message: { id: 'msg_1' }, parts: [{ type: 'text', text: 'Hello' }] });`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, at(plugin)]);
  await new Promise((resolve) => server.close(resolve));
  const projects = received.map((headers) => Buffer.from(String(headers['x-project']), 'latin1').toString());
  expect(projects).toEqual(['商店', '商店']);
});

test('the plugin of OpenCode tells how a command failed, of which OpenCode itself makes a success', async () => {
  const errors: unknown[] = [];
  const server = createServer(async (request, response) => {
    errors.push((JSON.parse(Buffer.concat(await request.toArray()).toString()) as { error?: string }).error ?? null);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await run(['install', 'opencode'], { env: { HOME: home, MEMORY_URL: url, TIMING_URL: url }, cwd: home });
  const plugin = filesIn().find((path) => path.endsWith('.js')) ?? '';
  // As OpenCode 1.18.33 tells of them.
  const timedOut =
    'hi\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 1500 ms.\n</shell_metadata>';
  const states = [
    { status: 'completed', metadata: { output: 'hi', exit: 0 } },
    { status: 'completed', metadata: { output: 'hi', exit: 3 } },
    { status: 'completed', metadata: { output: timedOut, exit: null } },
    { status: 'completed', metadata: { preview: '<shell_metadata>' } },
    { status: 'completed' },
    { status: 'error', error: 'no such file' },
  ];
  const program = `
    AbortSignal.timeout = () => new AbortController().signal;
    const { AgentFaculties } = await import(process.argv[1]);
    const { event } = await AgentFaculties({ directory: '/' });
    const sent = [];
    const send = globalThis.fetch;
    globalThis.fetch = (...args) => { const answer = send(...args); sent.push(answer); return answer; };
    for (const [index, state] of JSON.parse(process.argv[2]).entries()) {
      const part = { type: 'tool', sessionID: 's', tool: 'bash', callID: 'c' + index, state };
      await event({ event: { type: 'message.part.updated', properties: { part } } });
      await sent.at(-1);
    }`;
  await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    program,
    at(plugin),
    JSON.stringify(states),
  ]);
  await new Promise((resolve) => server.close(resolve));
  expect(errors).toEqual([
    null,
    'exit code 3',
    expect.stringContaining('exceeding timeout'),
    null,
    null,
    'no such file',
  ]);
});

test('the plugin of OpenCode tells the log of OpenCode what a service did not take, and why', async () => {
  const server = createServer(async (request, response) => {
    await request.toArray();
    response.statusCode = 413;
    response.end(request.url?.includes('time_zone') ? 'too large' : JSON.stringify({ detail: 'Send less at once.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  await run(['install', 'opencode'], { env: { HOME: home, MEMORY_URL: url, TIMING_URL: url }, cwd: home });
  const plugin = filesIn().find((path) => path.endsWith('.js')) ?? '';
  const program = `
    AbortSignal.timeout = () => new AbortController().signal;
    const { AgentFaculties } = await import(process.argv[1]);
    const log = async ({ body }) => console.log(JSON.stringify(body));
    const hooks = await AgentFaculties({ client: { app: { log } }, directory: '/' });
    await hooks['chat.message']({ sessionID: 's' }, { message: { id: 'msg_1' }, parts: [{ type: 'text', text: 'Hello' }] });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, at(plugin)]);
  await new Promise((resolve) => server.close(resolve));
  const message = `The event chat.message is left out: 413 of 127.0.0.1:${port}`;
  expect(stdout.trim().split('\n').sort()).toEqual(
    ['Payload Too Large', 'Send less at once.'].map((why) =>
      JSON.stringify({ service: 'agent-faculties', level: 'warn', message: `${message}: ${why}` }),
    ),
  );
});

test.each(['{ "a": ', '[1]', '"x"'])('a file that is broken is named and left alone: %s', async (text) => {
  put('.claude/settings.json', text);
  const { code, err } = await call('install', 'claude-code');
  expect([code, err]).toEqual([1, expect.stringContaining('.claude/settings.json is not a JSON object')]);
  expect(read('.claude/settings.json')).toBe(text);
  expect(filesIn()).toEqual(['.claude/settings.json']);
});

test('a settings file that is a link stays one, and keeps its mode', async () => {
  put('dotfiles/settings.json', '{}\n');
  writeFileSync(at('dotfiles/settings.json'), '{}\n', { mode: 0o600 });
  mkdirSync(at('.claude'));
  symlinkSync(at('dotfiles/settings.json'), at('.claude/settings.json'));
  const { mode } = statSync(at('dotfiles/settings.json'));
  await call('install', 'claude-code');
  expect(read('dotfiles/settings.json')).toContain('/hooks/claude-code');
  expect(statSync(at('dotfiles/settings.json')).mode).toBe(mode);
});

test('the scripts of Cline can be started, and one of somebody else is refused', async () => {
  await call('install', 'cline');
  expect(statSync(at('.cline/hooks/PreToolUse.sh')).mode & 0o111).toBe(0o111);
  expect(existsSync(at('.cline/hooks/UserPromptSubmit.sh'))).toBe(true);
  put('.cline/hooks/PreToolUse.sh', '#!/bin/sh\necho mine\n');
  const { code, err } = await call('install', 'cline');
  expect([code, err]).toEqual([1, expect.stringContaining('is not ours')]);
  await call('uninstall', 'cline');
  expect(read('.cline/hooks/PreToolUse.sh')).toBe('#!/bin/sh\necho mine\n');
});

test.each([
  [['install'], /Write one host/],
  [['install', 'emacs'], /Write one host: claude-code/],
  [['install', 'codex', 'gemini'], /Write one host/],
  [['install', 'vscode'], /VS Code has hooks for a project only: write --project/],
])('%j says what to write', async (argv, message) => {
  expect(await call(...argv)).toMatchObject({ code: 2, err: expect.stringMatching(message) });
});

test.each([
  ['.cursor/hooks.json', '{"hooks":[]}', 'hooks'],
  ['.cursor/hooks.json', '{"version":1,"hooks":null}', 'hooks'],
  ['.cursor/mcp.json', '{"mcpServers":[]}', 'mcpServers'],
  ['.cursor/hooks.json', '{"version":1,"hooks":{"beforeSubmitPrompt":{}}}', 'hooks.beforeSubmitPrompt', 'a list'],
  ['.cursor/mcp.json', '{"mcpServers":"none"}', 'mcpServers'],
])('%s with %s is named, and nothing is changed', async (path, text, where, expected = 'a JSON object') => {
  put(path, text);
  expect(await call('install', 'cursor')).toEqual({
    code: 1,
    out: '',
    err: `agent-faculties: ${where} in ${at(path)} is not ${expected}; nothing was changed: mend it, then call this again.\n`,
  });
  expect(filesIn()).toEqual([path]);
  expect(read(path)).toBe(text);
});

test('a name that a shell would read as a command is refused', async () => {
  const env = { HOME: home, AGENT_FACULTIES_PROJECT: 'shop$(date)' };
  const { code, err } = await run(['install', 'codex'], { env, cwd: home });
  expect([code, err]).toEqual([2, expect.stringContaining('The project "shop$(date)" cannot stand in a command line')]);
  expect(filesIn()).toEqual([]);
});

test('with a key, hosts read it from the environment and no file holds it', async () => {
  for (const host of HOST_NAMES) {
    const scope = host === 'vscode' ? ['--project'] : [];
    await run(['install', host, ...scope], {
      env: { HOME: home, AGENT_FACULTIES_KEY: 'f'.repeat(64) },
      cwd: join(home, 'project'),
    });
  }
  for (const path of filesIn()) expect(read(path)).not.toContain('ffff');
  expect(read('.claude/settings.json')).toContain('"Authorization": "Bearer $AGENT_FACULTIES_KEY"');
  expect(read('.codex/config.toml').match(/bearer_token_env_var = "AGENT_FACULTIES_KEY"/g)).toHaveLength(2);
  const servers: readonly (readonly [string, string])[] = [
    ['.claude.json', '"Bearer $' + '{AGENT_FACULTIES_KEY}"'],
    ['.gemini/settings.json', '"Bearer $' + '{AGENT_FACULTIES_KEY}"'],
    ['.cursor/mcp.json', '"Bearer $' + '{env:AGENT_FACULTIES_KEY}"'],
    ['project/.vscode/mcp.json', '"Bearer $' + '{env:AGENT_FACULTIES_KEY}"'],
    ['.config/opencode/opencode.json', '"Bearer {env:AGENT_FACULTIES_KEY}"'],
  ];
  for (const [path, header] of servers) expect(read(path).split(`"Authorization": ${header}`)).toHaveLength(3);
  // Cline puts no variable anywhere, and what it starts has its environment.
  const cline = JSON.parse(read('.cline/data/settings/cline_mcp_settings.json')).mcpServers;
  expect(cline['sense-of-time']).toEqual({
    type: 'stdio',
    command: 'node',
    args: [expect.stringMatching(/agent-faculties\.mjs$/), 'mcp', 'timing', '--url', 'http://127.0.0.1:8080'],
    env: { AGENT_ID: 'cline' },
  });
  // Copilot CLI puts variables into the environment of what it starts alone, so the bridge speaks for it.
  const { mcpServers } = JSON.parse(read('.copilot/mcp-config.json'));
  expect(mcpServers['sense-of-time']).toEqual({
    type: 'local',
    command: 'node',
    args: [expect.stringMatching(/agent-faculties\.mjs$/), 'mcp', 'timing', '--url', 'http://127.0.0.1:8080'],
    env: { AGENT_ID: 'copilot-cli', AGENT_FACULTIES_KEY: '$' + '{AGENT_FACULTIES_KEY}' },
    tools: ['*'],
  });
  expect(mcpServers['team-memory'].args).toEqual(expect.arrayContaining(['memory', 'http://127.0.0.1:7832']));

  const env = { HOME: home, AGENT_FACULTIES_KEY: 'f'.repeat(64), AGENT_FACULTIES_PROJECT: 'web-shop' };
  await run(['install', 'copilot-cli'], { env, cwd: home });
  const anew = JSON.parse(read('.copilot/mcp-config.json'));
  expect(anew.mcpServers['team-memory'].env).toMatchObject({ AGENT_FACULTIES_PROJECT: 'web-shop' });
});
