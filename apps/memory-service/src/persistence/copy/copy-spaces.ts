import type { PrunedMemory } from '../../domain/memory/memory.ts';
import type { RunLogState } from '../files/run-log-json.ts';
import type { StoreContents } from '../snapshot/snapshot.ts';

/** All that a space holds at one moment. */
export interface SpaceContents {
  /** Number of the last change. */
  readonly sequence: number;
  readonly snapshot: StoreContents;
  readonly pruned: readonly PrunedMemory[];
  readonly noted: RunLogState;
}

/** Where spaces are copied from; services may be writing to it. */
export interface CopySource {
  /** A folder or a database, without user and password. */
  readonly name: string;
  spaces(): Promise<readonly string[]>;
  /** Another text whenever the space holds something else; null while it holds nothing. */
  position(space: string): Promise<string | null>;
  /** Hands out what a space holds, and lets go of it afterwards. */
  read<Result>(space: string, use: (contents: SpaceContents) => Promise<Result>): Promise<Result>;
}

/** A copy that was begun or finished earlier. */
export interface Copied {
  readonly source: string;
  /** That of the source; null while the copy is not whole. */
  readonly position: string | null;
}

/** Where spaces are copied to. Nothing else may write to them meanwhile. */
export interface CopyTarget {
  readonly name: string;
  /** The copy that is there, as it was made; null where there is nothing. @throws CopyError where there is something else */
  copied(space: string): Promise<Copied | null>;
  /** Puts the contents in place of the copy that is there. Killed in the middle, it is done again. */
  write(
    space: string,
    contents: SpaceContents,
    copy: { readonly source: string; readonly position: string },
  ): Promise<void>;
}

/** Why a space is not copied, in words for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

export interface CopyReport {
  readonly space: string;
  /** Whether the source holds anything. */
  readonly isThere: boolean;
  /** In the copy; 0 where it was not copied in this run. */
  readonly memories: number;
  /** Number of the last change in the copy. */
  readonly sequence: number;
  /** How often it was copied in this run; 0: the copy was up to date. */
  readonly passes: number;
  /** Whether the source held nothing more when the last pass had ended. */
  readonly isCaughtUp: boolean;
}

/** Each pass is shorter than the one before it where fewer changes came meanwhile; a space that is always written to ends here. */
const MOST_PASSES = 5;

/** Copies a space until the source has nothing that the copy has not. @throws CopyError where it would replace something else */
export async function copySpace(
  space: string,
  { source, target }: { source: CopySource; target: CopyTarget },
): Promise<CopyReport> {
  let copied: string | null = null;
  let report: CopyReport = { space, isThere: true, memories: 0, sequence: 0, passes: 0, isCaughtUp: false };
  for (let passes = 0; ; passes++) {
    const position = await source.position(space);
    // What the target holds does not matter where nothing is copied into it.
    if (position === null) return { ...report, passes, isThere: false };
    if (passes === 0) copied = await earlierPosition(space, { source, target });
    const isCaughtUp = position === copied;
    report = { ...report, passes, isCaughtUp };
    if (isCaughtUp || passes === MOST_PASSES) return report;
    await source.read(space, async (contents) => {
      await target.write(space, contents, { source: source.name, position });
      report = { ...report, memories: contents.snapshot.memories.length, sequence: contents.sequence };
    });
    copied = position;
  }
}

/** Of the source, when it was copied before. @throws CopyError where something else is in the target */
async function earlierPosition(
  space: string,
  { source, target }: { source: CopySource; target: CopyTarget },
): Promise<string | null> {
  const before = await target.copied(space);
  if (before && before.source !== source.name) {
    throw new CopyError(
      `The space '${space}' in ${target.name} is a copy of ${before.source}: choose another target, or empty this one.`,
    );
  }
  return before?.position ?? null;
}
