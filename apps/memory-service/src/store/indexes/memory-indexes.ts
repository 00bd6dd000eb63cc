import { isDeepStrictEqual } from 'node:util';
import { initialStrength, stronger } from '../../domain/cognition/retention.ts';
import type { Contradiction } from '../../domain/contradictions/contradiction.ts';
import { isTerse } from '../../domain/embedding/terse.ts';
import type { ChangeAct } from '../../domain/memory/change-act.ts';
import { type Expected, isAsRead } from '../../domain/memory/decision.ts';
import { type Memory, recallText, type Strength, withKeysOf } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import { saysOtherwise } from '../../domain/memory/says-otherwise.ts';
import { isExpired } from '../../domain/memory/validity.ts';
import { audienceKey, type Viewer } from '../../domain/memory/visibility.ts';
import type { Known } from '../../domain/recall/recall-store.ts';
import { EntityIndex } from '../../search/entities/entity-index.ts';
import { EvidenceIndex } from '../../search/evidence-index.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import { MemorySearch } from '../../search/memory-search.ts';
import { Partitions } from '../../search/partitions.ts';
import type { SpaceVectors } from '../../search/vectors/space-vectors.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';
import type { ComparedChange } from '../changes/change.ts';
import { ChangeTeller } from '../changes/change-teller.ts';
import { Versions } from '../changes/versions.ts';
import { capturedRecords } from '../records/captured-records.ts';
import type { PackedMemory } from '../records/packed-memories.ts';
import { Records } from '../records/records.ts';
import type { SnapshotRecords } from '../records/snapshot-records.ts';
import { Tombstones } from '../records/tombstones.ts';
import type { KnownOfMemory, KnownOfPacked, StoreSink } from '../store-sink.ts';
import { Comparisons, type StoredComparison } from './comparisons.ts';
import { ExpiredMemories } from './expired-memories.ts';
import { ExpiryHeap } from './expiry-heap.ts';
import { indexed, readable } from './indexed-memory.ts';
import { MemoryVectors } from './memory-vectors.ts';
import { RowChanges } from './row-changes.ts';
import { isOtherBehind, placeKey, SaidAround } from './said-around.ts';
import { StoredWords } from './stored-words.ts';
import { Succession, withoutSuccessor } from './succession.ts';

/** The rows as others may read them. */
type ReadRows = Omit<
  MemoryVectors,
  'append' | 'set' | 'clear' | 'waitNoMore' | 'letGo' | 'rowsOf' | 'ordinalOf' | 'capture'
>;

/** The records and every index over them, kept in step: a change happens in all of them or in none, in one turn. */
export class MemoryIndexes implements StoreSink {
  readonly records = new Records();
  readonly #partitions = new Partitions();
  readonly entities = new EntityIndex(this.#partitions);
  readonly words = new StoredWords(this.records);
  readonly tombstones = new Tombstones();
  readonly versions: Versions;
  readonly comparisons = new Comparisons({ records: this.records });
  readonly changes: ChangeTeller;
  /** Grows with every change. */
  revision = 0;
  /** Episodic memories, in their threads. */
  readonly #evidence: EvidenceIndex;
  readonly #saidAround: SaidAround;
  /** Derived memories. Apart from the episodic ones, because the words of their gists would change the word statistics of those. */
  readonly #derived: EvidenceIndex;
  /** Over all of these indexes. */
  readonly search: MemorySearch;
  readonly #rows: MemoryVectors;
  readonly #rowChanges: RowChanges;
  readonly #succession = new Succession();
  readonly #expiries = new ExpiryHeap();
  readonly #expired = new ExpiredMemories({
    succession: this.#succession,
    memoryOf: (id) => this.#storedOf(id)?.memory,
  });
  /** Of one that has expired, too. */
  readonly #memoryOf = (id: string): Memory | undefined => this.storedOrExpired(id)?.memory;

  /** @param options.historyMs how long versions are kept, milliseconds; absent or 0: none are */
  constructor({ vectors, historyMs = 0 }: { vectors: SpaceVectors | null; historyMs?: number }) {
    this.versions = new Versions({ keptMs: historyMs });
    const { versions, comparisons } = this;
    const succession = this.#succession;
    this.changes = new ChangeTeller({ versions, comparisons, succession, memoryOf: this.#memoryOf });
    this.#rows = new MemoryVectors(vectors, this.records);
    const about = { vectors, partitions: this.#partitions };
    this.#evidence = new EvidenceIndex(about);
    this.#derived = new EvidenceIndex(about);
    this.#saidAround = new SaidAround({ records: this.records, said: this.#evidence });
    this.#rowChanges = new RowChanges({
      records: this.records,
      rows: this.#rows,
      saidAround: this.#saidAround,
      evidenceOf: (memory) => this.#evidenceOf(memory),
    });
    this.search = new MemorySearch({
      records: this.records,
      entities: this.entities,
      said: this.#evidence,
      derived: this.#derived,
      vectors,
      rowsOf: (ordinal) => this.#rows.rowsOf(ordinal),
      ordinalOf: (row) => this.#rows.ordinalOf(row),
    });
  }

  /** Null without embeddings. */
  get vectors(): SpaceVectors | null {
    return this.#rows.vectors;
  }

  /** Which rows of the vectors belong to which memory. */
  get rows(): ReadRows {
    return this.#rows;
  }

  add(memory: Memory, { strength, rows = null, reading }: KnownOfMemory = {}): void {
    this.revision++;
    const before = this.#storedOf(memory.id);
    this.changes.note(memory.id, { before, after: memory });
    const behind = before ? this.#saidAround.terseBehind(memory.id) : [];
    if (before || this.#expired.size > 0) this.#forgetId(memory.id);
    this.tombstones.remove(memory.id);
    this.#enter(memory, strength ?? initialStrength(memory.importance), rows, reading);
    this.#reviewSuccession(memory);
    this.#rowChanges.take(behind);
  }

  addPacked(memory: PackedMemory, { strength, rows, reading, comparedBy }: KnownOfPacked): void {
    const { block, offset, named } = memory;
    const isPlain = this.#expired.size === 0 && !this.changes.isHeard;
    const ordinal = isPlain ? this.records.addPacked(memory, strength) : null;
    if (ordinal === null) {
      const unpacked = block.unpack(offset);
      this.add(unpacked, { strength, rows, reading });
      this.comparisons.restore(unpacked.id, comparedBy);
      return;
    }
    this.revision++;
    if (!this.tombstones.isEmpty) this.tombstones.remove(block.idOf(offset));
    this.#rows.set(ordinal, memory, rows);
    this.#evidence.addRead(ordinal, indexed(memory), rows, reading);
    this.entities.addNumbered(ordinal, memory, named);
    this.comparisons.added(ordinal, memory, comparedBy);
    if (!this.#succession.isEmpty && this.#succession.isSuccessor(block.idOf(offset)))
      this.#reviewSuccession(this.records.at(ordinal).memory);
  }

  update(memory: Memory, { strength, rows, reading }: KnownOfMemory = {}): void {
    this.#comeBack(memory.id);
    const ordinal = this.records.ordinalOf(memory.id);
    if (ordinal === undefined) return;
    this.revision++;
    if (this.#isMadeLater(ordinal, memory, rows)) {
      this.#rowChanges.set(ordinal, rows);
      return;
    }
    if (rows === undefined && isSameButForKeys(memory, this.records.at(ordinal).memory)) {
      this.records.replace(ordinal, memory);
      return;
    }
    this.#replace(ordinal, memory, { strength, rows, reading });
  }

  remove(ids: readonly string[]): void {
    this.revision++;
    for (const id of ids) {
      this.changes.note(id, { before: this.#storedOf(id), after: null });
      const behind = this.#saidAround.terseBehind(id);
      this.#forgetId(id);
      this.#rowChanges.take(behind);
      this.#forgetDerived(id);
      this.tombstones.add(id);
    }
  }

  /** As in `MemoryStore`. */
  saidBefore(memory: Memory): Memory | null {
    return this.#saidAround.before(memory);
  }

  cameBetween(id: string): void {
    this.#rowChanges.cameBetween(id);
  }

  stoodBehind(memory: Memory, expected: readonly Expected[]): void {
    this.#rowChanges.stoodBehind(memory, expected);
  }

  strengthen(id: string, strength: Readonly<Strength>): void {
    const ordinal = this.records.ordinalOf(id);
    if (ordinal === undefined) return;
    this.revision++;
    this.records.strengthen(ordinal, stronger(this.records.at(ordinal).strength, strength));
  }

  acting(act: ChangeAct | undefined, changes: () => void): void {
    this.versions.acting(act, changes);
  }

  /** Null when there are none, or no room: words still find the memory. */
  appendVectors(vectors: readonly Float32Array[]): RowRange | null {
    return this.#rows.append(vectors);
  }

  /** For a memory whose vectors have no room in the matrix. */
  stopWaitingForVectors(id: string): void {
    const ordinal = this.records.ordinalOf(id);
    if (ordinal !== undefined) this.#rows.waitNoMore(ordinal);
  }

  /** Takes these rows from their memories, which then wait for new vectors: a file did not hold the vectors that it promised. */
  async loseVectors(isLost: (rows: RowRange) => boolean): Promise<void> {
    await this.#rowChanges.takeLost(isLost);
  }

  compared(change: ComparedChange): void {
    this.revision++;
    this.changes.compared(change);
  }

  decided(contradiction: Contradiction): void {
    this.revision++;
    this.changes.decided(contradiction);
  }

  erased(ids: readonly string[]): void {
    this.versions.drop(ids);
  }

  wasCompared(memoryId: string, { by, found }: StoredComparison): void {
    this.comparisons.restore(memoryId, by);
    for (const contradiction of found) this.comparisons.keep(contradiction);
  }

  wereDeleted(ids: readonly string[]): void {
    for (const id of ids) this.tombstones.add(id);
  }

  isAsExpected(expected: readonly Expected[]): boolean {
    return expected.every((one) => isAsRead(this.#memoryOf(one.id), one));
  }

  /**
   * Takes at most `most` expired memories out of every index. The journal does not record it: a start that replays the journal comes
   * to the same indexes by the clock.
   * @returns whether more are due
   */
  takeOutExpired(now: number, { most }: { most: number }): boolean {
    for (let taken = 0; this.#expiries.isDue(now); taken++) {
      if (taken === most) return true;
      const ordinal = this.records.ordinalOf(this.#expiries.take());
      if (ordinal === undefined || !isExpired(this.records.at(ordinal).memory, now)) continue;
      const stored = this.#takeOut(ordinal);
      this.#expired.add(stored);
      this.changes.expired(stored.memory);
    }
    return false;
  }

  /** Expired memories that are still on the disk. */
  get expired(): Pick<ExpiredMemories, 'all' | 'of' | 'superseded' | 'freed'> {
    return this.#expired;
  }

  wasDeleted(id: string): boolean {
    return this.tombstones.has(id) || this.#expired.has(id);
  }

  /** The memory of this id, expired or not. */
  storedOrExpired(id: string): StoredMemory | null {
    return this.#storedOf(id) ?? this.#expired.get(id);
  }

  /**
   * Whether somebody has decided about this memory: in a contradiction, or that it supersedes another. A decision about a PRIVATE
   * memory does not count for a memory that others see.
   */
  isDecidedAbout(id: string): boolean {
    const isPrivate = this.#isPrivate(id);
    const counts = (otherId: string) => isPrivate || !this.#isPrivate(otherId);
    const superseded = this.#succession.supersededBy(id).filter((one) => !this.#expired.has(one));
    return superseded.some(counts) || this.comparisons.othersDecidedAbout(id).some(counts);
  }

  /** The rows of the vectors of a memory; null while it has none. */
  rowsOf(id: string): RowRange | null {
    return this.#rows.rowsOf(this.records.ordinalOf(id));
  }

  knownTo(viewer: Viewer, exceptId: string | null): Known {
    const except = exceptId === null ? undefined : this.records.ordinalOf(exceptId);
    return { speakers: this.#evidence.knownSpeakers(viewer), vocabulary: this.#evidence.vocabularyOf(viewer, except) };
  }

  /** Memories that wait for a comparison, and for nothing else; those that have waited longest first. */
  waitingForComparison(count: number): Memory[] {
    const memories: Memory[] = [];
    for (const ordinal of this.comparisons.waiting) {
      if (memories.length === count) break;
      if (!this.#rows.waiting.has(ordinal)) memories.push(this.records.at(ordinal).memory);
    }
    return memories;
  }

  /** Of the memories that wait for a comparison, those that the caller may see. @complexity O(waiting) */
  waitingCount(viewer: Viewer): number {
    return this.#countVisible(this.comparisons.waiting, viewer);
  }

  /** How many of those the caller may see. @complexity O(waiting) */
  withoutVectorsCount(viewer: Viewer): number {
    return this.#countVisible(this.#rows.waiting, viewer);
  }

  /** Everything at this moment, for a save: some arrays are copied now, the rest is put together when it is read. */
  capture(): SnapshotRecords {
    return capturedRecords({
      count: this.records.size + this.#expired.size,
      end: this.records.end,
      stored: this.records.capture(),
      expired: this.#expired.all(),
      rowsOf: this.#rows.capture(),
      comparisonOf: this.comparisons.capture(),
      readingOf: this.#evidence.captureReadings(),
    });
  }

  #enter(memory: Memory, strength: Readonly<Strength>, rows: RowRange | null, reading?: TextReading): void {
    const ordinal = this.records.add(memory, strength);
    this.#index(ordinal, memory, rows, reading);
    this.#expiries.note(memory);
    this.comparisons.added(ordinal, memory);
  }

  /** Takes the memory out of every index as it was, and into them as it is now. */
  #replace(ordinal: number, memory: Memory, { strength, rows, reading }: KnownOfMemory): void {
    this.changes.note(memory.id, { before: this.records.at(ordinal), after: memory });
    const before = this.#rows.rowsOf(ordinal);
    if (rows !== undefined) this.#rows.letGo(ordinal);
    const replaced = this.records.at(ordinal).memory;
    const isElsewhere = placeKey(memory) !== placeKey(replaced);
    const isOtherContext = isElsewhere || isOtherBehind(memory, replaced);
    const behind = isOtherContext ? this.#saidAround.terseBehind(memory.id) : [];
    if (saysOtherwise(memory, replaced)) this.#forgetDerived(memory.id);
    this.#unindex(ordinal, replaced);
    this.records.replace(ordinal, memory);
    if (strength) this.records.strengthen(ordinal, strength);
    this.#index(ordinal, memory, rows === undefined ? before : rows, reading);
    if (memory.expiresAt !== replaced.expiresAt) this.#expiries.note(memory);
    this.comparisons.changed(ordinal, { before: replaced, after: memory });
    if (replaced.supersededBy !== null && memory.supersededBy === null) this.changes.freed(memory.id);
    const isOtherSuccessor = memory.supersededBy !== replaced.supersededBy;
    if (isOtherSuccessor || audienceKey(memory) !== audienceKey(replaced)) this.#reviewSuccession(memory);
    this.#rowChanges.take(behind);
    if (!isElsewhere) return;
    this.#rowChanges.cameBetween(memory.id);
    // What stood before it there may be hidden from those who see it now, or is no longer right before it.
    if (rows === undefined && isTerse(memory)) this.#rowChanges.take([ordinal]);
  }

  #index(ordinal: number, memory: Memory, rows: RowRange | null, reading?: TextReading): void {
    this.words.note(ordinal, memory);
    this.#rows.set(ordinal, memory, rows);
    this.#evidenceOf(memory).add(ordinal, readable(memory), rows, reading);
    // The names in a gist are those of its sources, and would count twice.
    if (memory.kind === 'episodic') this.entities.add(ordinal, memory);
    this.#succession.add(memory);
    this.#expired.noteSuccessor(memory.supersededBy);
  }

  /** All but the words of the memory itself, which `#index` notes anew. @param memory as it was indexed */
  #unindex(ordinal: number, memory: Memory): void {
    for (const absorbed of memory.absorbed ?? []) this.words.forget(absorbed.memory.id);
    this.#rows.clear(ordinal, memory);
    this.#evidenceOf(memory).remove(ordinal);
    this.entities.remove(ordinal, memory);
    this.#succession.remove(memory);
  }

  #evidenceOf({ kind }: Pick<Memory, 'kind'>): EvidenceIndex {
    return kind === 'semantic' ? this.#derived : this.#evidence;
  }

  /** Whether an update brings nothing but the vectors that a memory waits for. */
  #isMadeLater(ordinal: number, memory: Memory, rows: RowRange | null | undefined): rows is RowRange {
    const { memory: stored } = this.records.at(ordinal);
    const isSame = stored.updatedAt === memory.updatedAt && recallText(stored) === recallText(memory);
    return Boolean(rows) && this.#rows.waiting.has(ordinal) && isSame;
  }

  /** Puts an expired memory back for a change that was under way; the next `takeOutExpired` removes it again if it is still expired. */
  #comeBack(id: string): void {
    const expired = this.#expired.take(id);
    if (!expired) return;
    this.#enter(expired.memory, expired.strength, null);
  }

  #forgetId(id: string): void {
    const ordinal = this.records.ordinalOf(id);
    const forgotten = ordinal === undefined ? this.#expired.take(id) : this.#takeOut(ordinal);
    if (forgotten) this.#endSuccessionsTo(forgotten.memory);
  }

  #takeOut(ordinal: number): StoredMemory {
    const stored = this.records.at(ordinal);
    const { memory } = stored;
    this.words.forget(memory.id);
    this.#rows.letGo(ordinal);
    this.#unindex(ordinal, memory);
    this.comparisons.removed(ordinal, memory);
    this.records.remove(ordinal);
    this.#rows.waitNoMore(ordinal);
    return stored;
  }

  /** Deletes the memories that were derived from this one, because they hold words that it no longer has. */
  #forgetDerived(sourceId: string): void {
    for (const id of this.records.derivedFrom(sourceId)) {
      if (id === sourceId) continue;
      this.changes.note(id, { before: this.#storedOf(id), after: null, operation: 'derive' });
      this.#forgetId(id);
    }
  }

  /** Ends each succession in which some viewer of the superseded memory no longer sees the successor. */
  #reviewSuccession(memory: Memory): void {
    for (const superseded of this.#succession.unseenAt(memory, this.#memoryOf))
      this.#endSuccession(superseded, this.#memoryOf(superseded.supersededBy as string) as Memory);
  }

  /** For a memory that was deleted. */
  #endSuccessionsTo(successor: Memory): void {
    for (const id of this.#succession.supersededBy(successor.id)) {
      const superseded = this.#memoryOf(id);
      if (superseded) this.#endSuccession(superseded, successor);
    }
  }

  #endSuccession(superseded: Memory, successor: Memory): void {
    // Whether what comes next has expired does not count: a start that reads the journal would not know it yet.
    const alone = withoutSuccessor(superseded, successor, this.#memoryOf);
    if (this.#expired.replace(alone)) return;
    // No version of this change is kept: it follows from a change of the successor, and the version of that one is kept.
    this.versions.acting(undefined, () => this.update(alone));
  }

  #storedOf(id: string): StoredMemory | null {
    const ordinal = this.records.ordinalOf(id);
    return ordinal === undefined ? null : this.records.at(ordinal);
  }

  #isPrivate(id: string): boolean {
    return this.#memoryOf(id)?.scope === 'PRIVATE';
  }

  #countVisible(ordinals: Iterable<number>, viewer: Viewer): number {
    const indexes = [this.#evidence.seenBy(viewer), this.#derived.seenBy(viewer)];
    return Array.from(ordinals).filter((ordinal) => indexes.some((sees) => sees(ordinal))).length;
  }
}

/** Idempotency keys make no version, and no index but that of the keys finds anything by them. */
function isSameButForKeys(memory: Memory, before: Memory): boolean {
  return memory.updatedAt === before.updatedAt && isDeepStrictEqual(withKeysOf(before, memory), memory);
}
