/** What was done to a memory. */
const OPERATIONS = [
  /** An agent changed it. */
  'edit',
  /** A decision about a contradiction set or took away its successor. */
  'resolve',
  /** A new memory superseded it. */
  'supersede',
  /** An agent ended its validity. */
  'invalidate',
  /** A record of another store replaced it. */
  'merge',
  'delete',
  /** As a delete, and no version of it is kept. */
  'erase',
  /** Consolidation made it one with a near duplicate. */
  'absorb',
  /** It became a separate memory again, or another one did. */
  'set_apart',
  /** It was derived from other memories, for the first time or again. */
  'derive',
  /** Consolidation removed it, because its sources no longer support it. */
  'remove',
  'prune',
  'restore',
  'revert',
  /** A consolidation was undone. */
  'undo',
] as const;
export type Operation = (typeof OPERATIONS)[number];
/** An operation of which the version before it is kept. */
export type KeptOperation = Exclude<Operation, 'erase'>;

/** The reason of an edit by a message that repeats the words of a memory and brings it a tag, metadata or a higher importance. */
export const SAID_AGAIN = 'said again';

/** Who changes memories, and why. A change that brings one keeps the version before it. */
export interface ChangeAct {
  readonly operation: Operation;
  /** null: the service itself, in the night. */
  readonly agentId: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: string | null;
  /** The id of the consolidation that did it; null: none. */
  readonly run: string | null;
}

/** An act of a consolidation. */
export function actOfRun(operation: Operation, { run, at }: { run: string; at: number }): ChangeAct {
  return { operation, agentId: null, at, reason: null, run };
}

/** An act of an agent. */
export function actOf(
  operation: Operation,
  { agentId, at, reason = null }: { agentId: string; at: number; reason?: string | null },
): ChangeAct {
  return { operation, agentId, at, reason, run: null };
}
