import { InvalidInputError, lazily } from '@agent-faculties/service-kit';
import type { Handler } from '@agent-faculties/service-kit/http';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { Counter } from 'prom-client';
import type { Asking } from './operation-calls.ts';
import { plainMessage } from './plain-message.ts';
import type { McpOptions } from './protocol.ts';
import type { Tool } from './tool.ts';

export interface McpEndpoint {
  /** Answers a POST with one JSON-RPC message. */
  readonly handler: Handler<unknown>;
  /** Loads what the first request would wait for. */
  readonly load: () => Promise<void>;
  /** Ends the streams of clients that listen for changes: no changes come, so these streams would never end. */
  readonly endStreams: () => void;
}

/** Most fields and items of a message, at all levels: the SDK visits each of them several times in one turn of the event loop. */
const MAX_VALUES = 5_000;
const ACCEPTS_ANYTHING = /(?:^|,)\s*\*\/\*/;

/**
 * The Model Context Protocol over streamable HTTP, stateless: the revision 2026-07-28 and those of 2025 on one address. A tool
 * calls operations of the contract as its caller, so the same rules hold for tools and for requests.
 */
export function mcpEndpoint<Operations>(options: McpOptions<Operations>): McpEndpoint {
  const calls = new Counter({
    name: 'agent_faculties_mcp_tool_calls_total',
    help: 'Calls of tools over the Model Context Protocol, by tool and how they went',
    labelNames: ['tool', 'outcome'],
    registers: [options.metrics.registry],
  });
  const loaded = lazily(async () => {
    // In parts: together they would hold up the event loop for 130 ms of processor time.
    await import('zod/v4');
    await import('@modelcontextprotocol/server');
    await import('@modelcontextprotocol/node');
    return (await import('./protocol.ts')).protocolHandler(options, calls);
  });
  const streams = new Set<Response>();
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
      const message = plainMessage(req.body);
      const logFields = logFieldsOf(req.body, options.tools(req.query));
      if (logFields.mcp_method === 'subscriptions/listen') {
        streams.add(res);
        res.once('close', () => streams.delete(res));
      }
      const serve = await loaded();
      await serve(Object.assign(req, { auth, logFields }) as never, res, message);
      return undefined;
    },
    load: async () => void (await loaded()),
    endStreams: () => {
      for (const stream of streams) stream.end();
    },
  };
}

/** Method and tool for the log. Unknown names stay out of it. */
function logFieldsOf<Operations>(body: unknown, tools: readonly Tool<Operations>[]): Record<string, string> {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (typeof method !== 'string' || !/^[a-z]{1,20}(\/[a-z_]{1,20}){0,2}$/.test(method)) return {};
  const tool = method === 'tools/call' ? tools.find(({ name }) => name === params?.name) : undefined;
  return { mcp_method: method, ...(tool && { tool: tool.name }) };
}
