import type { Viewer } from '../domain/memory/visibility.ts';
import type { Retrieved, Weigh } from '../domain/recall/evidence/evidence.ts';
import { fitsCircumstance } from '../domain/recall/question/circumstance.ts';
import type { Question } from '../domain/recall/question/question.ts';
import type { SpeakerNames } from '../domain/recall/question/speaker-names.ts';
import type { Vocabulary } from '../domain/recall/question/spelling.ts';
import { wordsAmong } from '../domain/text/day-terms.ts';
import { CandidateSet } from './candidate-set.ts';
import { NONE, SlotTable } from './columns/slot-table.ts';
import { TopRows } from './columns/top-rows.ts';
import { SpeakerRegistry, type SpokenBy } from './entities/speaker-registry.ts';
import {
  EvidenceMeasure,
  type FoundEvidence,
  type NamedSpeaker,
  questionBefore,
  speakerFits,
} from './evidence-measure.ts';
import { LexicalIndex } from './lexical/lexical-index.ts';
import { NearWords } from './lexical/near-words.ts';
import { PostingBuffer } from './lexical/posting-lists.ts';
import { holds, ReadingLog } from './lexical/reading-log.ts';
import { type IndexedMemory, type ReadMemory, readText, type TextReading } from './lexical/text-reading.ts';
import { type Views, WordShares } from './lexical/word-shares.ts';
import { Partitions, type Sight } from './partitions.ts';
import { promising } from './promising.ts';
import { ThreadIndex, ThreadNumbers } from './threads/thread-index.ts';
import { cosinesAmong } from './vectors/cosines-among.ts';
import { VectorEvidence } from './vectors/vector-evidence.ts';
import type { RowRange, VectorRows } from './vectors/vector-rows.ts';

/** The candidates for a question, with their evidence. */
export interface Found extends Omit<Retrieved, 'candidates' | 'likeness' | 'likenesses' | 'cosineWith'> {
  /** In no order. */
  readonly evidence: readonly FoundEvidence[];
  /** Cosine of two memories with each other; 0 where one has no vector. */
  likeness(a: FoundEvidence, b: FoundEvidence): number;
  /** Cosines of memories with vectors with each other, as `cosinesAmong` gives them. */
  likenesses(of: readonly FoundEvidence[]): Float64Array;
  /** Cosine of another vector with the nearest chunk of a memory, at least 0. */
  cosineWith(vector: Float32Array, memory: FoundEvidence): number;
}

/** What to look for beside the words of a question. */
export interface FindRequest {
  readonly viewer: Viewer;
  /** The vector of `question.denseText`; null when there is no model or it is not ready. */
  readonly vector: Float32Array | null;
  /** Rows that the vector index found nearest, in any order; may hold rows of others' private memories or dead ones. */
  readonly vectorRows: ArrayLike<number>;
  /** From the entity index: ordinal to 0..1. */
  readonly entityHits: ReadonlyMap<number, number>;
  /** For a question without a subject: what was said in the time that it asks for, the newest first. */
  readonly saidThen?: Iterable<number>;
  /** The filters of the request. Visibility needs no filter: it is applied in any case. */
  readonly accepts?: (ordinal: number) => boolean;
  /** At least so many memories are found whenever that many visible ones are accepted. */
  readonly limit: number;
  /** Absent: no candidate is left out. */
  readonly weigh?: Weigh | undefined;
}

/** Candidates for a question. Valid in one turn of the event loop: slots name other memories after a change. */
export interface Chosen<Request> {
  readonly question: Question;
  readonly request: Request;
  readonly sight: Sight;
  readonly slots: readonly number[];
}

/** A memory that is close to a question: its share of the question's words, and its cosine, 0 without vectors. */
export type Closest = Pick<FoundEvidence, 'ordinal' | 'turn' | 'cosine'>;

type AloneRequest = Omit<FindRequest, 'entityHits' | 'saidThen' | 'weigh'>;

/** The most candidates from the entity index. They hold the words of the question too, so the lexical index finds the best of them. */
const ENTITY_CANDIDATES = 100;
/** For a question without a subject: the most candidates from its time, and the most memories to look at for them, which takes 1 ms. */
const SAID_THEN = { taken: 100, lookedAt: 10_000 };

/** Words, threads and vectors of all memories, joined. An edit is a `remove` and an `add` of the same ordinal. */
export class EvidenceIndex {
  readonly #slots = new SlotTable();
  readonly #numbers = new ThreadNumbers();
  readonly #partitions: Partitions;
  readonly #views: Views;
  readonly #lexical: LexicalIndex;
  readonly #readings = new ReadingLog();
  readonly #words: WordShares;
  readonly #measure: EvidenceMeasure;
  readonly #speakers = new SpeakerRegistry();
  readonly #candidates = new CandidateSet(this.#slots);
  readonly #rows: VectorRows | null;
  readonly #vectors: VectorEvidence | null;
  readonly #sessions: (string | null)[] = [];
  /** What the lists of days are read into. */
  readonly #naming = new PostingBuffer();
  /** The question that the word shares are measured for; null after any change of the store. */
  #measured: Question | null = null;
  /** The question that was last measured ahead; null after any change and any other question. */
  #announced: Question | null = null;
  /** Whether the last question that was announced came before any change, so that it is worth while to measure ahead again. */
  #isCalm = true;

  /** @param options.vectors null without an embedding model; partitions: of all indexes of a store */
  constructor(options: { vectors: VectorRows | null; partitions?: Partitions }) {
    const partitions = options.partitions ?? new Partitions();
    const threads = () => new ThreadIndex(this.#slots, this.#numbers, partitions);
    this.#partitions = partitions;
    this.#views = [null, threads(), threads(), threads()];
    this.#lexical = new LexicalIndex(this.#slots, partitions, (slots) => this.#slots.reuse(slots));
    this.#words = new WordShares(this.#slots, this.#lexical, this.#views);
    this.#measure = new EvidenceMeasure({
      slots: this.#slots,
      words: this.#words,
      numberOf: (term) => this.#lexical.numberOf(term),
      termsOf: (ordinal) => this.#readings.termsOf(ordinal),
    });
    this.#rows = options.vectors;
    this.#vectors = options.vectors && new VectorEvidence(this.#slots, options.vectors);
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
    this.#forgetMeasured();
    const partition = this.#partitions.numberOf(memory);
    const spoken = spokenBy(memory);
    const slot = this.#slots.take({
      ordinal,
      partition,
      createdAt: memory.createdAt,
      speaker: this.#speakers.add(spoken, partition),
      teller: spoken?.isAgent ? NONE : this.#speakers.addTeller(memory.agentId, partition),
      role: memory.role,
      flags: reading.flags,
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
    this.#forgetMeasured();
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

  /** A test of ordinals: is the memory indexed here, and does this viewer see it? It stays valid when the store changes. */
  seenBy(viewer: Viewer): (ordinal: number) => boolean {
    let sight = this.#partitions.sightOf(viewer);
    return (ordinal) => {
      if (!this.#partitions.isCurrent(sight)) sight = this.#partitions.sightOf(viewer);
      const slot = this.#slots.slotOf(ordinal);
      return slot !== NONE && this.#slots.isVisible(slot, sight);
    };
  }

  /**
   * Measures the words of a question while the caller waits for its vectors. `find` measures again if another question or a change
   * comes first. After such a wasted measurement this only watches whether the next question comes undisturbed.
   */
  measureAhead(question: Question, viewer: Viewer): void {
    this.#announced = question;
    if (!this.#isCalm) return;
    this.#measureWords(question, this.#partitions.sightOf(viewer));
  }

  find(question: Question, request: FindRequest): Found {
    return this.found(this.choose(question, request));
  }

  choose(question: Question, request: FindRequest): Chosen<FindRequest> {
    const sight = this.#sightFor(question, request.viewer);
    const slots = this.#candidates.choose({
      sight,
      words: this.#words,
      views: this.#views,
      rowSlots: Array.from(request.vectorRows, (row) => this.#slots.slotHolding(row)),
      entitySlots: this.#bestLinked(request.entityHits),
      saidThen: [...this.#saidThen(question, request, sight), ...this.#namingDays(question, request, sight)],
      accepts: request.accepts ?? (() => true),
      limit: request.limit,
    });
    return { question, request, sight, slots };
  }

  /** The ordinals of the candidates. */
  ordinalsOf({ slots }: Pick<Chosen<unknown>, 'slots'>): number[] {
    return slots.map((slot) => this.#slots.ordinal[slot] as number);
  }

  /** The rows that `found` reads. */
  rowsOf({ request, sight, slots }: Chosen<FindRequest>): ReadonlySet<number> {
    const rows = new Set<number>();
    if (!request.vector) return rows;
    for (const slot of slots) {
      const view = this.#viewOf(slot, sight);
      this.#vectors?.noteRowsAround(slot, view, rows);
      const before = questionBefore(slot, { slots: this.#slots, view });
      if (before !== NONE) this.#vectors?.noteRows(before, rows);
    }
    return rows;
  }

  /** @param rows hold at least the rows of `rowsOf`; absent: all rows are in memory */
  found({ question, request, sight, slots }: Chosen<FindRequest>, rows = this.#rows): Found {
    const vectors = this.#asking(request.vector, rows);
    const named = this.#named(question, sight);
    const beside = { vectors, named, entityHits: request.entityHits };
    this.#measure.ask(question);
    vectors?.answer(slots, (slot) => this.#viewOf(slot, sight));
    const bestTurn = slots.reduce((best, slot) => Math.max(best, this.#measure.turnOf(slot)), this.#words.bestTurn);
    const told = named.countsTold ? this.#speakers.toldBy(question.speaker, sight) : 0;
    const spoken = this.#speakers.memoriesOf(question.speaker, sight) + told;
    const about = {
      bestTurn,
      speakerShare: spoken > 0 ? spoken / this.#words.memories : 1,
      hasVectors: vectors !== null,
    };
    const most = slots.map((slot) => this.#measure.atMost(slot, this.#viewOf(slot, sight), beside));
    const exactly = (index: number) => {
      const slot = slots[index] as number;
      return this.#measure.exactly(slot, this.#viewOf(slot, sight), most[index] as (typeof most)[number], named);
    };
    const { evidence, leftOut } = promising(most, exactly, request.weigh?.(about));
    const likeness = (a: FoundEvidence, b: FoundEvidence) =>
      vectors && rows && a.row !== NONE && b.row !== NONE ? rows.dotRows(a.row, b.row) : 0;
    const likenesses = (of: readonly FoundEvidence[]) => {
      if (!vectors || !rows) return new Float64Array(of.length ** 2);
      return cosinesAmong(
        Int32Array.from(of, ({ row }) => row),
        rows,
      );
    };
    const cosineWith = (vector: Float32Array, { row, rows: chunks }: FoundEvidence) => {
      let best = 0;
      if (vectors && rows && row !== NONE)
        for (let chunk = 0; chunk < chunks; chunk++) best = Math.max(best, rows.dot(vector, row + chunk));
      return best;
    };
    return { evidence, leftOut, ...about, likeness, likenesses, cosineWith };
  }

  /** Chooses the memories that are closest to a question in meaning or words. The messages around them do not count. */
  chooseAlone(question: Question, request: AloneRequest): Chosen<AloneRequest> {
    const sight = this.#sightFor(question, request.viewer);
    const slots = this.#candidates.chooseAlone({
      sight,
      words: this.#words,
      rowSlots: Array.from(request.vectorRows, (row) => this.#slots.slotHolding(row)),
      accepts: request.accepts ?? (() => true),
      limit: request.limit,
    });
    return { question, request, sight, slots };
  }

  /** The rows that `closest` reads. */
  rowsAlone({ request, slots }: Chosen<AloneRequest>): ReadonlySet<number> {
    const rows = new Set<number>();
    if (request.vector) for (const slot of slots) this.#vectors?.noteRows(slot, rows);
    return rows;
  }

  /** In no order. @param rows hold at least the rows of `rowsAlone`; absent: all rows are in memory */
  closest({ request, slots }: Chosen<AloneRequest>, rows = this.#rows): Closest[] {
    const vectors = this.#asking(request.vector, rows);
    vectors?.answer(slots);
    return slots.map((slot) => ({
      ordinal: this.#slots.ordinal[slot] as number,
      turn: this.#words.turnOf(slot),
      cosine: vectors ? vectors.cosineOf(slot) : 0,
    }));
  }

  #sightFor(question: Question, viewer: Viewer): Sight {
    const sight = this.#partitions.sightOf(viewer);
    this.#measureUnlessAhead(question, sight);
    return sight;
  }

  #asking(vector: Float32Array | null, rows: VectorRows | null): VectorEvidence | null {
    if (!vector || !rows) return null;
    this.#vectors?.ask(vector, rows);
    return this.#vectors;
  }

  #measureUnlessAhead(question: Question, sight: Sight): void {
    this.#isCalm = this.#announced === question || this.#measured === question;
    this.#announced = null;
    if (this.#measured !== question) this.#measureWords(question, sight);
  }

  #forgetMeasured(): void {
    this.#measured = null;
    this.#announced = null;
  }

  #measureWords(question: Question, sight: Sight): void {
    this.#measured = null;
    this.#words.measure(question.terms, sight, this.#numbers.count);
    this.#measured = question;
  }

  /** Slots of the memories that a question without a subject asks for, the newest first. */
  #saidThen(question: Question, { saidThen = [], accepts = () => true }: FindRequest, sight: Sight): number[] {
    const found: number[] = [];
    const { circumstance } = question;
    if (!circumstance) return found;
    const named = this.#named(question, sight);
    let lookedAt = 0;
    for (const ordinal of saidThen) {
      if (found.length >= SAID_THEN.taken || ++lookedAt > SAID_THEN.lookedAt) break;
      const slot = this.#slots.slotOf(ordinal);
      if (slot === NONE || !this.#slots.isVisible(slot, sight)) continue;
      const createdAt = this.#slots.createdAt[slot] as number;
      const said = {
        createdAt,
        role: this.#slots.roleOf(slot),
        speaker: speakerFits(this.#slots, slot, named),
        namesDay: false,
      };
      if (fitsCircumstance(circumstance, said) === true && accepts(ordinal)) found.push(slot);
    }
    return found;
  }

  /** Slots of the memories that name a day which is asked about, the newest first. */
  #namingDays({ days }: Question, { accepts = () => true }: FindRequest, sight: Sight): number[] {
    const { createdAt, ordinal } = this.#slots;
    const newest = new TopRows(SAID_THEN.taken);
    const seen = new Set<number>();
    for (const day of days) {
      this.#lexical.read(day, { sight }, this.#naming);
      for (const slot of this.#naming.slots.subarray(0, this.#naming.length)) {
        if (seen.has(slot)) continue;
        seen.add(slot);
        const saidAt = createdAt[slot] as number;
        if (saidAt >= newest.least && accepts(ordinal[slot] as number)) newest.offer(ordinal[slot] as number, saidAt);
      }
    }
    return Array.from(newest.take().rows, (one) => this.#slots.slotOf(one));
  }

  #named({ speaker, circumstance }: Question, sight: Sight): NamedSpeaker {
    const number = this.#speakers.numberOf(speaker);
    const onlyTells = number !== NONE && this.#speakers.memoriesOf(speaker, sight) === 0;
    return { number, countsTold: onlyTells || circumstance !== null };
  }

  #viewOf(slot: number, sight: Sight): ThreadIndex {
    const partition = this.#slots.partition[slot] as number;
    return this.#views[sight.partitions[partition] as number] as ThreadIndex;
  }

  /** Slots, the best first; among equals the memory that was told first. */
  #bestLinked(hits: ReadonlyMap<number, number>): number[] {
    const best = new TopRows(ENTITY_CANDIDATES);
    for (const [ordinal, share] of hits) best.offer(ordinal, share);
    return Array.from(best.take().rows, (ordinal) => this.#slots.slotOf(ordinal));
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
  const { numbers, dictionary } = numbered;
  return wordsAmong(numbers.length, (index) => dictionary.texts[numbers[index] as number] as string);
}

/** The named person, else the agent; null for a user without a name, because nothing says who that is. */
function spokenBy({ speaker, role, agentId }: ReadMemory): SpokenBy | null {
  if (speaker !== null) return { name: speaker, isAgent: false };
  return role === 'user' ? null : { name: agentId, isAgent: true };
}
