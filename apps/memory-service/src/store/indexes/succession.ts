import { type Memory, NOT_SUPERSEDED } from '../../domain/memory/memory.ts';
import { inherited } from '../../domain/memory/supersession.ts';
import { isSeenByAllWhoSee } from '../../domain/memory/visibility.ts';

/**
 * Which memories each one supersedes. A memory names only a successor that all its viewers see too, so that
 * no answer tells the id of a memory that its reader may not see.
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

  /**
   * Ids of what a memory supersedes until it is gone or is seen by fewer than those are. Its words may change: somebody has said
   * which of the two memories holds, and mostly mends what this one says.
   */
  releasedBy(
    { before, after }: { before: Memory; after: Memory | null },
    memoryOf: (id: string) => Memory | undefined,
  ): readonly string[] {
    const ids = this.supersededBy(before.id);
    if (after === null) return ids;
    return ids.filter((id) => {
      const superseded = memoryOf(id);
      return superseded !== undefined && !isSeenByAllWhoSee(superseded, after);
    });
  }

  /** Those of a memory and of what it supersedes whose successor is not seen by all who see them: these successions end. */
  unseenAt(memory: Memory, memoryOf: (id: string) => Memory | undefined): readonly Memory[] {
    const superseded = [memory, ...this.supersededBy(memory.id).flatMap((id) => memoryOf(id) ?? [])];
    return superseded.filter((one) => {
      const successor = one.supersededBy ? memoryOf(one.supersededBy) : undefined;
      return successor !== undefined && !isSeenByAllWhoSee(one, successor);
    });
  }

  get isEmpty(): boolean {
    return this.#superseded.size === 0;
  }

  /** Whether a memory supersedes another one. */
  isSuccessor(id: string): boolean {
    return this.#superseded.has(id);
  }

  /** Ids of what a memory supersedes. */
  supersededBy(id: string): readonly string[] {
    return [...(this.#superseded.get(id) ?? [])];
  }
}

/**
 * A memory whose successor is gone or seen by fewer: what was in the place of that one is in its place now, where all who see the memory
 * see it. Else both would be recalled as if they held.
 */
export function withoutSuccessor(
  superseded: Memory,
  successor: Memory,
  memoryOf: (id: string) => Memory | undefined,
): Memory {
  const { supersededBy } = successor;
  const next = supersededBy === null || supersededBy === superseded.id ? undefined : memoryOf(supersededBy);
  const isNext = next !== undefined && isSeenByAllWhoSee(superseded, next);
  return {
    ...superseded,
    ...(isNext ? inherited(successor) : NOT_SUPERSEDED),
    updatedAt: superseded.updatedAt + 1,
  };
}
