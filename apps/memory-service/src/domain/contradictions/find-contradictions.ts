import { setImmediate as nextTurn } from 'node:timers/promises';
import { EmbeddingFailedError, type PairScorer } from '@agent-faculties/embeddings';
import { atOnce, type BackgroundAudit, type Clock, type Logger, type Steps } from '@agent-faculties/service-kit';
import { KeyedLock } from '../concurrency/keyed-lock.ts';
import { readingStep } from '../concurrency/reading-steps.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import { type Overlap, overlapOf, unlikeTerms } from './clash.ts';
import { type Contradiction, contradictionId, inOrder, isComparable, mayBeCompared } from './contradiction.ts';
import type { ContradictionStore, Neighbour, Neighbours } from './contradiction-store.ts';
import { canReach, type Judgement, judge, type Pairing, pairingOf } from './judge.ts';
import { type Statement, statementsOf } from './statements/statement.ts';

export interface FinderDeps {
  readonly store: ContradictionStore;
  /** The pair model; null: the rules alone decide. */
  readonly scorer: PairScorer | null;
  /** Another model that has to confirm a finding; null: none. */
  readonly confirmer: PairScorer | null;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: BackgroundAudit;
}

/** Names the rules as the scorer; it changes when a change of the rules makes old scores wrong. */
const RULES_ID = 'rules-1';
/** The least score of a finding, whatever the threshold of a request. */
const LEAST_SCORE = 0.3;

/** A finding to which the confirming model gives a smaller probability gets a score below the default threshold; a request may still ask for it. */
const CONFIRMED_FROM = 0.5;
const UNCONFIRMED_SCORE = 0.45;

/** The number of neighbours of a new memory; in conversations the right one was among the first five. */
const NEIGHBOURS = 20;
/** The most pairs that the model scores for one memory, most promising first: two on average, 150 ms at most. */
const SCORED_WITH_OTHERS = 3;
const SCORED_WITH_ITSELF = 1;
/** The memories of a slice, which is one line of the journal. */
const SLICE = 8;
/** The pairs of words that are read in one turn of the event loop: a few ms. */
const WORD_PAIRS_PER_TURN = 50_000;
/** The number of other texts of one form that makes a series: so many agents seldom disagree about one thing. */
const SERIES_FROM = 5;
/** The most words in which two texts of one form differ, apart from values, and the least that they share. */
const FORM = { unlike: 2, shared: 3 };
const STATEMENTS_REMEMBERED = 5_000;

/** A pair that the model may score. */
interface Candidate {
  readonly other: Memory;
  readonly pairing: Pairing;
  /** The order in which the model scores pairs, highest first. */
  readonly promise: number;
}

interface Judged extends Candidate {
  readonly judgement: Judgement;
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
  /** The statements of memories by id, with the text that they were read from. */
  readonly #statements = new Map<string, { readonly text: string; readonly statements: readonly Statement[] }>();

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
    const { store } = this.#deps;
    const memory = waiting[at];
    if (!memory || !isComparable(memory)) return [];
    const earlier = new Set(waiting.slice(0, at).map(({ id }) => id));
    const neighbours = await store.neighboursOf(memory, NEIGHBOURS);
    const others = [...neighbours.shared, ...neighbours.ownPrivate].map((neighbour) => neighbour.memory);
    const waitingNear = await store.waitingAmong(others.map(({ id }) => id));
    const isReady = ({ memory: other }: Neighbour) =>
      isComparable(other) && mayBeCompared(memory, other) && (!waitingNear.has(other.id) || earlier.has(other.id));
    for (const near of [memory, ...others]) {
      await readingStep(recallText(near), () => this.#read(near));
    }
    return await this.#candidates(memory, neighbours, isReady);
  }

  async #compare(memory: Memory, candidates: readonly Candidate[]): Promise<Finding[]> {
    const probabilities = await this.#probabilities(this.#deps.scorer, candidates);
    const judged = candidates.map((candidate, index) => ({
      ...candidate,
      judgement: judge(candidate.pairing, probabilities?.[index] ?? null),
    }));
    const confirmed = await this.#confirmed(judged.filter(({ judgement: { score } }) => score >= LEAST_SCORE));
    return confirmed.map((candidate) => ({
      other: candidate.other,
      contradiction: this.#contradictionOf(memory, candidate),
    }));
  }

  /** The findings, with a lower score for those that the confirming model does not confirm. */
  async #confirmed(judged: readonly Judged[]): Promise<readonly Judged[]> {
    const probabilities = await this.#probabilities(this.#deps.confirmer, judged);
    if (probabilities === null) return judged;
    return judged.map(({ judgement, ...candidate }, index) => {
      const isConfirmed = (probabilities[index] as number) >= CONFIRMED_FROM;
      const score = isConfirmed ? judgement.score : Math.min(judgement.score, UNCONFIRMED_SCORE);
      return { ...candidate, judgement: { ...judgement, score } };
    });
  }

  /** The most promising pairs, chosen separately among other agents, this agent, and its PRIVATE memories. */
  async #candidates(
    memory: Memory,
    { shared, ownPrivate }: Neighbours,
    isReady: (neighbour: Neighbour) => boolean,
  ): Promise<Candidate[]> {
    const isOwn = ({ memory: other }: Neighbour) => other.agentId === memory.agentId;
    const ready = shared.filter(isReady);
    const isOneOfSeries = this.#isOneOfSeries(memory, shared);
    const isOneOfOwn = isOneOfSeries || this.#isOneOfSeries(memory, [...shared, ...ownPrivate]);
    const groups = [
      { neighbours: ready.filter((neighbour) => !isOwn(neighbour)), most: SCORED_WITH_OTHERS, isOneOfSeries },
      { neighbours: ready.filter(isOwn), most: SCORED_WITH_ITSELF, isOneOfSeries },
      { neighbours: ownPrivate.filter(isReady), most: SCORED_WITH_ITSELF, isOneOfSeries: isOneOfOwn },
    ];
    const candidates: Candidate[] = [];
    for (const { neighbours, most, isOneOfSeries: isSeries } of groups) {
      const promising = (await this.#mostPromising(memory, neighbours)).slice(0, most);
      candidates.push(...(isSeries ? promising.map(asOneOfSeries) : promising).filter(this.#isWorthScoring));
    }
    return candidates;
  }

  /** Whether a pair can become a finding; if not, the model need not score it. */
  readonly #isWorthScoring = ({ pairing }: Candidate): boolean =>
    this.#deps.scorer === null || canReach(pairing, LEAST_SCORE);

  async #mostPromising(memory: Memory, neighbours: readonly Neighbour[]): Promise<Candidate[]> {
    const own = this.#read(memory);
    const candidates: Candidate[] = [];
    let read = 0;
    for (const { memory: other, cosine } of neighbours) {
      const [first, second] = inOrder(memory, other);
      const steps = bestPairingInSteps(this.#read(first), this.#read(second), cosine);
      let step = steps.next();
      for (; !step.done; step = steps.next()) await nextTurn();
      if (step.value) candidates.push({ other, ...step.value });
      read += wordsIn(own) * wordsIn(this.#read(other));
      if (read < WORD_PAIRS_PER_TURN) continue;
      read = 0;
      await nextTurn();
    }
    return candidates.sort((x, y) => y.promise - x.promise);
  }

  /** Whether a memory is one of a series that fills in the same form: such memories are about different cases. */
  #isOneOfSeries(memory: Memory, neighbours: readonly Neighbour[]): boolean {
    const [own, ...more] = this.#read(memory);
    if (!own || more.length > 0) return false;
    const texts = new Set(
      neighbours.flatMap(({ memory: other }) => {
        const [theirs, ...rest] = this.#read(other);
        return theirs && rest.length === 0 && haveOneForm(own, theirs) ? [theirs.text] : [];
      }),
    );
    texts.delete(own.text);
    return texts.size >= SERIES_FROM;
  }

  /** The probabilities of pairs; null where there is no model, or it fails on these texts. */
  async #probabilities(scorer: PairScorer | null, candidates: readonly Candidate[]): Promise<Float32Array | null> {
    if (scorer === null || candidates.length === 0) return null;
    try {
      return await scorer.score(candidates.map(({ pairing: { a, b } }) => [a.text, b.text] as const));
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
    };
  }

  #read(memory: Memory): readonly Statement[] {
    const text = recallText(memory);
    const known = this.#statements.get(memory.id);
    if (known?.text === text) return known.statements;
    const statements = statementsOf(text, memory);
    if (this.#statements.size >= STATEMENTS_REMEMBERED) this.#statements.clear();
    this.#statements.set(memory.id, { text, statements });
    return statements;
  }
}

/**
 * The two statements of two memories that most likely have one subject; null when no two do.
 * @param cosine of the memories; 0 where there are no vectors
 */
export function bestPairing(
  first: readonly Statement[],
  second: readonly Statement[],
  cosine: number,
): PromisingPairing | null {
  return atOnce(bestPairingInSteps(first, second, cosine));
}

interface PromisingPairing {
  readonly pairing: Pairing;
  readonly promise: number;
}

function* bestPairingInSteps(
  first: readonly Statement[],
  second: readonly Statement[],
  cosine: number,
): Steps<PromisingPairing | null> {
  let best: PromisingPairing | null = null;
  let read = 0;
  for (const a of first) {
    for (const b of second) {
      read += a.words.length * b.words.length;
      if (read >= WORD_PAIRS_PER_TURN) {
        yield;
        read = 0;
      }
      if (a.text === b.text) continue;
      const overlap = overlapOf(a, b);
      const likeness = likenessOf(overlap, cosine);
      if (likeness < LEAST_LIKENESS) continue;
      const pairing = pairingOf(a, b, overlap);
      const promise = likeness + 0.2 * (pairing.clash?.strength ?? 0) - 0.1 * pairing.vetoes.length;
      if (promise > (best?.promise ?? Number.NEGATIVE_INFINITY)) best = { pairing, promise };
    }
  }
  return best;
}

function wordsIn(statements: readonly Statement[]): number {
  return statements.reduce((sum, { words }) => sum + words.length, 0);
}

/** The least likelihood of a common subject; nine of ten labelled contradictions reach it, also those in long messages. */
const LEAST_LIKENESS = 0.55;
/** The cosine that is assumed for two memories that were found by words, without vectors. */
const USUAL_COSINE = 0.45;

/** How likely two statements have one subject; 0 without any evidence. */
function likenessOf({ shared, share, isAnchored }: Overlap, cosine: number): number {
  const isMostShared = share >= (isAnchored ? SHARED_WITH_NAME : SHARED_OF_FEW);
  if (shared.length < LEAST_SHARED && !isMostShared) return 0;
  return (cosine === 0 ? USUAL_COSINE : cosine) + 0.5 * Math.min(1, share);
}

/** The least overlap that may be a common subject; one common word seldom is one, unless it is most of a statement. */
const LEAST_SHARED = 2;
const SHARED_WITH_NAME = 0.3;
const SHARED_OF_FEW = 0.5;

function asOneOfSeries(candidate: Candidate): Candidate {
  const { pairing } = candidate;
  return { ...candidate, pairing: { ...pairing, vetoes: [...pairing.vetoes, 'series'] } };
}

function haveOneForm(a: Statement, b: Statement): boolean {
  const isAlike = unlikeTerms(a, b) <= FORM.unlike && unlikeTerms(b, a) <= FORM.unlike;
  return isAlike && overlapOf(a, b).shared.length >= FORM.shared;
}
