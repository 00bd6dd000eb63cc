// A line to a server that breaks on demand, in the middle of a commit: before the server hears of it, before it can answer, or before
// the words arrive, which do so later all the same.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { portOf } from '../../lib/port-of.mjs';

export const CUTS = ['question', 'answer', 'late question'];

/** How long the server has to do what it was sent, before its end of the line goes too. */
const LINGER_MS = 300;
const LATE_MS = 1_500;

/** @param markers in what a client sends: the statements with which the line may break */
export async function cuttingProxy(port, markers) {
  let next = null;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('data', (bytes) => {
      if (next === null || !markers.some((marker) => bytes.includes(marker))) {
        far.write(bytes);
        return;
      }
      const what = next;
      next = null;
      cuts++;
      if (what === 'answer') far.write(bytes);
      else if (what === 'late question') setTimeout(() => far.write(bytes), LATE_MS).unref();
      near.removeAllListeners('close');
      near.destroy();
      setTimeout(() => far.destroy(), LINGER_MS + (what === 'late question' ? LATE_MS : 0)).unref();
    });
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    port: portOf(server),
    /** @param what of CUTS happens to the next commit; null: nothing */
    cutNext: (what) => {
      next = what;
    },
    get cuts() {
      return cuts;
    },
  };
}
