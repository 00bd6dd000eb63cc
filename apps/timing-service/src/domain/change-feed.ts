import type { StoredEvent } from './event.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Task } from './task.ts';

/** The agent and the project of a change. */
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

  /** Sets one listener for the changes that this process itself writes. */
  countWith(count: (change: Change) => void): void {
    this.#count = count;
  }

  /** To be called after each write. */
  publish(change: Change): void {
    this.#count(change);
    this.spread(change);
  }

  /** Resolves when a subscription can continue from the stored changes. */
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

  /** Tells the listeners of a change; unlike `publish` it does not count it, because another process has written it. */
  spread(change: Change): void {
    if (change.kind !== 'timing') this.#unnumbered++;
    for (const listener of this.#listeners) listener(change);
  }
}
