import type { Memory } from '../domain/memory/memory.ts';

/**
 * Which memories each one supersedes. A memory may name only a successor that everybody sees who sees it, so that no answer
 * tells the id of a memory that its reader may not know.
 */
export class Succession {
  readonly #superseded = new Map<string, Set<string>>();

  add({ id, supersededBy }: Memory): void {
    if (supersededBy === null) return;
    const ids = this.#superseded.get(supersededBy) ?? new Set();
    ids.add(id);
    this.#superseded.set(supersededBy, ids);
  }

  remove({ id, supersededBy }: Memory): void {
    if (supersededBy === null) return;
    const ids = this.#superseded.get(supersededBy);
    ids?.delete(id);
    if (ids?.size === 0) this.#superseded.delete(supersededBy);
  }

  /** Ids of what a memory supersedes. */
  supersededBy(id: string): readonly string[] {
    return [...(this.#superseded.get(id) ?? [])];
  }
}
