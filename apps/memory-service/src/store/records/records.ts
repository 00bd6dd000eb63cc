import { TurnQueue } from '@agent-faculties/service-kit';
import { TEXTS_OF_A_TURN } from '../../domain/concurrency/texts-of-a-turn.ts';
import {
  type Keyed,
  type Kind,
  keysOf,
  type Memory,
  nameOfKey,
  type Scope,
  type Strength,
} from '../../domain/memory/memory.ts';
import type { AgentCounts, StoredMemory } from '../../domain/memory/memory-store.ts';
import type { Dated } from '../../domain/memory/order-of-time.ts';
import type { Viewer } from '../../domain/memory/visibility.ts';
import { grown } from '../../search/columns/grown.ts';
import { AuthorTally, OrdinalParts } from './author-tally.ts';
import { IdOrdinals } from './id-ordinals.ts';
import { OrdinalLinks } from './ordinal-list.ts';
import { PackedMemories, type PackedMemory } from './packed-memories.ts';
import { TimeOrder } from './time-order.ts';

/** So many or more are unpacked in a turn of their own: the first ones run through code that the engine has not compiled yet. */
const MANY = 200;

/** The memories themselves, by ordinal, by id, by idempotency key, by author and in the order of time. */
export class Records {
  /** By ordinal; undefined too for one that is packed. */
  readonly #stored: (StoredMemory | undefined)[] = [];
  readonly #packed = new PackedMemories();
  readonly #turns = new TurnQueue();
  /** By ordinal, so that nothing is unpacked for its time. */
  #createdAt = new Float64Array(0);
  readonly #ordinals = new IdOrdinals();
  readonly #byKey = new Map<string, number>();
  readonly #byAuthor = new Map<string, AuthorTally>();
  readonly #ofAllAuthors = { links: new OrdinalLinks(), parts: new OrdinalParts() };
  readonly #totals: Record<Kind, Record<Scope, number>> = {
    episodic: { TEAM: 0, SHARED: 0, PRIVATE: 0 },
    semantic: { TEAM: 0, SHARED: 0, PRIVATE: 0 },
  };
  /** Ids of semantic memories by the id of each of their sources. */
  readonly #derivedBySource = new Map<string, ReadonlySet<string>>();
  /** The ordinal of a survivor, by the id of each memory that it absorbed. */
  readonly #absorbing = new Map<string, number>();
  /** Of all texts, in UTF-16 code units. */
  #characters = 0;
  readonly order = new TimeOrder((ordinal) => new Moment(this, ordinal));

  /** How many memories of a kind and scope there are, of all agents. */
  total(kind: Kind, scope: Scope): number {
    return this.#totals[kind][scope];
  }

  get characters(): number {
    return this.#characters;
  }

  get size(): number {
    return this.#ordinals.size;
  }

  /** Every ordinal is below. */
  get end(): number {
    return this.#stored.length;
  }

  add(memory: Memory, strength: Readonly<Strength>): number {
    const ordinal = this.#stored.push({ memory, strength }) - 1;
    this.#ordinals.set(memory.id, ordinal);
    this.#enter(ordinal, memory, charactersOf(memory));
    this.#link(ordinal, memory);
    return ordinal;
  }

  /** Adds a memory that is unpacked when somebody asks for it. @returns null where its id is known, and nothing happens */
  addPacked(memory: PackedMemory, strength: Readonly<Strength>): number | null {
    const ordinal = this.#stored.length;
    if (!this.#ordinals.add(memory.block, memory.offset, ordinal)) return null;
    this.#stored.push(undefined);
    this.#packed.add(ordinal, memory, strength);
    this.#enter(ordinal, memory, memory.characters);
    return ordinal;
  }

  #enter(ordinal: number, memory: Memory | PackedMemory, characters: number): void {
    this.#characters += characters;
    if (memory.idempotencyKey !== null) this.#byKey.set(nameOfKey(memory), ordinal);
    this.#tallyOf(memory.agentId).add(ordinal, memory);
    this.#totals[memory.kind][memory.scope]++;
    this.#createdAt = grown(this.#createdAt, ordinal + 1);
    this.#createdAt[ordinal] = memory.createdAt;
    this.order.add(ordinal);
  }

  /** Id and author of a memory never change, and the key that it was told under. */
  replace(ordinal: number, memory: Memory): void {
    const before = this.at(ordinal);
    const tally = this.#tallyOf(memory.agentId);
    this.#characters += charactersOf(memory) - charactersOf(before.memory);
    const isMoved = memory.createdAt !== before.memory.createdAt;
    tally.remove(ordinal, before.memory);
    this.#totals[before.memory.kind][before.memory.scope]--;
    if (isMoved) this.order.remove(ordinal);
    this.#unlink(ordinal, before.memory);
    this.#stored[ordinal] = { memory, strength: before.strength };
    this.#createdAt[ordinal] = memory.createdAt;
    this.#link(ordinal, memory);
    if (isMoved) this.order.add(ordinal);
    tally.add(ordinal, memory);
    this.#totals[memory.kind][memory.scope]++;
  }

  strengthen(ordinal: number, strength: Readonly<Strength>): void {
    this.#stored[ordinal] = { memory: this.at(ordinal).memory, strength };
  }

  remove(ordinal: number): void {
    const { memory } = this.at(ordinal);
    this.order.remove(ordinal);
    this.#characters -= charactersOf(memory);
    this.#ordinals.delete(memory.id);
    this.#unlink(ordinal, memory);
    const tally = this.#tallyOf(memory.agentId);
    tally.remove(ordinal, memory);
    this.#totals[memory.kind][memory.scope]--;
    if (tally.ordinals.size === 0) this.#byAuthor.delete(memory.agentId);
    this.#stored[ordinal] = undefined;
  }

  ordinalOf(id: string): number | undefined {
    return this.#ordinals.get(id);
  }

  /** When the memory of this id was said, epoch milliseconds; null where there is none. */
  readonly saidAt = (id: string): number | null => {
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? null : this.createdAt(ordinal);
  };

  /** @throws RangeError when the memory was deleted */
  idOf(ordinal: number): string {
    return this.#packed.idOf(ordinal) ?? this.at(ordinal).memory.id;
  }

  /** When the memory at an ordinal was said, epoch milliseconds. */
  createdAt(ordinal: number): number {
    return this.#createdAt[ordinal] as number;
  }

  /** Of the memory of this id, or of the one that has absorbed it. */
  ordinalHolding(id: string): number | undefined {
    return this.#ordinals.get(id) ?? this.#absorbing.get(id);
  }

  /** Ids of the semantic memories that have this one among their sources. */
  derivedFrom(id: string): readonly string[] {
    return [...(this.#derivedBySource.get(id) ?? [])];
  }

  get hasDerived(): boolean {
    return this.#derivedBySource.size > 0;
  }

  ordinalOfKey(keyed: Keyed): number | undefined {
    return keyed.idempotencyKey === null ? undefined : this.#byKey.get(nameOfKey(keyed));
  }

  /** @throws RangeError when the memory was deleted */
  at(ordinal: number): StoredMemory {
    const stored = this.#stored[ordinal] ?? this.#unpacked(ordinal);
    if (!stored) throw new RangeError(`There is no memory at ordinal ${ordinal}.`);
    return stored;
  }

  /** Whether it is still packed: no one has read it since the start. */
  isPacked(ordinal: number): boolean {
    return this.#packed.has(ordinal);
  }

  /** Unpacks these memories, or all, over several turns of the event loop, for a caller that then reads them in one turn. */
  async unpacked(ordinals?: readonly number[]): Promise<void> {
    if (this.#packed.size === 0) return;
    const turns = this.#unpacking(ordinals ?? this.order.snapshot());
    while (!(await this.#turns.run(() => turns.next().done)));
  }

  /**
   * Unpacks these memories, as many as one turn of the event loop allows.
   * @returns whether the caller must end its turn: unpacking took this one, or needs more
   */
  unpackMany(ordinals: readonly number[]): boolean {
    const before = this.#packed.size;
    const { done } = this.#unpacking(ordinals).next();
    return !done || before - this.#packed.size >= MANY;
  }

  /** Unpacks with each step what may be unpacked in one turn. */
  *#unpacking(ordinals: readonly number[]): Generator<void> {
    let [memories, characters] = [0, 0];
    for (const ordinal of ordinals) {
      if (this.#packed.size === 0) return;
      const stored = this.#unpacked(ordinal);
      if (!stored) continue;
      memories++;
      characters += charactersOf(stored.memory);
      if (memories < TEXTS_OF_A_TURN.memories && characters < TEXTS_OF_A_TURN.characters) continue;
      yield;
      [memories, characters] = [0, 0];
    }
  }

  #unpacked(ordinal: number): StoredMemory | undefined {
    const stored = this.#packed.take(ordinal);
    if (stored) this.#stored[ordinal] = stored;
    return stored;
  }

  has(ordinal: number): boolean {
    return this.#stored[ordinal] !== undefined || this.#packed.has(ordinal);
  }

  /** Of what this agent has stored, in no order; a view that changes with the store. */
  ordinalsOf(agentId: string): Iterable<number> {
    return this.#byAuthor.get(agentId)?.ordinals ?? [];
  }

  /** A copy that later changes do not touch. It unpacks a packed memory at each read, and leaves it packed in the store. */
  capture(): { has(ordinal: number): boolean; at(ordinal: number): StoredMemory } {
    const stored = this.#stored.slice();
    const packed = this.#packed.capture();
    return {
      has: (ordinal) => stored[ordinal] !== undefined || packed.has(ordinal),
      at: (ordinal) => stored[ordinal] ?? packed.at(ordinal),
    };
  }

  /** How many memories the viewer sees, by agent. */
  counts(viewer: Viewer): Map<string, AgentCounts> {
    const counts = new Map<string, AgentCounts>();
    for (const [agentId, tally] of this.#byAuthor) {
      const visible = tally.counts(viewer, (ordinal) => this.createdAt(ordinal));
      if (visible) counts.set(agentId, visible);
    }
    return counts;
  }

  /** How many of what the viewer sees are of each project. @complexity O(agents * projects) */
  projectCounts(viewer: Viewer): Map<string, number> {
    const counts = new Map<string, number>();
    for (const tally of this.#byAuthor.values()) {
      for (const { project, count } of tally.inProjects(viewer)) {
        counts.set(project, (counts.get(project) ?? 0) + count);
      }
    }
    return counts;
  }

  #link(ordinal: number, memory: Memory): void {
    for (const keyed of keysOf(memory)) this.#byKey.set(nameOfKey(keyed), ordinal);
    for (const { memory: other } of memory.absorbed ?? []) this.#absorbing.set(other.id, ordinal);
    for (const source of memory.sources) {
      this.#derivedBySource.set(source, new Set([...this.derivedFrom(source), memory.id]));
    }
  }

  #unlink(ordinal: number, memory: Memory): void {
    // Where a memory has expired, its key may belong to another one by now.
    for (const key of keysOf(memory).map(nameOfKey)) if (this.#byKey.get(key) === ordinal) this.#byKey.delete(key);
    for (const { memory: other } of memory.absorbed ?? []) this.#absorbing.delete(other.id);
    for (const source of memory.sources) {
      const others = this.derivedFrom(source).filter((id) => id !== memory.id);
      if (others.length > 0) this.#derivedBySource.set(source, new Set(others));
      else this.#derivedBySource.delete(source);
    }
  }

  #tallyOf(agentId: string): AuthorTally {
    let tally = this.#byAuthor.get(agentId);
    if (!tally) {
      tally = new AuthorTally(this.#ofAllAuthors);
      this.#byAuthor.set(agentId, tally);
    }
    return tally;
  }
}

/** When a memory was said. The id, which few ask for, is read where it lies packed. */
class Moment implements Dated {
  readonly createdAt: number;
  readonly #records: Pick<Records, 'idOf'>;
  readonly #ordinal: number;

  constructor(records: Pick<Records, 'idOf' | 'createdAt'>, ordinal: number) {
    this.createdAt = records.createdAt(ordinal);
    this.#records = records;
    this.#ordinal = ordinal;
  }

  get id(): string {
    return this.#records.idOf(this.#ordinal);
  }
}

function charactersOf({ gist, content }: Memory): number {
  return gist === content ? content.length : gist.length + content.length;
}
