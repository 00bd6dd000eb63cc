import type { Metadata, StoredEvent, TimingEvent } from './event.ts';
import type { ListPosition, Page, PageRequest } from './page.ts';
import { plainName } from './plain-name.ts';
import type { Whose } from './whose.ts';

export const OUTCOMES = ['ok', 'error', 'timeout', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * active --end--> ended; active --too old--> abandoned --late end--> ended.
 * Nothing leaves `ended`.
 */
export type TaskState = 'active' | 'ended' | 'abandoned';

/** A start paired with its end. */
export interface Task {
  readonly correlationId: string;
  /** Who started it; its duration counts for this agent, whoever ends it. */
  readonly agentId: string;
  /** Of its start. */
  readonly project: string | null;
  readonly taskType: string;
  readonly state: TaskState;
  readonly outcome: Outcome | null;
  readonly startedMs: number;
  readonly endedMs: number | null;
  /** Null unless it is abandoned, and where an earlier version abandoned it, which did not keep when. */
  readonly abandonedMs: number | null;
  readonly durationSeconds: number | null;
  readonly estimatedSeconds: number | null;
  readonly metadata: Metadata;
  /** The end event, which a repeated end is answered with. */
  readonly endEventId: string | null;
}

/**
 * Whether a task is of the type that an event or a line of an import names, which comes without blanks that nobody sees. Earlier versions kept
 * them, and such a task can still be ended, and sent again.
 */
export function isOfType(task: { readonly taskType: string }, taskType: string | null): boolean {
  return task.taskType === taskType || plainName(task.taskType) === taskType;
}

export interface ActiveTask {
  readonly task: Task;
  /** Null when the task was imported without it. */
  readonly start: StoredEvent | null;
}

export interface TaskFilter extends Whose {
  readonly taskType?: string | undefined;
  readonly state?: TaskState | undefined;
  readonly outcome?: Outcome | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** The result of a start or an end. `replayed`: the same call was answered before, and nothing was written. */
export interface PairingResult {
  readonly event: StoredEvent;
  readonly task: Task;
  readonly replayed: boolean;
}

/** Decides which task a call is about. Throws to refuse the call. */
export type PairingDecision = { readonly write: Task } | { readonly replay: Task };

export interface PastEstimate {
  readonly taskType: string;
  /** Actual by estimated seconds. */
  readonly ratio: number;
}

/** When a task ran. */
export interface TaskTime extends Pick<Task, 'agentId' | 'project' | 'taskType' | 'state' | 'outcome'> {
  readonly startedUs: number;
  /** Null unless it has ended. */
  readonly durationUs: number | null;
  /** See sessionOf; null as well where it is not asked for. */
  readonly session: string | null;
}

export interface TimesFilter extends Whose {
  readonly taskType?: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** It is read from the metadata, which takes longer. */
  readonly withSession?: boolean;
}

/** How many ids the error of an ambiguous end lists. */
export const MOST_CANDIDATES = 100;

export interface TaskStore {
  /** One transaction: reads the task of this id, asks `decide`, and writes event and task, or replays. */
  start(event: TimingEvent, decide: (existing: Task | null) => PairingDecision): Promise<PairingResult>;
  /**
   * One transaction: reads the task of the event's correlation id, or without one the agent's active tasks of the type that are
   * seen in the event's project (at most MOST_CANDIDATES), asks `decide`, and writes event and task, or replays.
   */
  end(event: TimingEvent, decide: (candidates: Task[]) => PairingDecision): Promise<PairingResult>;
  find(correlationId: string): Promise<Task | null>;
  /** Newest start first. */
  list(filter: TaskFilter, page: PageRequest): Promise<Page<Task>>;
  /** Active tasks with their start events, newest first, at most `limit` and fewer when their metadata is large. */
  active(filter: Whose & { taskType?: string | undefined; limit: number }): Promise<ActiveTask[]>;
  countActive(): Promise<number>;
  /** Active tasks that started before an instant, oldest first, after a correlation id of the page before. */
  activeSince(options: { startedBeforeMs: number; limit: number; after: ListPosition | null }): Promise<Page<Task>>;
  /** Marks those of the tasks that are still active as abandoned at an instant; returns what changed. */
  abandon(correlationIds: string[], atMs: number): Promise<Task[]>;
  /** The newest tasks that ended ok and had an estimate. */
  pastEstimates(whose: Whose, limit: number): Promise<PastEstimate[]>;
  /** Tasks that began between two instants, or began before and went on, by start; a batch in a turn of the event loop. */
  times(filter: TimesFilter): AsyncIterable<TaskTime[]>;
}
