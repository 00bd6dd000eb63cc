import type { Caller } from '@agent-faculties/agent-identity';
import type { Memory } from '../memory/memory.ts';
import { matches } from '../memory/memory-match.ts';
import type { MemoryFilter } from '../memory/memory-store.ts';
import { isEnded } from '../memory/validity.ts';
import { viewerOf } from '../memory/visibility.ts';
import type { RecalledMemory } from './ranking/ranking.ts';
import { type RecallDeps, type RecallRequest, recall } from './recall.ts';

/** The number of places of the ranking in which the memory is looked for. */
const MOST_PLACES = 100;

export type Condition = keyof RecallRequest['filter'];

/** What keeps a memory out of a recall, or that nothing does. */
export interface Absence {
  /** From 1; null where it is not among the first 100. */
  readonly place: number | null;
  readonly isRecalled: boolean;
  /** The conditions of the request that it does not meet. */
  readonly unmet: readonly Condition[];
  /** Whether the question asks for what was told last, which is no matter of evidence. */
  readonly isLastTold: boolean;
  /** The derived memory that is recalled in its place; null where there is none. */
  readonly toldBy: string | null;
  /** What speaks for it where nothing competes with it; null where nothing does. */
  readonly own: RecalledMemory | null;
  /** The score of the last one that is recalled; null where none is. */
  readonly leastScore: number | null;
  readonly isSuperseded: boolean;
  readonly hasEnded: boolean;
}

/** Recalls as the request says, leaving no trace, and looks for a memory that the caller sees. @throws UnavailableError */
export async function whyNot(
  deps: RecallDeps,
  caller: Caller,
  { memory, request }: { readonly memory: Memory; readonly request: RecallRequest },
): Promise<Absence> {
  const asked = { ...request, explain: true, strengthen: false };
  const { memories: answer, isLastTold } = await recall(deps, caller, asked);
  const unmet = await unmetConditions(deps, caller, { memory, filter: request.filter });
  const isIt = ({ stored }: RecalledMemory) => stored.memory.id === memory.id;
  const isRecalled = answer.some(isIt);
  const far =
    unmet.length > 0 || isRecalled ? answer : (await recall(deps, caller, { ...asked, topK: MOST_PLACES })).memories;
  const at = far.findIndex(isIt);
  return {
    place: at < 0 ? null : at + 1,
    isRecalled,
    unmet,
    isLastTold,
    toldBy: answer.find(({ stored }) => stored.memory.sources.includes(memory.id))?.stored.memory.id ?? null,
    own: far[at] ?? (isLastTold ? null : await alone(deps, caller, { memory, request: asked })),
    leastScore: answer.at(-1)?.score ?? null,
    isSuperseded: memory.supersededBy !== null,
    hasEnded: isEnded(memory, deps.clock.now()),
  };
}

async function unmetConditions(
  { store }: RecallDeps,
  caller: Caller,
  { memory, filter }: { readonly memory: Memory; readonly filter: RecallRequest['filter'] },
): Promise<Condition[]> {
  const successor = memory.supersededBy === null ? null : await store.find(memory.supersededBy);
  const saidAt = () => successor?.memory.createdAt ?? null;
  const viewer = viewerOf(caller);
  const meets = (one: Omit<MemoryFilter, 'viewer'>) => matches(memory, { ...one, viewer }, saidAt);
  return (Object.keys(filter) as Condition[]).filter((name) => !meets({ [name]: filter[name] }));
}

/** Of the moment at which it was said there are few others, and a score is a share of the evidence, not of the ranking. */
async function alone(
  deps: RecallDeps,
  caller: Caller,
  { memory, request }: { readonly memory: Memory; readonly request: RecallRequest },
): Promise<RecalledMemory | null> {
  const filter = { sinceMs: memory.createdAt, untilMs: memory.createdAt + 1 };
  const { memories } = await recall(deps, caller, { ...request, filter, topK: MOST_PLACES, minScore: 0 });
  return memories.find(({ stored }) => stored.memory.id === memory.id) ?? null;
}
