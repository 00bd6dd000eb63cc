import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any port, and above those that browsers and fetch refuse to ask. */
const FIRST = 20_000;
const END = 32_000;

const given = new Set<number>();

/**
 * A port of 127.0.0.1 that is free, for a program that has to be told one, or for something that ends and begins again at the same.
 * The system gives it to nobody by chance meanwhile, and this process to nobody else.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
