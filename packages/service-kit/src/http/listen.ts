import { createServer, type RequestListener, type Server } from 'node:http';
import { BODY_LIMIT_MS, guardConnections } from './connection-guard.ts';
import type { ExpressMessages } from './express-messages.ts';
import { mostConnections } from './most-connections.ts';

/** The headers of a request must arrive within this time. For the body, see BODY_LIMIT_MS. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Keeps idle connections a little longer than the 60 s of common proxies, so that the proxy closes them. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** BODY_LIMIT_MS unless given. */
  readonly bodyLimitMs?: number;
  /** More are closed at once. What the limit of open files leaves room for, unless given. */
  readonly mostConnections?: number;
}

export interface Listening {
  readonly server: Server;
  readonly address: { readonly host: string; readonly port: number; readonly url: string };
}

/** What answers requests; with the classes that they are made of, where those of Node are not meant. */
export type Application = RequestListener & { readonly messages?: ExpressMessages };

/** Resolves once the server accepts connections. @throws Error that says what to do, with the cause */
export function listen(
  app: Application,
  { host, port, bodyLimitMs = BODY_LIMIT_MS, ...options }: ListenOptions,
): Promise<Listening> {
  // No limit on a whole request: a long import takes long.
  const server = createServer({
    ...app.messages,
    requestTimeout: 0,
    // Node answers a missing Host with an empty 400; hostAndOriginGuard says what to do.
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  });
  server.maxConnections = options.mostConnections ?? mostConnections();
  guardConnections(server, app, { bodyLimitMs });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, { host, port })));
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      const bound = server.address();
      const actualPort = typeof bound === 'object' && bound !== null ? bound.port : port;
      const hostInUrl = host.includes(':') ? `[${host}]` : host;
      resolve({ server, address: { host, port: actualPort, url: `http://${hostInUrl}:${actualPort}` } });
    });
  });
}

function explained(cause: NodeJS.ErrnoException, { host, port }: ListenOptions): Error {
  const advice: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use: stop what runs there or choose another port (0 picks a free one).`,
    EACCES: `This user may not listen on port ${port}: choose a port from 1024 up.`,
    EADDRNOTAVAIL: `${host} is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
    ENOTFOUND: `The host ${host} is not known: use an address such as 127.0.0.1.`,
  };
  return new Error(advice[cause.code ?? ''] ?? `Cannot listen on ${host}:${port}: ${cause.message}.`, { cause });
}
