import type { IncomingHttpHeaders } from 'node:http';
import { InvalidInputError } from '@agent-faculties/service-kit';
import { classifyInboundRequest, specTypeSchemas } from '@modelcontextprotocol/server';

/** Those that the SDK would answer with the inside of its validator. */
const SCHEMAS = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
};

/** As an issue names it. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What whoever writes a host by hand begins with. */
const SUCH_AS: Readonly<Record<string, string>> = {
  'body/params/protocolVersion': ', such as "2025-11-25"',
  'body/params/capabilities': ', such as {}',
  'body/params/clientInfo': ', such as {"name": "my-host", "version": "1.0"}',
  'body/params/arguments': ', with a field for each argument',
};

/** @throws InvalidInputError for parameters that are not those of the method */
export function checkMessage(message: unknown, headers: IncomingHttpHeaders): void {
  const { method, params = {} } = (message ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  const schema = Object.hasOwn(SCHEMAS, String(method)) ? SCHEMAS[method as keyof typeof SCHEMAS] : undefined;
  const { issues } = schema?.['~standard'].validate({ method, params }) ?? {};
  if (!issues || !isServed(message, headers)) return;
  const faults = issues.map(faultOf);
  const said = faults.map(({ where, message }) => `${where} ${message}`).join('; ');
  throw new InvalidInputError(`${said}.`, { faults });
}

/** What the SDK refuses by the revision that a message names has to be refused so, and from 2026 on there is no initialize. */
function isServed(body: unknown, headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version'];
  const protocolVersionHeader = typeof version === 'string' ? { protocolVersionHeader: version } : {};
  const { kind } = classifyInboundRequest({ httpMethod: 'POST', body, ...protocolVersionHeader });
  return kind === 'legacy' || (kind === 'modern' && (body as { method: string }).method !== 'initialize');
}

type Issue = NonNullable<
  Awaited<ReturnType<(typeof SCHEMAS)['initialize']['~standard']['validate']>>['issues']
>[number];

function faultOf({ path = [], ...issue }: Issue) {
  const where = ['body', ...path.map((part) => String(typeof part === 'object' ? part.key : part))].join('/');
  const expected = EXPECTED[(issue as { readonly expected?: string }).expected ?? ''] ?? 'what the protocol has there';
  return { where, message: `must be ${expected}${SUCH_AS[where] ?? ''}` };
}
