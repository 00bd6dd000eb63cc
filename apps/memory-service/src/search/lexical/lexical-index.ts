import { grown } from '../columns/grown.ts';
import { NONE } from '../columns/slot-table.ts';
import type { Partitions, Sight } from '../partitions.ts';
import { PostingBuffer, PostingLists, type SlotFilter } from './posting-lists.ts';
import type { NumberedTerms } from './term-dictionary.ts';

// The integers of this room, each known by its name:
// - `slot`: the place of a memory in the columns; `ordinal`: the memory itself (docs/glossary.md).
// - `number`: that of a term in this index. It is the number of its posting list, called `list` where lists are read and written.
// - `entry`: that of a term in the dictionary of a file.
// - `word`: one of the words of a question, by its place in `AskedWords`.
// - `place`: where in a text a term stands.
// - `term` is a text; `terms` is a list of them, or of a memory or passage how many it has.

/** Entries that a change sweeps beside its own work, so that removed memories leave the lists without a pause. */
const SWEPT_PER_CHANGE = 4_000;
/** A sweep begins when this share of the entries belongs to removed memories, and at least so many memories. */
const REMOVED_SHARE = 0.1;
const REMOVED_AT_LEAST = 500;

type IndexedSlots = { readonly size: number } & Pick<SlotFilter, 'partition'>;

/**
 * Which memories hold which term, how often: an inverted index over slots. It knows no scores and no
 * visibility: a reader passes its sight, and all counts are over that.
 *
 * A removed memory stays in the lists, unread because its slot is empty, until a sweep has gone through all terms.
 */
export class LexicalIndex {
  readonly #lists = new PostingLists();
  readonly #listOfTerm = new Map<string, number>();
  /** By list; undefined for one that is free. */
  readonly #termOfList: (string | undefined)[] = [];
  readonly #scratch = new PostingBuffer();
  /** The numbers of the terms that were added last. */
  #numbers = new Int32Array(0);
  /** Lists that a sweep has freed, whose numbers other terms may have since. */
  #freed = 0;
  /** Slots emptied since the sweep under way began, or since the last one. */
  #removed: number[] = [];
  #beingSwept: number[] = [];
  #sweep: Iterator<[string, number]> | null = null;
  readonly #slots: IndexedSlots;
  readonly #partitions: Pick<Partitions, 'everything'>;
  readonly #onFree: (slots: readonly number[]) => void;

  /** @param onFree told of emptied slots that no list names any more */
  constructor(
    slots: IndexedSlots,
    partitions: Pick<Partitions, 'everything'>,
    onFree: (slots: readonly number[]) => void,
  ) {
    this.#slots = slots;
    this.#partitions = partitions;
    this.#onFree = onFree;
  }

  get terms(): number {
    return this.#listOfTerm.size;
  }

  /**
   * @param slot in no list yet
   * @param terms repeats included
   * @returns the number of each term, valid as long as a memory with it is there; the array itself until the next one is added
   */
  add(slot: number, terms: readonly string[]): Int32Array {
    this.#numbers = grown(this.#numbers, terms.length);
    const numbers = this.#numbers;
    for (let index = 0; index < terms.length; index++) {
      const list = this.#listFor(terms[index] as string);
      numbers[index] = list;
      this.#lists.mention(list, slot);
    }
    this.#sweepSome();
    return numbers.subarray(0, terms.length);
  }

  /** As `add`, without looking up a term that this dictionary had before. */
  addNumbered(slot: number, { entries, dictionary }: NumberedTerms): Int32Array {
    this.#numbers = grown(this.#numbers, entries.length);
    const numbers = this.#numbers;
    const known = dictionary.knownIn(this, this.#freed);
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as number;
      let list = (known[entry] as number) - 1;
      if (list === NONE) {
        list = this.#listFor(dictionary.terms[entry] as string);
        known[entry] = list + 1;
      }
      numbers[index] = list;
      this.#lists.mention(list, slot);
    }
    this.#sweepSome();
    return numbers.subarray(0, entries.length);
  }

  #listFor(term: string): number {
    let list = this.#listOfTerm.get(term);
    if (list === undefined) {
      list = this.#lists.create();
      this.#listOfTerm.set(term, list);
      this.#termOfList[list] = term;
    }
    return list;
  }

  /** The term of each number, as they are at this moment, whatever happens later. */
  captureTerms(): readonly (string | undefined)[] {
    return this.#termOfList.slice();
  }

  /** The slot must have been emptied. */
  remove(slot: number): void {
    this.#removed.push(slot);
    this.#sweepSome();
  }

  /** The number that `add` returns for this term; NONE if no memory has it. */
  numberOf(term: string): number {
    return this.#listOfTerm.get(term) ?? NONE;
  }

  /** The term of a number that `add` has returned. */
  termOf(number: number): string | undefined {
    return this.#termOfList[number];
  }

  /**
   * Reads the memories with a term that are in sight, if there are at most so many.
   * @param number of the term, as `add` returns it
   */
  readRare(number: number, { sight, most }: { sight: Sight; most: number }, into: PostingBuffer): void {
    const filter = this.#filter(sight);
    if (this.#lists.count(number, filter, most) > most) into.length = 0;
    else this.#lists.read(number, filter, into);
  }

  /** How many memories with this term there are in sight. */
  count(term: string, sight: Sight): number {
    const list = this.#listOfTerm.get(term);
    return list === undefined ? 0 : this.#lists.count(list, this.#filter(sight));
  }

  /**
   * Reads the memories with this term that are in sight.
   * @param options.among when given, only slots with another value than 0 in it
   */
  read(term: string, options: { sight: Sight; among?: Float32Array | null }, into: PostingBuffer): void {
    const list = this.#listOfTerm.get(term);
    if (list === undefined) into.length = 0;
    else this.#lists.read(list, { ...this.#filter(options.sight), among: options.among ?? null }, into);
  }

  #filter({ partitions }: Sight): SlotFilter {
    return { partition: this.#slots.partition, sight: partitions };
  }

  #sweepSome(): void {
    if (!this.#sweep && !this.#beginSweep()) return;
    const everything = { partition: this.#slots.partition, sight: this.#partitions.everything() };
    for (let swept = 0; swept < SWEPT_PER_CHANGE; ) {
      const next = (this.#sweep as Iterator<[string, number]>).next();
      if (next.done) {
        this.#endSweep();
        return;
      }
      const [term, list] = next.value;
      swept += this.#lists.lengthOf(list) + 1;
      const survives = this.#lists.sweep(list, everything, this.#scratch);
      if (!survives) {
        this.#listOfTerm.delete(term);
        this.#termOfList[list] = undefined;
        this.#freed++;
      }
    }
  }

  #beginSweep(): boolean {
    const { length } = this.#removed;
    if (length < REMOVED_AT_LEAST || length < this.#slots.size * REMOVED_SHARE) return false;
    this.#beingSwept = this.#removed;
    this.#removed = [];
    this.#sweep = this.#listOfTerm.entries();
    return true;
  }

  #endSweep(): void {
    this.#sweep = null;
    this.#onFree(this.#beingSwept);
    this.#beingSwept = [];
  }
}
