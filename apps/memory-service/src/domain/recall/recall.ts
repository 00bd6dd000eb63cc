import type { Caller } from '@agent-faculties/agent-identity';
import type { Clock } from '@agent-faculties/service-kit';
import type { Priming } from '../cognition/priming.ts';
import { retention, strengthened } from '../cognition/retention.ts';
import type { WorkingMemory } from '../cognition/working-memory.ts';
import { toldIn } from '../consolidation/semantic-gist.ts';
import type { RecallStage, StartLaps } from '../laps.ts';
import type { Memory } from '../memory.ts';
import type { Kept, MemoryFilter, MemoryStore } from '../memory-store.ts';
import type { TextEmbedding } from '../text-embedding.ts';
import { asQuestion, readingStep } from '../turn-queue.ts';
import { isVisibleTo } from '../visibility.ts';
import { behindSuccessors } from './behind-successors.ts';
import { contextBlock, type Told } from './context-block.ts';
import type { Evidence, Gathered } from './evidence.ts';
import { fuse, type ModelKind, scoreParts, shownScore, WEIGHTS } from './fusion.ts';
import { nudged, nudgesFor, withinReach } from './nudges.ts';
import { type Question, readQuestion } from './question.ts';
import type { RecallStore } from './recall-store.ts';
import { type Relevance, relevanceJudge } from './relevance.ts';
import { sceneOf } from './scene.ts';
import { withStandIns } from './stand-in.ts';

export interface RecallDeps {
  readonly clock: Clock;
  readonly store: MemoryStore & RecallStore;
  readonly embedding: TextEmbedding;
  readonly workingMemory: WorkingMemory;
  readonly priming: Priming;
  /** What the embedding model is good for. */
  readonly modelKind: ModelKind;
  readonly recallLaps?: StartLaps<RecallStage>;
}

export interface RecallRequest {
  readonly query: string;
  /** 1..100 */
  readonly topK: number;
  /** 0..1 */
  readonly minScore: number;
  readonly filter: Omit<MemoryFilter, 'callerAgentId' | 'authorAgentId' | 'sessionId'>;
  readonly explain: boolean;
  /** false leaves every counter and activation as it was. */
  readonly strengthen: boolean;
  readonly maxContextCharacters: number;
  /** Never among the answers. */
  readonly exceptId: string | null;
}

export interface Why {
  readonly vector: number;
  readonly lexical: number;
  readonly entity: number;
  readonly recency: number;
  readonly importance: number;
  readonly priming: number;
}

export interface RecalledMemory {
  readonly ordinal: number;
  readonly kept: Kept;
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
  const { clock, store, embedding } = deps;
  const startedAt = clock.now();
  const lap = deps.recallLaps?.();
  const speakers = store.knownSpeakers(caller.agentId);
  const question = await readingStep(request.query, () => readQuestion(request.query, { speakers, now: startedAt }));
  const filter = { ...request.filter, callerAgentId: caller.agentId };
  lap?.('reading');
  const gathered = await asQuestion(async () => {
    const vector = await embedding.vectorOf(question.denseText);
    lap?.('embedding');
    return await store.gather(question, {
      vector,
      lap,
      filter,
      limit: request.topK * SPARE_CANDIDATES,
      exceptId: request.exceptId,
    });
  });
  lap?.('evidence');
  // What stands in for several makes room for more.
  const places = store.hasGathered() ? request.topK * SPARE_CANDIDATES : request.topK;
  const ranked = rank(deps, { caller, question, gathered, topK: places, now: startedAt }).filter(
    ({ score }) => score >= request.minScore,
  );
  const found = ranked.slice(0, request.topK);
  const memories = withStandIns(ranked, request.topK, (id) => store.gatheredCandidates(id, filter)).slice(
    0,
    request.topK,
  );
  if (request.strengthen) await remember(deps, { caller, question, memories: recalledOnce(found, memories) });
  const now = clock.now();
  const context = await contextBlock(
    memories.map(({ kept: { memory }, relevance }) => ({ relevance, told: () => toldBy(store, caller, memory) })),
    { maxCharacters: request.maxContextCharacters },
  );
  lap?.('scoring');
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
  const seen = sources.flatMap((kept) => (kept && isVisibleTo(agentId, kept.memory) ? kept.memory : []));
  return toldIn(memory.gist, seen) ?? whole;
}

/** The last items of the caller's session that it may still see, oldest first. */
export async function workingMemoryOf(
  { store, workingMemory }: Pick<RecallDeps, 'store' | 'workingMemory'>,
  caller: Caller,
): Promise<Memory[]> {
  const items: Memory[] = [];
  for (const id of workingMemory.items(caller)) {
    const kept = await store.find(id);
    if (kept && isVisibleTo(caller.agentId, kept.memory)) items.push(kept.memory);
  }
  return items;
}

interface Ranking {
  readonly caller: Caller;
  readonly question: Question;
  readonly gathered: Gathered;
  readonly topK: number;
  readonly now: number;
}

/** Fused, nudged, judged, best first; only those that may be among the best `topK`. */
function rank(
  { store, priming, modelKind }: RecallDeps,
  { caller, question, gathered, topK, now }: Ranking,
): RecalledMemory[] {
  const model = gathered.hasVectors ? modelKind : 'none';
  const weights = WEIGHTS[model];
  const scores = fuse(question, gathered, weights);
  const relevanceOf = relevanceJudge(gathered, model);
  const ranked: { fused: number; recalled: RecalledMemory }[] = [];
  for (const i of withinReach(scores, topK)) {
    const evidence = gathered.candidates[i] as Evidence;
    const kept = store.candidate(evidence.ordinal);
    // It may have been deleted or made PRIVATE since the candidates were gathered.
    if (!kept || !isVisibleTo(caller.agentId, kept.memory)) continue;
    const { importance, createdAt } = kept.memory;
    const leanings = {
      retention: retention(kept.strength, { createdAt, now }),
      importance,
      priming: priming.of(evidence.ordinal, { caller, now }),
    };
    const fused = nudged(scores[i] as number, leanings);
    const nudges = nudgesFor(leanings);
    const { vector, lexical, entity } = scoreParts(evidence, { question, gathered, weights });
    const why = {
      vector,
      lexical,
      entity,
      recency: nudges.retention,
      importance: nudges.importance,
      priming: nudges.priming,
    };
    const score = shownScore(fused, weights);
    ranked.push({ fused, recalled: { ordinal: evidence.ordinal, kept, score, relevance: relevanceOf(evidence), why } });
  }
  ranked.sort((a, b) => b.fused - a.fused || a.recalled.ordinal - b.recalled.ordinal);
  return behindSuccessors(ranked.map(({ recalled }) => recalled));
}

/** What was found, and what stands for some of it: recalling the one is recalling the other. */
function recalledOnce(found: readonly RecalledMemory[], shown: readonly RecalledMemory[]): RecalledMemory[] {
  return [...new Set([...found, ...shown])];
}

interface Aftermath extends Pick<Ranking, 'caller' | 'question'> {
  readonly memories: readonly RecalledMemory[];
}

/** What was recalled grows stronger, and what it and the query name warms up what is linked to it. */
async function remember(deps: RecallDeps, { caller, question, memories }: Aftermath): Promise<void> {
  const { store, priming } = deps;
  const scene = sceneOf(deps, caller);
  priming.mention(question.text, scene);
  for (const { kept, ordinal, relevance } of memories) {
    if (relevance === 'low') continue;
    const { id, importance, createdAt } = kept.memory;
    priming.recalled(ordinal, scene);
    await store.strengthen(id, strengthened(kept.strength, { importance, createdAt, now: scene.now }));
  }
}
