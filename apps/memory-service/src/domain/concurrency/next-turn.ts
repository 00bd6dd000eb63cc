import { setImmediate } from 'node:timers/promises';

/** Resolves after the event loop has looked at what else there is to do. */
export const nextTurn = (): Promise<void> => setImmediate();
