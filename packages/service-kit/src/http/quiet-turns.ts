import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import type { RequestHandler } from 'express';

/** How long work waits for requests to end, all its steps together: an event stream never ends, nor do the requests of a busy service. */
const PATIENCE_MS = 5_000;

/** Resolves when the next step may be done. */
export type NextStep = () => Promise<void>;

/** Turns of the event loop in which no request is being answered, for work that nobody waits for. */
export interface QuietTurns {
  /** Counts requests from their head to the end of their answer; mounted before all else. */
  readonly middleware: RequestHandler;
  /** @returns what resolves in such a turn; once its patience is over, in any turn */
  readonly begin: () => NextStep;
}

/** @param options.pause waits; absent: on the timer of the process, which does not keep that alive */
export function quietTurns({
  pause = processPause,
}: {
  pause?: (milliseconds: number) => Promise<void>;
} = {}): QuietTurns {
  let underWay = 0;
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  return {
    middleware: (_req, res, next) => {
      underWay++;
      res.once('close', () => {
        underWay--;
        if (underWay === 0) wakeAll();
      });
      next();
    },
    begin: () => {
      let isPatient = true;
      void pause(PATIENCE_MS).then(() => {
        isPatient = false;
        wakeAll();
      });
      return async () => {
        for (;;) {
          await nextTurn();
          if (underWay === 0 || !isPatient) return;
          await new Promise<void>((wake) => waiting.add(wake));
        }
      };
    },
  };
}

async function processPause(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: false });
}
