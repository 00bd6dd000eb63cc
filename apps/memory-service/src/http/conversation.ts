import type { Caller } from '@agent-faculties/agent-identity';
import { parseInstant, parseTimeRange, type RecordWrite } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { Request } from 'express';
import type { components, operations } from '../api.gen.ts';
import {
  type ContradictionDeps,
  compareSoon,
  openDisagreements,
} from '../domain/contradictions/list-contradictions.ts';
import { readMemory } from '../domain/editing/read.ts';
import { type IngestDeps, type Ingested, ingest, type Message } from '../domain/ingest/ingest.ts';
import type { AlreadySuperseded } from '../domain/ingest/supersede.ts';
import { sourceOf } from '../domain/memory/memory.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { plainTags, tagsToKeep } from '../domain/memory/plain-tags.ts';
import { viewerOf } from '../domain/memory/visibility.ts';
import {
  type RecallDeps,
  type Recalled,
  type RecallRequest,
  recall,
  workingMemoryOf,
} from '../domain/recall/recall.ts';
import { whyNot } from '../domain/recall/why-not.ts';
import { absenceView } from '../wire/absence-view.ts';
import { formatInstant, instantOrNull, milliseconds } from '../wire/instant.ts';
import { memoryView, touched, workingMemoryView } from '../wire/memory-view.ts';
import { scoreView, whyView } from '../wire/score-view.ts';
import { contradictedView } from './contradictions.ts';

type Schemas = components['schemas'];
type ConversationOperations = 'ingest' | 'recall' | 'explainAbsence' | 'ingestAndRecall' | 'getWorkingMemory';
type ConversationDeps = IngestDeps &
  RecallDeps &
  ContradictionDeps & {
    /** Whether a request may put a memory in the place of one that another agent told. */
    readonly maySupersedeOthers: (req: Request) => boolean;
  };

const DEFAULT_TOP_K = 10;
const DEFAULT_CONTEXT_CHARACTERS = 4_000;
const MOST_CONTEXT_CHARACTERS = 100_000;

export function conversationHandlers(deps: ConversationDeps): Pick<Handlers<operations>, ConversationOperations> {
  const { clock, maySupersedeOthers } = deps;
  return {
    ingest: async ({ body, caller, recordWrite, req }) => {
      const ingested = await ingest(deps, caller, messageOf(body, { maySupersedeOthers: maySupersedeOthers(req) }));
      noteIngested(recordWrite, ingested);
      const view = await ingestedView(deps, caller, { ingested, waitMs: body.contradiction_wait_ms ?? 0 });
      return { status: 200, body: view, log: touched(storedBy(ingested)) };
    },
    recall: async ({ body, caller }) => {
      const recalled = await recall(deps, caller, recallOf(body));
      const log = touched(recalled.memories.map(({ stored }) => stored));
      return { status: 200, body: recalledView(recalled, clock.now()), log };
    },
    explainAbsence: async ({ path: { id }, body, caller }) => {
      const { memory } = await readMemory(deps, viewerOf(caller), id);
      const absence = await whyNot(deps, caller, { memory, request: recallOf(body) });
      return { status: 200, body: absenceView(id, absence, body.top_k ?? DEFAULT_TOP_K), log: { memory_ids: [id] } };
    },
    ingestAndRecall: async ({ body, caller, recordWrite, req }) => {
      const {
        top_k,
        max_context_chars,
        max_context_tokens,
        context_style,
        explain,
        query,
        min_trust,
        as_of,
        ...message
      } = body;
      const startedAt = clock.now();
      const ingested = await ingest(deps, caller, messageOf(message, { maySupersedeOthers: maySupersedeOthers(req) }));
      noteIngested(recordWrite, ingested);
      const memory = ingested.stored?.memory;
      const asked = query ?? memory?.content ?? message.content;
      const request = recallOf({
        query: asked,
        top_k,
        max_context_chars,
        max_context_tokens,
        context_style,
        explain,
        min_trust,
        as_of,
      });
      const recalled = await recall(deps, caller, {
        ...request,
        exceptId: memory?.id ?? null,
        alreadyRead: ingested.alreadyRead,
      });
      const told = await ingestedView(deps, caller, { ingested, waitMs: message.contradiction_wait_ms ?? 0 });
      const nowMs = clock.now();
      const view = { ...recalledView(recalled, nowMs), took_ms: milliseconds(nowMs - startedAt) };
      const log = touched([...storedBy(ingested), ...recalled.memories.map((other) => other.stored)]);
      return { status: 200, body: { ...told, ...view }, log };
    },
    getWorkingMemory: async ({ caller }) => {
      const items = await workingMemoryOf(deps, caller as Caller);
      return { status: 200, body: { working_memory: workingMemoryView(items) } };
    },
  };
}

function storedBy({ stored }: Ingested): StoredMemory[] {
  return stored ? [stored] : [];
}

function noteIngested(recordWrite: RecordWrite, ingested: Ingested): void {
  const ids = storedBy(ingested).map(({ memory }) => memory.id);
  recordWrite(ingested.duplicate ? 'duplicates' : 'memories', ids);
  recordWrite('superseded', ingested.superseded);
}

/** @param options.waitMs how long to wait for the comparison of the memory */
async function ingestedView(
  deps: ConversationDeps,
  caller: Caller,
  { ingested: { stored, duplicate, notTaken, alreadySuperseded }, waitMs }: { ingested: Ingested; waitMs: number },
): Promise<Schemas['Ingested']> {
  if (!stored) return { memory: null, duplicate, contradictions: [] };
  const { id } = stored.memory;
  if (waitMs > 0) await compareSoon(deps, { memoryId: id, waitMs });
  const disagreements = await openDisagreements(deps, viewerOf(caller), [id]);
  return {
    memory: memoryView(stored, deps.clock.now()),
    duplicate,
    ...(notTaken.length > 0 && { not_taken: [...notTaken] }),
    ...(alreadySuperseded.length > 0 && { already_superseded: alreadySupersededView(alreadySuperseded) }),
    contradictions: contradictedView(id, disagreements),
  };
}

function alreadySupersededView(already: readonly AlreadySuperseded[]): Schemas['AlreadySuperseded'] {
  return already.map(({ id, by }) => {
    const { agentId, name, gist, createdAt } = by;
    return { id, by: { id: by.id, agent_id: agentId, name, gist, created_at: formatInstant(createdAt) } };
  });
}

function messageOf(body: Schemas['Message'], { maySupersedeOthers }: { maySupersedeOthers: boolean }): Message {
  return {
    content: body.content,
    role: body.role ?? null,
    name: body.name?.trim() || null,
    source: body.source ?? sourceOf(body.role ?? null),
    scope: body.scope ?? 'TEAM',
    tags: tagsToKeep(body.tags ?? [], 'body/tags'),
    importance: body.importance ?? null,
    timestampMs: body.timestamp === undefined ? null : parseInstant(body.timestamp, 'body/timestamp'),
    validity: {
      validFrom: instantOrNull(body.valid_from, 'body/valid_from'),
      validUntil: instantOrNull(body.valid_until, 'body/valid_until'),
      expiresAt: instantOrNull(body.expires_at, 'body/expires_at'),
    },
    supersedes: body.supersedes ?? [],
    maySupersedeOthers,
    metadata: body.metadata ?? {},
    idempotencyKey: body.idempotency_key ?? null,
    isKeyOfWords: false,
    isUrgent: false,
  };
}

/** A request that limits the context in tokens alone gets no default limit in characters. */
function charactersFor(maxTokens: number | undefined): number {
  return maxTokens === undefined ? DEFAULT_CONTEXT_CHARACTERS : MOST_CONTEXT_CHARACTERS;
}

type RecallBody = Pick<Schemas['Recall'], 'query'> & Partial<Schemas['Recall']>;

function recallOf(body: { [K in keyof RecallBody]: RecallBody[K] | undefined } & { query: string }): RecallRequest {
  return {
    query: body.query,
    topK: body.top_k ?? DEFAULT_TOP_K,
    minScore: body.min_score ?? 0,
    filter: {
      authorAgentIds: body.agent_ids,
      kinds: body.kinds,
      tags: body.tags && plainTags(body.tags),
      scope: body.scope,
      leastSource: body.min_trust,
      ...parseTimeRange(body, 'body'),
      heldAtMs: body.as_of === undefined ? undefined : parseInstant(body.as_of, 'body/as_of'),
    },
    nowMs: body.now === undefined ? null : parseInstant(body.now, 'body/now'),
    explain: body.explain ?? false,
    strengthen: body.strengthen ?? true,
    context: {
      maxCharacters: body.max_context_chars ?? charactersFor(body.max_context_tokens),
      maxTokens: body.max_context_tokens ?? null,
      style: body.context_style ?? 'lines',
    },
    exceptId: null,
  };
}

function recalledView(
  { memories, context, disagreements, workingMemory, tookMs }: Recalled,
  nowMs: number,
): Schemas['Recalled'] {
  return {
    memories: memories.map(({ stored, score, relevance, why }) => ({
      ...memoryView(stored, nowMs),
      score: scoreView(score),
      relevance,
      contradictions: contradictedView(stored.memory.id, disagreements),
      ...(why && { why: whyView(why, score) }),
    })),
    context,
    working_memory: workingMemoryView(workingMemory),
    took_ms: milliseconds(tookMs),
  };
}
