import type { Memory } from '../../domain/memory/memory.ts';
import type { Audience, Viewer } from '../../domain/memory/visibility.ts';
import { entityKey, type ReadNames, readNames } from '../../domain/text/entities/entities.ts';
import { normalForm } from '../../domain/text/words/normal-form.ts';
import { STOP_WORDS } from '../../domain/text/words/stop-words.ts';
import { NumberLists } from '../columns/number-lists.ts';
import { PartitionCounts } from '../partition-counts.ts';
import { Partitions, type Sight } from '../partitions.ts';

/** Words of the longest name that is looked for in a text. */
const NAME_WORDS = 5;
/** Words of a question that are looked at; a longer text names everything. */
const QUESTION_WORDS = 200;
/** Memories of one entity that are proposed or looked at: the newest. A name that is everywhere distinguishes nothing. */
const NEWEST_LINKED = 500;
/** Characters of a text that are looked at: the words, and some room for long ones. */
const QUESTION_CHARACTERS = QUESTION_WORDS * 20;
const WORD = /#\d+|[\p{L}\p{N}][\p{L}\p{N}\p{M}_.@#/:+'-]*/gu;
const AFTER_WORD = /(?:'s)?[.:/'-]*$/;
/** "auth service" asks for auth-service or auth_service. */
const JOINTS = [' ', '-', '_'];
const JOINT = /[ _-]/;

interface Linked {
  /** One string for all memories that name it. */
  readonly key: string;
  /** Stands for it in the list of what a memory names. */
  readonly number: number;
  /** Ascending. */
  ordinals: number[];
  readonly memories: PartitionCounts;
}

/** The names of the entities of a memory, as places in a list of all names. */
export interface NumberedNames {
  readonly numbers: readonly number[];
  /** May become longer. */
  readonly names: readonly string[];
}

/** Which memories name which entities. What only memories out of sight name is unknown to a viewer. */
export class EntityIndex {
  readonly #linked = new Map<string, Linked>();
  /** How many keys of several words begin with a word, so that few places of a text are tried for such. */
  readonly #beginnings = new Map<string, number>();
  readonly #partitions: Partitions;
  /** The key of each entity, by its number. */
  readonly #keys: string[] = [];
  /** Numbers of entities that no memory names any more. */
  readonly #free: number[] = [];
  /** What each memory names. */
  readonly #named = new NumberLists();

  /** What the names of a list stand for, of the list that was used last. */
  #numbered: { readonly names: readonly string[]; readonly linked: Linked[] } = { names: [], linked: [] };

  /** @param partitions of all indexes of a store */
  constructor(partitions = new Partitions()) {
    this.#partitions = partitions;
  }

  add(ordinal: number, memory: Pick<Memory, 'entities'> & Audience): void {
    const { entities } = memory;
    if (entities.length === 0) return;
    this.#name(
      ordinal,
      memory,
      entities.map(({ name }) => this.#linkedTo(entityKey(name))),
    );
  }

  /** As `add`, without looking up a name that stood in this list before. */
  addNumbered(ordinal: number, memory: Audience, { numbers, names }: NumberedNames): void {
    if (numbers.length === 0) return;
    if (this.#numbered.names !== names) this.#numbered = { names, linked: [] };
    const known = this.#numbered.linked;
    const linked = numbers.map((number) => {
      const before = known[number];
      // Where the last memory that names it has gone, so has this.
      if (before && before.ordinals.length > 0) return before;
      const found = this.#linkedTo(entityKey(names[number] as string));
      known[number] = found;
      return found;
    });
    this.#name(ordinal, memory, linked);
  }

  #name(ordinal: number, memory: Audience, named: readonly Linked[]): void {
    const partition = this.#partitions.numberOf(memory);
    const numbers: number[] = [];
    for (const linked of named) {
      // Two names may be one entity.
      if (!insert(linked, ordinal)) continue;
      linked.memories.add(partition, 1);
      numbers.push(linked.number);
    }
    this.#named.set(ordinal, numbers);
  }

  /** @param memory as it was when it was added */
  remove(ordinal: number, memory: Audience): void {
    const partition = this.#partitions.numberOf(memory);
    for (const key of this.keysOf(ordinal)) {
      const linked = this.#linkedTo(key);
      linked.ordinals.splice(placeOf(linked.ordinals, ordinal), 1);
      linked.memories.add(partition, -1);
      if (linked.ordinals.length > 0) continue;
      this.#linked.delete(key);
      this.#free.push(linked.number);
      this.#countBeginning(key, -1);
    }
    this.#named.clear(ordinal);
  }

  keysOf(ordinal: number): readonly string[] {
    return this.#named.of(ordinal).map((number) => this.#keys[number] as string);
  }

  fan(key: string, viewer: Viewer): number {
    return this.#fanIn(this.#partitions.sightOf(viewer), key);
  }

  #fanIn(sight: Sight, key: string): number {
    return this.#linked.get(key)?.memories.inSight(sight) ?? 0;
  }

  /** Ordinals, newest first. Memories that are not accepted do not count towards `most`. */
  linkedTo(key: string, accepts: (ordinal: number) => boolean, most = NEWEST_LINKED): number[] {
    const ordinals = this.#linked.get(key)?.ordinals ?? [];
    const newest: number[] = [];
    for (let i = ordinals.length - 1; i >= 0 && newest.length < most; i--) {
      const ordinal = ordinals[i] as number;
      if (accepts(ordinal)) newest.push(ordinal);
    }
    return newest;
  }

  /**
   * Entities that a text names and the caller knows: the longest name at each place, in any case; and what is a name by
   * its form ("pull request 12").
   * @param asked the text, or its names, where these were read before
   * @complexity O(words), about 60 µs for 30 words
   */
  namedIn(asked: string | ReadNames, viewer: Viewer): string[] {
    const text = typeof asked === 'string' ? asked : asked.text;
    const read = text.slice(0, QUESTION_CHARACTERS);
    const names = typeof asked !== 'string' && read === text ? asked : readNames(read);
    const words = wordsOf(read);
    const found = new Set<string>();
    const sight = this.#partitions.sightOf(viewer);
    for (let start = 0; start < words.length; ) {
      const isBeginning = this.#beginnings.has(words[start]?.key ?? '');
      let length = isBeginning ? Math.min(NAME_WORDS, words.length - start) : 1;
      for (; length > 0; length--) {
        const key = this.#knownAs(words.slice(start, start + length), sight);
        if (key === null) continue;
        found.add(key);
        break;
      }
      start += Math.max(length, 1);
    }
    const longest = [...found];
    for (const { name } of names.by(null).entities(() => false)) {
      const key = entityKey(name);
      if (this.#fanIn(sight, key) > 0 && !longest.some((longer) => longer.includes(key))) found.add(key);
    }
    return [...found];
  }

  /**
   * Memories that name some of these entities: 0..1 by the share of the entities, where one that few memories name counts for
   * more.
   */
  hits(namedKeys: readonly string[], { viewer, accepts }: { viewer: Viewer; accepts: (ordinal: number) => boolean }) {
    const hits = new Map<number, number>();
    // The last memory that names one may be deleted since the text was read.
    const sight = this.#partitions.sightOf(viewer);
    const named = namedKeys.filter((key) => this.#fanIn(sight, key) > 0);
    const weights = named.map((key) => 1 / (1 + Math.log(this.#fanIn(sight, key))));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    named.forEach((key, i) => {
      for (const ordinal of this.linkedTo(key, accepts)) {
        hits.set(ordinal, (hits.get(ordinal) ?? 0) + (weights[i] as number) / all);
      }
    });
    return hits;
  }

  #knownAs(words: readonly NameWord[], sight: Sight): string | null {
    const [first, second] = words;
    if (first && !second) return first.standsAlone && this.#fanIn(sight, first.key) > 0 ? first.key : null;
    for (const joint of JOINTS) {
      const key = words.map((word) => word.key).join(joint);
      if (this.#fanIn(sight, key) > 0) return key;
    }
    return null;
  }

  #linkedTo(key: string): Linked {
    const known = this.#linked.get(key);
    if (known) return known;
    const number = this.#free.pop() ?? this.#keys.length;
    this.#keys[number] = key;
    const linked = { key, number, ordinals: [], memories: new PartitionCounts() };
    this.#linked.set(key, linked);
    this.#countBeginning(key, 1);
    return linked;
  }

  #countBeginning(key: string, by: number): void {
    const joint = key.search(JOINT);
    if (joint === -1) return;
    const beginning = key.slice(0, joint);
    const left = (this.#beginnings.get(beginning) ?? 0) + by;
    if (left === 0) this.#beginnings.delete(beginning);
    else this.#beginnings.set(beginning, left);
  }
}

interface NameWord {
  /** In lower case, without punctuation and possessive. */
  readonly key: string;
  /** False for "will", which is a name only in capitals. */
  readonly standsAlone: boolean;
}

function wordsOf(text: string): NameWord[] {
  const words = normalForm(text, 'NFKC').replace(/[’‘]/g, "'").match(WORD) ?? [];
  return words.slice(0, QUESTION_WORDS).map((word) => ({
    key: word.replace(AFTER_WORD, '').toLowerCase(),
    standsAlone: !STOP_WORDS.has(word),
  }));
}

/** @returns false where the ordinal is there already */
function insert(linked: Linked, ordinal: number): boolean {
  const { ordinals } = linked;
  // A list of one is as short as it can be; one that grows has room for many.
  if (ordinals.length === 0) linked.ordinals = [ordinal];
  else if ((ordinals.at(-1) as number) < ordinal) ordinals.push(ordinal);
  else {
    const place = placeOf(ordinals, ordinal);
    if (ordinals[place] === ordinal) return false;
    ordinals.splice(place, 0, ordinal);
  }
  return true;
}

/** Where an ordinal stands or belongs in an ascending list; mostly at the end. */
function placeOf(ordinals: readonly number[], ordinal: number): number {
  let low = 0;
  let high = ordinals.length;
  if (high > 0 && (ordinals[high - 1] as number) < ordinal) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] as number) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}
