import { createHash } from 'node:crypto';
import { DAY_MS } from '@agent-faculties/service-kit';
import type { Memory } from '../memory/memory.ts';
import { normalForm } from '../text/normal-form.ts';

/** Between two messages that count as one; the same "good morning" on the next day is another. */
const WINDOW_MS = DAY_MS;
/** About 30 MB; at a message a second, three days. */
const MOST_KEPT = 250_000;

/** Numbers in circles, fractions, superscripts: NFKC would make 10² the same as 102. */
const NO_PLAIN_NUMBER = /[^\p{No}]+/gu;

/** Compatible characters beyond, in UTF-16 code units, tell two messages apart: one may become eighteen. */
const COMPATIBLE_UNTIL = 20_000;
/** From this length on it is remembered what a text comes to: an ingest asks for it five times. */
const LONG_TEXT = 8_000;

/** What decides whether two messages are the same one. */
export type SaidBy = Pick<Memory, 'agentId' | 'sessionId' | 'scope' | 'role' | 'name' | 'content'>;
type Said = SaidBy & Pick<Memory, 'id' | 'createdAt'>;

/** The same for two messages exactly when they are the same one, time aside. 128 bits: no two others ever meet. */
export function wordsKey(said: SaidBy): string {
  return remembering(keysOfLong, said, () => {
    const words = normalised(said.content);
    // Asked for next.
    if (said.content.length >= LONG_TEXT) bucketsOfLong.set(said, makeBucket(said, words));
    return makeKey(said, words);
  });
}

const keysOfLong = new WeakMap<SaidBy, string>();
const bucketsOfLong = new WeakMap<SaidBy, number>();

function remembering<T>(known: WeakMap<SaidBy, T>, said: SaidBy, make: () => T): T {
  if (said.content.length < LONG_TEXT) return make();
  const found = known.get(said) ?? make();
  known.set(said, found);
  return found;
}

function makeKey({ agentId, sessionId, scope, role, name }: SaidBy, words: string): string {
  const identity = JSON.stringify([agentId, sessionId, scope, role, name, words]);
  return createHash('sha256').update(identity).digest().subarray(0, 16).toString('base64url');
}

interface Note {
  readonly bucket: number;
  readonly said: Said;
}

/**
 * Knows the same words again when the same agent, in the same session and scope, lets the same speaker say them within a
 * day. Case, white space and compatible characters do not tell two messages apart; every number and sign does, for
 * "5 years" is not "6 years", and "-5" is not "5".
 * @complexity O(characters) each, about 2 ns a character to note one, and the days on which it was said
 */
export class DuplicateGuard {
  /** By id, in the order of noting. */
  readonly #notes = new Map<string, Note>();
  /** Ids by bucket, the latest noted last: "good morning" is said on many days, and each of them may be imported again. */
  readonly #ids = new Map<number, string[]>();
  readonly #most: number;

  constructor({ most = MOST_KEPT } = {}) {
    this.#most = most;
  }

  get size(): number {
    return this.#notes.size;
  }

  /** Id of the memory that has these words already; null when there is none, or each is more than a day away. */
  find(said: SaidBy & Pick<Memory, 'createdAt'>): string | null {
    const ids = this.#ids.get(bucketOf(said));
    if (!ids) return null;
    const key = wordsKey(said);
    const isSame = (id: string) => {
      const noted = (this.#notes.get(id) as Note).said;
      return Math.abs(said.createdAt - noted.createdAt) < WINDOW_MS && wordsKey(noted) === key;
    };
    return ids.findLast(isSame) ?? null;
  }

  /** Keeps a message in mind; noting a memory again replaces what was noted of it. */
  note(said: Said): void {
    const bucket = bucketOf(said);
    this.forget(said.id);
    this.#notes.set(said.id, { bucket, said });
    const ids = this.#ids.get(bucket);
    if (ids) ids.push(said.id);
    else this.#ids.set(bucket, [said.id]);
    if (this.#notes.size > this.#most) this.#forgetOldest();
  }

  forget(id: string): void {
    const note = this.#notes.get(id);
    if (!note) return;
    this.#notes.delete(id);
    const others = (this.#ids.get(note.bucket) as string[]).filter((other) => other !== id);
    if (others.length > 0) this.#ids.set(note.bucket, others);
    else this.#ids.delete(note.bucket);
  }

  #forgetOldest(): void {
    for (const id of this.#notes.keys()) {
      this.forget(id);
      return;
    }
  }
}

function normalised(content: string): string {
  const compatible = content
    .slice(0, COMPATIBLE_UNTIL)
    .replace(NO_PLAIN_NUMBER, (part) => normalForm(part, 'NFKC'))
    .concat(content.slice(COMPATIBLE_UNTIL));
  return compatible.toLowerCase().replace(/\s+/g, ' ').trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /^[\x00-\x7f]*$/;
const SPACE = 0x20;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;

/**
 * The same for two messages that are the same one, and for hardly any others: cheap enough to be made of each memory at a
 * start. By FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv.
 */
function bucketOf(said: SaidBy): number {
  const { content } = said;
  // Of ASCII, `normalised` changes capitals and white space, as `fnvOfWords` does.
  return remembering(bucketsOfLong, said, () => makeBucket(said, ASCII.test(content) ? content : normalised(content)));
}

function makeBucket({ agentId, sessionId }: SaidBy, words: string): number {
  // So many bits are a small integer, which a Map finds faster.
  return fnvOfWords(fnvOfWords(fnvOfWords(0x811c9dc5, agentId), sessionId ?? ''), words) >>> 2;
}

function fnvOfWords(seed: number, text: string): number {
  let hash = seed;
  let isAfterSpace = false;
  for (let index = 0; index < text.length; index++) {
    let unit = text.charCodeAt(index);
    if (unit === SPACE || (unit >= 0x09 && unit <= 0x0d)) {
      isAfterSpace = true;
      continue;
    }
    if (unit >= UPPER_A && unit <= UPPER_Z) unit += SPACE;
    if (isAfterSpace && hash !== seed) hash = Math.imul(hash ^ SPACE, 0x01000193);
    isAfterSpace = false;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return hash;
}
