// A line to a server that breaks on demand, in the middle of a commit: before the server hears of it, or before it can answer.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** How long the server has to do what it was sent, before its end of the line goes too. */
const LINGER_MS = 300;

/** @param marker in what a client sends: the statement after which the line may break */
export async function cuttingProxy(port, marker) {
  let next = null;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('data', (bytes) => {
      const isCut = next !== null && bytes.includes(marker);
      if (!isCut || next === 'answer') far.write(bytes);
      if (!isCut) return;
      next = null;
      cuts++;
      near.destroy();
    });
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => setTimeout(() => far.destroy(), LINGER_MS).unref());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    port: server.address().port,
    /** @param what 'question' or 'answer', which is lost of the next commit */
    cutNext: (what) => {
      next = what;
    },
    get cuts() {
      return cuts;
    },
  };
}
