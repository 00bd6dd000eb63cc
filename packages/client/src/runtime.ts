/** Clock, randomness and timers of a client; tests replace them. */
export interface Runtime {
  /** Resolves after the milliseconds; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A signal that aborts after the milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  /** 0 to 1, without 1. */
  readonly random: () => number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A fresh key: 32 hexadecimal digits. */
  readonly newKey: () => string;
}

export const SYSTEM_RUNTIME: Runtime = {
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      signal.addEventListener('abort', stop, { once: true });
    }),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  random: Math.random,
  now: Date.now,
  // Not crypto.randomUUID, because a page has it only over HTTPS and from localhost.
  newKey: () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
};
