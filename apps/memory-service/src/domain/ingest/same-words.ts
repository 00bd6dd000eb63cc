import { createHash } from 'node:crypto';
import { DAY_MS } from '@agent-faculties/service-kit';
import type { Memory, Validity } from '../memory/memory.ts';
import { repeatsValidity } from '../memory/validity.ts';
import { isAscii } from '../text/words/is-ascii.ts';
import { compatibleForm } from '../text/words/normal-form.ts';

/** The most time between two messages that count as one; "good morning" on the next day is another message. */
const WINDOW_MS = DAY_MS;
/** The number of messages kept in mind: about 30 MB, three days at a message a second. */
const MOST_KEPT = 250_000;

/** Beyond this length, in UTF-16 code units, texts are compared without NFKC, which may make eighteen characters of one. */
const COMPATIBLE_UNTIL = 20_000;
/** From this length on the result for a text is cached, because an ingest asks for it five times. */
const LONG_TEXT = 8_000;

/** The fields that decide whether two messages are the same. */
export type SaidBy = Pick<Memory, 'agentId' | 'sessionId' | 'scope' | 'project' | 'role' | 'name' | 'content'>;
type Said = SaidBy & Validity & Pick<Memory, 'id' | 'createdAt'>;

/** Equal for two messages exactly when they are the same, apart from time. Of a long one it has 128 bits, so different messages do not collide. */
export function wordsKey(said: SaidBy): string {
  return remembering(keysOfLong, said, () => {
    const words = normalised(said.content);
    // The next call asks for the bucket.
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

function makeKey({ agentId, sessionId, scope, project, role, name }: SaidBy, words: string): string {
  const identity = JSON.stringify([agentId, sessionId, scope, project, role, name, words]);
  // To hash a short one takes several times as long as to compare it.
  if (identity.length < LONG_TEXT) return identity;
  return createHash('sha256').update(identity).digest().subarray(0, 16).toString('base64url');
}

/**
 * Recognizes the same words of the same agent, session, scope, project and speaker within a day. Case, white space and compatible characters
 * do not matter; every number and sign does, because "5 years" is not "6 years", and "-5" is not "5". What holds at other times is
 * another message.
 * @complexity O(characters) each, about 2 ns a character to note one, and the days on which it was said
 */
export class SameWords {
  /** The notes by id, in order of noting. */
  readonly #notes = new Map<string, Said>();
  /** By bucket: an id, or several, the last noted last: "good morning" is said on many days, and each may be imported again. */
  readonly #ids = new Map<number, string | string[]>();
  /** How many are kept in mind: of more, those that were noted first are forgotten. */
  readonly most: number;
  #oldest: Iterator<string> | null = null;

  constructor({ most = MOST_KEPT } = {}) {
    this.most = most;
  }

  get size(): number {
    return this.#notes.size;
  }

  /** Id of the memory that a message of these words repeats; null when there is none. */
  find(said: Omit<Said, 'id'>): string | null {
    const ids = this.#idsIn(bucketOf(said));
    if (ids.length === 0) return null;
    const key = wordsKey(said);
    const isSame = (id: string) => {
      const noted = this.#notes.get(id) as Said;
      const isRecent = Math.abs(said.createdAt - noted.createdAt) < WINDOW_MS;
      return isRecent && repeatsValidity(said, noted) && wordsKey(noted) === key;
    };
    return ids.findLast(isSame) ?? null;
  }

  /** Notes a message; noting a memory again replaces its note. */
  note(said: Said): void {
    const bucket = bucketOf(said);
    this.forget(said.id);
    this.#notes.set(said.id, said);
    const known = this.#ids.get(bucket);
    if (known === undefined) this.#ids.set(bucket, said.id);
    else if (typeof known === 'string') this.#ids.set(bucket, [known, said.id]);
    else known.push(said.id);
    if (this.#notes.size > this.most) this.#forgetOldest();
  }

  forget(id: string): void {
    const note = this.#notes.get(id);
    if (!note) return;
    this.#notes.delete(id);
    const bucket = bucketOf(note);
    const others = this.#idsIn(bucket).filter((other) => other !== id);
    if (others.length > 0) this.#ids.set(bucket, others.length === 1 ? (others[0] as string) : others);
    else this.#ids.delete(bucket);
  }

  #idsIn(bucket: number): readonly string[] {
    const known = this.#ids.get(bucket) ?? [];
    return typeof known === 'string' ? [known] : known;
  }

  #forgetOldest(): void {
    // The same iterator each time: a new one walks over the places of all that were forgotten before.
    this.#oldest ??= this.#notes.keys();
    this.forget(this.#oldest.next().value as string);
  }
}

/** White space other than one blank. */
const BLANKS = /\s{2,}|[^\S ]/g;

function normalised(content: string): string {
  return compatible(content).toLowerCase().replace(BLANKS, ' ').trim();
}

function compatible(content: string): string {
  if (isAscii(content)) return content;
  return compatibleForm(content.slice(0, COMPATIBLE_UNTIL)) + content.slice(COMPATIBLE_UNTIL);
}

const SPACE = 0x20;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;

/**
 * Equal for two messages that are the same, and for hardly any others; cheap enough to compute for each memory at a start. Source:
 * FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv.
 */
function bucketOf(said: SaidBy): number {
  const { content } = said;
  // In ASCII, `normalised` changes only capitals and white space, and so does `fnvOfWords`.
  return remembering(bucketsOfLong, said, () => makeBucket(said, isAscii(content) ? content : normalised(content)));
}

function makeBucket({ agentId, sessionId }: SaidBy, words: string): number {
  // A number of this many bits is a small integer, which a Map finds faster.
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
