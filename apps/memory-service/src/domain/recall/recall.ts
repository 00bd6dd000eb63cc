import type { Caller } from '@agent-faculties/agent-identity';
import type { Clock } from '@agent-faculties/service-kit';
import type { Priming } from '../cognition/priming.ts';
import { retention, strengthened } from '../cognition/retention.ts';
import type { WorkingMemory } from '../cognition/working-memory.ts';
import { asQuestion, readInSteps } from '../concurrency/reading-steps.ts';
import type { ModelKind, TextEmbedding } from '../embedding/text-embedding.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import type { MemoryFilter, MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import type { RecallStage, StartStageTimer } from '../memory/stage-timer.ts';
import { isVisibleTo } from '../memory/visibility.ts';
import { toldIn } from '../text/semantic-gist.ts';
import { behindSuccessors } from './behind-successors.ts';
import { boosted, boostsFor, withinReach } from './boosts.ts';
import { contextBlock, type Told } from './context-block.ts';
import type { Evidence, Retrieved } from './evidence.ts';
import { FUSION_WEIGHTS, fuse, scoreParts, shownScore } from './fusion.ts';
import { newerStatement, type Scored } from './newer-statement.ts';
import { type Question, readQuestionInSteps } from './question.ts';
import type { ReadText } from './read-text.ts';
import type { RecallStore } from './recall-store.ts';
import { type Relevance, relevanceJudge } from './relevance.ts';
import { sessionContextOf } from './session-context.ts';
import { withStandIns } from './stand-in.ts';

export interface RecallDeps {
  readonly clock: Clock;
  readonly store: MemoryStore & RecallStore;
  readonly embedding: TextEmbedding;
  readonly workingMemory: WorkingMemory;
  readonly priming: Priming;
  readonly recallTimer?: StartStageTimer<RecallStage>;
}

export interface RecallRequest {
  readonly query: string;
  /** 1..100 */
  readonly topK: number;
  /** 0..1 */
  readonly minScore: number;
  readonly filter: Omit<MemoryFilter, 'callerAgentId' | 'authorAgentId' | 'sessionId'>;
  /** What "yesterday" refers to, epoch milliseconds; null: the present */
  readonly nowMs: number | null;
  readonly explain: boolean;
  /** false leaves every counter and activation as it was. */
  readonly strengthen: boolean;
  readonly maxContextCharacters: number;
  /** Never among the answers. */
  readonly exceptId: string | null;
  /** What is known already of a text, which may be the query. */
  readonly alreadyRead?: ReadText | null;
}

export interface Why {
  readonly vector: number;
  readonly lexical: number;
  readonly entity: number;
  readonly circumstance: number;
  /** What lifts a statement above an older one that it seems to replace; mostly 0 */
  readonly update: number;
  readonly recency: number;
  readonly importance: number;
  readonly priming: number;
}

export interface RecalledMemory {
  readonly ordinal: number;
  readonly stored: StoredMemory;
  /** 0..1 */
  readonly score: number;
  readonly relevance: Relevance;
  readonly why: Why | null;
}

export interface Recalled {
  /** Best first. */
  readonly memories: readonly RecalledMemory[];
  readonly context: string;
  readonly workingMemory: readonly Memory[];
  readonly tookMs: number;
}

/** Candidates beyond top_k: what the nudges can lift into it lies close behind. */
const SPARE_CANDIDATES = 2;

/** Finds what matters for a query. @throws UnavailableError */
export async function recall(deps: RecallDeps, caller: Caller, request: RecallRequest): Promise<Recalled> {
  const { clock, store, embedding, priming } = deps;
  const startedAt = clock.now();
  const markStage = deps.recallTimer?.();
  const speakers = store.knownSpeakers(caller.agentId);
  const readAt = request.nowMs ?? startedAt;
  const question = await readInSteps(request.query, readQuestionInSteps(request.query, { speakers, now: readAt }));
  const filter = { ...request.filter, callerAgentId: caller.agentId };
  markStage?.('reading');
  const known = request.alreadyRead ?? null;
  const namedKeys = known?.text === question.text ? known.namedKeys : priming.namedIn(question.text, caller);
  const gathered = await asQuestion(async () => {
    const knownVector = known?.text === question.denseText ? known.vector : null;
    const vector = knownVector ?? (await embedding.vectorOf(question.denseText));
    markStage?.('embedding');
    return await store.retrieve(question, {
      vector,
      namedKeys,
      markStage,
      filter,
      limit: request.topK * SPARE_CANDIDATES,
      exceptId: request.exceptId,
    });
  });
  markStage?.('evidence');
  // What stands in for several makes room for more.
  const places = store.hasDerived() ? request.topK * SPARE_CANDIDATES : request.topK;
  const ranked = rank(deps, { caller, question, gathered, topK: places, now: startedAt }).filter(
    ({ score }) => score >= request.minScore,
  );
  const found = ranked.slice(0, request.topK);
  const memories = withStandIns(ranked, request.topK, (id) => store.derivedCandidates(id, filter)).slice(
    0,
    request.topK,
  );
  if (request.strengthen) await remember(deps, { caller, namedKeys, memories: recalledOnce(found, memories) });
  const now = clock.now();
  const context = await contextBlock(
    memories.map(({ stored: { memory }, relevance }) => ({ relevance, told: () => toldBy(store, caller, memory) })),
    { maxCharacters: request.maxContextCharacters },
  );
  markStage?.('scoring');
  return {
    memories: request.explain ? memories : memories.map((recalled) => ({ ...recalled, why: null })),
    context,
    workingMemory: await workingMemoryOf(deps, caller),
    tookMs: Math.max(0, now - startedAt),
  };
}

/** What the context says of a memory: of one that was gathered, what each of its sources told, as far as that is known. */
async function toldBy(store: MemoryStore, { agentId }: Caller, memory: Memory): Promise<readonly Told[]> {
  const whole = [{ memory, text: memory.gist }];
  if (memory.kind !== 'semantic') return whole;
  const sources = await Promise.all(memory.sources.map((id) => store.find(id)));
  const seen = sources.flatMap((stored) => (stored && isVisibleTo(agentId, stored.memory) ? stored.memory : []));
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
    if (stored && isVisibleTo(caller.agentId, stored.memory)) items.push(stored.memory);
  }
  return items;
}

interface Ranking {
  readonly caller: Caller;
  readonly question: Question;
  readonly gathered: Retrieved;
  readonly topK: number;
  readonly now: number;
}

/** Fused, nudged, judged, best first; only those that may be among the best `topK`. */
function rank(
  { store, priming, embedding }: RecallDeps,
  { caller, question, gathered, topK, now }: Ranking,
): RecalledMemory[] {
  const model = gathered.hasVectors ? embedding.kind : 'none';
  const weights = FUSION_WEIGHTS[model];
  const scores = fuse(question, gathered, weights);
  const relevanceOf = relevanceJudge(gathered, model);
  const ranked: Ranked[] = [];
  for (const i of withinReach(scores, topK)) {
    const evidence = gathered.candidates[i] as Evidence;
    const stored = store.candidate(evidence.ordinal);
    // It may have been deleted or made PRIVATE since the candidates were gathered.
    if (!stored || !isVisibleTo(caller.agentId, stored.memory)) continue;
    const { importance, createdAt } = stored.memory;
    const leanings = {
      retention: retention(stored.strength, { createdAt, now }),
      importance,
      priming: priming.of(evidence.ordinal, { caller, now }),
    };
    const fused = boosted(scores[i] as number, leanings);
    const boosts = boostsFor(leanings);
    const { vector, lexical, entity, circumstance } = scoreParts(evidence, { question, gathered, weights });
    const why = {
      vector,
      lexical,
      entity,
      circumstance,
      update: 0,
      recency: boosts.retention,
      importance: boosts.importance,
      priming: boosts.priming,
    };
    const score = shownScore(fused, weights);
    const recalled = { ordinal: evidence.ordinal, stored, score, relevance: relevanceOf(evidence), why };
    ranked.push({ evidence, fused, recalled, text: recallText(stored.memory) });
  }
  ranked.sort((a, b) => b.fused - a.fused || a.recalled.ordinal - b.recalled.ordinal);
  return behindSuccessors(newerFirst(ranked, { question, likeness: gathered.likeness, model }));
}

interface Ranked extends Scored {
  readonly recalled: RecalledMemory & { readonly why: Why };
}

/** With what seems to replace the best just before it, at its score. */
function newerFirst(
  ranked: readonly Ranked[],
  { question, ...about }: { question: Question; likeness: Retrieved['likeness']; model: ModelKind },
): RecalledMemory[] {
  const memories: RecalledMemory[] = ranked.map(({ recalled }) => recalled);
  const place = newerStatement(question, ranked, about);
  if (place === null) return memories;
  const [best, newer] = [ranked[0], ranked[place]] as [Ranked, Ranked];
  const why = { ...newer.recalled.why, update: best.fused - newer.fused };
  memories.splice(place, 1);
  return [{ ...newer.recalled, score: best.recalled.score, why }, ...memories];
}

/** What was found, and what stands for some of it: recalling the one is recalling the other. */
function recalledOnce(found: readonly RecalledMemory[], shown: readonly RecalledMemory[]): RecalledMemory[] {
  return [...new Set([...found, ...shown])];
}

interface Aftermath {
  readonly caller: Caller;
  readonly namedKeys: readonly string[];
  readonly memories: readonly RecalledMemory[];
}

/** What was recalled grows stronger, and what it and the query name warms up what is linked to it. */
async function remember(deps: RecallDeps, { caller, namedKeys, memories }: Aftermath): Promise<void> {
  const { store, priming } = deps;
  const sessionContext = sessionContextOf(deps, caller);
  priming.mention(namedKeys, sessionContext);
  for (const { stored, ordinal, relevance } of memories) {
    if (relevance === 'low') continue;
    const { id, importance, createdAt } = stored.memory;
    priming.recalled(ordinal, sessionContext);
    await store.strengthen(id, strengthened(stored.strength, { importance, createdAt, now: sessionContext.now }));
  }
}
