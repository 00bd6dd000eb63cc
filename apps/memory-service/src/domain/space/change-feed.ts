import type { Clock } from '@agent-faculties/service-kit';
import type { Report } from '../consolidation/report.ts';
import type { Memory } from '../memory/memory.ts';
import { type Audience, isSeenByAllWhoSee, isVisibleTo, type Viewer } from '../memory/visibility.ts';
import type { ContradictionChange, MemoryChange, StoreChange } from './store-change.ts';

/** Events kept for readers that reconnect: at least this many, at most twice as many. PRIVATE ones are counted apart. */
const KEPT_EVENTS = 2_000;
/** Events handed out at a time. */
const BATCH = 500;

const MEMORY_EVENT_TYPES = ['added', 'edited', 'superseded', 'invalidated', 'deleted'] as const;
export const EVENT_TYPES = [...MEMORY_EVENT_TYPES, 'contradiction', 'consolidation'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Who and what a memory is, without its words. */
export type Named = Audience & Pick<Memory, 'id'>;

/** What a viewer is told. */
export type EventContent = MemoryEvent | ContradictionEvent | ConsolidationEvent;

export interface MemoryEvent extends Pick<MemoryChange, 'operation' | 'by'> {
  readonly type: (typeof MEMORY_EVENT_TYPES)[number];
  readonly memory: Named;
  readonly supersededBy: string | null;
}

export interface ContradictionEvent extends Pick<ContradictionChange, 'id' | 'what' | 'by'> {
  readonly type: 'contradiction';
  readonly memoryIds: readonly [string, string];
}

export interface ConsolidationEvent {
  readonly type: 'consolidation';
  readonly runId: string | null;
  readonly outcome: 'done' | 'stopped' | 'failed';
}

export interface FeedEvent {
  /** 15 digits by chance: numbers in order would tell of changes that the reader may not see. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly told: EventContent;
}

export interface FeedBatch {
  readonly events: readonly FeedEvent[];
  /** Where the next batch starts. */
  readonly position: number;
}

/** An event as it is kept. It has no words, so that nothing of an erased memory stays. */
interface Kept {
  readonly sequence: number;
  /** Number of the change of the store that it tells of. */
  readonly change: number;
  readonly id: string;
  readonly at: number;
  /** The agent that alone may know of it; null: not only one. */
  readonly owner: string | null;
  readonly tell: (viewer: Viewer) => EventContent | null;
}

interface FeedDeps {
  readonly clock: Clock;
  /** Makes an id of 15 digits by chance. */
  readonly newId: () => string;
  /** Has the store tell of its changes from now on. */
  readonly listen: (listener: (change: StoreChange) => void) => void;
  /** Number of the last change. Absent: readers cannot resume in another process. */
  readonly lastChange?: (() => number) | undefined;
}

/**
 * Tells of what changes. Nothing is kept before somebody listens for the first time; from then on the latest events are, for
 * readers that come back within the life of this process.
 */
export class ChangeFeed {
  readonly #deps: FeedDeps;
  #source: Pick<FeedDeps, 'listen' | 'lastChange'>;
  /** Number of the last change before somebody listened. */
  #listensAfter = 0;
  readonly #startId: string;
  #isListening = false;
  #sequence = 0;
  /** Events for several agents. A flood of PRIVATE ones pushes none of them out, which others would notice. */
  #open: Kept[] = [];
  #private: Kept[] = [];
  /** The last event that was let go: of those for several agents, and by owner. */
  #lostOpen = 0;
  readonly #lostOf = new Map<string, number>();
  readonly #readers = new Set<() => void>();

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#source = deps;
    this.#startId = deps.newId();
  }

  /** Calls a reader after every change; returns what ends it. */
  subscribe(reader: () => void): () => void {
    if (!this.#isListening) this.#begin();
    this.#isListening = true;
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Follows another store from now on: that of a new space, in place of its stand-in. */
  moveTo(source: Pick<FeedDeps, 'listen' | 'lastChange'>): void {
    this.#source = source;
    if (this.#isListening) this.#begin();
  }

  #begin(): void {
    this.#source.listen((change) => this.#note(change));
    this.#listensAfter = this.#lastChange();
  }

  #lastChange(): number {
    return this.#source.lastChange?.() ?? 0;
  }

  /** The last change of the store of which all is told up to a position. */
  changeAt(position: number): number {
    return (this.#firstAfter((kept) => kept.sequence > position)?.change ?? this.#lastChange() + 1) - 1;
  }

  /** The position after all that is told of a change of the store and those before it; null where that is not known here. */
  positionAt(change: number): number | null {
    if (change < this.#listensAfter || change > this.#lastChange()) return null;
    return (this.#firstAfter((kept) => kept.change > change)?.sequence ?? this.#sequence + 1) - 1;
  }

  #firstAfter(isAfter: (kept: Kept) => boolean): Kept | undefined {
    const [one, other] = [this.#open.find(isAfter), this.#private.find(isAfter)];
    return one && other ? (one.sequence < other.sequence ? one : other) : (one ?? other);
  }

  /** After everything so far. */
  get position(): number {
    return this.#sequence;
  }

  /** The id of the last event that a viewer sees. A reader resumes after it. */
  lastIdFor(viewer: Viewer): string {
    const seen = (ring: Kept[]) => ring.findLast(({ tell }) => tell(viewer) !== null);
    const [one, other] = [seen(this.#open), seen(this.#private)];
    const last = (one?.sequence ?? 0) > (other?.sequence ?? 0) ? one : other;
    return last?.id ?? this.#startId;
  }

  /** Where an event stands that a viewer was told; null where it is unknown or others after it were let go. */
  positionOf(id: string, viewer: Viewer): number | null {
    const isIt = (kept: Kept) => kept.id === id && kept.tell(viewer) !== null;
    const sequence = id === this.#startId ? 0 : (this.#open.find(isIt) ?? this.#private.find(isIt))?.sequence;
    return sequence === undefined || this.#hasLostAfter(sequence, viewer) ? null : sequence;
  }

  /** What a viewer is told of what happened after a position, a part at a time; null where some of it was let go. */
  after(position: number, viewer: Viewer): FeedBatch | null {
    if (this.#hasLostAfter(position, viewer)) return null;
    const kept = [...after(this.#open, position), ...after(this.#private, position)];
    const part = kept.sort((one, other) => one.sequence - other.sequence).slice(0, BATCH);
    const events = part.flatMap(({ id, at, tell }) => {
      const told = tell(viewer);
      return told ? [{ id, at, told }] : [];
    });
    return { events, position: part.length < BATCH ? this.#sequence : (part.at(-1) as Kept).sequence };
  }

  /** For the end of a consolidation. */
  consolidated({ id, dryRun, problem, stopped }: Report): void {
    if (dryRun || !this.#isListening) return;
    const outcome = problem !== null ? 'failed' : stopped ? 'stopped' : 'done';
    this.#keep(null, () => ({ type: 'consolidation', runId: id, outcome }));
  }

  #note(change: StoreChange): void {
    const { owner, tell } = change.kind === 'memory' ? ofMemory(change) : ofContradiction(change);
    this.#keep(owner, tell);
  }

  #keep(owner: string | null, tell: Kept['tell']): void {
    const change = this.#lastChange();
    const kept = {
      sequence: ++this.#sequence,
      change,
      id: this.#deps.newId(),
      at: this.#deps.clock.now(),
      owner,
      tell,
    };
    const ring = owner === null ? this.#open : this.#private;
    ring.push(kept);
    if (ring.length > 2 * KEPT_EVENTS) {
      for (const { owner, sequence } of ring.splice(0, KEPT_EVENTS)) {
        if (owner === null) this.#lostOpen = sequence;
        else this.#lostOf.set(owner, sequence);
      }
    }
    for (const reader of this.#readers) reader();
  }

  #hasLostAfter(position: number, { agentId }: Viewer): boolean {
    return this.#lostOpen > position || (this.#lostOf.get(agentId) ?? 0) > position;
  }
}

/** One batch of the events after a position, because many readers may come at once. */
function after(ring: readonly Kept[], position: number): readonly Kept[] {
  const start = ring.findLastIndex(({ sequence }) => sequence <= position) + 1;
  return ring.slice(start, start + BATCH);
}

/** A viewer who saw the memory only before gets a delete event; a viewer who sees it only now gets an add event. */
function ofMemory({ before, after, successor, operation, by }: MemoryChange): Pick<Kept, 'owner' | 'tell'> {
  const [was, is] = [named(before), named(after)];
  const replacedBy = after && successor && isSeenByAllWhoSee(after, successor) ? successor.id : null;
  const isSuperseded = replacedBy !== null && before !== null && before.supersededBy !== replacedBy;
  const changed = operation === 'invalidate' ? 'invalidated' : isSuperseded ? 'superseded' : 'edited';
  const about = { supersededBy: isSuperseded ? replacedBy : null, operation, by };
  const tell = (viewer: Viewer): EventContent | null => {
    const saw = was !== null && isVisibleTo(viewer, was);
    if (is !== null && isVisibleTo(viewer, is)) return { ...about, type: saw ? changed : 'added', memory: is };
    return saw ? { ...about, type: 'deleted', memory: was } : null;
  };
  return { owner: onlyAgentOf([was, is]), tell };
}

function ofContradiction({ id, what, sides, by }: ContradictionChange): Pick<Kept, 'owner' | 'tell'> {
  const [a, b] = [nameOf(sides[0]), nameOf(sides[1])];
  const told: EventContent = { type: 'contradiction', id, what, memoryIds: [a.id, b.id], by };
  const tell = (viewer: Viewer) => (isVisibleTo(viewer, a) && isVisibleTo(viewer, b) ? told : null);
  // Both sides have to be seen, so one that is PRIVATE is enough.
  return { owner: [a, b].find(({ scope }) => scope === 'PRIVATE')?.agentId ?? null, tell };
}

function onlyAgentOf(audiences: readonly (Named | null)[]): string | null {
  const known = audiences.filter((one) => one !== null);
  return known.every(({ scope }) => scope === 'PRIVATE') ? (known[0]?.agentId ?? null) : null;
}

function named(memory: Memory | null): Named | null {
  return memory && nameOf(memory);
}

function nameOf({ id, scope, agentId, project }: Memory): Named {
  return { id, scope, agentId, project };
}
