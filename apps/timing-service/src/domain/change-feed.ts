import type { StoredEvent } from './event.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Task } from './task.ts';

/** Whose a change is. */
interface Owned {
  readonly agentId: string;
  readonly project: string | null;
}

export type Change =
  | ({ readonly kind: 'timing'; readonly event: StoredEvent; readonly task: Task | null } & Owned)
  | ({ readonly kind: 'stopwatch'; readonly stopwatch: Stopwatch } & Owned)
  | ({ readonly kind: 'stopwatch-deleted'; readonly name: string } & Owned)
  | ({ readonly kind: 'abandoned'; readonly task: Task } & Owned)
  | { readonly kind: 'reset' };

/** Tells listeners of this process what has been written. Listeners must not throw and must not wait. */
export class ChangeFeed {
  readonly #listeners = new Set<(change: Change) => void>();
  #count: (change: Change) => void = () => {};
  #unnumbered = 0;

  /** @returns a function that ends the subscription */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Has one listener told of what this process has written, and of nothing else. */
  countWith(count: (change: Change) => void): void {
    this.#count = count;
  }

  /** For whoever has written something. */
  publish(change: Change): void {
    this.#count(change);
    this.spread(change);
  }

  /** To be awaited before a subscription that goes on from what is stored now. */
  async ready(): Promise<void> {}

  /** Whether all replicas count alike. */
  get isShared(): boolean {
    return false;
  }

  /** Number of changes so far without a sequence, which cannot be replayed. */
  get unnumbered(): number {
    return this.#unnumbered;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Tells the listeners; what only reads it back counts nothing. */
  spread(change: Change): void {
    if (change.kind !== 'timing') this.#unnumbered++;
    for (const listener of this.#listeners) listener(change);
  }
}
