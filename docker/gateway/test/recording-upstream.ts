import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Recorded {
  readonly method: string;
  /** As it came. */
  readonly url: string;
  /** Names and values as they came. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly bodyBytes: number;
}

export interface RecordingUpstream {
  readonly address: string;
  /** Takes what has been recorded so far. */
  take(): Recorded[];
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Something else than yes. */
  readonly answer?: (req: IncomingMessage, res: ServerResponse) => void;
  readonly port?: number;
}

/** What the clock of the service says. */
export const UPSTREAM_DATE = 'Sat, 21 Nov 2026 09:30:00 GMT';

/** A service that says yes to everything and remembers it. */
export async function startUpstream({ answer, port: wanted = 0 }: UpstreamOptions = {}): Promise<RecordingUpstream> {
  let recorded: Recorded[] = [];
  const server = createServer((req, res) => {
    let bodyBytes = 0;
    req.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.length;
    });
    req.on('end', () => {
      const { method = '', url = '', rawHeaders, headers } = req;
      recorded.push({ method, url, rawHeaders, headers, bodyBytes });
      if (answer) answer(req, res);
      else res.writeHead(200, { 'X-Request-ID': 'from the service', Date: UPSTREAM_DATE }).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    take: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
