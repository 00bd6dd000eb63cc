import type { Contradiction } from '../../domain/contradictions/contradiction.ts';
import type { ChangeAct } from '../../domain/memory/change-act.ts';
import type { Expected, PlannedChange, Strengthening } from '../../domain/memory/decision.ts';

/** Changes that happen together or not at all, and only while everything is as expected. */
export interface ChangeGroup {
  readonly op: 'group';
  readonly expected: readonly Expected[];
  readonly changes: readonly SingleChange[];
  /** Present where the versions before the changes are kept; an earlier version of the service reads past it. */
  readonly act?: ChangeAct | undefined;
}

/**
 * One change of the store, as the journal keeps it. A later version may know further operations; a version that reads one
 * it does not know refuses to start.
 */
export type Change = SingleChange | ChangeGroup;

export type SingleChange =
  | PlannedChange
  | ComparedChange
  /** Somebody decided about a contradiction, or took a decision back. */
  | { readonly op: 'decided'; readonly contradiction: Contradiction }
  /** The versions of these memories are gone. Only a log that several processes read needs it. */
  | { readonly op: 'erased'; readonly ids: readonly string[] }
  /** Recalls have made memories stronger; a store that one process writes alone keeps that with its next save. */
  | { readonly op: 'strengthened'; readonly recalled: readonly Strengthening[] };

/** Memories were compared with what is near them. */
export interface ComparedChange {
  readonly op: 'compared';
  /** Names what compared. */
  readonly by: string;
  /** Ids of those that were compared. */
  readonly memories: readonly string[];
  /** These memories and those that they contradict, as they were read. */
  readonly read: readonly Expected[];
  readonly found: readonly Contradiction[];
}
