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

/** Ends a connection that was kept open: an answer to something behind the bytes comes before the one to this. */
const LAST = `GET /gateway/health HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n`;

/** Bytes as they are; resolves to all that comes back until the other side closes, which it is asked for once it has answered. */
export function rawExchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isLast = false;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      text += piece;
      if (isLast || !isKeptOpen(text)) return;
      isLast = true;
      socket.write(LAST);
    });
    socket.on('end', () => {
      socket.destroy();
      resolve(isLast ? text.slice(0, text.lastIndexOf('HTTP/1.1 ')) : text);
    });
    socket.on('error', reject);
  });
}

/** Whether an answer is there whole, and another may follow. */
function isKeptOpen(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end + 2);
  const length = Number(/^Content-Length: (\d+)\r$/im.exec(head)?.[1]);
  return end !== -1 && /^Connection: keep-alive\r$/im.test(head) && text.length >= end + 4 + length;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
