import type { Memory } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import type { Succession } from './succession.ts';

/** Memories that have expired, by id. They are in no index any more, and on the disk until the next night. */
export class ExpiredMemories {
  readonly #stored = new Map<string, StoredMemory>();
  readonly #succession: Pick<Succession, 'isSuccessor' | 'supersededBy'>;
  /** Ids of those that may supersede others still. */
  readonly #successors = new Set<string>();

  constructor(succession: Pick<Succession, 'isSuccessor' | 'supersededBy'>) {
    this.#succession = succession;
  }

  get size(): number {
    return this.#stored.size;
  }

  has(id: string): boolean {
    return this.#stored.has(id);
  }

  get(id: string): StoredMemory | null {
    return this.#stored.get(id) ?? null;
  }

  all(): StoredMemory[] {
    return [...this.#stored.values()];
  }

  add(stored: StoredMemory): void {
    const { id } = stored.memory;
    this.#stored.set(id, stored);
    if (this.#succession.isSuccessor(id)) this.#successors.add(id);
  }

  /** @returns false where it is not among them */
  replace(memory: Memory): boolean {
    const stored = this.get(memory.id);
    if (stored) this.#stored.set(memory.id, { ...stored, memory });
    return stored !== null;
  }

  /** Null where it is not among them. */
  take(id: string): StoredMemory | null {
    const stored = this.get(id);
    this.#stored.delete(id);
    return stored;
  }

  /** For a memory that names its successor, which may have expired before. */
  noteSuccessor(id: string | null): void {
    if (id !== null && this.#stored.has(id)) this.#successors.add(id);
  }

  /** Ids of memories that have not expired and are superseded by expired ones: `enough` of them or more, as far as there are any. */
  superseded(enough: number): readonly string[] {
    const superseded: string[] = [];
    for (const id of this.#successors) {
      const ids = this.has(id) ? this.#succession.supersededBy(id).filter((one) => !this.has(one)) : [];
      if (ids.length === 0) this.#successors.delete(id);
      superseded.push(...ids);
      if (superseded.length >= enough) break;
    }
    return superseded;
  }
}
