import { initialStrength } from '../cognition/retention.ts';
import type { Rewriting } from '../editing/rewrite.ts';
import { SameWords } from '../ingest/same-words.ts';
import type { Decision } from '../memory/decision.ts';
import type { Memory, Strength } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import type { MergeDeps, MergeStore } from './merge-record.ts';

/** The dependencies for a dry run: a merge with them changes nothing. */
export function withDryRunStore(deps: MergeDeps): MergeDeps {
  const store = new DryRunStore(deps.store);
  return { ...deps, store, rewrite: (rewriting) => store.rewrite(rewriting) };
}

/** Answers like a store that has merged the records, and leaves the real store unchanged. */
class DryRunStore implements MergeStore {
  readonly #store: MergeStore;
  readonly #stored = new Map<string, StoredMemory>();
  readonly #words = new SameWords();
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

  /** Keeps the additions of a merge. Nothing else changes this store, so no decision is stale. */
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

  async rewrite({ memory }: Pick<Rewriting, 'memory'>): Promise<boolean> {
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

  /** Keeps a memory without its text, because the texts may be gigabytes. */
  #keep(memory: Memory, strength: Readonly<Strength>): void {
    const slim = { ...memory, gist: '', content: '', tags: [], entities: [], sources: [], metadata: {} };
    this.#stored.set(memory.id, { memory: slim, strength });
  }
}
