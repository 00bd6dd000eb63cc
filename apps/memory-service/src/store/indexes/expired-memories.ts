import type { Memory } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import { type Succession, withoutSuccessor } from './succession.ts';

interface ExpiredDeps {
  readonly succession: Pick<Succession, 'add' | 'remove' | 'isSuccessor' | 'supersededBy'>;
  /** A memory that has not expired. */
  readonly memoryOf: (id: string) => Memory | undefined;
}

/** Memories that have expired, by id. They are in no index any more, and on the disk until the next night. */
export class ExpiredMemories {
  readonly #stored = new Map<string, StoredMemory>();
  readonly #succession: ExpiredDeps['succession'];
  readonly #memoryOf: ExpiredDeps['memoryOf'];
  /** Ids of those that may supersede others still. */
  readonly #successors = new Set<string>();

  constructor({ succession, memoryOf }: ExpiredDeps) {
    this.#succession = succession;
    this.#memoryOf = memoryOf;
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

  /** Those of these ids that are among them, as they are now. */
  of(ids: readonly string[]): Memory[] {
    return ids.flatMap((id) => this.get(id)?.memory ?? []);
  }

  add(stored: StoredMemory): void {
    const { id } = stored.memory;
    this.#stored.set(id, stored);
    // A start that reads the journal does not know yet what has expired: a succession ends for both at the same change.
    this.#succession.add(stored.memory);
    if (this.#succession.isSuccessor(id)) this.#successors.add(id);
  }

  /** @returns false where it is not among them */
  replace(memory: Memory): boolean {
    const stored = this.get(memory.id);
    if (!stored) return false;
    this.#stored.set(memory.id, { ...stored, memory });
    this.#succession.remove(stored.memory);
    this.#succession.add(memory);
    return true;
  }

  /** Null where it is not among them. */
  take(id: string): StoredMemory | null {
    const stored = this.get(id);
    this.#stored.delete(id);
    if (stored) this.#succession.remove(stored.memory);
    return stored;
  }

  /** For a memory that names its successor, which may have expired before. */
  noteSuccessor(id: string | null): void {
    if (id !== null && this.#stored.has(id)) this.#successors.add(id);
  }

  /** At most `most` memories that have not expired and are superseded by expired ones. */
  superseded(most: number): readonly Memory[] {
    const superseded: Memory[] = [];
    for (const id of this.#successors) {
      const memories = this.has(id)
        ? this.#succession.supersededBy(id).flatMap((one) => this.#memoryOf(one) ?? [])
        : [];
      if (memories.length === 0) this.#successors.delete(id);
      superseded.push(...memories);
      if (superseded.length >= most) break;
    }
    return superseded.slice(0, most);
  }

  /** One of those as it is to be: in its place is the next in the chain of its successors that has not expired, or none. */
  freed(superseded: Memory): Memory {
    const passed = new Set<string>();
    let last = superseded;
    for (let id = last.supersededBy; id !== null && this.has(id) && !passed.has(id); id = last.supersededBy) {
      passed.add(id);
      last = this.#stored.get(id)?.memory as Memory;
    }
    return withoutSuccessor(superseded, last, this.#memoryOf);
  }
}
