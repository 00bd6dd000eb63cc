import type { Viewer } from '../domain/memory/visibility.ts';
import type { SpeakerNames } from '../domain/recall/question/speaker-names.ts';
import type { Vocabulary } from '../domain/recall/question/spelling.ts';
import { wordsAmong } from '../domain/text/days/day-terms.ts';
import { IS_NOTE, NONE, SlotTable } from './columns/slot-table.ts';
import { SpeakerRegistry, type SpokenBy } from './entities/speaker-registry.ts';
import { EvidenceSearch } from './evidence-search.ts';
import { LexicalIndex } from './lexical/lexical-index.ts';
import { NearWords } from './lexical/near-words.ts';
import { PostingBuffer } from './lexical/posting-lists.ts';
import { holds, ReadingLog } from './lexical/reading-log.ts';
import { type IndexedMemory, type ReadMemory, readText, type TextReading } from './lexical/text-reading.ts';
import { Partitions } from './partitions.ts';
import { ThreadIndex, ThreadNumbers, type Views } from './threads/thread-index.ts';
import type { RowRange, VectorRows } from './vectors/vector-rows.ts';

/** Words, threads and vectors of all memories, joined. An edit is a `remove` and an `add` of the same ordinal. */
export class EvidenceIndex {
  readonly #slots = new SlotTable();
  readonly #numbers = new ThreadNumbers();
  readonly #partitions: Partitions;
  readonly #views: Views;
  readonly #lexical: LexicalIndex;
  readonly #readings = new ReadingLog();
  readonly #speakers = new SpeakerRegistry();
  readonly #sessions: (string | null)[] = [];
  /** Finds what is indexed here. */
  readonly search: EvidenceSearch;

  /** @param options.vectors null without an embedding model; partitions: of all indexes of a store */
  constructor(options: { vectors: VectorRows | null; partitions?: Partitions }) {
    const partitions = options.partitions ?? new Partitions();
    const threads = () => new ThreadIndex(this.#slots, this.#numbers, partitions);
    this.#partitions = partitions;
    this.#views = [null, threads(), threads(), threads()];
    this.#lexical = new LexicalIndex(this.#slots, partitions, (slots) => this.#slots.reuse(slots));
    this.search = new EvidenceSearch({
      slots: this.#slots,
      threads: this.#numbers,
      partitions,
      views: this.#views,
      lexical: this.#lexical,
      readings: this.#readings,
      speakers: this.#speakers,
      rows: options.vectors,
    });
  }

  /**
   * @param ordinal of no memory that is indexed
   * @param rows null while it has no vector; `setRows` follows
   * @param reading of this very memory
   */
  add(ordinal: number, memory: IndexedMemory, rows: RowRange | null, reading: TextReading = readText(memory)): void {
    this.addRead(ordinal, memory, rows, reading);
  }

  /** As `add`, for a memory that was read before: its text is not needed. */
  addRead(ordinal: number, memory: ReadMemory, rows: RowRange | null, reading: TextReading): void {
    this.search.forgetMeasured();
    const partition = this.#partitions.numberOf(memory);
    const spoken = spokenBy(memory);
    const slot = this.#slots.take({
      ordinal,
      partition,
      createdAt: memory.createdAt,
      speaker: this.#speakers.add(spoken, partition),
      teller: spoken?.isAgent ? NONE : this.#speakers.addTeller(memory.agentId, partition),
      role: memory.role,
      flags: reading.flags | (memory.sessionId === null ? IS_NOTE : 0),
      terms: countWords(reading),
      words: reading.words,
    });
    this.#sessions[slot] = memory.sessionId;
    for (const view of this.#viewsWith(partition)) view.add(slot, memory.sessionId);
    const { numbered } = reading;
    const terms = numbered ? this.#lexical.addNumbered(slot, numbered) : this.#lexical.add(slot, reading.terms);
    this.#readings.note(ordinal, reading, terms);
    if (rows) this.setRows(ordinal, rows);
  }

  /** Nothing happens for an ordinal that is not indexed. */
  setRows(ordinal: number, rows: RowRange | null): void {
    const slot = this.#slots.slotOf(ordinal);
    if (slot === NONE) return;
    this.#slots.setRows(slot, rows);
    for (const view of this.#viewsWith(this.#slots.partition[slot] as number)) view.forgetVector(slot);
  }

  /** Nothing happens for an ordinal that is not indexed. */
  remove(ordinal: number): void {
    const slot = this.#slots.slotOf(ordinal);
    if (slot === NONE) return;
    this.search.forgetMeasured();
    const sessionId = this.#sessions[slot] ?? null;
    const partition = this.#slots.partition[slot] as number;
    for (const view of this.#viewsWith(partition)) view.remove(slot, sessionId);
    this.#speakers.remove(this.#slots.speaker[slot] as number, partition);
    this.#speakers.removeTeller(this.#slots.teller[slot] as number, partition);
    this.#slots.clear(slot);
    this.#lexical.remove(slot);
    this.#readings.forget(ordinal);
  }

  /**
   * The ordinal of what the author of a memory said right before it in its session, among what all see who see the memory.
   * @param ordinal undefined for a memory that is not indexed yet
   */
  saidBefore(memory: ReadMemory, ordinal: number | undefined): number | undefined {
    const partition = this.#partitions.numberOf(memory);
    const view = this.#viewsWith(partition).at(-1) as ThreadIndex;
    const slot = ordinal === undefined ? NONE : this.#slots.slotOf(ordinal);
    const before =
      slot === NONE
        ? view.lastSaid(this.#partitions.authorOf(partition), memory.sessionId, memory.createdAt)
        : (view.previous[slot] as number);
    return before === NONE ? undefined : (this.#slots.ordinal[before] as number);
  }

  /** The ordinals of what its author said right after a memory in its session, as each of those see it who see the memory. */
  saidAfter(ordinal: number): number[] {
    const slot = this.#slots.slotOf(ordinal);
    if (slot === NONE) return [];
    const views = this.#viewsWith(this.#slots.partition[slot] as number);
    const after = new Set(views.map(({ next }) => next[slot] as number));
    after.delete(NONE);
    return Array.from(after, (next) => this.#slots.ordinal[next] as number);
  }

  /** A copy of the readings by ordinal, which later changes do not touch; undefined for an ordinal that is not indexed. */
  captureReadings(): (ordinal: number) => TextReading | undefined {
    return this.#readings.capture(this.#lexical.captureTerms());
  }

  knownSpeakers(viewer: Viewer): SpeakerNames {
    return this.#speakers.inSight(this.#partitions.sightOf(viewer));
  }

  /** @param except ordinal of a memory that the viewer sees and that does not count */
  vocabularyOf(viewer: Viewer, except: number | undefined): Vocabulary {
    const sight = this.#partitions.sightOf(viewer);
    return {
      memoriesWith: (term) => {
        const count = this.#lexical.count(term, sight);
        return count > 0 && except !== undefined && this.#hasTerm(except, term) ? count - 1 : count;
      },
      isCommon: (term) => NearWords.common().has(term),
    };
  }

  #hasTerm(ordinal: number, term: string): boolean {
    const number = this.#lexical.numberOf(term);
    return holds(this.#readings.termsOf(ordinal), number);
  }

  /** The ordinals of the memories in sight that have a term. @complexity O(memories with it) */
  holding(term: string, viewer: Viewer): number[] {
    const found = new PostingBuffer();
    this.#lexical.read(term, { sight: this.#partitions.sightOf(viewer) }, found);
    return Array.from(found.slots.subarray(0, found.length), (slot) => this.#slots.ordinal[slot] as number);
  }

  /** A test of ordinals: is the memory indexed here, and does this viewer see it? It stays valid when the store changes. */
  seenBy(viewer: Viewer): (ordinal: number) => boolean {
    let sight = this.#partitions.sightOf(viewer);
    return (ordinal) => {
      if (!this.#partitions.isCurrent(sight)) sight = this.#partitions.sightOf(viewer);
      const slot = this.#slots.slotOf(ordinal);
      return slot !== NONE && this.#slots.isVisible(slot, sight);
    };
  }

  /** The views that contain this partition. */
  #viewsWith(partition: number): readonly ThreadIndex[] {
    const [, shared, told, own] = this.#views;
    if (this.#partitions.isPrivate(partition)) return [own];
    return this.#partitions.isShared(partition) ? [own, told, shared] : [own, told];
  }
}

/** Without the days that it names, which make a text no longer. */
function countWords({ terms, numbered }: TextReading): number {
  if (!numbered) return wordsAmong(terms.length, (index) => terms[index] as string);
  const { entries, dictionary } = numbered;
  return wordsAmong(entries.length, (index) => dictionary.terms[entries[index] as number] as string);
}

/** The named person, else the agent; null for a user without a name, because nothing says who that is. */
function spokenBy({ speaker, role, agentId }: ReadMemory): SpokenBy | null {
  if (speaker !== null) return { name: speaker, isAgent: false };
  return role === 'user' ? null : { name: agentId, isAgent: true };
}
