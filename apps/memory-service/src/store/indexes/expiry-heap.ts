import type { Memory } from '../../domain/memory/memory.ts';

interface Expiry {
  readonly at: number;
  readonly id: string;
}

/**
 * When memories expire, the next one first: a binary heap. An entry stays until its moment, even if the memory
 * changes; the caller that takes it checks whether the memory still expires then.
 * @complexity O(log n) to note and to take, O(1) to ask whether anything is due
 */
export class ExpiryHeap {
  readonly #heap: Expiry[] = [];

  note({ id, expiresAt }: Pick<Memory, 'id' | 'expiresAt'>): void {
    if (expiresAt === null) return;
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if ((heap[above] as Expiry).at <= expiresAt) break;
      heap[place] = heap[above] as Expiry;
      place = above;
    }
    heap[place] = { at: expiresAt, id };
  }

  isDue(now: number): boolean {
    const [next] = this.#heap;
    return next !== undefined && next.at <= now;
  }

  /** Takes the next one out. @throws RangeError where there is none */
  take(): string {
    const heap = this.#heap;
    const [next] = heap;
    const last = heap.pop();
    if (next === undefined || last === undefined) throw new RangeError('Nothing expires.');
    if (heap.length > 0) this.#sink(last);
    return next.id;
  }

  /** Puts one at the top and lets it sink to its place. */
  #sink(sinking: Expiry): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below + 1 < heap.length && (heap[below + 1] as Expiry).at < (heap[below] as Expiry).at) below++;
      if (below >= heap.length || (heap[below] as Expiry).at >= sinking.at) break;
      heap[place] = heap[below] as Expiry;
      place = below;
    }
    heap[place] = sinking;
  }
}
