import { setImmediate } from 'node:timers/promises';

/** Resolves in a later turn of the event loop, after pending input and output. */
export const nextTurn = (): Promise<void> => setImmediate();
