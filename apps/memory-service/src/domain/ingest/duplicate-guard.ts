import { createHash } from 'node:crypto';
import type { Memory } from '../memory.ts';

/** Between two messages that count as one; the same "good morning" on the next day is another. */
const WINDOW_MS = 86_400_000;
/** About 30 MB; at a message a second, three days. */
const MOST_KEPT = 250_000;

/** Numbers in circles, fractions, superscripts: NFKC would make 10² the same as 102. */
const NO_PLAIN_NUMBER = /[^\p{No}]+/gu;

/** What decides whether two messages are the same one. */
export type SaidBy = Pick<Memory, 'agentId' | 'sessionId' | 'scope' | 'role' | 'name' | 'content'>;
type Said = SaidBy & Pick<Memory, 'id' | 'createdAt'>;

/** The same for two messages exactly when they are the same one, time aside. 128 bits: no two others ever meet. */
export function wordsKey({ agentId, sessionId, scope, role, name, content }: SaidBy): string {
  const identity = JSON.stringify([agentId, sessionId, scope, role, name, normalised(content)]);
  return createHash('sha256').update(identity).digest().subarray(0, 16).toString('base64url');
}

interface Note {
  readonly key: string;
  readonly createdAt: number;
}

/**
 * Knows the same words again when the same agent, in the same session and scope, lets the same speaker say them within a
 * day. Case, white space and compatible characters do not tell two messages apart; every number and sign does, for
 * "5 years" is not "6 years", and "-5" is not "5".
 * @complexity O(1) each, besides hashing the words, and the days on which they were said
 */
export class DuplicateGuard {
  /** By id, in the order of noting. */
  readonly #notes = new Map<string, Note>();
  /** Ids by key, the latest noted last: "good morning" is said on many days, and each of them may be imported again. */
  readonly #ids = new Map<string, readonly string[]>();
  readonly #most: number;

  constructor({ most = MOST_KEPT } = {}) {
    this.#most = most;
  }

  get size(): number {
    return this.#notes.size;
  }

  /** Id of the memory that has these words already; null when there is none, or each is more than a day away. */
  find(said: SaidBy & Pick<Memory, 'createdAt'>): string | null {
    const ids = this.#ids.get(wordsKey(said)) ?? [];
    const isNear = (id: string) => Math.abs(said.createdAt - (this.#notes.get(id) as Note).createdAt) < WINDOW_MS;
    for (let last = ids.length - 1; last >= 0; last--) if (isNear(ids[last] as string)) return ids[last] as string;
    return null;
  }

  /** Keeps a message in mind; noting a memory again replaces what was noted of it. */
  note(said: Said): void {
    const key = wordsKey(said);
    this.forget(said.id);
    this.#notes.set(said.id, { key, createdAt: said.createdAt });
    this.#ids.set(key, [...(this.#ids.get(key) ?? []), said.id]);
    if (this.#notes.size > this.#most) this.#forgetOldest();
  }

  forget(id: string): void {
    const note = this.#notes.get(id);
    if (!note) return;
    this.#notes.delete(id);
    const others = (this.#ids.get(note.key) ?? []).filter((other) => other !== id);
    if (others.length > 0) this.#ids.set(note.key, others);
    else this.#ids.delete(note.key);
  }

  #forgetOldest(): void {
    for (const id of this.#notes.keys()) {
      this.forget(id);
      return;
    }
  }
}

function normalised(content: string): string {
  const compatible = content.replace(NO_PLAIN_NUMBER, (part) => part.normalize('NFKC'));
  return compatible.toLowerCase().replace(/\s+/g, ' ').trim();
}
