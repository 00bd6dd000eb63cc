import { setImmediate as nextTurn } from 'node:timers/promises';
import { EmbeddingFailedError, type PairScorer } from '@agent-faculties/embeddings';
import type { BackgroundAudit, Clock, Logger } from '@agent-faculties/service-kit';
import { KeyedLock } from '../concurrency/keyed-lock.ts';
import type { MemoryHistory } from '../memory/history.ts';
import type { Memory } from '../memory/memory.ts';
import { holdTogether } from '../memory/validity.ts';
import {
  areIndependent,
  type Contradiction,
  contradictionId,
  inOrder,
  isComparable,
  mayBeCompared,
} from './contradiction.ts';
import type { ContradictionStore, Neighbour, Neighbours } from './contradiction-store.ts';
import { dismissedBefore } from './dismissed-before.ts';
import { asOneOfCrowd } from './pairs/crowded.ts';
import { canReach, type Judgement, judge } from './pairs/judge.ts';
import { mostPromising } from './pairs/promising-pairs.ts';
import { asOneOfSeries, type Series, seriesOf } from './pairs/series.ts';
import type { StatementPair } from './pairs/statement-pair.ts';
import { LEAST_SCORE, UNCONFIRMED_SCORE } from './pairs/thresholds.ts';
import { isSameVoice } from './same-voice.ts';
import { StatementReader } from './statement-reader.ts';

export interface FinderDeps {
  readonly store: ContradictionStore;
  /** null: none is kept. */
  readonly history: MemoryHistory | null;
  /** The pair model; null: the rules alone decide. */
  readonly scorer: PairScorer | null;
  /** Another model that has to confirm a finding; null: none. */
  readonly confirmer: PairScorer | null;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: BackgroundAudit;
}

/** Names the rules as the scorer; it changes when a change of the rules makes old scores wrong. */
const RULES_ID = 'rules-23';

/** A finding to which the confirming model gives a smaller probability has UNCONFIRMED_SCORE at most. */
const CONFIRMED_FROM = 0.5;

/** The number of neighbours of a new memory; in conversations the right one was among the first five. */
const NEIGHBOURS = 20;
/** The most pairs that the model scores for one memory, most promising first: two on average, 150 ms at most. */
const SCORED_WITH_OTHERS = 3;
const SCORED_WITH_ITSELF = 1;
/** The memories of a slice, which is one line of the journal. */
const SLICE = 8;
/** Neighbours in which a form is looked for before a report. A form that is filled in for many things seldom shows among 20 neighbours. */
const NEIGHBOURS_OF_FINDING = 100;

/** A memory that may contradict another one. */
interface Candidate {
  readonly other: Memory;
  /** The whole memories, and their likeliest claims. The pair with the highest score becomes the finding. */
  readonly pairs: readonly StatementPair[];
}

interface Judged {
  readonly other: Memory;
  readonly pair: StatementPair;
  readonly judgement: Judgement;
}

/** A pair with what the model says of it; null without a model. */
interface ScoredPair extends Pick<Judged, 'other' | 'pair'> {
  readonly probability: number | null;
}

/** A memory among many others near it. */
interface LongSeries {
  readonly series: Series;
  readonly others: readonly Memory[];
}

interface Finding {
  /** The memory as it was read. */
  readonly other: Memory;
  readonly contradiction: Contradiction;
}

/** Compares memories that were not compared yet, slice by slice. Concurrent calls share the work. */
export class ContradictionFinder {
  readonly #deps: FinderDeps;
  readonly #lock = new KeyedLock();
  readonly #statements = new StatementReader();

  constructor(deps: FinderDeps) {
    this.#deps = deps;
  }

  /** Id of the pair model; null: the rules alone decide. */
  get modelId(): string | null {
    return this.#deps.scorer?.modelId ?? null;
  }

  /** Whether all models are ready. */
  isReady(): boolean {
    const { scorer, confirmer } = this.#deps;
    return [scorer, confirmer].every((model) => model?.isReady() ?? true);
  }

  /** Names the current scorer. */
  get by(): string {
    const { scorer, confirmer } = this.#deps;
    return [RULES_ID, ...[scorer, confirmer].flatMap((model) => model?.modelId ?? [])].join('+');
  }

  /**
   * Compares waiting memories until none waits or `stopped` returns true; it is called between memories.
   * @param rest awaited between memories
   * @throws EmbedderBusyError, EmbedderStoppedError, EmbeddingFailedError when the model fails; the memories wait on
   */
  async findContradictions(
    stopped: () => boolean,
    rest: () => Promise<void> = nextTurn,
  ): Promise<{ readonly compared: number; readonly found: number }> {
    let compared = 0;
    let found = 0;
    while (!stopped()) {
      const slice = await this.#lock.run('slice', () => this.#compareSlice(stopped, rest));
      if (slice.compared === 0) break;
      compared += slice.compared;
      found += slice.found;
    }
    return { compared, found };
  }

  async #compareSlice(stopped: () => boolean, rest: () => Promise<void>): Promise<{ compared: number; found: number }> {
    const { store, audit } = this.#deps;
    const compared: Memory[] = [];
    const found: Contradiction[] = [];
    const read = new Map<string, Memory>();
    const waiting = await store.waitingMemories(SLICE);
    let next = this.#candidatesAt(0, waiting);
    for (const [at, memory] of waiting.entries()) {
      if (at > 0 && stopped()) break;
      const candidates = await next;
      // The pairs of the next memory are collected while the model, in its own thread, scores those of this one.
      next = this.#candidatesAt(at + 1, waiting);
      next.catch(() => {});
      for (const { other, contradiction } of await this.#compare(memory, candidates)) {
        found.push(contradiction);
        read.set(other.id, other);
      }
      compared.push(memory);
      read.set(memory.id, memory);
      await rest();
    }
    const note = { by: this.by, memories: compared, read: [...read.values()], found };
    if (compared.length > 0) {
      await audit('compare', async (recordWrite) => {
        await store.noteCompared(note);
        recordWrite(
          'contradictions',
          found.map(({ id }) => id),
        );
      });
    }
    return { compared: compared.length, found: found.length };
  }

  /** The pairs of a memory; a pair of two waiting memories is left to the later one. */
  async #candidatesAt(at: number, waiting: readonly Memory[]): Promise<Candidate[]> {
    const { store, clock } = this.#deps;
    const memory = waiting[at];
    if (!memory || !isComparable(memory)) return [];
    const earlier = new Set(waiting.slice(0, at).map(({ id }) => id));
    const neighbours = await store.neighboursOf(memory, NEIGHBOURS);
    const others = [...neighbours.shared, ...neighbours.ownPrivate].map((neighbour) => neighbour.memory);
    const waitingNear = await store.waitingAmong(others.map(({ id }) => id));
    const now = clock.now();
    const isReady = ({ memory: other }: Neighbour) =>
      isComparable(other) &&
      holdTogether(memory, other, now) &&
      mayBeCompared(memory, other) &&
      areIndependent(memory, other) &&
      (!waitingNear.has(other.id) || earlier.has(other.id));
    for (const near of [memory, ...others]) {
      await this.#statements.readAhead(near);
    }
    return await this.#candidates(memory, neighbours, isReady);
  }

  async #compare(memory: Memory, candidates: readonly Candidate[]): Promise<Finding[]> {
    const pairs = candidates.flatMap((candidate) => candidate.pairs.map((pair) => ({ other: candidate.other, pair })));
    const probabilities = await this.#probabilities(this.#deps.scorer, pairs);
    const read = pairs.map((pair, index) => ({ ...pair, probability: probabilities?.[index] ?? null }));
    const confirmed = await this.#confirmed(await this.#surestOf(memory, read));
    const findings: Finding[] = [];
    for (const judged of confirmed) {
      const contradiction = this.#contradictionOf(memory, judged);
      const decision = await dismissedBefore(this.#deps, contradiction, [memory, judged.other]);
      findings.push({ other: judged.other, contradiction: { ...contradiction, decision } });
    }
    return findings;
  }

  /** For each memory that may be a finding, the surest pair of statements; less sure where either memory is one of a series. */
  async #surestOf(memory: Memory, read: readonly ScoredPair[]): Promise<readonly Judged[]> {
    const found = surestIn(read);
    if (found.length === 0) return found;
    const own = await this.#longSeriesOf(memory);
    const longSeries = new Map<Memory, LongSeries>();
    for (const { other } of found) longSeries.set(other, own.series.kind ? own : await this.#longSeriesOf(other));
    return surestIn(
      read.map(({ other, pair, probability }) => {
        const { series, others } = longSeries.get(other) ?? own;
        const beside = others.filter(({ id }) => id !== memory.id && id !== other.id);
        const near = beside.flatMap((one) => this.#statements.of(one));
        return { other, probability, pair: asOneOfCrowd(asOneOfSeries(pair, series), near) };
      }),
    );
  }

  async #longSeriesOf(memory: Memory): Promise<LongSeries> {
    const { shared } = await this.#deps.store.neighboursOf(memory, NEIGHBOURS_OF_FINDING);
    const others = shared.map((neighbour) => neighbour.memory);
    for (const other of others) await this.#statements.readAhead(other);
    return { series: this.#seriesOf(memory, shared), others };
  }

  /** The findings, with a lower score for those that the confirming model does not confirm. */
  async #confirmed(judged: readonly Judged[]): Promise<readonly Judged[]> {
    const probabilities = await this.#probabilities(this.#deps.confirmer, judged);
    if (probabilities === null) return judged;
    return judged.map(({ judgement, ...found }, index) => {
      const isConfirmed = (probabilities[index] as number) >= CONFIRMED_FROM;
      const score = isConfirmed ? judgement.score : Math.min(judgement.score, UNCONFIRMED_SCORE);
      return { ...found, judgement: { ...judgement, score } };
    });
  }

  /** The most promising pairs, chosen separately among what others said, what this speaker said, and the agent's PRIVATE memories. */
  async #candidates(
    memory: Memory,
    { shared, ownPrivate }: Neighbours,
    isReady: (neighbour: Neighbour) => boolean,
  ): Promise<Candidate[]> {
    const isOwn = ({ memory: other }: Neighbour) => isSameVoice(other, memory);
    const ready = shared.filter(isReady);
    const series = this.#seriesOf(memory, shared);
    const ownSeries = series.kind ? series : this.#seriesOf(memory, [...shared, ...ownPrivate]);
    const groups = [
      { neighbours: ready.filter((neighbour) => !isOwn(neighbour)), most: SCORED_WITH_OTHERS, series },
      { neighbours: ready.filter(isOwn), most: SCORED_WITH_ITSELF, series },
      { neighbours: ownPrivate.filter(isReady), most: SCORED_WITH_ITSELF, series: ownSeries },
    ];
    const candidates: Candidate[] = [];
    for (const { neighbours, most, series } of groups) {
      for (const { other, pairs } of await this.#mostPromising(memory, neighbours, most)) {
        const judged = pairs.map((pair) => asOneOfSeries(pair, series));
        candidates.push({ other, pairs: judged.filter(this.#isWorthy) });
      }
    }
    return candidates;
  }

  /** Whether the model is asked about a pair: only if its answer can make it a finding. */
  readonly #isWorthy = (pair: StatementPair) => this.#deps.scorer === null || canReach(pair, LEAST_SCORE);

  async #mostPromising(memory: Memory, neighbours: readonly Neighbour[], most: number): Promise<Candidate[]> {
    const memories = neighbours.map(({ memory: other, cosine }) => {
      const [first, second] = inOrder(memory, other);
      return { of: other, first: this.#statements.of(first), second: this.#statements.of(second), cosine };
    });
    const steps = mostPromising(memories, most);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await nextTurn();
    return step.value.map(({ of: other, pairs }) => ({ other, pairs: pairs.map(({ pair }) => pair) }));
  }

  #seriesOf(memory: Memory, neighbours: readonly Neighbour[]): Series {
    return seriesOf(
      this.#statements.of(memory),
      neighbours.map((neighbour) => this.#statements.of(neighbour.memory)),
    );
  }

  /** null where there is no model, or it fails on these texts. */
  async #probabilities(
    scorer: PairScorer | null,
    pairs: readonly Pick<Judged, 'pair'>[],
  ): Promise<Float32Array | null> {
    if (scorer === null || pairs.length === 0) return null;
    try {
      return await scorer.score(pairs.map(({ pair: { a, b } }) => [a.text, b.text] as const));
    } catch (error) {
      // A stopped worker comes back, so the pairs are tried again; texts on which the model fails are not.
      if (!(error instanceof EmbeddingFailedError) || !scorer.isReady()) throw error;
      this.#deps.log.warn({ err: error }, `a memory was compared without ${scorer.modelId}: the model failed on it`);
      return null;
    }
  }

  #contradictionOf(memory: Memory, { other, judgement }: Judged): Contradiction {
    const [first, second] = inOrder(memory, other);
    return {
      ...judgement,
      id: contradictionId(first.id, second.id),
      a: first.id,
      b: second.id,
      by: this.by,
      foundAt: Math.floor(this.#deps.clock.now()),
      decision: null,
      opinion: null,
    };
  }
}

function surestIn(read: readonly ScoredPair[]): Judged[] {
  const surest = new Map<string, Judged>();
  for (const { other, pair, probability } of read) {
    const judgement = judge(pair, probability);
    if (judgement.score < LEAST_SCORE || judgement.score <= (surest.get(other.id)?.judgement.score ?? 0)) continue;
    surest.set(other.id, { other, pair, judgement });
  }
  return [...surest.values()];
}
