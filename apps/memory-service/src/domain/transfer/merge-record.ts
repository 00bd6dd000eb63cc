import { stronger } from '../cognition/retention.ts';
import type { Locks } from '../concurrency/keyed-lock.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import type { Rewriting } from '../editing/rewrite.ts';
import { isTerse } from '../embedding/terse.ts';
import { wordsKey } from '../ingest/same-words.ts';
import { type Memory, recallText, type Strength } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';

/** A memory that was made in another store. */
export interface MergeRecord {
  readonly memory: Memory;
  /** Whether the record says when the memory was last changed; else that is when it was made. */
  readonly isDated: boolean;
  readonly strength: Strength;
  /** Vectors of this store's model, one for each chunk of the text; empty: they are made in the background. */
  readonly vectors: readonly Float32Array[];
}

export type MergeStore = Pick<
  MemoryStore,
  'find' | 'findSameWords' | 'changeTogether' | 'strengthen' | 'size' | 'wasDeleted'
>;

export interface MergeDeps {
  readonly store: MergeStore;
  /** Writes a changed memory. Resolves to false when the memory is no longer as it was read. */
  readonly rewrite: (rewriting: Omit<Rewriting, 'act'>, viewer: Viewer) => Promise<boolean>;
  /** The locks that ingest and edits use too, so that nothing changes what a decision rests on. */
  readonly locks: Locks;
  readonly maxMemories: number;
}

export interface Rejected {
  /** Why the record is rejected. */
  readonly rejected: string;
}

interface Duplicate {
  readonly done: 'duplicate';
  /** The id under which the memory is known here, where that is another one: somebody has said the same words. */
  readonly knownAs?: string;
}

/** The outcome for a record. */
export type MergeOutcome =
  | { readonly done: 'added' | 'updated'; readonly withoutVectors: boolean }
  | Duplicate
  | Rejected;

const DUPLICATE: MergeOutcome = { done: 'duplicate' };

const PRIVATE_OF_ANOTHER = rejected(
  'a PRIVATE memory is only taken from its own agent: send it as that agent (agent_id or X-Agent-ID)',
);
/** One text for a deleted memory and for one that is PRIVATE to another agent, so that it does not tell which. */
const NOT_FREE = rejected('its id is not free here: a memory of this id was deleted, or is not yours to see');
/** Its gist may hold words that were edited away or made PRIVATE here, and it adds nothing to its sources. */
const DERIVED = rejected(
  'it was derived from the memories in its sources: send those, and consolidation derives it again',
);
const CIRCLE = rejected('superseded_by and consolidated_into must not lead back to the memory itself');
const ABSORBED = rejected(
  'a memory of this id has become one with another that said the same, and now says something else: send it under a new id',
);

function ofAnotherProject(project: string): Rejected {
  return rejected(
    `it does not belong to project '${project}', which the request names: name none in the request, and each record goes into its own`,
  );
}

function rejected(reason: string): Rejected {
  return { rejected: reason };
}

/**
 * Merges one memory of another store, or tells why not. It locks the id first and then the words; ingest and edits lock only one
 * of the two, so there is no deadlock.
 * @param isCircle whether the memory would be its own successor
 * @throws UnavailableError when the disk refuses
 */
export async function mergeRecord(
  deps: MergeDeps,
  viewer: Viewer,
  { record, isCircle }: { record: MergeRecord; isCircle: () => Promise<boolean> },
): Promise<MergeOutcome> {
  const { memory } = record;
  // Decided before any look-up, so that the answer tells nothing about this store.
  if (viewer.project !== null && memory.project !== viewer.project) return ofAnotherProject(viewer.project);
  if (!isVisibleTo(viewer, memory)) return PRIVATE_OF_ANOTHER;
  // Those of a terse memory were made behind a message that may be deleted or hidden here.
  const own = isTerse(memory) ? { ...record, vectors: [] } : record;
  const attempt = () => tryMerge(deps, viewer, { record: own, isCircle });
  return await deps.locks.run(memory.id, () => untilTaken(attempt));
}

async function tryMerge(
  deps: MergeDeps,
  viewer: Viewer,
  { record, isCircle }: { record: MergeRecord; isCircle: () => Promise<boolean> },
): Promise<MergeOutcome | typeof STALE> {
  const { store, locks } = deps;
  const { memory } = record;
  const stored = await store.find(memory.id);
  if (stored ? !isVisibleTo(viewer, stored.memory) : await store.wasDeleted(memory.id)) return NOT_FREE;
  if (stored && stored.memory.id !== memory.id) return mergeAbsorbed(stored.memory, memory);
  // Such as a file that was imported before: what was done to the memory since is newer than the words that are sent again.
  if (stored && !record.isDated && memory.content === stored.memory.content) return DUPLICATE;
  const refusal = stored ? ownershipFault(stored.memory, memory) : null;
  if (refusal) return refusal;
  if (stored && memory.updatedAt <= stored.memory.updatedAt) {
    await strengthen(store, stored, record);
    return DUPLICATE;
  }
  if (await isCircle()) return CIRCLE;
  if (isDerived(memory)) return DERIVED;
  if (stored) return await update(deps, viewer, { stored, record });
  return await locks.run(wordsKey(memory), () => add(deps, record));
}

function ownershipFault(known: Memory, memory: Memory): Rejected | null {
  if (known.agentId === memory.agentId) return null;
  return rejected(`its id belongs to a memory of agent '${known.agentId}' here: a memory never changes its agent`);
}

/** The survivor says the same, so only other words would be news. */
function mergeAbsorbed({ absorbed = [] }: Memory, memory: Memory): MergeOutcome {
  const known = absorbed.find((one) => one.memory.id === memory.id)?.memory;
  if (!known) return DUPLICATE;
  const isNews = memory.updatedAt > known.updatedAt && recallText(memory) !== recallText(known);
  return ownershipFault(known, memory) ?? (isNews ? ABSORBED : DUPLICATE);
}

async function add(
  { store, maxMemories }: MergeDeps,
  { memory, strength, vectors }: MergeRecord,
): Promise<MergeOutcome | typeof STALE> {
  const known = isWordForWord(memory) ? await store.findSameWords(memory) : null;
  if (known) return { done: 'duplicate', knownAs: known.memory.id };
  if ((await store.size()) >= maxMemories) {
    return rejected('the server holds as many memories as it may: delete some, or raise --max-memories');
  }
  const isTaken = await store.changeTogether({
    expected: [],
    absent: { ids: [memory.id], tombstones: [memory.id], ...(isWordForWord(memory) && { wordsOf: [memory] }) },
    mostMemories: maxMemories,
    changes: [{ op: 'add', memory, strength, vectors }],
  });
  return isTaken ? { done: 'added', withoutVectors: vectors.length === 0 } : STALE;
}

/** Whether a memory is the original message; an edited gist or a derived memory is news. */
function isWordForWord({ gistEdited, kind }: Memory): boolean {
  return !gistEdited && kind === 'episodic';
}

async function update(
  { store, rewrite }: MergeDeps,
  viewer: Viewer,
  { stored, record }: { stored: StoredMemory; record: MergeRecord },
): Promise<MergeOutcome | typeof STALE> {
  const { memory, vectors } = record;
  const { idempotencyKey, tellings, absorbed } = stored.memory;
  const isNewText = recallText(memory) !== recallText(stored.memory);
  // Fields that only this store knows are kept.
  const { tags, entities, importance } = memory;
  const own = { tags, entities, importance };
  // A record may come from a version without sources, or claim another source.
  const { source } = stored.memory;
  const kept = { source, idempotencyKey, ...(tellings && { tellings }), ...(absorbed && { absorbed, own }) };
  const merged = { ...memory, ...kept };
  const rewriting = { before: stored.memory, memory: merged, vectors: isNewText ? vectors : undefined };
  const isWritten = await rewrite(rewriting, viewer);
  if (!isWritten) return STALE;
  await strengthen(store, stored, record);
  return { done: 'updated', withoutVectors: isNewText && vectors.length === 0 };
}

async function strengthen(store: MergeStore, stored: StoredMemory, { memory, strength }: MergeRecord): Promise<void> {
  const strongest = stronger(stored.strength, strength);
  if (strongest !== stored.strength) await store.strengthen([{ id: memory.id, strength: strongest }]);
}

/** Whether a memory is derived from others; consolidation derives it again where those are. */
export function isDerived({ kind, sources }: Pick<Memory, 'kind' | 'sources'>): boolean {
  return kind === 'semantic' && sources.length > 0;
}
