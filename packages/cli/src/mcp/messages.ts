/** Undefined for a text that is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Yields the JSON-RPC messages of an HTTP answer: one from a JSON body, or each of an event stream as it arrives.
 * @throws Error with the words of a problem document
 */
export async function* messagesOf(response: Response): AsyncGenerator<object> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body) {
    yield* eventMessages(response.body);
    return;
  }
  const text = await response.text();
  if (text === '') return;
  const body = jsonOf(text) as { jsonrpc?: unknown; detail?: unknown } | undefined;
  if (body?.jsonrpc === '2.0') yield body;
  else
    throw new Error(
      typeof body?.detail === 'string'
        ? body.detail
        : `What answers at ${response.url} (${response.status}) speaks no MCP: say with --url where the service is.`,
    );
}

async function* eventMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<object> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const message = jsonOf(dataOf(event));
      if (typeof message === 'object' && message !== null) yield message;
    }
  }
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []))
    .join('\n');
}
