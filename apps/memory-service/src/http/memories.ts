import { parseAgentId } from '@agent-faculties/agent-identity';
import { parseInstant, parseTimeRange } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { components, operations } from '../api.gen.ts';
import { deleteMemory } from '../domain/editing/delete.ts';
import { deleteAgentMemories } from '../domain/editing/delete-agent.ts';
import { invalidateMemory, type MemoryChange, updateMemory } from '../domain/editing/edit.ts';
import type { EditDeps } from '../domain/editing/edit-deps.ts';
import { readMemories, readMemory } from '../domain/editing/read.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { plainTags, tagsToKeep } from '../domain/memory/plain-tags.ts';
import { viewerOf } from '../domain/memory/visibility.ts';
import { instantOrNull } from '../wire/instant.ts';
import { memoryView, touched } from '../wire/memory-view.ts';
import { formatCursor, parseCursor } from '../wire/page-cursor.ts';
import { listedFor, readerOf } from './agent-scope.ts';
import { memoryAnswer, tellingPresent } from './memory-answer.ts';

type Schemas = components['schemas'];
type MemoryOperations =
  | 'getMemory'
  | 'getMemories'
  | 'updateMemory'
  | 'invalidateMemory'
  | 'deleteMemory'
  | 'listMemories'
  | 'deleteAgentMemories';

export function memoryHandlers(
  deps: EditDeps,
  { defaultAgentId }: { defaultAgentId: string },
): Pick<Handlers<operations>, MemoryOperations> {
  const { clock, store } = deps;
  return {
    getMemory: async ({ path, caller }) => {
      const stored = await readMemory(deps, viewerOf(caller), path.id);
      return memoryAnswer(foundBy(path.id, stored), clock.now());
    },
    getMemories: async ({ body, caller }) => {
      const found = await readMemories(deps, viewerOf(caller), body.ids);
      const nowMs = clock.now();
      return {
        status: 200,
        body: {
          memories: [...found].map(([id, stored]) => memoryView(foundBy(id, stored), nowMs)),
          not_found: [...new Set(body.ids)].filter((id) => !found.has(id)),
        },
        log: touched([...found.values()]),
      };
    },
    updateMemory: async ({ path, body, caller, recordWrite, req }) => {
      const ifMatch = req.get('If-Match') ?? null;
      const stored = await tellingPresent(clock.now(), () =>
        updateMemory(deps, viewerOf(caller), { id: path.id, change: changeOf(body), ifMatch }),
      );
      recordWrite('memories', [stored.memory.id]);
      return memoryAnswer(stored, clock.now());
    },
    invalidateMemory: async ({ path, body, caller, recordWrite, req }) => {
      const invalidation = {
        id: path.id,
        reason: body.reason,
        at: instantOrNull(body.at, 'body/at'),
        ifMatch: req.get('If-Match') ?? null,
      };
      const stored = await tellingPresent(clock.now(), () => invalidateMemory(deps, viewerOf(caller), invalidation));
      recordWrite('memories', [stored.memory.id]);
      return memoryAnswer(stored, clock.now());
    },
    deleteMemory: async ({ path, query, caller, recordWrite, req }) => {
      const deletion = { id: path.id, ifMatch: req.get('If-Match') ?? null, erase: query.erase ?? false };
      await tellingPresent(clock.now(), () => deleteMemory(deps, viewerOf(caller), deletion));
      recordWrite('memories', [path.id]);
      return { status: 200, body: { deleted: path.id }, log: { memory_ids: [path.id] } };
    },
    listMemories: async ({ query, caller, req }) => {
      const filter = {
        ...listedFor({ query, caller, req }, { defaultAgentId }),
        sessionId: query.session_id,
        kinds: query.kind && [query.kind],
        scope: query.scope,
        tags: query.tag === undefined ? undefined : plainTags([query.tag]),
        ...parseTimeRange(query, 'query'),
        heldAtMs: query.as_of === undefined ? undefined : parseInstant(query.as_of, 'query/as_of'),
      };
      const after = parseCursor(query.cursor);
      const page = await store.list(filter, {
        limit: query.limit ?? 50,
        after,
        text: query.q,
        isRecalled: query.recalled,
      });
      const nowMs = clock.now();
      const memories = page.items.map((stored) => memoryView(stored, nowMs));
      return {
        status: 200,
        body: { memories, total: page.total, next_cursor: formatCursor(page.next) },
        log: touched(page.items),
      };
    },
    deleteAgentMemories: async ({ path, query, caller, recordWrite, req }) => {
      const author = parseAgentId(path.agent_id, 'path agent_id');
      const asking = query.agent_id ? parseAgentId(query.agent_id, 'query agent_id') : readerOf(req, author);
      const deleted = await deleteAgentMemories(
        deps,
        { ...viewerOf(caller), agentId: asking },
        { authorAgentId: author, erase: query.erase ?? false },
      );
      recordWrite('memories', deleted);
      return { status: 200, body: { deleted: deleted.length }, log: { deleted: deleted.length } };
    },
  };
}

function changeOf({
  valid_from,
  valid_until,
  expires_at,
  superseded_by,
  tags,
  ...fields
}: Schemas['MemoryChange']): MemoryChange {
  return {
    ...fields,
    ...(tags && { tags: tagsToKeep(tags, 'body/tags') }),
    supersededBy: superseded_by,
    ...(valid_from !== undefined && { validFrom: instantOrNull(valid_from, 'body/valid_from') }),
    ...(valid_until !== undefined && { validUntil: instantOrNull(valid_until, 'body/valid_until') }),
    ...(expires_at !== undefined && { expiresAt: instantOrNull(expires_at, 'body/expires_at') }),
  };
}

/** The memory, with its own id in `consolidated_into` if the request names a memory that it has absorbed. */
function foundBy(id: string, { memory, strength }: StoredMemory): StoredMemory {
  return { memory: memory.id === id ? memory : { ...memory, consolidatedInto: memory.id }, strength };
}
