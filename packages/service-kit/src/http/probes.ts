import type { RequestHandler } from 'express';
import { UnavailableError } from '../problems/errors.ts';

/** Something that the service goes on without, such as a disk that takes no writes. */
export interface Degradation {
  /** The code of the problem document that requests are answered with meanwhile, where there is one. */
  readonly code: string;
  /** A sentence that says what to do. */
  readonly detail: string;
}

/** What the service goes on without, now. @throws UnavailableError when it cannot serve at all */
export type Degradations = () => readonly Degradation[];

export interface Probes {
  /** 200 as long as the event loop turns. */
  readonly live: RequestHandler;
  /** 200 when the service may get requests, 503 with Retry-After when not. */
  readonly ready: RequestHandler;
  /** From now on `ready` answers 503, for good. */
  readonly drain: () => void;
}

/** Seconds; as often as probes come by default. */
const RETRY_AFTER_SECONDS = 5;

/**
 * The probes of load balancers and container runtimes. A degradation is no reason to send no requests: there is one process for
 * the data, and what it can still do nobody else does. A disk that refuses writes is found out, and found mended, by writes.
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
      try {
        const found = reasons();
        res.json({ status: found.length === 0 ? 'ready' : 'degraded', reasons: found });
      } catch (error) {
        res.set('Retry-After', String(RETRY_AFTER_SECONDS));
        throw error;
      }
    },
    drain: () => {
      isDraining = true;
    },
  };
}
