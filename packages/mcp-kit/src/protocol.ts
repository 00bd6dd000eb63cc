import type { Logger } from '@agent-faculties/service-kit';
import type { Metrics } from '@agent-faculties/service-kit/http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  preloadSchemas,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Request } from 'express';
import type { Counter } from 'prom-client';
import { checkMessage } from './check-message.ts';
import type { ContractSchemas } from './contract-schemas.ts';
import { type Asking, type Call, operationCalls } from './operation-calls.ts';
import { type PromptText, promptListing, promptText } from './prompts.ts';
import { type ReadableResource, readResource, resourceListing, templateListing } from './resources.ts';
import type { Effect, Tool } from './tool.ts';
import { callTool, mayUse } from './tool-call.ts';

export interface McpOptions<Operations> {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Text for a model, before it sees a tool; hosts cut it at 2 KB. */
  readonly instructions: string;
  readonly schemas: ContractSchemas;
  /** The tools that a request is offered, by its query. */
  readonly tools: (query: Request['query']) => readonly Tool<Operations>[];
  readonly resources: readonly ReadableResource<Operations>[];
  readonly prompts: readonly PromptText<Operations>[];
  /** Whether the role in X-Role, set by a gateway, limits the tools. Without a gateway every caller may use all tools. */
  readonly checkRoles: boolean;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Lists stay the same until the service starts again, for callers of the same role. */
const LISTS_HOLD = { ttlMs: 3_600_000, cacheScope: 'private' } as const;
const CACHE_HINTS = {
  'tools/list': LISTS_HOLD,
  'prompts/list': LISTS_HOLD,
  'resources/templates/list': LISTS_HOLD,
  'server/discover': LISTS_HOLD,
};
/** None of these lists changes while a service runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
};
const MAX_SUBSCRIPTIONS = 100;
/** A service never asks a client, so there is no answer to validate. Without this the SDK makes a validator for each request. */
const UNUSED: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not expected' }),
};

const HINTS: Readonly<Record<Effect, object>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** Answers requests by the SDK; each makes a server of its own. @throws InvalidInputError for parameters that are not those of the method */
export function protocolHandler<Operations>(
  options: McpOptions<Operations>,
  calls: Counter<'tool' | 'outcome'>,
): ReturnType<typeof toNodeHandler> {
  const { log } = options;
  preloadSchemas();
  const mcp = createMcpHandler(({ authInfo }) => serverFor(options, authInfo?.extra?.asking as Asking, calls), {
    onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  const serve = toNodeHandler(mcp, { onerror: (error) => log.error({ err: error }, 'an MCP request failed') });
  return async (req, res, message) => {
    checkMessage(message, req.headers);
    await serve(req, res, message);
  };
}

function serverFor<Operations>(
  { name, title, version, instructions, schemas, checkRoles, log, ...offered }: McpOptions<Operations>,
  asking: Asking,
  calls: Counter<'tool' | 'outcome'>,
): Server {
  const { resources, prompts } = offered;
  const tools = offered.tools(asking.req.query);
  const role = checkRoles ? (asking.req.get('X-Role') ?? null) : undefined;
  const callFor = (ctx: ServerContext): Call<Operations> => operationCalls(schemas, asking, ctx.mcpReq._meta);
  const server = new Server(
    { name, title, version },
    { instructions, capabilities: CAPABILITIES, jsonSchemaValidator: UNUSED, cacheHints: CACHE_HINTS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.filter((tool) => mayUse(role, tool)).map(toolListing),
  }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = tools.find((one) => one.name === params.name);
    if (!tool)
      throw unknown(`There is no tool ${params.name}: take one of ${tools.map((one) => one.name).join(', ')}.`);
    const result = await callTool(tool, params.arguments ?? {}, { role, call: callFor(ctx), log });
    calls.inc({ tool: tool.name, outcome: result.isError ? 'error' : 'ok' });
    return server.projectCallToolResult(result, tool.output);
  });
  server.setRequestHandler('resources/list', async (_request, ctx) => resourceListing(resources, callFor(ctx)));
  server.setRequestHandler('resources/templates/list', () => templateListing(resources));
  server.setRequestHandler('resources/read', ({ params }, ctx) =>
    readResource(resources, params.uri, { call: callFor(ctx), log }),
  );
  server.setRequestHandler('prompts/list', () => promptListing(prompts));
  server.setRequestHandler('prompts/get', ({ params }, ctx) =>
    promptText(prompts, params, { call: callFor(ctx), log }),
  );
  return server;
}

function toolListing<Operations>({ name, title, description, effect, input, output }: Tool<Operations>) {
  return {
    name,
    title,
    description,
    inputSchema: input as { type: 'object' },
    outputSchema: output as { type: 'object' },
    annotations: { title, ...HINTS[effect] },
  };
}

function unknown(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
