import type { Memory } from '../domain/memory/memory.ts';
import type { AgentCounts } from '../domain/memory/memory-store.ts';

interface Side {
  episodic: number;
  semantic: number;
  /** When the last of them was said; null when the last one was removed and nobody has asked since. */
  latest: number | null;
}

/**
 * How many memories an agent has stored, counted as they come and go: those that all may see apart from the PRIVATE ones.
 * @complexity O(1), but O(n) for the first question after the agent's newest memory was deleted
 */
export class AuthorTally {
  readonly ordinals = new Set<number>();
  readonly #open: Side = { episodic: 0, semantic: 0, latest: 0 };
  readonly #private: Side = { episodic: 0, semantic: 0, latest: 0 };

  add(ordinal: number, memory: Memory): void {
    this.ordinals.add(ordinal);
    const side = this.#sideOf(memory);
    side[memory.kind]++;
    if (side.latest !== null) side.latest = Math.max(side.latest, memory.createdAt);
  }

  remove(ordinal: number, memory: Memory): void {
    this.ordinals.delete(ordinal);
    const side = this.#sideOf(memory);
    side[memory.kind]--;
    if (side.latest === memory.createdAt) side.latest = null;
  }

  /** @param isOwner whether the agent itself asks. Returns null where the caller may see nothing. */
  counts(isOwner: boolean, memoryAt: (ordinal: number) => Memory): AgentCounts | null {
    const open = this.#open;
    const hidden = isOwner ? this.#private : { episodic: 0, semantic: 0, latest: 0 };
    const episodic = open.episodic + hidden.episodic;
    const semantic = open.semantic + hidden.semantic;
    if (episodic + semantic === 0) return null;
    if (open.latest === null || hidden.latest === null) this.#findLatest(memoryAt);
    const lastActiveAt = Math.max(open.latest ?? 0, hidden.latest ?? 0);
    return { episodic, semantic, private: hidden.episodic + hidden.semantic, lastActiveAt };
  }

  #sideOf({ scope }: Memory): Side {
    return scope === 'PRIVATE' ? this.#private : this.#open;
  }

  #findLatest(memoryAt: (ordinal: number) => Memory): void {
    this.#open.latest = 0;
    this.#private.latest = 0;
    for (const ordinal of this.ordinals) {
      const memory = memoryAt(ordinal);
      const side = this.#sideOf(memory);
      side.latest = Math.max(side.latest ?? 0, memory.createdAt);
    }
  }
}
