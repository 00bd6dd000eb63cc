import type { Server } from 'node:http';

/** How long requests may go on after a stop was asked for; container runtimes kill after 10 s by default, so stay below in all. */
const DEFAULT_DRAIN_LIMIT_MS = 8_000;
/** How often connections that have become idle meanwhile are closed. */
const IDLE_SWEEP_MS = 50;

export type Release = () => void | Promise<void>;

export interface GracefulStopOptions {
  readonly server: Server;
  /** Ends what would otherwise never end, such as event streams; called first. */
  readonly onStopping?: readonly Release[];
  /** Closes what the start opened, in the order of opening; called in reverse, after the last request. */
  readonly releasers?: readonly Release[];
  readonly drainLimitMs?: number;
}

/**
 * Takes no new connections, lets requests finish up to a limit, cuts the rest, then releases in reverse order.
 * Everything is tried. @throws the first fault, after everything was tried
 */
export async function gracefulStop(options: GracefulStopOptions): Promise<void> {
  const { server, onStopping = [], releasers = [], drainLimitMs = DEFAULT_DRAIN_LIMIT_MS } = options;
  const faults: unknown[] = [];
  const tryEach = async (steps: readonly Release[]) => {
    for (const step of steps) {
      try {
        await step();
      } catch (fault) {
        faults.push(fault);
      }
    }
  };
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await tryEach(onStopping);
  // A connection that was busy when the server closed would otherwise live on until its keep-alive runs out.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), drainLimitMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
  await tryEach(releasers.toReversed());
  if (faults.length > 0) throw faults[0];
}
