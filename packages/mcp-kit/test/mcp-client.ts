import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** How the SDK's own client speaks: the handshake of 2025, or the revision of 2026 without one. */
export const ERAS = ['legacy', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

export interface ConnectOptions {
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that has read the list of tools, so that it checks each answer against the output schema of its tool. */
export async function connectMcp(
  url: string,
  { era = '2026-07-28', headers = {} }: ConnectOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test-host', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  await client.listTools();
  return client;
}

export interface ToolSaid {
  readonly data: never;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool. @returns its structured content, and its text */
export async function callTool(client: Client, name: string, given: Record<string, unknown> = {}): Promise<ToolSaid> {
  const { structuredContent, content, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content as { type: string; text: string }[];
  return { data: structuredContent as never, text: first?.text ?? '', isError };
}
