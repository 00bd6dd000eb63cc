import { setTimeout as pause } from 'node:timers/promises';
import { type Application, type Listening, listen } from '../http/listen.ts';
import { flushed, type Logger, levelSwitch } from '../observability/log.ts';
import { EXIT_FAILED } from './exit-codes.ts';
import { gracefulStop, type Release } from './graceful-stop.ts';

/** Longer than the interval of any probe. */
export const MAX_STOP_DELAY_SECONDS = 300;

const REFUSALS_TOLD_EVERY_MS = 60_000;

type ProcessEvent = 'SIGTERM' | 'SIGINT' | 'SIGUSR2' | 'uncaughtException' | 'unhandledRejection';

/** The part of `process` that is used; tests hand in their own. */
export interface ProcessEdge {
  on(event: ProcessEvent, listener: (cause: unknown) => void): unknown;
  exit(code: number): void;
  readonly stdout: { write(text: string): unknown; on?(event: 'error', listener: () => void): unknown };
  readonly stderr: { write(text: string): unknown };
}

export interface ServiceRun {
  /** 'timing-service' */
  readonly name: string;
  /** `warmUp` is called once it listens, `drain` when a stop begins. */
  readonly app: Application & { readonly warmUp?: () => Promise<void>; readonly drain?: () => void };
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly process: ProcessEdge;
  /** How long the service goes on answering after `drain`, until the load balancer notices; 0 unless given. */
  readonly stopDelaySeconds?: number;
  /** Ends endless answers, such as event streams. */
  readonly onStopping?: readonly Release[];
  /** Closes what the start opened, in the order of opening. */
  readonly releasers?: readonly Release[];
  readonly drainLimitMs?: number;
}

/**
 * Listens, prints the address on standard output, and stops on SIGTERM or SIGINT: exit 0, or 1 after an error or a second signal.
 * SIGUSR2 switches the debug level on and off. An uncaught error is logged and exits with 1, because the state after it is unknown.
 * Resolves once it listens; with null when it cannot listen (message on standard error, releasers called, exit 1).
 */
export async function runService(run: ServiceRun): Promise<Listening | null> {
  const { name, app, host, port, log, process } = run;
  const dieOf = (event: string) => (error: unknown) => {
    log.fatal({ err: error }, event);
    process.exit(EXIT_FAILED);
  };
  process.on('uncaughtException', dieOf('uncaught exception'));
  process.on('unhandledRejection', dieOf('unhandled rejection'));

  let listening: Listening;
  try {
    listening = await listen(app, { host, port });
  } catch (error) {
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
    for (const release of (run.releasers ?? []).toReversed()) await release();
    process.exit(EXIT_FAILED);
    return null;
  }
  const { server, address } = listening;
  server.on('drop', tellOfRefusals(log));
  // A closed pipe or a full disk must not end the service.
  process.stdout.on?.('error', () => {});
  process.stdout.write(
    `${name} listening on ${address.url} (dashboard: ${address.url}/dashboard, docs: ${address.url}/docs)\n`,
  );

  app.warmUp?.().catch(dieOf('warming up'));

  let stopping = false;
  const stop = (signal: string) => async () => {
    if (stopping) return process.exit(EXIT_FAILED);
    stopping = true;
    log.info({ signal }, 'stopping');
    app.drain?.();
    try {
      await pause((run.stopDelaySeconds ?? 0) * 1_000, undefined, { ref: false });
      await gracefulStop({ ...run, server });
      log.info('stopped');
      await flushed(log);
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'stopped with a fault');
      await flushed(log);
      process.exit(EXIT_FAILED);
    }
  };
  process.on('SIGTERM', stop('SIGTERM'));
  process.on('SIGINT', stop('SIGINT'));
  process.on('SIGUSR2', levelSwitch(log));
  return listening;
}

/** Once a minute: there may be thousands. */
function tellOfRefusals(log: Logger): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    log.warn('connections are refused: the limit of open files allows no more. Raise it (ulimit -n, LimitNOFILE=)');
    setTimeout(() => {
      isTold = false;
    }, REFUSALS_TOLD_EVERY_MS).unref();
  };
}
