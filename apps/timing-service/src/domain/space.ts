import type { UnavailableError } from '@agent-faculties/service-kit';
import type { ChangeFeed } from './change-feed.ts';
import type { EventStore } from './event.ts';
import type { ExpiryStore } from './expiry.ts';
import type { DurationHistory } from './statistics/duration-history.ts';
import type { StopwatchStore } from './stopwatch.ts';
import type { TaskStore } from './task.ts';
import type { TransferStore } from './transfer.ts';

/** The stores of one space: what its records see of each other, and nothing of those of another space. */
export interface SpaceStores {
  readonly events: EventStore;
  readonly tasks: TaskStore;
  readonly stopwatches: StopwatchStore;
  readonly transfer: TransferStore;
  readonly expiry: ExpiryStore;
  readonly history: DurationHistory;
}

/** How what keeps a space fares. */
export interface StoreCondition {
  /** Throws UnavailableError when it cannot be read, or was found to be damaged. */
  check(): void;
  /** Why the last write was refused; null when it was not. */
  refusal(): UnavailableError | null;
  /** The damage that stops all writes; null while none is known. */
  damage(): UnavailableError | null;
  /** Calls the listener once, when damage is found. */
  onDamage(listener: (cause: unknown) => void): void;
  /** Of the file and of the write-ahead log beside it, in bytes. */
  sizes(): { readonly file: number; readonly log: number };
  /** Messages about the files at the start, for the log. */
  readonly warnings: readonly string[];
}

/** A space as an engine opens it. */
export interface StoredSpace {
  readonly stores: SpaceStores;
  /** Tells of what was written in it. */
  readonly feed: ChangeFeed;
  readonly condition: StoreCondition;
  /** How many samples are in memory. */
  samplesHeld(): number;
  close(): void;
  /** Closes it, and removes it where nothing was ever written to it; absent: it is there from its first write on. */
  discard?(): void;
}

/** What keeps the spaces. */
export interface Engine {
  /** Where a space is or would be, for people: a file, or the hosts of a database. */
  placeOf(name: string): string;
  /** The default space; open until the end. */
  readonly home: StoredSpace;
  /** Samples of all spaces: bytes in memory, and how many were loaded so far. */
  readonly samples: { readonly bytes: number; readonly loads: number };
  exists(name: string): boolean | Promise<boolean>;
  names(): readonly string[] | Promise<readonly string[]>;
  /** Makes it where there is none. @throws UnavailableError */
  open(name: string): Promise<StoredSpace>;
  /** What answers for a space that does not exist. */
  standIn(name: string): StoredSpace;
  /** Whether this process is to do a job now, which one of all replicas does once in so many milliseconds. */
  claim(job: string, everyMs: number): Promise<boolean>;
  /**
   * Drops the periods that are older than the retention, in all spaces, and prepares periods to come. An engine without periods does
   * nothing. Call it in one process at a time. The ExpiryStore of each space deletes what is in no period.
   */
  turnPeriods(options: { nowMs: number; retentionMs: number }): Promise<{ events: number; tasks: number }>;
  /** After the spaces are closed. */
  close(): Promise<void>;
}

/** What the use cases take of one space: its stores, and the feed that tells of what was written. */
export interface SpaceParts extends SpaceStores {
  readonly feed: ChangeFeed;
}
