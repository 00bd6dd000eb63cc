/** How a service is asked over the Model Context Protocol. */
export interface McpAddress {
  /** Of the service, with a path where a gateway serves it in a folder. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** The service did not answer as it should; the message says what to do, to a program or a model. */
export class McpError extends Error {
  override name = 'McpError';
}

/** One JSON-RPC request to /mcp, which keeps no session. @throws McpError, and the reason of the signal */
export async function mcpCall(
  { url, headers, fetch }: McpAddress,
  method: string,
  params: object,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const address = `${url.replace(/\/+$/, '')}/mcp`;
  let text: string;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    });
    text = await response.text();
    if (!response.ok) throw new McpError(`${address} answered ${response.status}: ${detailOf(text)}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof McpError) throw error;
    // Only a program lists tools; a model calls them.
    const advice = method === 'tools/list' ? 'check the address and whether the service runs' : 'go on without it';
    throw new McpError(`${address} cannot be reached: ${advice}.`, { cause: error });
  }
  const message = messageOf(text);
  if (message?.error) throw new McpError((message.error as { message: string }).message);
  if (!message?.result) throw new McpError(`${address} does not answer as one of the services.`);
  return message.result as Record<string, unknown>;
}

/** The message of an answer, which is JSON or one server-sent event. */
function messageOf(text: string): Record<string, unknown> | null {
  const json = /(?:^|\n)data: ?([^\n]*)/.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function detailOf(text: string): string {
  const { detail } = (messageOf(text) ?? {}) as { detail?: string };
  return detail ?? text.slice(0, 200);
}
