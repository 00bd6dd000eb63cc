import { type Contradiction, isDoubtful, isLostBy, stateOf } from '../../domain/contradictions/contradiction.ts';
import type { PastContradiction } from '../../domain/memory/history.ts';
import type { Memory } from '../../domain/memory/memory.ts';
import type { ContradictionChange, StoreChange } from '../../domain/space/store-change.ts';
import type { Comparisons } from '../indexes/comparisons.ts';
import type { Succession } from '../indexes/succession.ts';
import type { ComparedChange } from './change.ts';
import type { NotedChange, Versions } from './versions.ts';

interface TellerDeps {
  readonly versions: Versions;
  readonly comparisons: Comparisons;
  readonly succession: Succession;
  readonly memoryOf: (id: string) => Memory | undefined;
}

/** Keeps the version before a change, and tells one listener of the change, in the turn in which it happens. */
export class ChangeTeller {
  readonly #deps: TellerDeps;
  /** null: nothing listens. */
  listener: ((change: StoreChange) => void) | null = null;

  constructor(deps: TellerDeps) {
    this.#deps = deps;
  }

  /** Whether a change that comes is to be told or kept. */
  get isHeard(): boolean {
    return this.listener !== null || this.#deps.versions.act !== undefined;
  }

  /** For just before the change. */
  note(id: string, change: Omit<NotedChange, 'released' | 'contradictions'>): void {
    const { versions, comparisons, succession, memoryOf } = this.#deps;
    const { before, after } = change;
    if (!this.isHeard) return;
    const released = before ? succession.releasedBy({ before: before.memory, after }, memoryOf) : [];
    const contradictions = comparisons.of(id).map((one) => ({ id: one.id, dismissed: dismissalOf(one) }));
    versions.note(id, { ...change, released, contradictions });
    if (!this.listener || (before === null && after === null)) return;
    const { act } = versions;
    this.listener({
      kind: 'memory',
      before: before?.memory ?? null,
      after,
      successor: after?.supersededBy ? (memoryOf(after.supersededBy) ?? null) : null,
      operation: change.operation ?? act?.operation ?? null,
      by: act ? act.agentId : before === null ? (after?.agentId ?? null) : null,
    });
  }

  /** It has expired. */
  expired(before: Memory): void {
    this.listener?.({ kind: 'memory', before, after: null, successor: null, operation: 'expire', by: null });
  }

  compared(change: ComparedChange): void {
    const { comparisons } = this.#deps;
    const isKnown = ({ id }: Contradiction) => comparisons.find(id) !== null;
    const unknown = this.listener ? change.found.filter((one) => !isKnown(one)) : [];
    comparisons.noteCompared(change);
    for (const one of unknown.filter(isKnown)) {
      const found = stateOf(one) === 'dismissed' ? 'dismissed' : 'found';
      this.#tell(one, { what: isDoubtful(one) ? 'doubtful' : found, by: null });
    }
  }

  /** Also for one that somebody judged. */
  decided(contradiction: Contradiction): void {
    const { comparisons, versions } = this.#deps;
    const before = comparisons.find(contradiction.id);
    comparisons.keep(contradiction);
    if (comparisons.find(contradiction.id) !== contradiction) return;
    const { opinion } = contradiction;
    const state = stateOf(contradiction);
    if (opinion !== null && opinion !== before?.opinion) {
      this.#tell(contradiction, { what: 'judged', by: opinion.agentId });
    } else {
      this.#tell(contradiction, { what: state === 'open' ? 'reopened' : state, by: versions.act?.agentId ?? null });
    }
  }

  /** For a memory that is no longer superseded: the contradictions that it has lost are open again. */
  freed(id: string): void {
    for (const one of this.#deps.comparisons.of(id)) {
      if (isLostBy(id, one)) this.decided({ ...one, decision: null });
    }
  }

  #tell({ id, a, b }: Contradiction, about: Pick<ContradictionChange, 'what' | 'by'>): void {
    const { memoryOf } = this.#deps;
    const [first, second] = [memoryOf(a), memoryOf(b)];
    if (first && second) this.listener?.({ kind: 'contradiction', id, sides: [first, second], ...about });
  }
}

/** Without the note, which may have words of the other memory. */
function dismissalOf({ decision }: Contradiction): PastContradiction['dismissed'] {
  return decision?.winner === null ? { agentId: decision.agentId, at: decision.at } : null;
}
