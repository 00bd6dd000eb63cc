import { DAY_MS } from '@agent-faculties/service-kit';
import type { Kind, Memory } from '../memory/memory.ts';
import type { MemoryFilter, MemoryStore } from '../memory/memory-store.ts';
import type { Viewer } from '../memory/visibility.ts';

/** Beyond that a picture shows counts, and a list of all of them would be megabytes. */
const MOST_POINTS = 1_000;
const MOST_SESSIONS = 500;
/** How much time the timeline of a store without memories shows. */
const EMPTY_SPAN_MS = DAY_MS;

export interface TimelineRequest {
  /** Epoch milliseconds; null: when the first of the memories was said. */
  readonly sinceMs: number | null;
  /** Epoch milliseconds, exclusive; null: the present. */
  readonly untilMs: number | null;
  /** Epoch milliseconds; null: the present. */
  readonly heldAtMs: number | null;
  /** How many spans of time, 1 or more. */
  readonly buckets: number;
}

/** What one agent told of one kind, by span of time. */
export interface Lane {
  readonly agentId: string;
  readonly kind: Kind;
  readonly counts: number[];
  /** Those of them that hold at the moment that was asked for. */
  readonly held: number[];
}

export interface SessionSpan {
  readonly agentId: string;
  readonly sessionId: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}

export interface Timeline {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly heldAtMs: number;
  readonly total: number;
  /** By agent, then kind. */
  readonly lanes: readonly Lane[];
  /** The ones that ended last. */
  readonly sessions: readonly SessionSpan[];
  readonly sessionsTotal: number;
  /** Oldest first; null where they are too many. */
  readonly points: readonly { readonly memory: Memory; readonly isHeld: boolean }[] | null;
}

/** Counts what a viewer sees by spans of time. Goes through the store twice, in its batches. */
export async function timelineOf(
  { store, nowMs }: { readonly store: Pick<MemoryStore, 'scan'>; readonly nowMs: number },
  viewer: Viewer,
  { sinceMs, untilMs, heldAtMs: asked, buckets }: TimelineRequest,
): Promise<Timeline> {
  const heldAtMs = asked ?? nowMs;
  const until = untilMs ?? nowMs + 1;
  const filter: MemoryFilter = { viewer, sinceMs: sinceMs ?? undefined, untilMs: until };
  const picture = new Picture({ sinceMs, untilMs: until, buckets });
  for await (const batch of store.scan(filter)) for (const { memory } of batch) picture.add(memory);
  for await (const batch of store.scan({ ...filter, heldAtMs })) for (const { memory } of batch) picture.hold(memory);
  return { ...picture.drawn(), untilMs: until, heldAtMs };
}

class Picture {
  readonly #until: number;
  readonly #buckets: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #sessions = new Map<string, { -readonly [Key in keyof SessionSpan]: SessionSpan[Key] }>();
  readonly #heldIds = new Set<string>();
  #since: number | null;
  #points: Memory[] | null = [];
  #total = 0;

  constructor({ sinceMs, untilMs, buckets }: { sinceMs: number | null; untilMs: number; buckets: number }) {
    this.#since = sinceMs;
    this.#until = untilMs;
    this.#buckets = buckets;
  }

  /** In the order of time. */
  add(memory: Memory): void {
    this.#since ??= memory.createdAt;
    this.#total += 1;
    this.#count(this.#laneOf(memory).counts, memory);
    this.#addToSession(memory);
    this.#points?.push(memory);
    if (this.#total > MOST_POINTS) this.#points = null;
  }

  hold(memory: Memory): void {
    // It was stored after the first look.
    if (this.#since === null || !this.#lanes.has(laneKey(memory))) return;
    this.#count(this.#laneOf(memory).held, memory);
    if (this.#points) this.#heldIds.add(memory.id);
  }

  drawn(): Omit<Timeline, 'untilMs' | 'heldAtMs'> {
    const latestFirst = [...this.#sessions.values()].sort((a, b) => b.lastAt - a.lastAt);
    return {
      sinceMs: this.#since ?? this.#until - EMPTY_SPAN_MS,
      total: this.#total,
      lanes: [...this.#lanes.values()].sort(byAgent),
      sessions: latestFirst.slice(0, MOST_SESSIONS),
      sessionsTotal: latestFirst.length,
      points: this.#points?.map((memory) => ({ memory, isHeld: this.#heldIds.has(memory.id) })) ?? null,
    };
  }

  #laneOf(memory: Memory): Lane {
    const key = laneKey(memory);
    let lane = this.#lanes.get(key);
    if (!lane) {
      const zeros = () => new Array<number>(this.#buckets).fill(0);
      lane = { agentId: memory.agentId, kind: memory.kind, counts: zeros(), held: zeros() };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #count(counts: number[], { createdAt }: Memory): void {
    const since = this.#since as number;
    const share = (createdAt - since) / Math.max(1, this.#until - since);
    const bucket = Math.min(this.#buckets - 1, Math.max(0, Math.floor(share * this.#buckets)));
    counts[bucket] = (counts[bucket] as number) + 1;
  }

  #addToSession({ agentId, sessionId, createdAt }: Memory): void {
    if (sessionId === null) return;
    // No name has a control character.
    const key = `${agentId}\n${sessionId}`;
    const known = this.#sessions.get(key);
    if (!known) this.#sessions.set(key, { agentId, sessionId, firstAt: createdAt, lastAt: createdAt, count: 1 });
    else {
      known.lastAt = createdAt;
      known.count += 1;
    }
  }
}

const laneKey = ({ agentId, kind }: Memory): string => `${kind} ${agentId}`;

function byAgent(a: Lane, b: Lane): number {
  return laneOrder(a) < laneOrder(b) ? -1 : 1;
}

const laneOrder = ({ agentId, kind }: Lane): string => `${agentId}\n${kind}`;
