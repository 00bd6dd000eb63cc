import type { Clock } from './clock.ts';

/** A clock for tests: stands still until it is moved. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }

  set(ms: number): void {
    this.#nowMs = ms;
  }
}
