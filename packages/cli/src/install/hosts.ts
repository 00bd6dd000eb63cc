import { join } from 'node:path';
import type { HostName } from '@agent-faculties/agent-hooks';
import { hooksInJson, markedTables, ownFile, serversInJson, together } from './file-changes.ts';
import { callerHeaders, type HostInstall, MCP_NAMES, type Places, type Target } from './host-install.ts';
import { opencodePlugin } from './opencode-plugin.ts';

/** Timeout of a hook, in seconds. The hook program ends after 0.3 s, and a service answers within a few hundredths of a second. */
const TIMEOUT_SECONDS = 2;
const AGAIN = 'Start it anew; a session that runs keeps the hooks that it began with.';

/** The folder of a host: in the project, else in the home of the user. */
function inScope({ scope, home, cwd }: Places, ...path: readonly string[]): string {
  return join(scope === 'user' ? home : cwd, ...path);
}

function command(target: Target, host: HostName, event: string): string {
  return `node "${target.program}" ${host} ${event}${target.programOptions}`;
}

/** Hooks in the form that Claude Code introduced: a list of matchers, each with its handlers. */
function matched(events: readonly string[], handler: (event: string) => object): Record<string, object[]> {
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [handler(event)] }]]));
}

/** The headers of an MCP server. `keyVariable` is a reference to an environment variable, in the syntax of the host. */
function mcpHeaders(target: Target, keyVariable: string) {
  return { ...callerHeaders(target), ...(target.hasKey && { Authorization: `Bearer ${keyVariable}` }) };
}

// Two parts, because the linter takes a dollar and a brace in a plain text for a template without backticks.
const SHELL_STYLE = '$' + '{AGENT_FACULTIES_KEY}';
const OPENCODE_STYLE = '{env:AGENT_FACULTIES_KEY}';
const EDITOR_STYLE = `$${OPENCODE_STYLE}`;

/**
 * The bridge, for a host that puts no variable into the headers of a server that it calls, so that a key would stand in the file. It gets
 * the key by the environment: Cline passes on its own, Copilot CLI what `env` names.
 */
function bridged(target: Target, url: string) {
  const service = url === `${target.memoryUrl}/mcp` ? 'memory' : 'timing';
  return {
    command: 'node',
    args: [target.commandLine, 'mcp', service, '--url', url.replace(/\/mcp$/, '')],
    env: {
      AGENT_ID: target.agentId,
      ...(target.project !== null && { AGENT_FACULTIES_PROJECT: target.project }),
      ...(target.space !== null && { AGENT_FACULTIES_SPACE: target.space }),
    },
  };
}

const DIALECT = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

export const INSTALLS: Readonly<Record<HostName, HostInstall>> = {
  'claude-code': {
    title: 'Claude Code',
    scopes: ['user', 'project'],
    byHand: [AGAIN],
    files: (places, target) => {
      const handler = (url: string) => ({
        type: 'http',
        url,
        timeout: TIMEOUT_SECONDS,
        headers: {
          ...callerHeaders(target),
          ...(target.hasKey && { Authorization: 'Bearer $AGENT_FACULTIES_KEY' }),
        },
        ...(target.hasKey && { allowedEnvVars: ['AGENT_FACULTIES_KEY'] }),
      });
      const memory = { hooks: [handler(`${target.memoryUrl}/hooks/claude-code`)] };
      const zone = encodeURIComponent(target.timeZone);
      const timing = { hooks: [handler(`${target.timingUrl}/hooks/claude-code?time_zone=${zone}`)] };
      const servers = places.scope === 'user' ? join(places.home, '.claude.json') : join(places.cwd, '.mcp.json');
      return [
        hooksInJson(inScope(places, '.claude', 'settings.json'), {
          UserPromptSubmit: [memory, timing],
          PreToolUse: [timing],
          PostToolUse: [timing],
          PostToolUseFailure: [timing],
          Stop: [memory, timing],
          StopFailure: [timing],
          SessionEnd: [timing],
        }),
        serversInJson(
          servers,
          'mcpServers',
          (url) => ({ type: 'http', url, headers: mcpHeaders(target, SHELL_STYLE) }),
          target,
        ),
      ];
    },
  },
  codex: {
    title: 'Codex',
    scopes: ['user', 'project'],
    byHand: ['In Codex, open /hooks and trust them: it runs none that nobody has reviewed.', AGAIN],
    files: (places, target) => {
      const folder =
        places.scope === 'user' && places.env.CODEX_HOME ? places.env.CODEX_HOME : inScope(places, '.codex');
      const headers = Object.entries(callerHeaders(target)).map(
        ([name, value]) => `"${name}" = ${JSON.stringify(value)}`,
      );
      const who = [
        `http_headers = { ${headers.join(', ')} }`,
        ...(target.hasKey ? ['bearer_token_env_var = "AGENT_FACULTIES_KEY"'] : []),
      ];
      return [
        hooksInJson(
          join(folder, 'hooks.json'),
          matched(DIALECT, (event) => ({
            type: 'command',
            command: command(target, 'codex', event),
            timeout: TIMEOUT_SECONDS,
          })),
        ),
        markedTables(join(folder, 'config.toml'), {
          [`mcp_servers.${MCP_NAMES.memory}`]: [`url = "${target.memoryUrl}/mcp"`, ...who],
          [`mcp_servers.${MCP_NAMES.timing}`]: [`url = "${target.timingUrl}/mcp"`, ...who],
        }),
      ];
    },
  },
  vscode: {
    title: 'VS Code',
    scopes: ['project'],
    byHand: ['Hooks of VS Code are a preview: they have to be allowed in its settings (chat.useHooks).', AGAIN],
    files: (places, target) => [
      hooksInJson(
        join(places.cwd, '.github', 'hooks', 'agent-faculties-vscode.json'),
        Object.fromEntries(
          DIALECT.map((event) => [
            event,
            [{ type: 'command', command: command(target, 'vscode', event), timeout: TIMEOUT_SECONDS }],
          ]),
        ),
      ),
      serversInJson(
        join(places.cwd, '.vscode', 'mcp.json'),
        'servers',
        (url) => ({ type: 'http', url, headers: mcpHeaders(target, EDITOR_STYLE) }),
        target,
      ),
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    scopes: ['user', 'project'],
    byHand: [AGAIN],
    files: (places, target) => {
      const path = inScope(places, '.gemini', 'settings.json');
      const hooks = matched(['BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'], (event) => ({
        type: 'command',
        name: `agent-faculties-hook ${event}`,
        command: command(target, 'gemini', event),
        // Gemini CLI counts in milliseconds.
        timeout: TIMEOUT_SECONDS * 1000,
      }));
      return [
        together(
          hooksInJson(path, hooks),
          serversInJson(
            path,
            'mcpServers',
            (url) => ({ httpUrl: url, headers: mcpHeaders(target, SHELL_STYLE) }),
            target,
          ),
        ),
      ];
    },
  },
  cursor: {
    title: 'Cursor',
    scopes: ['user', 'project'],
    byHand: ['Versions of Cursor that do not put a context before a prompt still record; recall goes by MCP there.'],
    files: (places, target) => {
      const events = ['beforeSubmitPrompt', 'preToolUse', 'postToolUse', 'postToolUseFailure', 'afterAgentResponse'];
      const hooks = Object.fromEntries(events.map((event) => [event, [{ command: command(target, 'cursor', event) }]]));
      return [
        hooksInJson(inScope(places, '.cursor', 'hooks.json'), hooks, { version: 1 }),
        serversInJson(
          inScope(places, '.cursor', 'mcp.json'),
          'mcpServers',
          (url) => ({ url, headers: mcpHeaders(target, EDITOR_STYLE) }),
          target,
        ),
      ];
    },
  },
  'copilot-cli': {
    title: 'Copilot CLI',
    scopes: ['user', 'project'],
    byHand: [AGAIN],
    files: (places, target) => {
      const events = [
        ...['userPromptSubmitted', 'preToolUse', 'postToolUse', 'postToolUseFailure'],
        ...['agentStop', 'sessionEnd'],
      ];
      const hooks = Object.fromEntries(
        events.map((event) => {
          const line = command(target, 'copilot-cli', event);
          return [event, [{ type: 'command', bash: line, powershell: line, timeoutSec: TIMEOUT_SECONDS }]];
        }),
      );
      const home = places.env.COPILOT_HOME ?? join(places.home, '.copilot');
      const folder = places.scope === 'user' ? join(home, 'hooks') : join(places.cwd, '.github', 'hooks');
      const server = (url: string) => {
        if (!target.hasKey) return { type: 'http', url, headers: callerHeaders(target), tools: ['*'] };
        const bridge = bridged(target, url);
        return { type: 'local', ...bridge, env: { ...bridge.env, AGENT_FACULTIES_KEY: SHELL_STYLE }, tools: ['*'] };
      };
      return [
        hooksInJson(join(folder, 'agent-faculties.json'), hooks, { version: 1 }),
        serversInJson(join(home, 'mcp-config.json'), 'mcpServers', server, target),
      ];
    },
  },
  opencode: {
    title: 'OpenCode',
    scopes: ['user', 'project'],
    byHand: [AGAIN],
    files: (places, target) => {
      const config = places.env.XDG_CONFIG_HOME || join(places.home, '.config');
      const user = join(config, 'opencode');
      const [plugins, settings] =
        places.scope === 'user'
          ? [join(user, 'plugins'), join(user, 'opencode.json')]
          : [join(places.cwd, '.opencode', 'plugins'), join(places.cwd, 'opencode.json')];
      const server = (url: string) => ({
        type: 'remote',
        url,
        headers: mcpHeaders(target, OPENCODE_STYLE),
        enabled: true,
      });
      return [
        ownFile(join(plugins, 'agent-faculties.js'), opencodePlugin(target)),
        serversInJson(settings, 'mcp', server, target),
      ];
    },
  },
  cline: {
    title: 'Cline',
    scopes: ['user', 'project'],
    byHand: ['In VS Code, allow hooks in the settings of Cline.'],
    files: (places, target) => [
      ...['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'TaskComplete', 'TaskCancel'].map((event) =>
        ownFile(
          inScope(places, '.cline', 'hooks', `${event}.sh`),
          `#!/bin/sh\nexec ${command(target, 'cline', event)}\n`,
          { isProgram: true },
        ),
      ),
      serversInJson(
        join(places.home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
        'mcpServers',
        (url) =>
          target.hasKey
            ? { type: 'stdio', ...bridged(target, url) }
            : { type: 'streamableHttp', url, headers: callerHeaders(target) },
        target,
      ),
    ],
  },
};
