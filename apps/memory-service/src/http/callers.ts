import type { Clock } from '@agent-faculties/service-kit';
import type { RequestHandler } from 'express';

/** The service counts as in use for this long after a request, because a client mostly sends the next one soon. */
const LINGER_MS = 100;

/** These do not count: they wait for background work, are polled, or never end. */
const NO_CALLS: ReadonlySet<string> = new Set([
  '/contradictions',
  '/consolidate',
  '/end_of_day',
  '/events/stream',
  '/health',
  '/metrics',
]);

/** Knows whether the service is in use now, so that background work can wait. */
export class Callers {
  readonly #clock: Clock;
  #underWay = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Middleware; mount it before the handlers. */
  readonly note: RequestHandler = (request, response, next) => {
    if (!NO_CALLS.has(request.path)) {
      this.#underWay++;
      response.once('close', () => {
        this.#underWay--;
        this.#lastAt = this.#clock.now();
      });
    }
    next();
  };

  areActive(): boolean {
    return this.#underWay > 0 || this.#clock.now() - this.#lastAt < LINGER_MS;
  }
}
