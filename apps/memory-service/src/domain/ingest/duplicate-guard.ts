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

/**
 * Knows the same words again when the same agent, in the same session and scope, lets the same speaker say them within a
 * day. Case, white space and compatible characters do not tell two messages apart; every number and sign does, for
 * "5 years" is not "6 years", and "-5" is not "5".
 * @complexity O(1) each, besides hashing the words
 */
export class DuplicateGuard {
  /** By key, in the order of noting. */
  readonly #notes = new Map<string, { readonly id: string; readonly createdAt: number }>();
  readonly #keys = new Map<string, string>();
  readonly #most: number;

  constructor({ most = MOST_KEPT } = {}) {
    this.#most = most;
  }

  get size(): number {
    return this.#notes.size;
  }

  /** Id of the memory that has these words already; null when there is none, or it is more than a day away. */
  find(said: SaidBy & Pick<Memory, 'createdAt'>): string | null {
    const note = this.#notes.get(wordsKey(said));
    return note && Math.abs(said.createdAt - note.createdAt) < WINDOW_MS ? note.id : null;
  }

  /** Keeps a message in mind; noting a memory again replaces what was noted of it. */
  note(said: Said): void {
    const key = wordsKey(said);
    this.forget(said.id);
    const former = this.#notes.get(key);
    if (former) this.#drop(key, former.id);
    this.#notes.set(key, { id: said.id, createdAt: said.createdAt });
    this.#keys.set(said.id, key);
    if (this.#notes.size > this.#most) this.#dropOldest();
  }

  forget(id: string): void {
    const key = this.#keys.get(id);
    if (key !== undefined) this.#drop(key, id);
  }

  #dropOldest(): void {
    for (const [key, { id }] of this.#notes) {
      this.#drop(key, id);
      return;
    }
  }

  #drop(key: string, id: string): void {
    this.#notes.delete(key);
    this.#keys.delete(id);
  }
}

function normalised(content: string): string {
  const compatible = content.replace(NO_PLAIN_NUMBER, (part) => part.normalize('NFKC'));
  return compatible.toLowerCase().replace(/\s+/g, ' ').trim();
}
