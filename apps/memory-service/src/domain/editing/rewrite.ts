import type { ConsolidationStore } from '../consolidation/consolidation-store.ts';
import { rederiving } from '../consolidation/rederive.ts';
import { settingApart } from '../consolidation/set-apart.ts';
import { versionOf } from '../memory/decision.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import { isSameValidity } from '../memory/validity.ts';

export interface Rewriting {
  /** The memory as it was read. */
  readonly before: Memory;
  /** The changed memory, with the same agent and idempotency key. */
  readonly memory: Memory;
  /** The vectors of the new text; empty: they are made in the background; undefined: the text is unchanged. */
  readonly vectors: readonly Float32Array[] | undefined;
}

/**
 * Writes a changed memory. Absorbed memories of other agents keep their words, scope and validity and become separate again; memories that
 * were derived from it are derived again.
 * Resolves to false when the memory is no longer as it was read: nothing was written then.
 * @throws UnavailableError when the disk refuses
 */
export async function rewrite(
  { store, now }: { store: ConsolidationStore; now: () => number },
  { before, memory, vectors }: Rewriting,
): Promise<boolean> {
  const isOther =
    memory.gist !== before.gist ||
    memory.scope !== before.scope ||
    !isSameValidity(memory, before) ||
    recallText(memory) !== recallText(before);
  const { alone, changes } = isOther ? await settingApart(store, memory) : { alone: memory, changes: [] };
  return await rederiving({ store, now }, [memory.id], () =>
    store.changeTogether({
      expected: [versionOf(before)],
      changes: [{ op: 'update', memory: alone, ...(vectors && { vectors }) }, ...changes],
    }),
  );
}
