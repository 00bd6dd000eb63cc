import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * A client that hangs up in the middle of a line, once the service has read all that came.
 * @param until gives what the service did about it; asked for in each turn of the event loop until it is there
 */
export async function breakUploadOff<Done>(
  app: RequestListener,
  {
    path,
    lines,
    until,
  }: { readonly path: string; readonly lines: readonly object[]; readonly until: () => Done | undefined },
): Promise<Done> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const body = `${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}{"half":`;
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length + 1}\r\n\r\n`;
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  server.once('request', async (req) => {
    while (req.socket.bytesRead < head.length + body.length || req.readableLength > 0) await nextTurn();
    socket.destroy();
  });
  socket.write(head + body);
  let done = until();
  for (; done === undefined; done = until()) await nextTurn();
  server.close();
  return done;
}
