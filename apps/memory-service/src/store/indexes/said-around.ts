import { isTerse } from '../../domain/embedding/terse.ts';
import type { Expected } from '../../domain/memory/decision.ts';
import { type Memory, recallText } from '../../domain/memory/memory.ts';
import type { EvidenceIndex } from '../../search/evidence-index.ts';
import type { Records } from '../records/records.ts';
import { indexed } from './indexed-memory.ts';

/** How many messages that expire may stand between a terse memory and the one that it is taken together with. */
const MOST_EXPIRING_BETWEEN = 8;

/**
 * Which messages stand before and after which, for the vectors of terse ones. Messages that expire are passed over, so that every
 * replica finds the same, whichever expired ones it has taken out.
 */
export class SaidAround {
  readonly #records: Records;
  readonly #said: Pick<EvidenceIndex, 'saidBefore' | 'saidAfter'>;

  /** @param of.said episodic memories */
  constructor({ records, said }: { records: Records; said: Pick<EvidenceIndex, 'saidBefore' | 'saidAfter'> }) {
    this.#records = records;
    this.#said = said;
  }

  /**
   * What the author of an episodic memory said right before it in its session, among what all see who see the memory. It need not be
   * stored yet.
   */
  before(memory: Memory): Memory | null {
    let ordinal = this.#records.ordinalOf(memory.id);
    for (let passed = 0; passed <= MOST_EXPIRING_BETWEEN; passed++) {
      ordinal = this.#said.saidBefore(indexed(memory), ordinal);
      if (ordinal === undefined) return null;
      const before = this.#records.at(ordinal).memory;
      if (before.expiresAt === null) return before;
    }
    return null;
  }

  /** Ordinals of the memories in whose vectors the words of this one may be. */
  terseBehind(id: string): readonly number[] {
    const ordinal = this.#records.ordinalOf(id);
    const behind = new Set<number>();
    let ends = ordinal === undefined ? [] : [ordinal];
    for (let passed = 0; passed <= MOST_EXPIRING_BETWEEN && ends.length > 0; passed++) {
      const next = new Set(ends.flatMap((end) => this.#said.saidAfter(end)));
      for (const end of next) behind.add(end);
      ends = [...next].filter((end) => this.#records.at(end).memory.expiresAt !== null);
    }
    return [...behind].filter((end) => isTerse(this.#records.at(end).memory));
  }

  /** Whether the vectors of a memory were made behind one of these memories, and another one stands right before it by now. */
  isBehindAnother(memory: Memory, expected: readonly Expected[]): boolean {
    if (!isTerse(memory)) return false;
    const inSession = expected.filter(({ id }) => id !== memory.id && this.#sessionOf(id) === memory.sessionId);
    if (inSession.length === 0) return false;
    const before = this.before(memory);
    return !inSession.some(({ id }) => id === before?.id);
  }

  #sessionOf(id: string): string | null {
    const ordinal = this.#records.ordinalOf(id);
    return ordinal === undefined ? null : this.#records.at(ordinal).memory.sessionId;
  }
}

/** Equal for two versions of a memory exactly when the same messages stand around it for the same viewers. */
export function placeKey({ scope, agentId, project, sessionId, createdAt }: Memory): string {
  return JSON.stringify([scope, agentId, project, sessionId, createdAt]);
}

/** Whether a memory is another one to the terse memories right behind it, in whose vectors its words stand. */
export function isOtherBehind(memory: Memory, before: Memory): boolean {
  return recallText(memory) !== recallText(before) || (memory.expiresAt === null) !== (before.expiresAt === null);
}
