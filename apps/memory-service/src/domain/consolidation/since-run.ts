import { isDeepStrictEqual } from 'node:util';
import { SAID_AGAIN } from '../memory/change-act.ts';
import type { MemoryHistory, PastVersion } from '../memory/history.ts';
import { type Memory, withKeysOf } from '../memory/memory.ts';
import type { ConsolidationStore } from './consolidation-store.ts';

/** What a run left of a memory. */
interface Left {
  readonly id: string;
  /** `updatedAt` after the run; null: gone. */
  readonly after: number | null;
}

/** What was done to a memory since a run. */
export interface SinceRun {
  /** 'repeats': nothing but what messages of the same words brought it. */
  readonly by: 'nobody' | 'repeats' | 'others';
  /** The memory as the run left it, where a version holds it. */
  readonly left: Memory | undefined;
}

/** Looks at what was done since a run, but for what was taken back, as by the undo of a later run. */
export async function sinceRun(
  history: MemoryHistory | null,
  { id, after }: Left,
  present: Memory | null,
): Promise<SinceRun> {
  if (!present || after === null || present.updatedAt === after) {
    return { by: (present?.updatedAt ?? null) === after ? 'nobody' : 'others', left: present ?? undefined };
  }
  const versions = (await history?.versionsOf(id)) ?? [];
  const at = versions.findIndex(({ before }) => before?.memory.updatedAt === after);
  const left = versions[at]?.before?.memory;
  if (!left) return { by: 'others', left };
  const { updatedAt } = present;
  const stood = withKeysOf(left, present);
  if (isDeepStrictEqual({ ...stood, updatedAt }, present)) return { by: 'nobody', left };
  const since = versions.slice(at);
  const isOnlyRepeated =
    present.kind === 'semantic'
      ? since.every(isRepeat)
      : since.every((one) => isRepeat(one) || isOfRun(one)) &&
        isDeepStrictEqual({ ...stood, ...additionsOf(present), updatedAt }, present);
  return { by: isOnlyRepeated ? 'repeats' : 'others', left };
}

/** A memory as it was before a run, with what repeats have brought since. */
export function withAdditions(before: Memory, { left, present }: { left: Memory; present: Memory }): Memory {
  const had = new Set([...left.tags, ...before.tags]);
  const importance = present.own?.importance ?? present.importance;
  const isRaised = importance > (left.own?.importance ?? left.importance);
  return {
    ...before,
    tags: [...before.tags, ...present.tags.filter((tag) => !had.has(tag))],
    metadata: { ...present.metadata, ...before.metadata },
    importance: isRaised ? Math.max(before.importance, importance) : before.importance,
  };
}

/** Whether the sources of a derived memory say what they said at a moment. */
export async function sourcesStoodSince(
  { store, history }: { store: Pick<ConsolidationStore, 'find'>; history: MemoryHistory | null },
  { sources }: Memory,
  at: number,
): Promise<boolean> {
  for (const id of sources) {
    const found = await store.find(id);
    if (found?.memory.id !== id) return false;
    if (found.memory.updatedAt <= at) continue;
    const since = ((await history?.versionsOf(id)) ?? []).filter((version) => version.at > at);
    if (since.length === 0 || !since.every(isRepeat)) return false;
  }
  return true;
}

/** A repeat that brings a tag to a source makes what was derived from it anew. */
function isRepeat({ operation, reason }: PastVersion): boolean {
  return reason === SAID_AGAIN && (operation === 'edit' || operation === 'derive');
}

/** Of a later run that was undone, for which the fields speak. */
function isOfRun({ operation }: PastVersion): boolean {
  return operation === 'absorb' || operation === 'undo';
}

function additionsOf({ tags, metadata, importance, own }: Memory): Partial<Memory> {
  return { tags, metadata, importance, ...(own && { own }) };
}
