import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { components, operations } from '../api.gen.ts';
import { alreadyRunning, type Consolidator } from '../domain/consolidation/consolidator.ts';
import { type UndoDeps, type Undone, undoRun } from '../domain/consolidation/undo.ts';
import { type HistoryEntry, historyOf } from '../domain/editing/past.ts';
import { versionTag } from '../domain/editing/precondition.ts';
import { type RevertDeps, revertMemory } from '../domain/editing/revert.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { viewerOf } from '../domain/memory/visibility.ts';
import { formatInstant } from '../wire/instant.ts';
import { memoryView } from '../wire/memory-view.ts';
import { memoryAnswer, tellingPresent } from './memory-answer.ts';

type Schemas = components['schemas'];
type HistoryOperations = 'getMemoryHistory' | 'revertMemory' | 'undoConsolidation';

export interface HistoryHandlerDeps extends RevertDeps, UndoDeps {
  readonly store: RevertDeps['store'] & UndoDeps['store'];
  readonly consolidator: Consolidator;
}

/** Fields that are not the same by themselves: they move with time and recalls, or name the version. */
const MOVING = new Set(['strength', 'recall_count', 'last_recalled_at', 'updated_at']);

export function historyHandlers(deps: HistoryHandlerDeps): Pick<Handlers<operations>, HistoryOperations> {
  const { clock, history, consolidator } = deps;
  return {
    getMemoryHistory: async ({ path, caller }) => {
      const entries = await historyOf(deps, viewerOf(caller), path.id);
      const nowMs = clock.now();
      return {
        status: 200,
        body: {
          id: path.id,
          kept_days: (history?.keptMs ?? 0) / DAY_MS,
          versions: entries.map((entry) => versionView(entry, nowMs)),
        },
        log: { memory_ids: [path.id] },
      };
    },
    revertMemory: async ({ path, body, caller, recordWrite, req }) => {
      const ifMatch = req.get('If-Match') ?? null;
      const { version, reason = null } = body;
      const stored = await tellingPresent(clock.now(), () =>
        revertMemory(deps, viewerOf(caller), { id: path.id, version, reason, ifMatch }),
      );
      recordWrite('memories', [stored.memory.id]);
      return memoryAnswer(stored, clock.now());
    },
    undoConsolidation: async ({ path, body, caller, recordWrite }) => {
      if (consolidator.running) throw alreadyRunning(consolidator.running);
      const viewer = viewerOf(caller);
      const undone = await undoRun(deps, viewer, { run: path.run_id, ids: body?.ids });
      if (!body?.ids) await consolidator.noteUndone(path.run_id, viewer);
      recordWrite('set_apart', undone.setApart);
      recordWrite('semantic_removed', undone.removed);
      recordWrite('semantic_put_back', undone.putBack);
      recordWrite('restored', undone.restored);
      return { status: 200, body: undoneView(path.run_id, undone) };
    },
  };
}

function versionView({ version, before, after }: HistoryEntry, nowMs: number): Schemas['MemoryVersion'] {
  const { at, agentId, operation, reason, run } = version;
  const view = (stored: StoredMemory | null) => stored && memoryView(stored, nowMs);
  const [was, is] = [view(before), view(after)];
  return {
    version: before && versionTag(before.memory),
    at: formatInstant(at),
    by: agentId,
    operation,
    reason,
    run_id: run,
    changed: was && is ? changedFields(was, is) : [],
    before: was,
    after: is,
  };
}

function changedFields(was: Schemas['Memory'], is: Schemas['Memory']): string[] {
  const fields = Object.keys(is) as (keyof Schemas['Memory'])[];
  return fields.filter((field) => !MOVING.has(field) && !isDeepStrictEqual(was[field], is[field]));
}

function undoneView(runId: string, undone: Undone): Schemas['UndoneConsolidation'] {
  const { setApart, removed, putBack, restored, notUndone } = undone;
  return {
    run_id: runId,
    set_apart: setApart,
    removed,
    put_back: putBack,
    restored,
    not_undone: notUndone as Schemas['UndoneConsolidation']['not_undone'],
  };
}
