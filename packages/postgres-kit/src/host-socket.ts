import { lookup as systemLookup } from 'node:dns';
import { type LookupFunction, Socket } from 'node:net';

/**
 * Asks for a name once at a time, whoever else wants it meanwhile. The system looks a name up on one of its few threads and may hold it
 * for 10 s where the host is gone: each connection that asked for itself would take one, and no other host would be found any more.
 */
export function oncePerName(lookup: LookupFunction): LookupFunction {
  const waiting = new Map<string, Parameters<LookupFunction>[2][]>();
  return (host, options, callback) => {
    const key = JSON.stringify([host, options]);
    const others = waiting.get(key);
    if (others) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(key, callbacks);
    lookup(host, options, (...found) => {
      waiting.delete(key);
      for (const each of callbacks) each(...found);
    });
  };
}

const shared = oncePerName(systemLookup as LookupFunction);

/** What the driver connects to a host. */
export class HostSocket extends Socket {
  readonly #lookup: LookupFunction;

  constructor(lookup = shared) {
    super();
    this.#lookup = lookup;
  }

  // The driver gives port and host; Node's other forms stay as they are.
  override connect(...args: unknown[]): this {
    const [port, host] = args;
    const isHost = typeof port === 'number' && typeof host === 'string';
    return super.connect(...((isHost ? [{ port, host, lookup: this.#lookup }] : args) as [{ port: number }]));
  }
}
