import type { WaitingMemories } from '../domain/catch-up.ts';
import { initialStrength } from '../domain/cognition/retention.ts';
import { DuplicateGuard } from '../domain/ingest/duplicate-guard.ts';
import { type Memory, recallText, type Strength } from '../domain/memory.ts';
import type { Gathered, SpeakerNames } from '../domain/recall/evidence.ts';
import type { Question } from '../domain/recall/question.ts';
import type { RecallStore } from '../domain/recall/recall-store.ts';
import { EntityIndex } from './entity-index.ts';
import { EvidenceIndex, type IndexedMemory, type RowRange } from './evidence-index.ts';
import { nearestFitting } from './fitting-rows.ts';
import { grown } from './grown.ts';
import type { StoreSink } from './load-store.ts';
import { isOpen, matches } from './memory-match.ts';
import { Records } from './records.ts';
import type { StoredMemories } from './stored-memory.ts';
import { Tombstones } from './tombstones.ts';
import { TurnQueue } from './turn-queue.ts';
import type { VectorIndex } from './vector-index.ts';
import type { VectorMatrix } from './vector-matrix.ts';

/** Rows asked of the vector index when everything may be an answer; more bring nothing, as docs/benchmarks.md shows. */
const VECTOR_CANDIDATES = 200;

export interface Vectors {
  readonly matrix: VectorMatrix;
  readonly index: VectorIndex;
}

/** The records and every index over them, kept in step: a change happens in all of them or in none, in one turn. */
export class MemoryIndexes implements StoreSink, WaitingMemories {
  readonly records = new Records();
  readonly entities = new EntityIndex();
  readonly duplicates = new DuplicateGuard();
  readonly tombstones = new Tombstones();
  /** Grows with every change. */
  revision = 0;
  readonly #evidence: EvidenceIndex;
  readonly #vectors: Vectors | null;
  /** By ordinal. */
  readonly #rows: (RowRange | null)[] = [];
  #ordinalOfRow = new Int32Array(0);
  /** Ordinals that wait for vectors. */
  readonly #pending = new Set<number>();
  /** A recall takes 3 ms or so, its answer included. */
  readonly #turns = new TurnQueue();
  #publicVectors = 0;

  constructor({ vectors }: { vectors: Vectors | null }) {
    this.#vectors = vectors;
    this.#evidence = new EvidenceIndex({ vectors: vectors?.matrix ?? null });
  }

  /** Puts vectors into the matrix and the vector index; null when there are none, or no room. */
  appendVectors(vectors: readonly Float32Array[]): RowRange | null {
    if (!this.#vectors || vectors.length === 0) return null;
    const { matrix, index } = this.#vectors;
    // Words still find the memory; a start makes room, because it leaves dead rows out.
    if (!matrix.hasRoomFor(vectors.length)) return null;
    const first = matrix.length;
    for (const vector of vectors) matrix.append(vector);
    index.add(first, vectors.length);
    return { first, count: vectors.length };
  }

  add(memory: Memory, strength: Readonly<Strength> | null, rows: RowRange | null): void {
    this.revision++;
    const known = this.records.ordinalOf(memory.id);
    if (known !== undefined) this.#forget(known);
    this.tombstones.remove(memory.id);
    const ordinal = this.records.add(memory, strength ?? initialStrength(memory.importance));
    this.#index(ordinal, memory, rows);
  }

  update(memory: Memory, strength: Readonly<Strength> | undefined, rows: RowRange | null | undefined): void {
    const ordinal = this.records.ordinalOf(memory.id);
    if (ordinal === undefined) return;
    this.revision++;
    const before = this.#rows[ordinal] ?? null;
    if (rows !== undefined) this.#leave(before);
    const replaced = this.records.at(ordinal).memory;
    this.#setRows(ordinal, replaced, null);
    this.records.replace(ordinal, memory);
    if (strength) this.records.strengthen(ordinal, strength);
    this.#evidence.remove(ordinal);
    this.entities.remove(ordinal, replaced);
    this.#index(ordinal, memory, rows === undefined ? before : rows);
  }

  remove(ids: readonly string[]): void {
    this.revision++;
    for (const id of ids) {
      const ordinal = this.records.ordinalOf(id);
      if (ordinal !== undefined) this.#forget(ordinal);
      this.tombstones.add(id);
    }
  }

  strengthen(id: string, strength: Readonly<Strength>): void {
    const ordinal = this.records.ordinalOf(id);
    if (ordinal === undefined) return;
    this.revision++;
    this.records.strengthen(ordinal, strength);
  }

  wereDeleted(ids: readonly string[]): void {
    for (const id of ids) this.tombstones.add(id);
  }

  /** Copies, in the order of the pieces of the text; none while they are still to be made. */
  vectorsOf(id: string): Float32Array[] {
    const ordinal = this.records.ordinalOf(id);
    const rows = ordinal === undefined ? null : this.#rows[ordinal];
    if (!rows || !this.#vectors) return [];
    const { matrix } = this.#vectors;
    return Array.from({ length: rows.count }, (_, i) => Float32Array.from(matrix.row(rows.first + i)));
  }

  /** Vectors of memories that are not PRIVATE. */
  get publicVectors(): number {
    return this.#publicVectors;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  take(count: number): Memory[] {
    const taken: Memory[] = [];
    for (const ordinal of this.#pending) {
      if (taken.length === count) break;
      taken.push(this.records.at(ordinal).memory);
    }
    return taken;
  }

  setVectors(memory: Memory, vectors: readonly Float32Array[]): void {
    const ordinal = this.records.ordinalOf(memory.id);
    if (ordinal === undefined || this.records.at(ordinal).memory.updatedAt !== memory.updatedAt) return;
    if (!this.#pending.has(ordinal)) return;
    this.revision++;
    const rows = this.appendVectors(vectors);
    this.#setRows(ordinal, memory, rows);
    this.#pending.delete(ordinal);
    this.#evidence.setRows(ordinal, rows);
  }

  /** Everything at this moment, for a save: two arrays are copied now, the rest is put together when it is read. */
  capture(): StoredMemories {
    const kept = this.records.snapshot();
    const rows = this.#rows.slice();
    return {
      length: this.records.size,
      *[Symbol.iterator]() {
        for (let ordinal = 0; ordinal < kept.length; ordinal++) {
          const one = kept[ordinal];
          if (one) yield { memory: one.memory, strength: one.strength, rows: rows[ordinal] ?? null };
        }
      },
    };
  }

  knownSpeakers(callerAgentId: string): SpeakerNames {
    return this.#evidence.knownSpeakers(callerAgentId);
  }

  async gather(
    question: Question,
    { vector, filter, limit, exceptId }: Parameters<RecallStore['gather']>[1],
  ): Promise<Gathered> {
    const except = exceptId === null ? undefined : this.records.ordinalOf(exceptId);
    const isFiltered = !isOpen(filter) || except !== undefined;
    const accepts = (ordinal: number) => ordinal !== except && matches(this.records.at(ordinal).memory, filter);
    const vectorRows = vector ? await this.#nearest(vector, { filter, accepts, limit }) : [];
    return await this.#turns.run(() =>
      this.#evidence.gather(question, {
        callerAgentId: filter.callerAgentId,
        vector,
        vectorRows,
        entityHits: this.entities.hits(question.text, { callerAgentId: filter.callerAgentId, accepts }),
        limit,
        ...(isFiltered && { accepts }),
      }),
    );
  }

  /** Rows near a vector: so many that a filter cannot starve the answer. */
  async #nearest(
    vector: Float32Array,
    {
      filter,
      accepts,
      limit,
    }: { filter: Parameters<typeof matches>[1]; accepts: (ordinal: number) => boolean; limit: number },
  ): Promise<ArrayLike<number>> {
    const { index, matrix } = this.#vectors as Vectors;
    const wanted = {
      count: Math.max(VECTOR_CANDIDATES, 2 * limit),
      share: isOpen(filter) ? this.#visibleTo(filter.callerAgentId) / Math.max(1, this.records.size) : null,
      fitting: () => this.#rowsOf(accepts),
      fits: (row: number) => {
        const ordinal = this.#ordinalOfRow[row] as number;
        return this.records.has(ordinal) && accepts(ordinal);
      },
    };
    return await nearestFitting(vector, { index, matrix, wanted });
  }

  *#rowsOf(accepts: (ordinal: number) => boolean): Generator<number> {
    for (const ordinal of this.records.order.snapshot()) {
      const range = this.#rows[ordinal];
      if (range && accepts(ordinal)) for (let i = 0; i < range.count; i++) yield range.first + i;
    }
  }

  #visibleTo(callerAgentId: string): number {
    let count = 0;
    for (const { episodic, semantic } of this.records.counts(callerAgentId).values()) count += episodic + semantic;
    return count;
  }

  #index(ordinal: number, memory: Memory, rows: RowRange | null): void {
    // Where somebody has put other words in place of the message, to say its words again is news.
    if (memory.gistEdited) this.duplicates.forget(memory.id);
    else this.duplicates.note(memory);
    this.#setRows(ordinal, memory, rows);
    if (this.#vectors && rows === null) this.#pending.add(ordinal);
    else this.#pending.delete(ordinal);
    this.#evidence.add(ordinal, indexed(memory), rows);
    this.entities.add(ordinal, memory);
  }

  #setRows(ordinal: number, { scope }: Memory, rows: RowRange | null): void {
    if (scope !== 'PRIVATE') this.#publicVectors += (rows?.count ?? 0) - (this.#rows[ordinal]?.count ?? 0);
    this.#rows[ordinal] = rows;
    if (!rows) return;
    this.#ordinalOfRow = grown(this.#ordinalOfRow, rows.first + rows.count);
    this.#ordinalOfRow.fill(ordinal, rows.first, rows.first + rows.count);
  }

  /** Rows stay in the matrix until the next start; no search finds them any more. */
  #leave(rows: RowRange | null): void {
    if (rows) this.#vectors?.index.remove(rows.first, rows.count);
  }

  #forget(ordinal: number): void {
    const { memory } = this.records.at(ordinal);
    this.#evidence.remove(ordinal);
    this.entities.remove(ordinal, memory);
    this.duplicates.forget(memory.id);
    this.#leave(this.#rows[ordinal] ?? null);
    this.#setRows(ordinal, memory, null);
    this.records.remove(ordinal);
    this.#pending.delete(ordinal);
  }
}

function indexed(memory: Memory): IndexedMemory {
  const { agentId, sessionId, scope, createdAt, name, tags } = memory;
  return { agentId, sessionId, scope, createdAt, text: recallText(memory), speaker: name, tags };
}
