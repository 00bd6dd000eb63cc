import { type Handler, InvalidInputError, type Logger, type Metrics } from '@agent-faculties/service-kit';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  preloadSchemas,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { Counter } from 'prom-client';
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

export interface McpEndpoint {
  /** Answers a POST with one JSON-RPC message. */
  readonly handler: Handler<unknown>;
  /** Ends the streams of clients that listen for changes: no changes come, so these streams would never end. */
  readonly endStreams: () => void;
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
/** Most fields and items of a message, at all levels: the SDK visits each of them several times in one turn of the event loop. */
const MAX_VALUES = 5_000;
const ACCEPTS_ANYTHING = /(?:^|,)\s*\*\/\*/;

/** A service never asks a client, so there is no answer to validate. Without this the SDK makes a validator for each request. */
const UNUSED: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not expected' }),
};

const HINTS: Readonly<Record<Effect, object>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/**
 * The Model Context Protocol over streamable HTTP, stateless: the revision 2026-07-28 and those of 2025 on one address. A tool
 * calls operations of the contract as its caller, so the same rules hold for tools and for requests.
 */
export function mcpEndpoint<Operations>(options: McpOptions<Operations>): McpEndpoint {
  const { metrics, log } = options;
  preloadSchemas();
  const calls = new Counter({
    name: 'agent_faculties_mcp_tool_calls_total',
    help: 'Calls of tools over the Model Context Protocol, by tool and how they went',
    labelNames: ['tool', 'outcome'],
    registers: [metrics.registry],
  });
  const mcp = createMcpHandler(({ authInfo }) => serverFor(options, authInfo?.extra?.asking as Asking, calls), {
    onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  const streams = new Set<Response>();
  const serve = toNodeHandler(mcp, { onerror: (error) => log.error({ err: error }, 'an MCP request failed') });
  return {
    handler: async ({ req, res, caller }) => {
      const asking: Asking = { req, caller, requestId: String(res.get('X-Request-ID')) };
      const { bodyValues = 0 } = req as { readonly bodyValues?: number };
      if (bodyValues > MAX_VALUES) {
        throw new InvalidInputError(`The message has more than ${MAX_VALUES} fields and items: send less at once.`);
      }
      // The SDK requires these types by name, even from a client that accepts everything.
      if (ACCEPTS_ANYTHING.test(req.get('Accept') ?? '*/*')) req.headers.accept = 'application/json, text/event-stream';
      // Of a request, the SDK passes only this to the server that it makes for it.
      const auth: AuthInfo = { token: '', clientId: caller.agentId, scopes: [], extra: { asking } };
      const logFields = logFieldsOf(req.body, options.tools(req.query));
      if (logFields.mcp_method === 'subscriptions/listen') {
        streams.add(res);
        res.once('close', () => streams.delete(res));
      }
      await serve(Object.assign(req, { auth, logFields }) as never, res, req.body);
      return undefined;
    },
    endStreams: () => {
      for (const stream of streams) stream.end();
    },
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

/** Method and tool for the log. Unknown names stay out of it. */
function logFieldsOf<Operations>(body: unknown, tools: readonly Tool<Operations>[]): Record<string, string> {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (typeof method !== 'string' || !/^[a-z]{1,20}(\/[a-z_]{1,20}){0,2}$/.test(method)) return {};
  const tool = method === 'tools/call' ? tools.find(({ name }) => name === params?.name) : undefined;
  return { mcp_method: method, ...(tool && { tool: tool.name }) };
}
