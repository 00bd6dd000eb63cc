import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';

export interface Exchange {
  readonly method?: string;
  /** Sent as it is. */
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** Where the request comes from: an address of 127.0.0.0/8. */
  readonly from?: string;
  /** Over TLS, whoever answers. */
  readonly tls?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed, where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with literals.
  readonly body: any;
}

/** One request on a connection of its own, with nothing made prettier on its way. */
export function exchange(port: number, { method = 'GET', path, headers, body, from, tls }: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = tls ? requestTls : requestPlain;
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        rejectUnauthorized: false,
        ...(headers && { headers }),
        ...(from && { localAddress: from }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: jsonOf(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Bytes as they are; resolves to all that comes back until the other side closes or is quiet. */
export function rawExchange(port: number, bytes: string, { quietMs = 300 } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(quietMs, done);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', done);
    socket.on('error', reject);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
