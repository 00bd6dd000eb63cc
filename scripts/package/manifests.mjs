// What the registry of MCP servers and Claude Desktop are told about the servers.
import { readJson } from './package-json.mjs';

/** The name under which the package may stand in the registry of MCP servers; its owner publishes under a namespace of their own. */
export const MCP_NAME = 'io.github.agent-faculties/agent-faculties';

/** By the schema of this date. */
const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** server.json of the registry: one package with both servers; the user picks one. */
export function serverJson() {
  const { version } = readJson('packages/cli');
  return {
    $schema: SERVER_SCHEMA,
    name: MCP_NAME,
    title: 'Agent Faculties',
    description: 'A sense of time and a shared memory for AI agents, on your own machine, without an account',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: 'agent-faculties',
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'positional',
            valueHint: 'service',
            description: 'memory recalls and remembers; timing knows how long work takes',
            isRequired: true,
            choices: ['memory', 'timing'],
            default: 'memory',
          },
        ],
        environmentVariables: [
          { name: 'MEMORY_URL', description: 'Where memory-service is', default: 'http://127.0.0.1:7832' },
          { name: 'TIMING_URL', description: 'Where timing-service is', default: 'http://127.0.0.1:8080' },
          { name: 'AGENT_ID', description: 'Who asks, such as claude-editor' },
          { name: 'AGENT_FACULTIES_KEY', description: 'The key for a gateway in front of them', isSecret: true },
        ],
      },
    ],
  };
}

const BUNDLES = {
  memory: {
    display_name: 'Team memory',
    description: 'Recall and remember, in a memory that is shared with other agents',
    url: { variable: 'MEMORY_URL', title: 'Address of memory-service', default: 'http://127.0.0.1:7832' },
  },
  timing: {
    display_name: 'Sense of time',
    description: 'What time it is, and how long work really takes, from what was measured',
    url: { variable: 'TIMING_URL', title: 'Address of timing-service', default: 'http://127.0.0.1:8080' },
  },
};

export const BUNDLE_NAMES = Object.keys(BUNDLES);

/** The host puts the folder of the bundle, and the user's settings, in place of these. */
const IN_BUNDLE = `\${__dirname}`;
const setting = (name) => `\${user_config.${name}}`;

/** manifest.json of an .mcpb bundle: the bridge to a service that runs, in one file. */
export function bundleManifest(service) {
  const { version, license } = readJson('packages/cli');
  const { display_name, description, url } = BUNDLES[service];
  return {
    manifest_version: '0.3',
    name: `agent-faculties-${service}`,
    display_name,
    version,
    description,
    long_description: `${description}. The service runs beside it: start it with \`npx agent-faculties start\`.`,
    author: { name: 'The agent-faculties authors' },
    license,
    server: {
      type: 'node',
      entry_point: 'server/dist/main.js',
      mcp_config: {
        command: 'node',
        args: [`${IN_BUNDLE}/server/dist/main.js`, 'mcp', service],
        env: {
          [url.variable]: setting('url'),
          AGENT_ID: setting('agent_id'),
          AGENT_FACULTIES_KEY: setting('key'),
        },
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: readJson('.').engines.node } },
    user_config: {
      url: { type: 'string', title: url.title, description: 'Or of the gateway in front of it', default: url.default },
      agent_id: {
        type: 'string',
        title: 'Agent id',
        description: 'Who asks: what is stored PRIVATE belongs to it',
        default: 'claude-desktop',
      },
      key: {
        type: 'string',
        title: 'Key',
        description: 'For a gateway; empty without one',
        sensitive: true,
        default: '',
      },
    },
  };
}
