import { TurnQueue } from '@agent-faculties/service-kit';
import type { EntityLink } from '../domain/cognition/entity-links.ts';
import { readInSteps } from '../domain/concurrency/reading-steps.ts';
import type { Neighbour, Neighbours } from '../domain/contradictions/contradiction-store.ts';
import { type Memory, recallText } from '../domain/memory/memory.ts';
import { isOpen, matches } from '../domain/memory/memory-match.ts';
import type { MemoryFilter, StoredMemory } from '../domain/memory/memory-store.ts';
import { NOBODY, type Viewer } from '../domain/memory/visibility.ts';
import type { Candidate, Retrieved } from '../domain/recall/evidence/evidence.ts';
import type { Circumstance } from '../domain/recall/question/circumstance.ts';
import { ofTermsAlone, type Question } from '../domain/recall/question/question.ts';
import type { RecallStore } from '../domain/recall/recall-store.ts';
import { distinctTermsInSteps } from '../domain/text/words/terms.ts';
import type { EntityIndex } from './entities/entity-index.ts';
import type { EvidenceIndex } from './evidence-index.ts';
import type { FoundEvidence } from './evidence-measure.ts';
import type { Found } from './evidence-search.ts';
import { RowFinder } from './row-finder.ts';
import type { SearchedRecords, SearchedVectors } from './searched-records.ts';
import type { VectorRows } from './vectors/vector-rows.ts';

/** The least number of rows that the vector index is asked for; more do not improve recall: docs/benchmarks/recall.md. */
const VECTOR_CANDIDATES = 200;
/** The most terms of a memory in a search for its neighbours: a sentence or two. */
const NEIGHBOUR_TERMS = 40;
/** Share of the neighbours that are taken by vector; the rest are taken by words. */
const SHARE_BY_VECTOR = 0.7;
/** What so many memories name at most, two of them may speak of together. */
const FEW_MENTIONS = 8;
/** Rows that the vector index is asked for per neighbour, because a long memory has several. */
const ROWS_PER_NEIGHBOUR = 3;

export interface MemorySearchDeps extends SearchedVectors {
  readonly records: SearchedRecords;
  readonly entities: EntityIndex;
  /** Episodic memories, in their threads. */
  readonly said: EvidenceIndex;
  /** Derived memories. */
  readonly derived: EvidenceIndex;
}

type Search = Omit<Parameters<RecallStore['retrieve']>[1], 'markStage' | 'namedKeys' | 'weigh'> & {
  /** Rows asked of the vector index. */
  readonly rows: number;
};

interface Scoring<Chosen, Scored> {
  readonly choose: () => Chosen;
  /** The ordinals of the memories that `score` returns. */
  readonly ordinalsOf: (chosen: Chosen) => readonly number[];
  /** The rows that `score` reads. */
  readonly rowsOf: (chosen: Chosen) => ReadonlySet<number>;
  /** @param rows hold at least the rows of `rowsOf`; absent without vectors */
  readonly score: (chosen: Chosen, rows?: VectorRows) => Scored;
}

/** Finds memories over all indexes: by a question, or by another memory. */
export class MemorySearch {
  readonly #deps: MemorySearchDeps;
  /** One recall a turn: a recall takes about 3 ms of the event loop, its answer included. */
  readonly #turns = new TurnQueue();
  readonly #rowFinder: RowFinder;

  constructor(deps: MemorySearchDeps) {
    this.#deps = deps;
    this.#rowFinder = new RowFinder(deps, this.#turns);
  }

  async retrieve(
    question: Question,
    { markStage, namedKeys, weigh, ...request }: Parameters<RecallStore['retrieve']>[1],
  ): Promise<Retrieved> {
    const { viewer } = request.filter;
    const rows = Math.max(VECTOR_CANDIDATES, 2 * request.limit);
    const { search, found, accepts } = await this.#search(question, { ...request, rows });
    const namedLater = (ordinal: number) => this.#namedLater(ordinal, { viewer, accepts });
    markStage?.('vector_search');
    return await this.#scored({
      choose: () => {
        const entityHits = this.#deps.entities.hits(namedKeys, { viewer, accepts });
        const saidThen = question.circumstance?.isAhead === false ? this.#saidIn(question.circumstance) : [];
        return search.choose(question, { ...found, entityHits, namedLater, saidThen, weigh });
      },
      ordinalsOf: (chosen) => search.ordinalsOf(chosen),
      rowsOf: (chosen) => search.rowsOf(chosen),
      score: (chosen, rows) => this.#retrieved(search.found(chosen, rows)),
    });
  }

  /**
   * Chooses candidates and scores them in the same turn of the event loop. If rows are still to be fetched, or many memories to be
   * unpacked, it does so first, and then chooses again in a later turn, because the store may have changed.
   */
  async #scored<Chosen, Scored>({ choose, ordinalsOf, rowsOf, score }: Scoring<Chosen, Scored>): Promise<Scored> {
    const { vectors, records } = this.#deps;
    const gathered = vectors?.gather();
    for (;;) {
      let missing: number[] = [];
      let packed: readonly number[] = [];
      const scored = await this.#turns.run(() => {
        const chosen = choose();
        const ordinals = ordinalsOf(chosen);
        if (records.unpackMany(ordinals)) {
          packed = ordinals;
          return [];
        }
        if (gathered) missing = gathered.missing(rowsOf(chosen));
        return missing.length === 0 ? [score(chosen, gathered ?? vectors?.held)] : [];
      });
      if (scored.length > 0) return scored[0] as Scored;
      await records.unpacked(packed);
      if (gathered && missing.length > 0) await gathered.fetch(missing);
    }
  }

  /** Ordinals, the newest first. Valid in one turn of the event loop. */
  *#saidIn({ from, until }: Circumstance): Generator<number> {
    const { records } = this.#deps;
    for (const ordinal of records.order.newestBefore(until)) {
      if (records.createdAt(ordinal) < from) return;
      yield ordinal;
    }
  }

  /** Ordinals. Names that many memories have tell nothing of one. */
  #namedLater(
    ordinal: number,
    { viewer, accepts }: { viewer: Viewer; accepts: (ordinal: number) => boolean },
  ): number[] {
    const { entities, records } = this.#deps;
    const saidAt = records.createdAt(ordinal);
    const isLater = (other: number) => records.createdAt(other) > saidAt && accepts(other);
    const rare = entities.keysOf(ordinal).filter((key) => entities.fan(key, viewer) <= FEW_MENTIONS);
    return [...new Set(rare.flatMap((key) => entities.linkedTo(key, isLater, FEW_MENTIONS)))];
  }

  #retrieved({ evidence, laterMentions, likeness, likenesses, cosineWith, ...of }: Found): Retrieved {
    const { records, entities } = this.#deps;
    return {
      ...of,
      candidates: evidence.map((one) => new FoundCandidate(records.at(one.ordinal), one, entities)),
      laterMentions: (candidate) => laterMentions(foundEvidence(candidate)),
      likeness: (a, b) => likeness(foundEvidence(a), foundEvidence(b)),
      likenesses: (candidates) => likenesses(candidates.map(foundEvidence)),
      cosineWith: (vector, candidate) => cosineWith(vector, foundEvidence(candidate)),
    };
  }

  /** The ordinals of the episodic memories that name a time and that a viewer sees. @param term of `day-terms.ts` */
  naming(term: string, viewer: Viewer): number[] {
    return this.#deps.said.holding(term, viewer);
  }

  /** Each of these entities as the caller sees it. */
  linksOf(keys: readonly string[], viewer: Viewer, { newest }: { newest: number }): EntityLink[] {
    const { said, entities } = this.#deps;
    // Only episodic memories are in the entity index.
    const sees = said.seenBy(viewer);
    return keys.map((key) => ({
      fan: entities.fan(key, viewer),
      namedTogether: entities.linkedTo(key, sees, newest).map((ordinal) => entities.keysOf(ordinal)),
    }));
  }

  /** The memories that a question may find, and the rows near its vector. Measures its words while the vector index works. */
  async #search(question: Question, { filter, limit, exceptId, rows, ...asked }: Search) {
    // While vectors are still loaded, words alone answer, as in a space without a model.
    const vector = this.#deps.vectors?.matrix.isWhole ? asked.vector : null;
    const { viewer } = filter;
    if (!isOpen(filter)) await this.#deps.records.unpacked();
    const except = exceptId === null ? undefined : this.#deps.records.ordinalOf(exceptId);
    const isForDerived = filter.kinds?.every((kind) => kind === 'semantic') === true;
    // Each evidence index holds one kind, and checks visibility itself.
    const evidence = isForDerived ? this.#deps.derived : this.#deps.said;
    const isSeen = evidence.seenBy(viewer);
    const fits = isOpen(filter)
      ? () => true
      : (ordinal: number) => matches(this.#deps.records.at(ordinal).memory, filter, this.#deps.records.saidAt);
    const acceptsVisible = (ordinal: number) => ordinal !== except && fits(ordinal);
    const accepts = (ordinal: number) => isSeen(ordinal) && acceptsVisible(ordinal);
    const measureAhead = () => evidence.search.measureAhead(question, viewer);
    const nearest = vector ? this.#rowFinder.nearest(vector, { filter, accepts, rows }) : [];
    // Without a vector search to wait for, the measurement gets its own turn: the first one in a large space takes 20 ms.
    if (vector) measureAhead();
    else await this.#turns.run(measureAhead);
    const vectorRows = await nearest;
    const found = { viewer, vector, vectorRows, limit, accepts: acceptsVisible };
    return { search: evidence.search, found, accepts };
  }

  /** @param vector of the memory itself; null where it has none */
  async neighboursOf(
    memory: Memory,
    { count, vector }: { count: number; vector: Float32Array | null },
  ): Promise<Neighbours> {
    const { records } = this.#deps;
    const { agentId, scope } = memory;
    // A SHARED memory may meet those of every project.
    const project = scope === 'SHARED' ? null : memory.project;
    const viewer = { agentId, project };
    const ownPrivate = { viewer, authorAgentIds: [agentId], scope: 'PRIVATE' } as const;
    const hasPrivate = (records.counts(viewer).get(agentId)?.private ?? 0) > 0;
    const shared = scope === 'PRIVATE' ? { viewer, authorAgentIds: [agentId] } : { viewer: { ...NOBODY, project } };
    return {
      shared: await this.#near(memory, { count, vector, filter: shared }),
      ownPrivate: hasPrivate ? await this.#near(memory, { count, vector, filter: ownPrivate }) : [],
    };
  }

  /** What is nearest to a memory by vector or by words, best first. */
  async #near(
    memory: Memory,
    { count, vector, filter }: { count: number; vector: Float32Array | null; filter: MemoryFilter },
  ): Promise<Neighbour[]> {
    const text = recallText(memory);
    const terms = await readInSteps(text, distinctTermsInSteps(text, { most: NEIGHBOUR_TERMS }));
    const question = ofTermsAlone(text, terms);
    const rows = ROWS_PER_NEIGHBOUR * count;
    const { search, found } = await this.#search(question, {
      vector,
      filter,
      limit: count,
      exceptId: memory.id,
      rows,
    });
    const candidates = await this.#scored({
      choose: () => search.chooseAlone(question, found),
      ordinalsOf: (chosen) => search.ordinalsOf(chosen),
      rowsOf: (chosen) => search.rowsAlone(chosen),
      score: (chosen, fetched) => search.closest(chosen, fetched),
    });
    const byWords = candidates.toSorted((x, y) => y.turn - x.turn);
    const byMeaning = vector ? candidates.toSorted((x, y) => y.cosine - x.cosine) : byWords;
    const best = new Set([...byMeaning.slice(0, Math.ceil(count * SHARE_BY_VECTOR)), ...byWords.slice(0, count)]);
    return [...best].slice(0, count).flatMap(({ ordinal, cosine }) => {
      return this.#deps.records.has(ordinal) ? [{ memory: this.#deps.records.at(ordinal).memory, cosine }] : [];
    });
  }
}

/** Most candidates are never asked what they name. */
class FoundCandidate implements Candidate {
  readonly stored: StoredMemory;
  readonly evidence: FoundEvidence;
  readonly #entities: EntityIndex;

  constructor(stored: StoredMemory, evidence: FoundEvidence, entities: EntityIndex) {
    this.stored = stored;
    this.evidence = evidence;
    this.#entities = entities;
  }

  get entityKeys(): readonly string[] {
    return this.#entities.keysOf(this.evidence.ordinal);
  }
}

/** The evidence of a candidate that this search has made, with the places of its memory. */
function foundEvidence({ evidence }: Candidate): FoundEvidence {
  return evidence as FoundEvidence;
}
