import type { Server } from 'node:http';

/** How long requests may go on during a stop. Container runtimes kill after 10 s by default, so the whole stop must be shorter. */
const DEFAULT_DRAIN_LIMIT_MS = 8_000;
/** How often connections that became idle are closed. */
const IDLE_SWEEP_MS = 50;

export type Release = () => void | Promise<void>;

export interface GracefulStopOptions {
  readonly server: Server;
  /** Ends endless answers, such as event streams; called first. */
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
  // Without this, a connection that was busy at the close stays open until its keep-alive expires.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), drainLimitMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
  await tryEach(releasers.toReversed());
  if (faults.length > 0) throw faults[0];
}
