import { SameWords } from '../../domain/ingest/same-words.ts';
import type { Absent } from '../../domain/memory/decision.ts';
import type { Memory } from '../../domain/memory/memory.ts';

/** Memories on their way through the journal, which those who decide meanwhile have to know of. */
export class Arrivals {
  readonly #memories = new Map<string, Memory>();
  readonly #words = new SameWords();

  /** How many of them are not stored yet. */
  countBeside(isStored: (id: string) => boolean): number {
    let count = 0;
    for (const id of this.#memories.keys()) if (!isStored(id)) count++;
    return count;
  }

  add(memory: Memory): void {
    this.#memories.set(memory.id, memory);
    if (memory.kind === 'episodic' && !memory.gistEdited) this.#words.note(memory);
  }

  remove({ id }: Memory): void {
    this.#memories.delete(id);
    this.#words.forget(id);
  }

  /** Whether no arriving memory is one that has to be absent. @complexity O(arriving memories) for keys */
  lack({ ids = [], keysOf = [], wordsOf = [] }: Absent): boolean {
    return (
      !ids.some((id) => this.#memories.has(id)) &&
      !wordsOf.some((memory) => this.#words.find(memory) !== null) &&
      !keysOf.some((wanted) => wanted.idempotencyKey !== null && this.#hasKey(wanted))
    );
  }

  #hasKey({ agentId, idempotencyKey }: Pick<Memory, 'agentId' | 'idempotencyKey'>): boolean {
    for (const memory of this.#memories.values()) {
      if (memory.agentId === agentId && memory.idempotencyKey === idempotencyKey) return true;
    }
    return false;
  }
}
