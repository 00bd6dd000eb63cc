import { type Dated, isBefore } from '../../domain/memory/order-of-time.ts';

/**
 * Ordinals in the order in which the memories were said. A new message is appended. An import into the past moves
 * those after it: 0.5 ms at a million.
 */
export class TimeOrder {
  readonly #ordinals: number[] = [];
  readonly #dated: (ordinal: number) => Dated;

  constructor(dated: (ordinal: number) => Dated) {
    this.#dated = dated;
  }

  /** A copy, oldest first. */
  snapshot(): number[] {
    return this.#ordinals.slice();
  }

  /** Ordinals of the memories before an instant, newest first. Valid in one turn of the event loop. */
  *newestBefore(instant: number): Generator<number> {
    for (let place = this.#placeOf({ createdAt: instant, id: '' }); place > 0; )
      yield this.#ordinals[--place] as number;
  }

  add(ordinal: number): void {
    const place = this.#placeOf(this.#dated(ordinal));
    if (place === this.#ordinals.length) this.#ordinals.push(ordinal);
    else this.#ordinals.splice(place, 0, ordinal);
  }

  /** To be called while the memory can still be asked when it was said. */
  remove(ordinal: number): void {
    const place = this.#placeOf(this.#dated(ordinal));
    if (this.#ordinals[place] === ordinal) this.#ordinals.splice(place, 1);
  }

  /** How many were said before: the index of the first that was not. @complexity O(log n) */
  #placeOf(dated: Dated): number {
    let low = 0;
    let high = this.#ordinals.length;
    // Most are newer than everything that is there.
    if (high > 0 && isBefore(this.#dated(this.#ordinals[high - 1] as number), dated)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#dated(this.#ordinals[middle] as number), dated)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
