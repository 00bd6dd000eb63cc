import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
  readonly notice: any;
  readonly res: ServerResponse;
  answer(status: number, headers?: Record<string, string>): void;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A program that webhooks are sent to, on loopback; each request waits for the test to answer it. */
export async function startReceiver() {
  const come: Received[] = [];
  let wake = (): void => {};
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const part of req.setEncoding('utf8')) body += part;
    come.push({
      path: req.url ?? '',
      headers: req.headers,
      body,
      notice: JSON.parse(body),
      res,
      answer: (status, headers = {}) => void res.writeHead(status, headers).end(),
    });
    wake();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Requests that nobody has asked for. */
    get waiting(): number {
      return come.length;
    },
    async next(): Promise<Received> {
      while (come.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return come.shift() as Received;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
