import { defineCommand, type Invocation, UsageError } from '../command.ts';
import { bridge } from '../mcp/bridge.ts';
import { embeddedService } from '../mcp/embedded-service.ts';

const OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'where the service is (else --memory-url or --timing-url)' },
  data: {
    type: 'string',
    value: 'DIR',
    help: 'start a service of its own on this data directory, such as that of start',
  },
  tools: { type: 'string', value: 'SET', help: 'timing: core (six tools) or opentime (the nineteen of OpenTime)' },
} as const;

type Call = Invocation<typeof OPTIONS>;

export const command = defineCommand({
  name: 'mcp',
  summary: 'Speak the Model Context Protocol over standard input and output, for hosts that start a command',
  usage: 'memory | timing [--url URL | --data DIR] [options]',
  options: OPTIONS,
  run: async (call) => {
    const service = serviceOf(call);
    const { url, data } = call.values;
    if (url !== undefined && data !== undefined)
      throw new UsageError('Write --url for a service that runs, or --data to start one, not both.');
    if (data === undefined) {
      await bridge(edgeOf(call), optionsOf(call, service, baseOf(call, service)));
      return 0;
    }
    const embedded = await embeddedService(call.edge, { service, folder: data });
    try {
      await bridge(edgeOf(call), optionsOf(call, service, embedded.url));
    } finally {
      await embedded.stop();
    }
    return 0;
  },
});

type Service = 'memory' | 'timing';

function serviceOf({ positionals: [service, ...more], values }: Call): Service {
  if (more.length > 0 || (service !== 'memory' && service !== 'timing'))
    throw new UsageError('Say which: mcp memory, or mcp timing.');
  if (values.tools !== undefined && (service !== 'timing' || !['core', 'opentime'].includes(values.tools)))
    throw new UsageError('--tools is for timing, and is core or opentime.');
  return service;
}

function baseOf({ values: { url }, settings }: Call, service: Service): URL {
  if (url === undefined) return service === 'memory' ? settings.memoryUrl : settings.timingUrl;
  const given = URL.canParse(url) ? new URL(url) : null;
  if (given?.protocol === 'http:' || given?.protocol === 'https:') return given;
  throw new UsageError(`--url=${JSON.stringify(url)} is not an address: write one such as http://127.0.0.1:7832.`);
}

function edgeOf({ edge }: Call) {
  return {
    input: edge.stdin,
    out: edge.out,
    err: (text: string) => edge.err(`agent-faculties mcp: ${text}`),
    fetch: edge.fetch,
    pause: edge.pause,
    signal: edge.signal,
  };
}

function optionsOf({ settings, edge, values }: Call, service: Service, base: URL) {
  const url = new URL(base.href.endsWith('/mcp') ? base : `${base.href.replace(/\/$/, '')}/mcp`);
  if (values.tools !== undefined) url.searchParams.set('tools', values.tools);
  // Claude Code sets these variables for the servers that it starts.
  const session = settings.sessionId ?? (edge.env.CLAUDE_CODE_SESSION_ID || null);
  // A header carries a text as its UTF-8 bytes, one character each.
  const text = (value: string) => Buffer.from(value).toString('latin1');
  return {
    service: `${service}-service`,
    url,
    headers: {
      ...(settings.agentId !== null && { 'X-Agent-ID': text(settings.agentId) }),
      ...(session !== null && { 'X-Session-ID': text(session) }),
      ...(settings.project !== null && { 'X-Project': text(settings.project) }),
      ...(settings.space !== null && { 'X-Space': text(settings.space) }),
      ...(settings.key !== null && { Authorization: `Bearer ${settings.key}` }),
    },
  };
}
