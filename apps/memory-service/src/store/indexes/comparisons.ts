import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import {
  type Contradiction,
  type ContradictionState,
  isComparable,
  mayBeCompared,
  stateOf,
} from '../../domain/contradictions/contradiction.ts';
import { type Memory, recallText } from '../../domain/memory/memory.ts';
import { isSameValidity } from '../../domain/memory/validity.ts';
import { audienceKey } from '../../domain/memory/visibility.ts';
import type { ComparedChange } from '../changes/change.ts';
import type { PackedMemory } from '../records/packed-memories.ts';
import type { Records } from '../records/records.ts';

/** Memories that are reconsidered in one turn of the event loop: about 2 ms. */
const RECONSIDERED_PER_TURN = 5_000;

/** What a save keeps of the comparisons of one memory. */
export interface StoredComparison {
  /** What compared it; null while it waits. */
  readonly by: string | null;
  /** Contradictions with older memories. */
  readonly found: readonly Contradiction[];
}

/** Which memories were compared, and the contradictions that were found, in step with the memories. */
export class Comparisons {
  readonly #records: Records;
  /** What compares now; null before that is known. */
  #by: string | null = null;
  /** By ordinal. */
  readonly #comparedBy: (string | null)[] = [];
  readonly #waiting = new Set<number>();
  readonly #found = new Map<string, Contradiction>();
  readonly #byState: Record<ContradictionState, number> = { open: 0, resolved: 0, dismissed: 0 };
  /** Ids of contradictions by the id of either memory. */
  readonly #ofMemory = new Map<string, Set<string>>();

  constructor({ records }: { records: Records }) {
    this.#records = records;
  }

  get waitingTotal(): number {
    return this.#waiting.size;
  }

  count(state: ContradictionState): number {
    return this.#byState[state];
  }

  /** Ordinals, those that have waited longest first. */
  get waiting(): Iterable<number> {
    return this.#waiting;
  }

  isWaiting(ordinal: number): boolean {
    return this.#waiting.has(ordinal);
  }

  all(): Iterable<Contradiction> {
    return this.#found.values();
  }

  find(id: string): Contradiction | null {
    return this.#found.get(id) ?? null;
  }

  /** The contradictions that a memory takes part in. */
  of(memoryId: string): Contradiction[] {
    return [...(this.#ofMemory.get(memoryId) ?? [])].map((id) => this.#found.get(id) as Contradiction);
  }

  /** Ids of the memories that contradict this one and about which somebody has decided. */
  othersDecidedAbout(memoryId: string): string[] {
    const decided = this.of(memoryId).filter(({ decision }) => decision !== null);
    return decided.map(({ a, b }) => (a === memoryId ? b : a));
  }

  /** Says what compares from now on: what something else has compared waits again. @complexity O(memories), in slices */
  async compareBy(by: string): Promise<void> {
    this.#by = by;
    const ordinals = this.#records.order.snapshot();
    for (let start = 0; start < ordinals.length; start += RECONSIDERED_PER_TURN) {
      if (start > 0) await nextTurn();
      this.#reconsiderEach(ordinals.slice(start, start + RECONSIDERED_PER_TURN));
    }
  }

  /** @param by the scorer that has compared it; null: it waits */
  added(ordinal: number, memory: Memory | PackedMemory, by: string | null = null): void {
    this.#comparedBy[ordinal] = by;
    this.#reconsider(ordinal, isComparable(memory));
  }

  changed(ordinal: number, { before, after }: { before: Memory; after: Memory }): void {
    const isOtherText = recallText(before) !== recallText(after);
    const isForOthers = audienceKey(before) !== audienceKey(after);
    // While it was superseded nothing was compared with it, not even the new words of its successor.
    const isFreed = before.supersededBy !== null && after.supersededBy === null;
    if (isOtherText || isForOthers || isFreed || !isSameValidity(before, after)) this.#comparedBy[ordinal] = null;
    if (isOtherText || after.consolidatedInto !== null) this.#forgetOf(after.id, () => true);
    else if (isForOthers) this.#forgetOf(after.id, (other) => !mayBeCompared(after, other));
    this.#reconsider(ordinal, isComparable(after));
  }

  removed(ordinal: number, memory: Memory): void {
    this.#comparedBy[ordinal] = null;
    this.#waiting.delete(ordinal);
    this.#forgetOf(memory.id, () => true);
  }

  /**
   * A memory waits on where it, or one that it was found to contradict, has changed since it was read. What another scorer has found
   * stays until both memories were compared by this one, and where it is found again it keeps its opinion and its day. What was
   * decided about it meanwhile stands.
   */
  noteCompared({ by, memories, read, found }: ComparedChange): void {
    const before = new Map(found.map(({ id }) => [id, this.#found.get(id)]));
    const versions = new Map(read.map(({ id, updatedAt }) => [id, updatedAt]));
    const isAsRead = (id: string) => this.#memoryOf(id)?.updatedAt === versions.get(id);
    const stale = new Set(found.filter(({ a, b }) => !isAsRead(a) || !isAsRead(b)).flatMap(({ a, b }) => [a, b]));
    for (const id of memories) {
      const ordinal = this.#records.ordinalOf(id);
      if (ordinal === undefined || stale.has(id) || !isAsRead(id)) continue;
      this.#comparedBy[ordinal] = by;
      this.#reconsider(ordinal, isComparable(this.#records.at(ordinal).memory));
      for (const old of this.of(id)) {
        const other = old.a === id ? old.b : old.a;
        if (old.decision === null && old.by !== by && this.#isDoneBy(by, other)) this.#forget(old);
      }
    }
    for (const one of found) {
      if (stale.has(one.a) || stale.has(one.b)) continue;
      const known = before.get(one.id);
      if (!known) this.keep(one);
      else if (known.decision === null)
        this.keep({ ...one, opinion: known.opinion, foundAt: known.foundAt, decision: null });
    }
  }

  /** Keeps a contradiction; without effect if one of its memories is gone. */
  keep(contradiction: Contradiction): void {
    const { id, a, b } = contradiction;
    const [first, second] = [this.#memoryOf(a), this.#memoryOf(b)];
    if (!first || !second || !mayBeCompared(first, second)) return;
    this.#uncount(id);
    this.#found.set(id, contradiction);
    this.#byState[stateOf(contradiction)]++;
    for (const side of [a, b]) {
      const ids = this.#ofMemory.get(side) ?? new Set();
      ids.add(id);
      this.#ofMemory.set(side, ids);
    }
  }

  /** What a save held of a memory that was compared. */
  restore(memoryId: string, by: string | null): void {
    const ordinal = this.#records.ordinalOf(memoryId);
    if (ordinal !== undefined) this.#comparedBy[ordinal] = by;
  }

  /** Puts what a save held in place of all that is known. @complexity O(memories), in slices */
  async restoreAll(saved: readonly (readonly [memoryId: string, comparison: StoredComparison])[]): Promise<void> {
    for (const contradiction of [...this.#found.values()]) this.#forget(contradiction);
    this.#comparedBy.fill(null);
    for (const [index, [memoryId, { by, found }]] of saved.entries()) {
      if ((index + 1) % RECONSIDERED_PER_TURN === 0) await nextTurn();
      this.restore(memoryId, by);
      for (const contradiction of found) this.keep(contradiction);
    }
    if (this.#by !== null) await this.compareBy(this.#by);
  }

  /** Everything at this moment, by ordinal; later changes leave it alone. */
  capture(): (ordinal: number, id: string) => StoredComparison {
    const comparedBy = this.#comparedBy.slice();
    const ofNewer = new Map<string, Contradiction[]>();
    for (const one of this.#found.values()) {
      const known = ofNewer.get(one.b);
      if (known) known.push(one);
      else ofNewer.set(one.b, [one]);
    }
    return (ordinal, id) => ({ by: comparedBy[ordinal] ?? null, found: ofNewer.get(id) ?? [] });
  }

  /** Apart from what waits between two turns: there the engine would begin each of them with code that it has not compiled. */
  #reconsiderEach(ordinals: readonly number[]): void {
    for (const ordinal of ordinals) {
      // As most of a store that is opened: nothing changes for it.
      if (this.#comparedBy[ordinal] === this.#by && !this.#waiting.has(ordinal)) continue;
      if (!this.#records.has(ordinal)) continue;
      // A packed memory is comparable: it is episodic, and neither absorbed nor superseded.
      this.#reconsider(ordinal, this.#records.isPacked(ordinal) || isComparable(this.#records.at(ordinal).memory));
    }
  }

  #reconsider(ordinal: number, canBe: boolean): void {
    const waits = this.#by !== null && this.#comparedBy[ordinal] !== this.#by && canBe;
    if (waits) this.#waiting.add(ordinal);
    else this.#waiting.delete(ordinal);
  }

  #forgetOf(id: string, isConcerned: (other: Memory) => boolean): void {
    for (const one of this.of(id)) {
      const other = this.#memoryOf(one.a === id ? one.b : one.a);
      if (!other || isConcerned(other)) this.#forget(one);
    }
  }

  /** Whether this scorer has compared it, or never will. */
  #isDoneBy(by: string, memoryId: string): boolean {
    const ordinal = this.#records.ordinalOf(memoryId);
    if (ordinal === undefined || this.#comparedBy[ordinal] === by) return true;
    return !isComparable(this.#records.at(ordinal).memory);
  }

  #uncount(id: string): void {
    const known = this.#found.get(id);
    if (known) this.#byState[stateOf(known)]--;
  }

  #forget({ id, a, b }: Contradiction): void {
    this.#uncount(id);
    this.#found.delete(id);
    for (const side of [a, b]) {
      const ids = this.#ofMemory.get(side);
      ids?.delete(id);
      if (ids?.size === 0) this.#ofMemory.delete(side);
    }
  }

  #memoryOf(id: string): Memory | undefined {
    const ordinal = this.#records.ordinalOf(id);
    return ordinal === undefined ? undefined : this.#records.at(ordinal).memory;
  }
}
