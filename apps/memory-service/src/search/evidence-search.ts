import type { Viewer } from '../domain/memory/visibility.ts';
import type { LaterMention, Retrieved, Weigh } from '../domain/recall/evidence/evidence.ts';
import { fitsCircumstance } from '../domain/recall/question/circumstance.ts';
import type { Question } from '../domain/recall/question/question.ts';
import { CandidateSet } from './candidate-set.ts';
import { NONE, OF_USER, type SlotTable } from './columns/slot-table.ts';
import { TopRows } from './columns/top-rows.ts';
import { DaysNamed } from './days-named.ts';
import type { SpeakerRegistry } from './entities/speaker-registry.ts';
import {
  EvidenceMeasure,
  type FoundEvidence,
  type NamedSpeaker,
  questionBefore,
  speakerFits,
} from './evidence-measure.ts';
import { LaterMentions, type SharedWith } from './later-mentions.ts';
import type { LexicalIndex } from './lexical/lexical-index.ts';
import type { ReadingLog } from './lexical/reading-log.ts';
import { WordShares } from './lexical/word-shares.ts';
import type { Partitions, Sight } from './partitions.ts';
import { promising } from './promising.ts';
import type { ThreadIndex, ThreadNumbers, Views } from './threads/thread-index.ts';
import { cosinesAmong } from './vectors/cosines-among.ts';
import { VectorEvidence } from './vectors/vector-evidence.ts';
import type { VectorRows } from './vectors/vector-rows.ts';

/** The candidates for a question, with their evidence. */
export interface Found
  extends Omit<Retrieved, 'candidates' | 'laterMentions' | 'likeness' | 'likenesses' | 'cosineWith'> {
  /** In no order. */
  readonly evidence: readonly FoundEvidence[];
  /** What takes up what a memory tells, of the evidence. */
  laterMentions(of: FoundEvidence): readonly LaterMention[];
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
  /** Rows that the vector index found nearest, the nearest first; may hold rows of others' private memories or dead ones. */
  readonly vectorRows: ArrayLike<number>;
  /** From the entity index: ordinal to 0..1. */
  readonly entityHits: ReadonlyMap<number, number>;
  /** The ordinals of what was said after a memory and names something that it names and few memories do; absent: nothing is. */
  readonly namedLater?: (ordinal: number) => readonly number[];
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

type AloneRequest = Omit<FindRequest, 'entityHits' | 'namedLater' | 'saidThen' | 'weigh'>;

/** The most candidates from the entity index. They hold the words of the question too, so the lexical index finds the best of them. */
const ENTITY_CANDIDATES = 100;
/** For a question without a subject: the most candidates from its time, and the most memories to look at for them, which takes 1 ms. */
const SAID_THEN = { taken: 100, lookedAt: 10_000 };

/** What an `EvidenceIndex` keeps in step, and this searches. */
interface SearchedParts {
  readonly slots: SlotTable;
  readonly threads: ThreadNumbers;
  readonly partitions: Partitions;
  readonly views: Views;
  readonly lexical: LexicalIndex;
  readonly readings: ReadingLog;
  readonly speakers: SpeakerRegistry;
  /** Null without an embedding model. */
  readonly rows: VectorRows | null;
}

/** Chooses the candidates for a question and measures the evidence of each. */
export class EvidenceSearch {
  readonly #slots: SlotTable;
  readonly #threads: ThreadNumbers;
  readonly #partitions: Partitions;
  readonly #views: Views;
  readonly #speakers: SpeakerRegistry;
  readonly #rows: VectorRows | null;
  readonly #words: WordShares;
  readonly #measure: EvidenceMeasure;
  readonly #candidates: CandidateSet;
  readonly #days: DaysNamed;
  readonly #mentions: LaterMentions;
  readonly #vectors: VectorEvidence | null;
  /** The question that the word shares are measured for; null after any change of the store. */
  #measured: Question | null = null;
  /** The question that was last measured ahead; null after any change and any other question. */
  #announced: Question | null = null;
  /** Whether the last question that was announced came before any change, so that it is worth while to measure ahead again. */
  #isCalm = true;

  constructor({ slots, threads, partitions, views, lexical, readings, speakers, rows }: SearchedParts) {
    this.#slots = slots;
    this.#threads = threads;
    this.#partitions = partitions;
    this.#views = views;
    this.#speakers = speakers;
    this.#rows = rows;
    this.#words = new WordShares(slots, lexical, views);
    this.#days = new DaysNamed({ slots, lexical });
    this.#measure = new EvidenceMeasure({
      slots,
      words: this.#words,
      days: this.#days,
      numberOf: (term) => lexical.numberOf(term),
      termsOf: (ordinal) => readings.termsOf(ordinal),
    });
    this.#candidates = new CandidateSet(slots);
    this.#mentions = new LaterMentions({ slots, lexical, readings });
    this.#vectors = rows && new VectorEvidence(slots, rows);
  }

  /** What was measured holds no more: a memory comes or goes. */
  forgetMeasured(): void {
    this.#measured = null;
    this.#announced = null;
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
    const { accepts = () => true } = request;
    const slots = this.#candidates.choose({
      sight,
      words: this.#words,
      views: this.#views,
      rowSlots: Array.from(request.vectorRows, (row) => this.#slots.slotHolding(row)),
      entitySlots: this.#bestLinked(request.entityHits),
      saidThen: [
        ...this.#saidThen(question, request, sight),
        ...this.#days.newest({ days: question.days, sight }, { accepts, most: SAID_THEN.taken }),
      ],
      laterMentions: (slot) => [...this.#laterMentions(slot, request, sight).keys()],
      accepts,
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
    const after = ({ ordinal }: FoundEvidence) => {
      const slot = this.#slots.slotOf(ordinal);
      return slots.indexOf(this.#viewOf(slot, sight).next[slot] as number);
    };
    const mentioning = ({ ordinal }: FoundEvidence) => {
      const later = this.#laterMentions(this.#slots.slotOf(ordinal), request, sight);
      return Array.from(later.keys(), (slot) => slots.indexOf(slot));
    };
    const { evidence, leftOut } = promising(most, { exactly, after, mentioning }, request.weigh?.(about));
    const laterMentions = this.#laterAmong(evidence, request);
    return { evidence, leftOut, ...about, laterMentions, ...cosinesOf(vectors && rows) };
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

  #measureWords(question: Question, sight: Sight): void {
    this.#measured = null;
    this.#words.measure(question.terms, sight, this.#threads.count);
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
        isOfUser: ((this.#slots.flags[slot] as number) & OF_USER) !== 0,
        speaker: speakerFits(this.#slots, slot, named),
        namesDay: false,
      };
      if (fitsCircumstance(circumstance, said) === true && accepts(ordinal)) found.push(slot);
    }
    return found;
  }

  #laterMentions(slot: number, { namedLater, accepts }: FindRequest, sight: Sight): ReadonlyMap<number, SharedWith> {
    if (slot === NONE) return new Map();
    return this.#mentions.of(slot, { sight, namedLater: namedLater ?? (() => []), accepts: accepts ?? (() => true) });
  }

  /**
   * What takes up what one of these tells, of these. A function made in `found` would keep what that measured of all candidates until
   * the recall ends, and longer where a promise that waited for its turn has become old.
   */
  #laterAmong(evidence: readonly FoundEvidence[], request: FindRequest): Found['laterMentions'] {
    return ({ ordinal }) => {
      // It is asked for in a later turn: a partition that was added since is not in the sight of this one.
      const sightThen = this.#partitions.sightOf(request.viewer);
      const later = this.#laterMentions(this.#slots.slotOf(ordinal), request, sightThen);
      if (later.size === 0) return [];
      return evidence.flatMap((one, index) => {
        const shared = later.get(this.#slots.slotOf(one.ordinal));
        return shared ? { index, ...shared } : [];
      });
    };
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
}

/** @param rows null: nothing has a vector */
function cosinesOf(rows: VectorRows | null): Pick<Found, 'likeness' | 'likenesses' | 'cosineWith'> {
  return {
    likeness: (a, b) => (rows && a.row !== NONE && b.row !== NONE ? rows.dotRows(a.row, b.row) : 0),
    likenesses: (of) => {
      const firstRows = Int32Array.from(of, ({ row }) => row);
      return rows ? cosinesAmong(firstRows, rows) : new Float64Array(of.length ** 2);
    },
    cosineWith: (vector, { row, rows: chunks }) => {
      let best = 0;
      if (rows && row !== NONE)
        for (let chunk = 0; chunk < chunks; chunk++) best = Math.max(best, rows.dot(vector, row + chunk));
      return best;
    },
  };
}
