import type { RequestHandler } from 'express';
import { UnavailableError } from '../problems/errors.ts';

/** A part that is missing while the service goes on, such as a disk that refuses writes. */
export interface Degradation {
  /** The code of the problem document that affected requests get, where there is one. */
  readonly code: string;
  /** A sentence that says what to do. */
  readonly detail: string;
}

/** The current degradations. @throws UnavailableError when the service cannot serve at all */
export type Degradations = () => readonly Degradation[];

export interface Probes {
  /** 200 while the event loop runs. */
  readonly live: RequestHandler;
  /** 200 when the service accepts requests, else 503 with Retry-After. */
  readonly ready: RequestHandler;
  /** From now on `ready` answers 503, for good. */
  readonly drain: () => void;
}

/**
 * The probes of load balancers and container runtimes. A degraded service stays ready: no other process has its data, and it still
 * answers what it can. Only writes show that a disk refuses them, or accepts them again.
 */
export function probes(degradations: Degradations): Probes {
  let isDraining = false;
  const reasons = (): readonly Degradation[] => {
    if (!isDraining) return degradations();
    throw new UnavailableError('The service is stopping: send requests elsewhere, or again once it is back.', {
      code: 'stopping',
    });
  };
  return {
    live: (_req, res) => void res.json({ status: 'ok' }),
    ready: (_req, res) => {
      const found = reasons();
      res.json({ status: found.length === 0 ? 'ready' : 'degraded', reasons: found });
    },
    drain: () => {
      isDraining = true;
    },
  };
}
