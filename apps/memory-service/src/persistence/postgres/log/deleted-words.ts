import type { Clock } from '@agent-faculties/service-kit';
import type { Change } from '../../../store/changes/change.ts';

/** Words that were deleted for good and that rows of the log still hold, until a checkpoint deletes these rows. */
export class DeletedWords {
  readonly #keptMs: number;
  readonly #clock: Clock;
  /** Up to which change. */
  #held: { readonly sinceMs: number; readonly sequence: number } | null = null;

  /** @param of.keptMs how long versions are kept, milliseconds; 0: none are */
  constructor({ keptMs, clock }: { keptMs: number; clock: Clock }) {
    this.#keptMs = keptMs;
    this.#clock = clock;
  }

  /** Since when the rows hold any, epoch milliseconds; null: they hold none, as far as is known. */
  get sinceMs(): number | null {
    return this.#held?.sinceMs ?? null;
  }

  areTakenBy(change: Change): boolean {
    return takesWords(change, this.#keptMs);
  }

  /** A change that takes words was applied. */
  note(sequence: number): void {
    this.#held = { sinceMs: this.sinceMs ?? this.#clock.now(), sequence };
  }

  /** There is a checkpoint of this change: the rows up to it are gone. */
  goneUpTo(sequence: number): void {
    if (this.#held && this.#held.sequence <= sequence) this.#held = null;
  }

  /** The log is read anew, and tells it again. */
  forget(): void {
    this.#held = null;
  }
}

/**
 * Whether a change takes words away for good, so that no row may hold them for long.
 * @param keptMs how long versions are kept, milliseconds: a delete that keeps a version leaves its words there on purpose
 */
export function takesWords(change: Change, keptMs: number): boolean {
  if (change.op !== 'group') return isDelete(change);
  const { act, changes } = change;
  const isKept = keptMs > 0 && act !== undefined && act.operation !== 'erase';
  return !isKept && changes.some(isDelete);
}

function isDelete({ op }: Change): boolean {
  return op === 'delete' || op === 'erased';
}
