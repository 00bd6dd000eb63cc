import { initialStrength } from '../cognition/retention.ts';
import type { Rewriting } from '../editing/rewrite.ts';
import { DuplicateGuard } from '../ingest/duplicate-guard.ts';
import type { Decision } from '../memory/decision.ts';
import type { Memory, Strength } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import type { MergeDeps, MergeStore } from './merge-record.ts';

/** What `deps` stands for in a merge that shall change nothing. */
export function withDryRunStore(deps: MergeDeps): MergeDeps {
  const store = new DryRunStore(deps.store);
  return { ...deps, store, rewrite: (rewriting) => store.rewrite(rewriting) };
}

/** Answers as a store would into which the records were merged, and leaves that store as it is. */
class DryRunStore implements MergeStore {
  readonly #store: MergeStore;
  readonly #stored = new Map<string, StoredMemory>();
  readonly #words = new DuplicateGuard();
  #added = 0;

  constructor(store: MergeStore) {
    this.#store = store;
  }

  async find(id: string): Promise<StoredMemory | null> {
    return this.#stored.get(id) ?? (await this.#store.find(id));
  }

  async findSameWords(memory: Memory): Promise<StoredMemory | null> {
    const id = this.#words.find(memory);
    return id === null ? await this.#store.findSameWords(memory) : await this.find(id);
  }

  /** Of a merge only the additions come here; nobody else decides about this store. */
  async changeTogether({ changes }: Decision): Promise<boolean> {
    for (const change of changes) {
      if (change.op !== 'add') continue;
      const { memory, strength } = change;
      this.#added++;
      this.#words.note(memory);
      this.#keep(memory, strength ?? initialStrength(memory.importance));
    }
    return true;
  }

  async rewrite({ memory }: Rewriting): Promise<boolean> {
    const stored = await this.find(memory.id);
    if (stored) this.#keep(memory, stored.strength);
    return stored !== null;
  }

  async strengthen(): Promise<void> {}

  async size(): Promise<number> {
    return (await this.#store.size()) + this.#added;
  }

  async wasDeleted(id: string): Promise<boolean> {
    return await this.#store.wasDeleted(id);
  }

  /** Without its text, of which there may be gigabytes. */
  #keep(memory: Memory, strength: Readonly<Strength>): void {
    const slim = { ...memory, gist: '', content: '', tags: [], entities: [], sources: [], metadata: {} };
    this.#stored.set(memory.id, { memory: slim, strength });
  }
}
