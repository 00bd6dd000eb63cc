import { stronger } from '../cognition/retention.ts';
import type { Locks } from '../concurrency/keyed-lock.ts';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import type { Rewriting } from '../editing/rewrite.ts';
import { wordsKey } from '../ingest/duplicate-guard.ts';
import { type Memory, recallText, type Strength } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { isVisibleTo } from '../memory/visibility.ts';

/** A memory that was made in another store. */
export interface MergeRecord {
  readonly memory: Memory;
  readonly strength: Strength;
  /** Of the model of this store, one for each chunk of the text; none: to be made in the background. */
  readonly vectors: readonly Float32Array[];
}

export type MergeStore = Pick<
  MemoryStore,
  'find' | 'findSameWords' | 'changeTogether' | 'strengthen' | 'size' | 'wasDeleted'
>;

export interface MergeDeps {
  readonly store: MergeStore;
  /** Resolves to false when the memory is no longer as it was read. */
  readonly rewrite: (rewriting: Rewriting) => Promise<boolean>;
  /** Shared with ingest and edits: what they decide by must not change under them. */
  readonly locks: Locks;
  readonly maxMemories: number;
}

export interface Rejected {
  /** What is wrong with the record. */
  readonly rejected: string;
}

/** What became of a record. */
export type Outcome =
  | { readonly done: 'added' | 'updated'; readonly withoutVectors: boolean }
  | { readonly done: 'duplicate' }
  | Rejected;

const DUPLICATE: Outcome = { done: 'duplicate' };

const PRIVATE_OF_ANOTHER = rejected(
  'a PRIVATE memory is only taken from its own agent: send it as that agent (agent_id or X-Agent-ID)',
);
/** The same words whether it was deleted or is PRIVATE to somebody else: the difference is nobody's business. */
const NOT_FREE = rejected('its id is not free here: a memory of this id was deleted, or is not yours to see');
/** Its gist may hold words that were edited away or made PRIVATE here, and it tells nothing that they do not. */
const DERIVED = rejected(
  'it was derived from the memories in its sources: send those, and consolidation derives it again',
);
const CIRCLE = rejected('superseded_by and consolidated_into must not lead back to the memory itself');
const ABSORBED = rejected(
  'a memory of this id has become one with another that said the same, and says something else since: send it under a new id',
);

function rejected(reason: string): Rejected {
  return { rejected: reason };
}

/**
 * Takes in one memory of another store, or says why not. Work on its id goes first, then work on its words: ingest and edits
 * know only one of the two, so nobody waits in a circle.
 * @param isCircle whether the memory would be its own successor
 * @throws UnavailableError when the disk refuses
 */
export async function mergeRecord(
  deps: MergeDeps,
  callerAgentId: string,
  { record, isCircle }: { record: MergeRecord; isCircle: () => Promise<boolean> },
): Promise<Outcome> {
  const { memory } = record;
  // Said before anything is looked up, so that it tells nothing of this store.
  if (!isVisibleTo(callerAgentId, memory)) return PRIVATE_OF_ANOTHER;
  const attempt = () => tryMerge(deps, callerAgentId, { record, isCircle });
  return await deps.locks.run(memory.id, () => untilTaken(attempt));
}

async function tryMerge(
  deps: MergeDeps,
  callerAgentId: string,
  { record, isCircle }: { record: MergeRecord; isCircle: () => Promise<boolean> },
): Promise<Outcome | typeof STALE> {
  const { store, locks } = deps;
  const { memory } = record;
  const stored = await store.find(memory.id);
  if (stored ? !isVisibleTo(callerAgentId, stored.memory) : await store.wasDeleted(memory.id)) return NOT_FREE;
  if (stored && stored.memory.id !== memory.id) return mergeAbsorbed(stored.memory, memory);
  const refusal = stored ? ownershipFault(stored.memory, memory) : null;
  if (refusal) return refusal;
  if (stored && memory.updatedAt <= stored.memory.updatedAt) {
    await strengthen(store, stored, record);
    return DUPLICATE;
  }
  if (await isCircle()) return CIRCLE;
  if (isDerived(memory)) return DERIVED;
  if (stored) return await update(deps, stored, record);
  return await locks.run(wordsKey(memory), () => add(deps, record));
}

function ownershipFault(known: Memory, memory: Memory): Rejected | null {
  if (known.agentId === memory.agentId) return null;
  return rejected(`its id belongs to a memory of agent '${known.agentId}' here: a memory never changes its agent`);
}

/** The survivor says the same; only other words are news. */
function mergeAbsorbed({ absorbed = [] }: Memory, memory: Memory): Outcome {
  const known = absorbed.find((one) => one.memory.id === memory.id)?.memory;
  if (!known) return DUPLICATE;
  const isNews = memory.updatedAt > known.updatedAt && recallText(memory) !== recallText(known);
  return ownershipFault(known, memory) ?? (isNews ? ABSORBED : DUPLICATE);
}

async function add(
  { store, maxMemories }: MergeDeps,
  { memory, strength, vectors }: MergeRecord,
): Promise<Outcome | typeof STALE> {
  if (isWordForWord(memory) && (await store.findSameWords(memory)) !== null) return DUPLICATE;
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

/** Whether a memory is the message itself: what somebody put in place of the words, or derived from them, is news. */
function isWordForWord({ gistEdited, kind }: Memory): boolean {
  return !gistEdited && kind === 'episodic';
}

async function update(
  { store, rewrite }: MergeDeps,
  stored: StoredMemory,
  record: MergeRecord,
): Promise<Outcome | typeof STALE> {
  const { memory, vectors } = record;
  const { idempotencyKey, absorbed } = stored.memory;
  const isNewText = recallText(memory) !== recallText(stored.memory);
  // What only this store knows of the memory stays.
  const { tags, entities, importance } = memory;
  const own = { tags, entities, importance };
  // A later record may be of a version that knew no sources, or claim another one.
  const { source } = stored.memory;
  const merged = { ...memory, source, idempotencyKey, ...(absorbed && { absorbed, own }) };
  const isWritten = await rewrite({ before: stored.memory, memory: merged, vectors: isNewText ? vectors : undefined });
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
