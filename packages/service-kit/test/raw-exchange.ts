import { connect } from 'node:net';
import type { Listening } from '../src/http.ts';

/**
 * Sends bytes as they are, for what no HTTP client would send, and returns all that comes back.
 * @param options.isHalfClosed ends the connection in this direction behind the bytes
 */
export function rawExchange(
  { address }: Listening,
  bytes: string,
  { isHalfClosed = false }: { isHalfClosed?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.host, port: address.port });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
    if (isHalfClosed) socket.end();
  });
}
