import { SameWords } from '../../domain/ingest/same-words.ts';
import type { Absent } from '../../domain/memory/decision.ts';
import { type Keyed, keysOf, type Memory } from '../../domain/memory/memory.ts';

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
  lack({ ids = [], keysOf: keys = [], wordsOf = [] }: Absent): boolean {
    return (
      !ids.some((id) => this.#memories.has(id)) &&
      !wordsOf.some((memory) => this.#words.find(memory) !== null) &&
      !keys.some((wanted) => this.#hasKey(wanted))
    );
  }

  #hasKey({ agentId, project, idempotencyKey }: Keyed): boolean {
    if (idempotencyKey === null) return false;
    const isWanted = (one: Keyed) =>
      one.agentId === agentId && one.project === project && one.idempotencyKey === idempotencyKey;
    for (const memory of this.#memories.values()) if (keysOf(memory).some(isWanted)) return true;
    return false;
  }
}
