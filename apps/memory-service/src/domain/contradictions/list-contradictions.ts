import { EmbedderBusyError, EmbedderStoppedError, EmbeddingFailedError } from '@agent-faculties/embeddings';
import { type Clock, type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { Memory } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import { holdTogether } from '../memory/validity.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';
import { type Contradiction, type ContradictionState, isDoubtful, standingOf, stateOf } from './contradiction.ts';
import type { ContradictionStore } from './contradiction-store.ts';
import type { ContradictionFinder } from './find-contradictions.ts';
import { DEFAULT_THRESHOLD } from './pairs/thresholds.ts';
import { isSameVoice } from './same-voice.ts';

export interface ContradictionDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: MemoryStore & ContradictionStore;
  readonly finder: ContradictionFinder;
}

export interface ContradictionRequest {
  /** 0..1 */
  readonly threshold: number;
  /** One agent: its contradictions; several: those among them; none: all. */
  readonly agentIds: readonly string[];
  readonly states: readonly ContradictionState[];
  /** Whether those are meant too that lie between memories that one agent told of one speaker. */
  readonly includeSameAgent: boolean;
  readonly limit: number;
  /** How long to wait for the comparison of new memories; else as long as it takes, but for 20 s at most. */
  readonly waitMs?: number | undefined;
}

/** A contradiction with its two memories. */
export interface Disagreement {
  readonly contradiction: Contradiction;
  readonly a: Memory;
  readonly b: Memory;
}

export interface Disagreements {
  /** Most certain first. */
  readonly items: readonly Disagreement[];
  /** The number of all that fit, whatever the limit. */
  readonly total: number;
  /** How many of the memories that the caller may see were compared, and how many still wait. */
  readonly compared: number;
  readonly pending: number;
}

/** How long a caller waits for the comparison of new memories; a first scan takes minutes. */
const WAITED_FOR_MS = 20_000;

/** Compares new memories for a while, and then lists the known contradictions. */
export async function listContradictions(
  deps: ContradictionDeps,
  viewer: Viewer,
  request: ContradictionRequest,
): Promise<Disagreements> {
  const waitMs = request.waitMs ?? WAITED_FOR_MS;
  if (waitMs > 0) await compareUntil(deps, deps.clock.now() + waitMs);
  const few = await knownDisagreements(deps, viewer, request);
  const pending = await deps.store.waitingCount(viewer);
  let said = 0;
  for (const { episodic } of (await deps.store.counts(viewer)).values()) said += episodic;
  return { items: few.slice(0, request.limit), total: few.length, compared: Math.max(0, said - pending), pending };
}

/** What the memories of these ids contradict and nobody has decided about, the surest first. */
export async function openDisagreements(
  { store, clock }: { store: Pick<MemoryStore, 'find'> & Pick<ContradictionStore, 'contradictionsOf'>; clock: Clock },
  viewer: Viewer,
  memoryIds: readonly string[],
): Promise<readonly Disagreement[]> {
  const nowMs = clock.now();
  const known = await store.contradictionsOf(memoryIds);
  const seen = await Promise.all(known.map((contradiction) => disagreementOf({ store }, viewer, contradiction)));
  const open = seen.filter((one): one is Disagreement => one !== null && isAskedFor(one, OPEN, nowMs));
  return fewOfEach(open.sort(surestFirst));
}

/** Pairs about which somebody should be asked, those that are most likely contradictions first. */
export async function doubtfulPairs(
  deps: Pick<ContradictionDeps, 'store' | 'clock'>,
  viewer: Viewer,
  { limit, includeSameAgent }: { limit: number; includeSameAgent: boolean },
): Promise<{ items: readonly Disagreement[]; total: number }> {
  const asked = { ...OPEN, threshold: 0, includeSameAgent };
  const few = await knownDisagreements(deps, viewer, asked, isDoubtful);
  return { items: few.slice(0, limit), total: few.length };
}

/** All that are known and asked for, the surest first. @param isMeant a first look, without the memories */
async function knownDisagreements(
  { store, clock }: Pick<ContradictionDeps, 'store' | 'clock'>,
  viewer: Viewer,
  request: Omit<ContradictionRequest, 'limit' | 'waitMs'>,
  isMeant: (contradiction: Contradiction) => boolean = () => true,
): Promise<Disagreement[]> {
  const items: Disagreement[] = [];
  const nowMs = clock.now();
  for await (const batch of store.contradictions()) {
    for (const contradiction of batch) {
      if (!isMeant(contradiction)) continue;
      const disagreement = await disagreementOf({ store }, viewer, contradiction);
      if (disagreement && isAskedFor(disagreement, request, nowMs)) items.push(disagreement);
    }
  }
  return fewOfEach(items.sort(surestFirst));
}

const OPEN = { threshold: DEFAULT_THRESHOLD, agentIds: [], states: ['open'], includeSameAgent: false } as const;

export function surestFirst(x: Disagreement, y: Disagreement): number {
  return (
    standingOf(y.contradiction) - standingOf(x.contradiction) || (x.contradiction.id < y.contradiction.id ? -1 : 1)
  );
}

/** Open contradictions of one memory that are listed: a memory that many speak against is decided about once. */
const OPEN_OF_ONE = 3;

/** The surest ones; further open ones of a memory come up when one of these is decided. @param items the surest first */
function fewOfEach(items: readonly Disagreement[]): Disagreement[] {
  const counts = new Map<string, number>();
  return items.filter(({ contradiction, a, b }) => {
    if (stateOf(contradiction) !== 'open') return true;
    const sides = [a.id, b.id];
    if (sides.some((id) => (counts.get(id) ?? 0) >= OPEN_OF_ONE)) return false;
    for (const id of sides) counts.set(id, (counts.get(id) ?? 0) + 1);
    return true;
  });
}

/** Compares new memories until one of them is compared, for `waitMs` at most. It works off those that wait, oldest change first. */
export async function compareSoon(
  deps: ContradictionDeps,
  { memoryId, waitMs }: { memoryId: string; waitMs: number },
): Promise<void> {
  let isCompared = false;
  const look = async () => {
    isCompared = !(await deps.store.waitingAmong([memoryId])).has(memoryId);
  };
  await look();
  await compareUntil(deps, deps.clock.now() + waitMs, { isDone: () => isCompared, rest: look });
}

async function compareUntil(
  { clock, log, finder }: ContradictionDeps,
  until: number,
  { isDone, rest }: { isDone?: () => boolean; rest?: () => Promise<void> } = {},
): Promise<void> {
  try {
    await finder.findContradictions(() => clock.now() >= until || isDone?.() === true, rest);
  } catch (error) {
    const isModelDown =
      error instanceof EmbedderBusyError ||
      error instanceof EmbeddingFailedError ||
      error instanceof EmbedderStoppedError;
    // What was found cannot be kept: the disk is full, say.
    const isStoreDown = error instanceof UnavailableError;
    if (!isModelDown && !isStoreDown) throw error;
    // The known contradictions are an answer; it tells how many memories wait.
    const why = isModelDown ? 'the model is not available' : 'nothing can be written';
    log.warn({ err: error }, `contradictions are listed without the newest memories: ${why}`);
  }
}

/** The contradiction with its memories; null where the caller does not see both, or one of them is gone. */
export async function disagreementOf(
  { store }: { store: Pick<MemoryStore, 'find'> },
  viewer: Viewer,
  contradiction: Contradiction,
): Promise<Disagreement | null> {
  const [a, b] = [await store.find(contradiction.a), await store.find(contradiction.b)];
  if (!a || !b || !isVisibleTo(viewer, a.memory) || !isVisibleTo(viewer, b.memory)) return null;
  return { contradiction, a: a.memory, b: b.memory };
}

function isAskedFor(
  { contradiction, a, b }: Disagreement,
  request: Omit<ContradictionRequest, 'limit' | 'waitMs'>,
  nowMs: number,
): boolean {
  const { threshold, agentIds, states, includeSameAgent } = request;
  const state = stateOf(contradiction);
  // If a third memory superseded one of them, or they hold at different times, nobody has to decide any more.
  const isSuperseded = a.supersededBy !== null || b.supersededBy !== null;
  const isMoot = state === 'open' && (isSuperseded || !holdTogether(a, b, nowMs));
  const taking = [a, b].filter(({ agentId }) => agentIds.includes(agentId)).length;
  return (
    !isMoot &&
    standingOf(contradiction) >= threshold &&
    states.includes(state) &&
    (includeSameAgent || !isSameVoice(a, b)) &&
    (agentIds.length === 0 || taking >= Math.min(agentIds.length, 2))
  );
}
