import { ConflictError } from '@agent-faculties/service-kit';

/** More than several processes ever need of each other; who comes so far would never end. */
const MOST_TRIES = 100;

/** What a try resolves to where the store has refused its decision. */
export const STALE = Symbol('stale');

/**
 * Reads, decides and writes, again and again until the store takes the decision: what it rested on may change between reading
 * and writing. @throws ConflictError when it never does
 */
export async function untilTaken<T>(attempt: () => Promise<T | typeof STALE>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const result = await attempt();
    if (result !== STALE) return result;
  }
  throw new ConflictError('Others change the same memories without a pause: send it again in a moment.', {
    code: 'changed_meanwhile',
  });
}
