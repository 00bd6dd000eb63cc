import type { NamePage, NamePageRequest, Page, PageRequest } from './page.ts';
import type { Whose } from './whose.ts';

/** The types of event that open and close a task. */
export const TASK_START = 'task_start';
export const TASK_END = 'task_end';

/** Comes back as it was sent: an object, a string or null. */
export type Metadata = Record<string, unknown> | string | null;

/** Something that happened, as an agent reported it. */
export interface TimingEvent {
  /** UUIDv7, 32 hex digits: ids sort by time. */
  readonly id: string;
  readonly agentId: string;
  readonly project: string | null;
  readonly eventType: string;
  readonly taskType: string | null;
  /** Epoch milliseconds with microseconds in the fraction: by the clock of the server, unless whoever tells of it says when it was. */
  readonly timestampMs: number;
  readonly metadata: Metadata;
  readonly correlationId: string | null;
}

/** An event with its place in the order of writing, from which a stream resumes. */
export interface StoredEvent extends TimingEvent {
  readonly sequence: number;
}

/** Absent fields do not filter. */
export interface EventFilter extends Whose {
  readonly eventType?: string | undefined;
  readonly taskType?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface EventStore {
  /** Writes one event that takes no part in pairing. */
  record(event: TimingEvent): Promise<StoredEvent>;
  find(id: string): Promise<StoredEvent | null>;
  /** Newest first by (timestamp, sequence). */
  list(filter: EventFilter, page: PageRequest): Promise<Page<StoredEvent>>;
  /** Events written after `sequence`, in order of writing, at most `limit`. */
  since(sequence: number, options: Whose & { limit: number }): Promise<StoredEvent[]>;
  lastSequence(): Promise<number>;
  /** Every agent that has recorded anything, sorted. */
  agents(page: NamePageRequest): Promise<NamePage>;
  /** Every task type that an event or a task has named, sorted. */
  taskTypes(whose: Whose): Promise<string[]>;
  hasTaskType(whose: Whose, taskType: string): Promise<boolean>;
  /** Every project in which an agent has named a task type, sorted; of a project, that one. */
  projects(whose: Whose, page: NamePageRequest): Promise<NamePage>;
}
