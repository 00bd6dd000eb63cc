import type { Caller } from '@agent-faculties/agent-identity';
import { type Handlers, parseInstant } from '@agent-faculties/service-kit';
import type { components, operations } from '../api.gen.ts';
import { type IngestDeps, ingest, type Message } from '../domain/ingest/ingest.ts';
import {
  type RecallDeps,
  type Recalled,
  type RecallRequest,
  recall,
  workingMemoryOf,
} from '../domain/recall/recall.ts';
import { memoryView, milliseconds, touched, workingMemoryView } from './views.ts';

type Schemas = components['schemas'];
type ConversationOperations = 'ingest' | 'recall' | 'ingestAndRecall' | 'getWorkingMemory';
type ConversationDeps = IngestDeps & RecallDeps;

const DEFAULT_TOP_K = 10;
const DEFAULT_CONTEXT_CHARACTERS = 4_000;

export function conversationHandlers(deps: ConversationDeps): Pick<Handlers<operations>, ConversationOperations> {
  const { clock } = deps;
  return {
    ingest: async ({ body, caller, wrote }) => {
      const { kept, duplicate } = await ingest(deps, caller, messageOf(body));
      wrote(duplicate ? 'duplicates' : 'memories', [kept.memory.id]);
      return { status: 200, body: { memory: memoryView(kept, clock.now()), duplicate }, log: touched([kept]) };
    },
    recall: async ({ body, caller }) => {
      const recalled = await recall(deps, caller, recallOf(body));
      const log = touched(recalled.memories.map(({ kept }) => kept));
      return { status: 200, body: recalledView(recalled, clock.now()), log };
    },
    ingestAndRecall: async ({ body, caller, wrote }) => {
      const { top_k, max_context_chars, explain, query, ...message } = body;
      const startedAt = clock.now();
      const { kept, duplicate } = await ingest(deps, caller, messageOf(message));
      wrote(duplicate ? 'duplicates' : 'memories', [kept.memory.id]);
      const request = recallOf({ query: query ?? kept.memory.content, top_k, max_context_chars, explain });
      const recalled = await recall(deps, caller, { ...request, exceptId: kept.memory.id });
      const nowMs = clock.now();
      const view = { ...recalledView(recalled, nowMs), took_ms: milliseconds(nowMs - startedAt) };
      const log = touched([kept, ...recalled.memories.map((other) => other.kept)]);
      return { status: 200, body: { memory: memoryView(kept, nowMs), duplicate, ...view }, log };
    },
    getWorkingMemory: async ({ caller }) => {
      const items = await workingMemoryOf(deps, caller as Caller);
      return { status: 200, body: { working_memory: workingMemoryView(items) } };
    },
  };
}

function messageOf(body: Schemas['Message']): Message {
  return {
    content: body.content,
    role: body.role ?? null,
    name: body.name?.trim() || null,
    scope: body.scope ?? 'TEAM',
    tags: body.tags ?? [],
    importance: body.importance ?? null,
    timestampMs: body.timestamp === undefined ? null : parseInstant(body.timestamp, 'body/timestamp'),
    metadata: body.metadata ?? {},
    idempotencyKey: body.idempotency_key ?? null,
  };
}

type RecallBody = Pick<Schemas['Recall'], 'query'> & Partial<Schemas['Recall']>;

function recallOf(body: { [K in keyof RecallBody]: RecallBody[K] | undefined } & { query: string }): RecallRequest {
  return {
    query: body.query,
    topK: body.top_k ?? DEFAULT_TOP_K,
    minScore: body.min_score ?? 0,
    filter: {
      kinds: body.kinds,
      tags: body.tags,
      scope: body.scope,
      sinceMs: body.since === undefined ? undefined : parseInstant(body.since, 'body/since'),
      untilMs: body.until === undefined ? undefined : parseInstant(body.until, 'body/until'),
    },
    explain: body.explain ?? false,
    strengthen: body.strengthen ?? true,
    maxContextCharacters: body.max_context_chars ?? DEFAULT_CONTEXT_CHARACTERS,
    exceptId: null,
  };
}

function recalledView({ memories, context, workingMemory, tookMs }: Recalled, nowMs: number): Schemas['Recalled'] {
  return {
    memories: memories.map(({ kept, score, relevance, why }) => ({
      ...memoryView(kept, nowMs),
      score: Number(score.toFixed(4)),
      relevance,
      ...(why && { why }),
    })),
    context,
    working_memory: workingMemoryView(workingMemory),
    took_ms: milliseconds(tookMs),
  };
}
