const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

interface Asked {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The headers that streamable HTTP requires; they repeat fields of the message. */
export function messageHeaders({ method = '', params = {} }: Asked, negotiated: string | null): Record<string, string> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const own = (params._meta as Readonly<Record<string, unknown>> | undefined)?.[VERSION_KEY];
  if (typeof own !== 'string')
    return negotiated === null ? headers : { ...headers, 'MCP-Protocol-Version': negotiated };
  const name = method === 'resources/read' ? params.uri : params.name;
  return {
    ...headers,
    'MCP-Protocol-Version': own,
    'Mcp-Method': headerText(method),
    ...(typeof name === 'string' && { 'Mcp-Name': headerText(name) }),
  };
}

/** The encoding of the revision 2026-07-28 for texts that no header can hold. */
function headerText(text: string): string {
  const fits = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return fits ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
