import type { Clock } from '@agent-faculties/service-kit';
import type { RequestHandler } from 'express';

/** A client's next request comes soon after the last, as a rule. */
const LINGER_MS = 100;

/** These wait for what goes on beside the requests, or are asked all the time. */
const NO_CALLS: ReadonlySet<string> = new Set([
  '/contradictions',
  '/consolidate',
  '/end_of_day',
  '/health',
  '/metrics',
]);

/** Knows whether somebody uses the service now, so that what can wait keeps out of the way. */
export class Callers {
  readonly #clock: Clock;
  #underWay = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be mounted before what answers. */
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
