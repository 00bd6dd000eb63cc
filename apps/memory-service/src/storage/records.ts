import type { Memory, Strength } from '../domain/memory.ts';
import type { AgentCounts, Kept } from '../domain/memory-store.ts';
import { AuthorTally } from './author-tally.ts';
import { TimeOrder } from './time-order.ts';

/** The memories themselves, by ordinal, by id, by idempotency key, by author and in the order of time. */
export class Records {
  readonly #kept: (Kept | undefined)[] = [];
  readonly #ordinals = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  readonly #byAuthor = new Map<string, AuthorTally>();
  readonly order = new TimeOrder((ordinal) => this.at(ordinal).memory);

  get size(): number {
    return this.#ordinals.size;
  }

  /** Ordinals given so far; those of deleted memories among them. */
  get ordinalsGiven(): number {
    return this.#kept.length;
  }

  add(memory: Memory, strength: Readonly<Strength>): number {
    const ordinal = this.#kept.length;
    this.#kept.push({ memory, strength });
    this.#ordinals.set(memory.id, ordinal);
    if (memory.idempotencyKey !== null) this.#byKey.set(keyOf(memory.agentId, memory.idempotencyKey), ordinal);
    this.#tallyOf(memory.agentId).add(ordinal, memory);
    this.order.add(ordinal);
    return ordinal;
  }

  /** Id, author and key of a memory never change. */
  replace(ordinal: number, memory: Memory): void {
    const before = this.at(ordinal);
    const tally = this.#tallyOf(memory.agentId);
    const isMoved = memory.createdAt !== before.memory.createdAt;
    tally.remove(ordinal, before.memory);
    if (isMoved) this.order.remove(ordinal);
    this.#kept[ordinal] = { memory, strength: before.strength };
    if (isMoved) this.order.add(ordinal);
    tally.add(ordinal, memory);
  }

  strengthen(ordinal: number, strength: Readonly<Strength>): void {
    this.#kept[ordinal] = { memory: this.at(ordinal).memory, strength };
  }

  remove(ordinal: number): void {
    const { memory } = this.at(ordinal);
    this.order.remove(ordinal);
    this.#ordinals.delete(memory.id);
    if (memory.idempotencyKey !== null) this.#byKey.delete(keyOf(memory.agentId, memory.idempotencyKey));
    const tally = this.#tallyOf(memory.agentId);
    tally.remove(ordinal, memory);
    if (tally.ordinals.size === 0) this.#byAuthor.delete(memory.agentId);
    this.#kept[ordinal] = undefined;
  }

  ordinalOf(id: string): number | undefined {
    return this.#ordinals.get(id);
  }

  ordinalOfKey(agentId: string, idempotencyKey: string): number | undefined {
    return this.#byKey.get(keyOf(agentId, idempotencyKey));
  }

  /** @throws RangeError when the memory was deleted */
  at(ordinal: number): Kept {
    const kept = this.#kept[ordinal];
    if (!kept) throw new RangeError(`There is no memory at ordinal ${ordinal}.`);
    return kept;
  }

  has(ordinal: number): boolean {
    return this.#kept[ordinal] !== undefined;
  }

  /** By ordinal, with holes where memories were deleted: a copy that later changes leave alone. */
  snapshot(): (Kept | undefined)[] {
    return this.#kept.slice();
  }

  /** Of what the caller may see, by author. */
  counts(callerAgentId: string): Map<string, AgentCounts> {
    const counts = new Map<string, AgentCounts>();
    for (const [agentId, tally] of this.#byAuthor) {
      const visible = tally.counts(agentId === callerAgentId, (ordinal) => this.at(ordinal).memory);
      if (visible) counts.set(agentId, visible);
    }
    return counts;
  }

  #tallyOf(agentId: string): AuthorTally {
    const tally = this.#byAuthor.get(agentId) ?? new AuthorTally();
    this.#byAuthor.set(agentId, tally);
    return tally;
  }
}

function keyOf(agentId: string, idempotencyKey: string): string {
  return JSON.stringify([agentId, idempotencyKey]);
}
