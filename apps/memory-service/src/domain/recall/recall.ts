import type { Caller } from '@agent-faculties/agent-identity';
import type { Clock } from '@agent-faculties/service-kit';
import type { ProcessState } from '../cognition/process-state.ts';
import { retention, strengthened } from '../cognition/retention.ts';
import { asQuestion, readInSteps } from '../concurrency/reading-steps.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import { type Disagreement, openDisagreements } from '../contradictions/list-contradictions.ts';
import type { TextEmbedding } from '../embedding/text-embedding.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import { matches } from '../memory/memory-match.ts';
import type { MemoryFilter, MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { byTime } from '../memory/said-before.ts';
import type { RecallStage, StartStageTimer } from '../memory/stage-timer.ts';
import { isVisibleTo, viewerOf } from '../memory/visibility.ts';
import { toldIn } from '../text/semantic-gist.ts';
import { isQuestion } from '../text/text-marks.ts';
import { asRelevantSuccessors } from './as-relevant-successors.ts';
import { behindSuccessors } from './behind-successors.ts';
import { behindWhatHolds } from './behind-what-holds.ts';
import { boosted, boostsFor, withinReach } from './boosts.ts';
import { byCircumstance, misfits } from './circumstance.ts';
import { type ContextForm, contextBlock, type Told } from './context-block.ts';
import type { Candidate, Retrieved } from './evidence.ts';
import { FUSION_WEIGHTS, fuse, scorer, shownScore } from './fusion.ts';
import { newerFirst, type Placed, type Ranked } from './newer-statement.ts';
import { type Question, readQuestionInSteps } from './question.ts';
import type { ReadText } from './read-text.ts';
import type { RecallStore } from './recall-store.ts';
import { type Relevance, relevanceJudge } from './relevance.ts';
import { replyLifts } from './reply-lifts.ts';
import { respelt } from './spelling.ts';
import { withStandIns } from './stand-in.ts';
import { type Why, whyOf } from './why.ts';
import { withSuccessors } from './with-successors.ts';

export interface RecallDeps extends Pick<ProcessState, 'workingMemory' | 'priming'> {
  readonly clock: Clock;
  readonly store: MemoryStore & RecallStore & Pick<ContradictionStore, 'contradictionsOf'>;
  readonly embedding: TextEmbedding;
  readonly recallTimer?: StartStageTimer<RecallStage>;
}

export interface RecallRequest {
  readonly query: string;
  /** 1..100 */
  readonly topK: number;
  /** 0..1 */
  readonly minScore: number;
  readonly filter: Omit<MemoryFilter, 'viewer' | 'sessionId'>;
  /** What "yesterday" refers to, epoch milliseconds; null: the present */
  readonly nowMs: number | null;
  readonly explain: boolean;
  /** false leaves counters and activations unchanged. */
  readonly strengthen: boolean;
  readonly context: ContextForm;
  /** The id of a memory that is never among the answers. */
  readonly exceptId: string | null;
  /** Whether the caller has a memory before it already; such ones are left out. */
  readonly isTold?: (memory: Memory) => boolean;
  /** The results of reading a text that may be the query. */
  readonly alreadyRead?: ReadText | null;
}

export interface RecalledMemory {
  readonly stored: StoredMemory;
  /** Keys of the entities that connect it with other memories. */
  readonly entityKeys: readonly string[];
  /** 0..1 */
  readonly score: number;
  readonly relevance: Relevance;
  readonly why: Why | null;
}

export interface Recalled {
  /** The answers, best first. */
  readonly memories: readonly RecalledMemory[];
  readonly context: string;
  /** What they contradict, and nobody has decided about. */
  readonly disagreements: readonly Disagreement[];
  readonly workingMemory: readonly Memory[];
  readonly tookMs: number;
}

/** The number of candidates beyond top_k; boosts lift only memories close behind into the answer. */
const SPARE_CANDIDATES = 2;

/** Finds what matters for a query. @throws UnavailableError */
export async function recall(deps: RecallDeps, caller: Caller, request: RecallRequest): Promise<Recalled> {
  const { clock, store, embedding } = deps;
  const startedAt = clock.now();
  const markStage = deps.recallTimer?.();
  const viewer = viewerOf(caller);
  const { speakers, vocabulary } = await store.knownTo(viewer, request.exceptId);
  const query = respelt(request.query, { speakers, vocabulary });
  const heldAt = request.filter.heldAtMs ?? null;
  const readAt = request.nowMs ?? heldAt ?? startedAt;
  const question = await readInSteps(query, readQuestionInSteps(query, { speakers, now: readAt }));
  const filter = { ...request.filter, viewer };
  markStage?.('reading');
  const known = request.alreadyRead ?? null;
  const namedKeys = known?.text === question.text ? known.namedKeys : await store.namedIn(question.text, viewer);
  const [retrieved, answerable] = await asQuestion(async () => {
    const knownVector = known?.text === question.denseText ? known.vector : null;
    const vector = knownVector ?? (await embedding.vectorOfQuestion(question.denseText));
    markStage?.('embedding');
    const limit = request.topK * SPARE_CANDIDATES;
    // Together: the model works in a thread of its own.
    return await Promise.all([
      store.retrieve(question, { vector, namedKeys, markStage, filter, limit, exceptId: request.exceptId }),
      vector && isQuestion(query) ? embedding.answerableVectorOf(question.denseText) : null,
    ]);
  });
  markStage?.('evidence');
  // A memory that stands in for several makes room for more.
  const isPast = heldAt !== null;
  const hasDerived = !isPast && (await store.hasDerived());
  const places = hasDerived ? request.topK * SPARE_CANDIDATES : request.topK;
  const ranking = {
    caller,
    question,
    retrieved,
    answerable,
    topK: places,
    now: startedAt,
    isPast,
    explains: request.explain,
  };
  const ranked = (await rank(deps, ranking)).filter(
    ({ score, stored }) => score >= request.minScore && !request.isTold?.(stored.memory),
  );
  const found = ranked.slice(0, request.topK);
  const memories = hasDerived ? await standingIn(store, ranked, { filter, topK: request.topK }) : found;
  if (request.strengthen) await remember(deps, { caller, namedKeys, memories: recalledOnce(found, memories) });
  const ids = memories.map(({ stored }) => stored.memory.id);
  // What the request leaves out, such as words that are trusted too little, does not come in as the other side or as a successor.
  const isWanted = (memory: Memory) =>
    // Both sides of what is undecided are superseded by nothing, and successors are wanted for the present alone: nobody asks when one was said.
    matches(memory, filter, () => null) && memory.id !== request.exceptId && !request.isTold?.(memory);
  const disagreements = (await openDisagreements(deps, viewer, ids)).filter(({ a, b }) => isWanted(a) && isWanted(b));
  const now = clock.now();
  const sides = withOtherSides(memories, disagreements);
  const told = isPast ? sides : await withSuccessors(sides, { find: (id) => store.find(id), isWanted });
  const context = await contextBlock(
    told.map(({ memory, relevance }) => ({
      relevance,
      told: () => toldBy(store, caller, memory),
    })),
    { ...request.context, disagreements, now: startedAt, heldAt },
  );
  markStage?.('scoring');
  return {
    memories,
    context,
    disagreements,
    workingMemory: await workingMemoryOf(deps, caller),
    tookMs: Math.max(0, now - startedAt),
  };
}

/** The memories, each followed by what contradicts it, as relevant as it is. */
function withOtherSides(
  memories: readonly RecalledMemory[],
  disagreements: readonly Disagreement[],
): { memory: Memory; relevance: Relevance }[] {
  const known = new Set(memories.map(({ stored }) => stored.memory.id));
  return memories.flatMap(({ stored: { memory }, relevance }) => {
    const sides = disagreements.flatMap(({ a, b }) => (a.id === memory.id ? b : b.id === memory.id ? a : []));
    const others = sides.filter(({ id }) => !known.has(id));
    for (const { id } of others) known.add(id);
    return [memory, ...others].map((one) => ({ memory: one, relevance }));
  });
}

/** The first of a ranking, with derived memories in place of sources that they tell whole. */
async function standingIn(
  store: RecallStore,
  ranked: readonly RecalledMemory[],
  { filter, topK }: { filter: MemoryFilter; topK: number },
): Promise<RecalledMemory[]> {
  const ids = ranked.map(({ stored }) => stored.memory.id);
  const standIns = await store.standInsFor(ids, filter);
  return withStandIns(ranked, topK, (id) => standIns.get(id) ?? []).slice(0, topK);
}

/** The lines of a memory in a context; of a derived memory a line for each source, as far as the sources are known. */
async function toldBy(store: MemoryStore, caller: Caller, memory: Memory): Promise<readonly Told[]> {
  const whole = [{ memory, text: memory.gist }];
  if (memory.kind !== 'semantic') return whole;
  const sources = await Promise.all(memory.sources.map((id) => store.find(id)));
  const seen = sources.flatMap((stored) =>
    stored && isVisibleTo(viewerOf(caller), stored.memory) ? stored.memory : [],
  );
  return toldIn(memory.gist, seen) ?? whole;
}

/** The last items of the caller's session that it may still see, oldest first. */
export async function workingMemoryOf(
  { store, workingMemory }: Pick<RecallDeps, 'store' | 'workingMemory'>,
  caller: Caller,
): Promise<Memory[]> {
  const items: Memory[] = [];
  for (const id of workingMemory.items(caller)) {
    const stored = await store.find(id);
    if (stored && isVisibleTo(viewerOf(caller), stored.memory)) items.push(stored.memory);
  }
  return items;
}

interface Ranking {
  readonly caller: Caller;
  readonly question: Question;
  readonly retrieved: Retrieved;
  /** The question's vector that lies near what answers it; null where there is none, or the query asks nothing. */
  readonly answerable: Float32Array | null;
  readonly topK: number;
  readonly now: number;
  /** Whether the question is about what held at another moment. */
  readonly isPast: boolean;
  /** Whether answers say why. */
  readonly explains: boolean;
}

/** The candidates that may be among the best `topK`, with fused and boosted scores and relevance, best first. */
async function rank(
  { priming, embedding }: RecallDeps,
  { caller, question, retrieved, answerable, topK, now, isPast, explains }: Ranking,
): Promise<RecalledMemory[]> {
  const model = retrieved.hasVectors ? embedding.kind : 'none';
  const weights = FUSION_WEIGHTS[model];
  const fusedScores = fuse(question, retrieved, weights);
  const { candidates: found } = retrieved;
  const misfitting = misfits(question, found);
  const lifts = replyLifts(question, found, fusedScores).map((lift, index) => lift + (misfitting[index] as number));
  const scores = fusedScores.map((score, index) => score + (lifts[index] as number));
  const judged = relevanceJudge({ retrieved, answerable }, scores, model);
  const relevanceOf = byCircumstance(question, { candidates: found, judged });
  const partsOf = scorer({ question, retrieved, weights });
  const reaching = withinReach(scores, topK);
  const candidates = reaching.map((i) => retrieved.candidates[i] as Candidate);
  const keys = candidates.map(({ entityKeys }) => entityKeys);
  const primed = await priming.levelsOf(keys, { caller, now });
  const ranked: RankedAnswer[] = candidates.map((candidate, place) => {
    const { stored, evidence } = candidate;
    const entityKeys = keys[place] as readonly string[];
    const index = reaching[place] as number;
    const score = scores[index] as number;
    const { importance, createdAt } = stored.memory;
    const leanings = {
      retention: retention(stored.strength, { createdAt, now }),
      importance,
      priming: primed[place] as number,
    };
    const fused = boosted(score, leanings);
    const why = explains ? whyOf(partsOf(evidence), { lift: lifts[index] as number, ...boostsFor(leanings) }) : null;
    const recalled = { stored, entityKeys, score: shownScore(fused, weights), relevance: relevanceOf(index), why };
    return { candidate, fused, recalled, text: recallText(stored.memory) };
  });
  ranked.sort((a, b) => b.fused - a.fused || byTime(a.recalled.stored.memory, b.recalled.stored.memory));
  const ordered = newerFirst(question, ranked, { likeness: retrieved.likeness, model }).map(recalledAt);
  // Of a moment that is past only what held then is there, and nothing of it stands behind.
  return isPast ? ordered : behindSuccessors(behindWhatHolds(asRelevantSuccessors(ordered), now));
}

interface RankedAnswer extends Ranked {
  readonly recalled: RecalledMemory;
}

/** The answer in its place; one that was moved has the score of the one that it stands before. */
function recalledAt({ answer, movedBefore }: Placed<RankedAnswer>): RecalledMemory {
  if (movedBefore === null) return answer.recalled;
  const { why } = answer.recalled;
  const update = movedBefore.fused - answer.fused;
  return { ...answer.recalled, score: movedBefore.recalled.score, why: why && { ...why, update } };
}

/** The found memories and those that stand in for them: a recall of one is a recall of the other. */
function recalledOnce(found: readonly RecalledMemory[], shown: readonly RecalledMemory[]): RecalledMemory[] {
  return [...new Set([...found, ...shown])];
}

interface Aftermath {
  readonly caller: Caller;
  readonly namedKeys: readonly string[];
  readonly memories: readonly RecalledMemory[];
}

/** Strengthens the recalled memories and primes the entities that they and the query name. */
async function remember(deps: RecallDeps, { caller, namedKeys, memories }: Aftermath): Promise<void> {
  const { store, priming, clock } = deps;
  const now = clock.now();
  const relevant = memories.filter(({ relevance }) => relevance !== 'low');
  await priming.mention([...namedKeys, ...relevant.flatMap(({ entityKeys }) => entityKeys)], { caller, now });
  await store.strengthen(
    relevant.map(({ stored: { memory, strength } }) => {
      const { id, importance, createdAt } = memory;
      return { id, strength: strengthened(strength, { importance, createdAt, now, by: caller.agentId }) };
    }),
  );
}
