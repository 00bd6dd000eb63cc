import type { Night } from '../consolidation/run-log.ts';
import type { StoredSpace } from './stored-space.ts';

/** What is known of a space without opening it. */
export interface SpaceAtRest {
  readonly lastNight: Night | null;
  /** Whether it was ever written to. */
  readonly isWritten: boolean;
  /** Whether its memories were written after its last run. */
  readonly hasChanged: boolean;
  /** Whether another process has it open, which gives it its nights. */
  readonly isTaken: boolean;
}

/** What keeps the spaces: folders, a database, or the memory of this process. */
export interface Engine {
  /** Whether a space that was closed is there when it is opened again. */
  readonly keeps: boolean;
  /** Holds nothing, and answers for spaces that do not exist. */
  readonly empty: StoredSpace;
  exists(name: string): Promise<boolean>;
  /** Of all spaces that exist, the default one first. */
  names(): Promise<readonly string[]>;
  /** Opens a space; makes it where there is none. @throws Error when it cannot be used */
  open(name: string): Promise<StoredSpace>;
  /** Removes one that is closed; absent: one is there from its first change on. */
  remove?(name: string): Promise<void>;
  /** Memory that a space takes once it is open, bytes, about. */
  bytesWhenOpen(name: string): Promise<number>;
  atRest(name: string): Promise<SpaceAtRest>;
}
