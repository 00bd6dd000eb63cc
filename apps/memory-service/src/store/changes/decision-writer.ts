import type { Absent, ArchiveChange, Decision, VersionRead } from '../../domain/memory/decision.ts';
import type { Memory } from '../../domain/memory/memory.ts';
import type { MemoryIndexes } from '../indexes/memory-indexes.ts';
import { Arrivals } from './arrivals.ts';
import type { Change, ChangeGroup } from './change.ts';
import { type Journal, StaleDecisionError } from './journal.ts';
import { preparedChange } from './prepared-change.ts';

type Group = Omit<ChangeGroup, 'op'>;

/** What a group brings along. */
interface Beside {
  readonly added: readonly Memory[];
  /** Whether something that the group rests on, beside the versions that it expects, is otherwise now. */
  readonly isStale: () => boolean;
  readonly archive?: ArchiveChange | undefined;
}

/** For a group that adds no memory, and needs nothing to be absent. */
const NOTHING: Beside = { added: [], isStale: () => false };

/** Writes decisions that still hold: into the journal first, then into the indexes; only then it resolves. */
export class DecisionWriter {
  readonly #indexes: MemoryIndexes;
  readonly #journal: Journal;
  readonly #arrivals = new Arrivals();
  /** The latest change. When it is done, all changes before it are done too. */
  #latest: Promise<unknown> = Promise.resolve();

  constructor({ indexes, journal }: { indexes: MemoryIndexes; journal: Journal }) {
    this.#indexes = indexes;
    this.#journal = journal;
  }

  /** How many memories there are, those included that are being written. */
  get size(): number {
    const { records } = this.#indexes;
    return records.size + this.#arrivals.countBeside((id) => records.ordinalOf(id) !== undefined);
  }

  /** To be called with indexes that are current. @returns false when the decision is stale: then nothing has happened */
  async decide({
    expected,
    absent = {},
    versions = [],
    mostMemories,
    changes,
    act,
    archive,
  }: Decision): Promise<boolean> {
    const added = changes.flatMap((change) => (change.op === 'add' ? change.memory : []));
    if (!this.#isAbsent(absent) || !this.#areKept(versions)) return false;
    if (!this.#arrivals.lack(absent)) return await this.#staleOnceWritten();
    if (mostMemories !== undefined && this.size + added.length > mostMemories) return false;
    for (const memory of added) this.#arrivals.add(memory);
    const isStale = () =>
      !this.#isAbsent(absent) ||
      !this.#areKept(versions) ||
      (mostMemories !== undefined && this.size > mostMemories) ||
      // The archive changes when it is written, though the group may be refused when it is applied.
      (archive !== undefined && !this.#indexes.isAsExpected(expected));
    try {
      return await this.write({ expected, changes, act }, { added, isStale, archive });
    } finally {
      for (const memory of added) this.#arrivals.remove(memory);
    }
  }

  /** @returns false when a memory is no longer as the group expects it: then nothing has happened */
  async write(group: Group, { added, isStale, archive }: Beside = NOTHING): Promise<boolean> {
    const line = lineOf(group);
    const make = await preparedChange(this.#indexes, line);
    let happened = false;
    const written = this.#journal.append(
      line,
      () => {
        for (const memory of added) this.#arrivals.remove(memory);
        happened = make();
      },
      { isStale, archive },
    );
    this.#latest = written.catch(() => {});
    try {
      await written;
    } catch (error) {
      if (!(error instanceof StaleDecisionError)) throw error;
    }
    return happened;
  }

  /** Something that the decision needs to be absent is being written. Waits for it, so that the next attempt finds it. */
  async #staleOnceWritten(): Promise<false> {
    await this.#latest;
    return false;
  }

  #areKept(read: readonly VersionRead[]): boolean {
    return read.every((version) => this.#indexes.versions.has(version));
  }

  #isAbsent({ ids = [], tombstones = [], keysOf = [], wordsOf = [] }: Absent): boolean {
    const { records, words } = this.#indexes;
    return (
      !ids.some((id) => records.ordinalHolding(id) !== undefined) &&
      !tombstones.some((id) => this.#indexes.wasDeleted(id)) &&
      !keysOf.some((keyed) => records.ordinalOfKey(keyed) !== undefined) &&
      !wordsOf.some((memory) => words.find(memory) !== null)
    );
  }
}

/** The journal line of a group: a plain line for one addition that rests on nothing. */
function lineOf({ expected, changes, act }: Group): Change {
  const [first] = changes;
  const isPlain = expected.length === 0 && changes.length === 1 && act === undefined;
  return isPlain && first?.op === 'add' ? first : { op: 'group', expected, changes, act };
}
