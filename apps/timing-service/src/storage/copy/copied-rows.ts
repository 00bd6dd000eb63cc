/** A row with the columns of both engines, by their names in SQL. */
export type Row = Readonly<Record<string, string | number | null>>;

/** What is numbered in the order of writing, and copied page by page. */
export const NUMBERED = {
  event: [
    'sequence',
    'id',
    'agent_id',
    'event_type',
    'task_type',
    'timestamp_us',
    'metadata',
    'correlation_id',
    'project',
  ],
  task: [
    'sequence',
    'correlation_id',
    'agent_id',
    'project',
    'task_type',
    'state',
    'outcome',
    'started_us',
    'ended_us',
    'duration_us',
    'estimated_seconds',
    'metadata',
    'end_event_id',
    'end_sequence',
  ],
} as const;
export type Numbered = keyof typeof NUMBERED;

/** What is small, and copied whole. */
export const WHOLE = {
  stopwatch: ['sequence', 'agent_id', 'name', 'project', 'started_us', 'stopped_us'],
  agent: ['agent_id'],
  task_type: ['agent_id', 'task_type', 'project'],
} as const;
export type Whole = keyof typeof WHOLE;

export function columnsOf(table: Numbered | Whole): readonly string[] {
  return { ...NUMBERED, ...WHOLE }[table];
}

/** Texts, for an engine that has to be told; the rest are numbers. */
export const TEXTS: ReadonlySet<string> = new Set([
  'id',
  'agent_id',
  'event_type',
  'task_type',
  'metadata',
  'correlation_id',
  'project',
  'state',
  'outcome',
  'end_event_id',
  'name',
]);
/** Not whole numbers. */
export const REALS: ReadonlySet<string> = new Set(['estimated_seconds']);

/** Rows of one space, to be read. */
export interface CopySource {
  /** The rows with a number above `sequence`, in order, at most `limit`. */
  after(table: Numbered, sequence: number, limit: number): Promise<Row[]>;
  /** The rows with these numbers, in order. */
  of(table: Numbered, sequences: readonly number[]): Promise<Row[]>;
  /** Tasks that have not ended, with a number above `sequence`, in order, at most `limit`. */
  openAfter(sequence: number, limit: number): Promise<Row[]>;
  /** The numbers alone. */
  sequencesAfter(table: Numbered, sequence: number, limit: number): Promise<number[]>;
  count(table: Numbered): Promise<number>;
  /** The last number that was given out, though its row may be gone; of tasks also to an end. */
  lastGiven(): Promise<Readonly<Record<Numbered, number>>>;
  all(table: Whole): Promise<Row[]>;
}

/** Rows of one space, to be written. Each call is one transaction. */
export interface CopyTarget extends CopySource {
  /** Its last rows, the newest first. */
  newest(table: Numbered, limit: number): Promise<Row[]>;
  add(table: Numbered, rows: readonly Row[]): Promise<void>;
  /** Tasks that have changed. */
  change(rows: readonly Row[]): Promise<void>;
  remove(table: Numbered, sequences: readonly number[]): Promise<void>;
  /** Replaces what is copied whole, and sees to it that no number up to these is given out again. */
  finish(whole: Readonly<Record<Whole, readonly Row[]>>, last: Readonly<Record<Numbered, number>>): Promise<void>;
}

/** A place with spaces. */
export interface CopyPlace<Side> {
  /** For people. */
  readonly name: string;
  spaces(): Promise<readonly string[]>;
  open(space: string): Promise<Side>;
  close(): Promise<void>;
}
