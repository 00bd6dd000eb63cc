import { ConflictError } from '@agent-faculties/service-kit';

/** The most attempts; concurrent processes need far fewer, so more would never succeed. */
const MOST_TRIES = 100;

/** The result of an attempt whose decision the store refused. */
export const STALE = Symbol('stale');

/**
 * Repeats reading, deciding and writing until the store takes the decision, because something that it rests on may change between
 * reading and writing. @throws ConflictError after too many attempts
 */
export async function untilTaken<T>(attempt: () => Promise<T | typeof STALE>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const result = await attempt();
    if (result !== STALE) return result;
  }
  throw new ConflictError('Others keep changing the same memories: send it again in a moment.', {
    code: 'changed_meanwhile',
  });
}
