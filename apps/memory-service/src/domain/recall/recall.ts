import type { Caller } from '@agent-faculties/agent-identity';
import type { Clock } from '@agent-faculties/service-kit';
import type { ProcessState } from '../cognition/process-state.ts';
import { strengthened } from '../cognition/retention.ts';
import { asQuestion, readInSteps } from '../concurrency/reading-steps.ts';
import type { ContradictionStore } from '../contradictions/contradiction-store.ts';
import { type Disagreement, openDisagreements } from '../contradictions/list-contradictions.ts';
import type { TextEmbedding } from '../embedding/text-embedding.ts';
import type { Memory } from '../memory/memory.ts';
import { matches } from '../memory/memory-match.ts';
import type { MemoryFilter, MemoryStore } from '../memory/memory-store.ts';
import type { RecallStage, StageTimer, StartStageTimer } from '../memory/stage-timer.ts';
import { isVisibleTo, type Viewer, viewerOf } from '../memory/visibility.ts';
import { itemAsked } from '../text/gist/list-items.ts';
import type { ContextForm } from './context/context-block.ts';
import { recallContext } from './context/recall-context.ts';
import type { Retrieved } from './evidence/evidence.ts';
import { lastTold } from './last-told.ts';
import { asksSomething, withMark } from './question/asks.ts';
import { withoutCourtesies } from './question/courtesies.ts';
import { asMeantBehind, isFollowUp } from './question/follow-up.ts';
import { type LastAsked, lastAsked } from './question/last-asked.ts';
import { type Question, readQuestionInSteps } from './question/question.ts';
import { respelt } from './question/spelling.ts';
import { isAboutStrangers } from './question/strangers.ts';
import { type RecalledMemory, rank } from './ranking/ranking.ts';
import { weighingOf } from './ranking/weighing.ts';
import { withStandIns } from './ranking/with-stand-ins.ts';
import type { ReadText } from './read-text.ts';
import type { RecallStore } from './recall-store.ts';

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
  /** Whether the prompt of the caller already holds a memory; the answer leaves such memories out. */
  readonly isTold?: (memory: Memory) => boolean;
  /** The results of reading a text that may be the query. */
  readonly alreadyRead?: ReadText | null;
}

export interface Recalled {
  /** The answers, best first. */
  readonly memories: readonly RecalledMemory[];
  /** Whether they are what was told last, and not what a search found. */
  readonly isLastTold: boolean;
  readonly context: string;
  /** The contradictions of the answers that are still open. */
  readonly disagreements: readonly Disagreement[];
  readonly workingMemory: readonly Memory[];
  readonly tookMs: number;
}

/** The number of candidates beyond top_k; boosts lift only memories close behind into the answer. */
const SPARE_CANDIDATES = 2;
/** A question of longer ago is no longer in mind; a thread without a session ends after as long. */
const FOLLOWS_WITHIN_MS = 30 * 60_000;

/** Finds what matters for a query. @throws UnavailableError */
export async function recall(deps: RecallDeps, caller: Caller, request: RecallRequest): Promise<Recalled> {
  const { clock } = deps;
  const startedAt = clock.now();
  const markStage = deps.recallTimer?.();
  const asked = await readRequest(deps, request, { caller, startedAt });
  markStage?.('reading');
  const { memories, recalled, namedKeys, isLastTold } =
    (await answersToldLast(deps, asked)) ?? (await answersFound(deps, asked, markStage));
  if (request.strengthen) await remember(deps, { caller, namedKeys, memories: recalled });
  const disagreements = await disagreementsOf(deps, asked, memories);
  const tookMs = Math.max(0, clock.now() - startedAt);
  const { viewer, heldAt, isWanted, question } = asked;
  const told = {
    // A question for what was told last has no words of it.
    terms: isLastTold ? [] : question.terms,
    item: isLastTold ? null : itemAsked(question.text),
    memories,
    disagreements,
    viewer,
    heldAt,
    isWanted,
    form: request.context,
    now: startedAt,
  };
  const context = await recallContext(deps.store, told);
  markStage?.('scoring');
  return { memories, isLastTold, context, disagreements, workingMemory: await workingMemoryOf(deps, caller), tookMs };
}

/** A request with its query read. */
interface AskedRequest {
  readonly request: RecallRequest;
  readonly caller: Caller;
  readonly viewer: Viewer;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The query, with its misspelt words in the spelling of the store. */
  readonly query: string;
  readonly question: Question;
  /** Whether it asks about somebody of whom the store has never heard. */
  readonly isAboutStrangers: boolean;
  /** What "yesterday" refers to, epoch milliseconds. */
  readonly now: number;
  /** Null: it has a subject. */
  readonly lastAsked: LastAsked | null;
  readonly filter: MemoryFilter;
  /** The past moment that the request asks about, epoch milliseconds; null: the present. */
  readonly heldAt: number | null;
  /**
   * Whether a memory may come in beside the answers, as the other side of a contradiction or as a successor. What the request
   * leaves out, such as words that are trusted too little, does not.
   */
  readonly isWanted: (memory: Memory) => boolean;
}

async function readRequest(
  deps: RecallDeps,
  sent: RecallRequest,
  { caller, startedAt }: Pick<AskedRequest, 'caller' | 'startedAt'>,
): Promise<AskedRequest> {
  const { store } = deps;
  const bare = { ...sent, query: withoutCourtesies(sent.query) };
  const last = lastAsked(bare.query);
  const request = last === null ? await asMeant(deps, bare, { caller, startedAt }) : bare;
  const { exceptId, isTold } = request;
  const viewer = viewerOf(caller);
  const { speakers, vocabulary } = await store.knownTo(viewer, exceptId);
  const query = respelt(request.query, { speakers, vocabulary });
  const heldAt = request.filter.heldAtMs ?? null;
  const now = request.nowMs ?? heldAt ?? startedAt;
  const question = await readInSteps(query, readQuestionInSteps(query, { speakers, now }));
  const filter = { ...request.filter, viewer };
  const isWanted = (memory: Memory) =>
    // No time of a successor is needed: both sides of an open contradiction are superseded by nothing, and successors come in
    // for a recall of the present alone.
    matches(memory, filter, () => null) && memory.id !== exceptId && !isTold?.(memory);
  const ofStrangers = (projects: readonly string[]) => isAboutStrangers(query, { speakers, vocabulary, projects });
  return {
    request,
    caller,
    viewer,
    startedAt,
    query,
    question,
    isAboutStrangers:
      asksSomething(query) && ofStrangers([]) && ofStrangers([...(await store.projectCounts(viewer)).keys()]),
    now,
    lastAsked: last,
    filter,
    heldAt,
    isWanted,
  };
}

/** The request as it is meant behind what the user asked before it in the same session, of which nothing is an answer then. */
async function asMeant(
  deps: RecallDeps,
  request: RecallRequest,
  { caller, startedAt }: Pick<AskedRequest, 'caller' | 'startedAt'>,
): Promise<RecallRequest> {
  if (caller.sessionId === null || !isFollowUp(request.query)) return request;
  const since = startedAt - FOLLOWS_WITHIN_MS;
  const before = (await workingMemoryOf(deps, caller)).filter(
    ({ id, role, content, createdAt }) =>
      role === 'user' && id !== request.exceptId && createdAt >= since && asksSomething(content),
  );
  const query = asMeantBehind(request.query, before.map(({ content }) => content).reverse());
  const isTold = (memory: Memory) => before.some(({ id }) => id === memory.id) || request.isTold?.(memory) === true;
  return query === request.query ? request : { ...request, query, isTold };
}

interface Found {
  readonly retrieved: Retrieved;
  /** The question's vector that lies near what answers it; null where there is none, or the query asks nothing. */
  readonly answerable: Float32Array | null;
  /** Keys of the entities that the query names. */
  readonly namedKeys: readonly string[];
}

/** @param options.isWhole whether candidates that cannot be among the best are measured too */
async function retrieve(
  { store, embedding }: RecallDeps,
  { request, query, question, filter, viewer }: AskedRequest,
  { isWhole, markStage }: { isWhole: boolean; markStage?: StageTimer<RecallStage> | undefined },
): Promise<Found> {
  const { topK, exceptId } = request;
  const known = request.alreadyRead ?? null;
  const asks = asksSomething(query);
  const namedKeys = known?.text === question.text ? known.namedKeys : await store.namedIn(question.text, viewer);
  const [retrieved, answerable] = await asQuestion(async () => {
    const knownVector = known?.text === question.denseText ? await known.vector() : null;
    const vector = knownVector ?? (await embedding.vectorOfQuestion(question.denseText));
    markStage?.('embedding');
    const limit = topK * SPARE_CANDIDATES;
    // Another vector compares each candidate anew.
    const isCompared = asks && embedding.kind === 'contextual';
    const weigh = isWhole || isCompared ? undefined : weighingOf(question, { kind: embedding.kind, places: limit });
    // Together: the model works in a thread of its own.
    return await Promise.all([
      store.retrieve(question, { vector, namedKeys, markStage, filter, limit, exceptId, weigh }),
      vector && asks ? embedding.answerableVectorOf(withMark(question.denseText)) : null,
    ]);
  });
  return { retrieved, answerable, namedKeys };
}

interface Answers {
  /** The answers, best first. */
  readonly memories: readonly RecalledMemory[];
  /** The answers, and the sources that a derived memory among them stands in for: a recall of one is a recall of the other. */
  readonly recalled: readonly RecalledMemory[];
  /** Keys of the entities that the query names. */
  readonly namedKeys: readonly string[];
  readonly isLastTold: boolean;
}

/** Null where a search has to answer. */
async function answersToldLast(
  { store }: RecallDeps,
  { request, caller, question, now, lastAsked: asked, filter, isWanted }: AskedRequest,
): Promise<Answers | null> {
  if (asked === null) return null;
  const { topK, minScore, explain } = request;
  // "Where did we leave off on Friday?"
  const ends = [now + 1, filter.untilMs, question.period?.until].filter((end) => end !== undefined);
  const told = await lastTold(store, {
    asked,
    caller,
    filter,
    now,
    before: Math.min(...ends),
    topK,
    explains: explain,
    isWanted,
  });
  if (told.length === 0) return null;
  const memories = told.filter(({ score }) => score >= minScore);
  return { memories, recalled: memories, namedKeys: [], isLastTold: true };
}

async function answersFound(
  deps: RecallDeps,
  asked: AskedRequest,
  markStage: StageTimer<RecallStage> | undefined,
): Promise<Answers> {
  const found = await retrieve(deps, asked, { isWhole: false, markStage });
  markStage?.('evidence');
  const answers = await answersTo(deps, asked, found);
  return { ...answers, namedKeys: found.namedKeys, isLastTold: false };
}

async function answersTo(
  deps: RecallDeps,
  asked: AskedRequest,
  found: Found,
): Promise<Pick<Answers, 'memories' | 'recalled'>> {
  const { store } = deps;
  const { request, filter, heldAt } = asked;
  const { topK, minScore, isTold } = request;
  const isPast = heldAt !== null;
  const hasDerived = !isPast && (await store.hasDerived());
  // A memory that stands in for several makes room for more.
  const places = hasDerived ? topK * SPARE_CANDIDATES : topK;
  const candidates =
    (await rankedOf(deps, asked, { ...found, places })) ??
    (await rankedOf(deps, asked, { ...(await retrieve(deps, asked, { isWhole: true })), places })) ??
    [];
  const ranked = candidates.filter(({ score, stored }) => score >= minScore && !isTold?.(stored.memory));
  const best = ranked.slice(0, topK);
  const memories = hasDerived ? await standingIn(store, ranked, { filter, topK }) : best;
  return { memories, recalled: [...new Set([...best, ...memories])] };
}

async function rankedOf(
  deps: RecallDeps,
  { request, caller, question, isAboutStrangers, heldAt, startedAt }: AskedRequest,
  { retrieved, answerable, places }: Found & { readonly places: number },
): Promise<RecalledMemory[] | null> {
  return await rank(deps, {
    caller,
    question,
    retrieved,
    answerable,
    isAboutStrangers,
    topK: places,
    now: startedAt,
    isPast: heldAt !== null,
    explains: request.explain,
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

async function disagreementsOf(
  deps: RecallDeps,
  { viewer, isWanted }: AskedRequest,
  memories: readonly RecalledMemory[],
): Promise<Disagreement[]> {
  const ids = memories.map(({ stored }) => stored.memory.id);
  return (await openDisagreements(deps, viewer, ids)).filter(({ a, b }) => isWanted(a) && isWanted(b));
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
