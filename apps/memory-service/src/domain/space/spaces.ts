import { isSpaceName } from '@agent-faculties/agent-identity';
import type { Space } from './space.ts';

/**
 * The spaces that this process has open, by name. Whoever opens one that is open gets the same; one that is being closed is
 * opened anew when it is closed.
 */
export class Spaces<S extends Pick<Space, 'close'>> {
  readonly #openOne: (name: string) => Promise<S>;
  readonly #open = new Map<string, Promise<S>>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(openOne: (name: string) => Promise<S>) {
    this.#openOne = openOne;
  }

  /** @throws RangeError for a name that is none; what opening throws, and the next call tries again */
  async open(name: string): Promise<S> {
    if (!isSpaceName(name)) {
      throw new RangeError(`'${name}' is no name of a space: 1 to 63 of a-z, 0-9 and -, with no - at either end.`);
    }
    const known = this.#open.get(name);
    if (known !== undefined) return await known;
    const opening = (this.#closing.get(name) ?? Promise.resolve()).then(() => this.#openOne(name));
    this.#open.set(name, opening);
    opening.catch(() => this.#open.delete(name));
    return await opening;
  }

  /** Nothing happens for one that is not open. */
  async close(name: string): Promise<void> {
    const opening = this.#open.get(name);
    if (opening === undefined) return await this.#closing.get(name);
    this.#open.delete(name);
    const closing = opening.then((space) => space.close());
    const settled = closing
      .catch(() => {})
      .then(() => {
        if (this.#closing.get(name) === settled) this.#closing.delete(name);
      });
    this.#closing.set(name, settled);
    await closing;
  }

  /** @throws what closing the first of them throws, when all are closed */
  async closeAll(): Promise<void> {
    const closed = await Promise.allSettled([...this.#open.keys()].map((name) => this.close(name)));
    for (const one of closed) if (one.status === 'rejected') throw one.reason;
  }
}
