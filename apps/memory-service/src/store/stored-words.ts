import { nextTurn } from '../domain/concurrency/next-turn.ts';
import { SameWords } from '../domain/ingest/same-words.ts';
import type { Memory } from '../domain/memory/memory.ts';
import type { Records } from './records.ts';

/** Memories whose words are noted in one turn of the event loop: about 5 ms. */
const NOTED_PER_TURN = 2_000;

/**
 * Knows stored memories by their words. What came since somebody asked last is noted when somebody asks next: most spaces are opened
 * for a recall, which does not ask.
 */
export class StoredWords {
  readonly #words = new SameWords();
  readonly #records: Records;
  /** Memories at ordinals from here on are not noted yet. */
  #until = 0;

  constructor(records: Records) {
    this.#records = records;
  }

  /** Notes a memory that came or was changed; later, where others before it are still to be noted. */
  note(ordinal: number, memory: Memory): void {
    if (ordinal < this.#until) this.#note(memory);
  }

  forget(id: string): void {
    this.#words.forget(id);
  }

  /** Notes, over several turns of the event loop, what is to be noted before `find`. */
  async ready(): Promise<void> {
    for (;;) {
      this.#noteSome(NOTED_PER_TURN);
      if (this.#until >= this.#records.end) return;
      await nextTurn();
    }
  }

  /**
   * Id of the memory to which a message of these words adds nothing; null when there is none.
   * @complexity O(memories) the first time, unless `ready` has come before
   */
  find(said: Memory): string | null {
    this.#noteSome(Number.POSITIVE_INFINITY);
    return this.#words.find(said);
  }

  #noteSome(most: number): void {
    const end = Math.min(this.#records.end, this.#until + most);
    for (; this.#until < end; this.#until++) {
      if (this.#records.has(this.#until)) this.#note(this.#records.at(this.#until).memory);
    }
  }

  #note(memory: Memory): void {
    // Where somebody has put other words in place of the message, to say its words again is news.
    if (memory.gistEdited || memory.kind === 'semantic') this.#words.forget(memory.id);
    else this.#words.note(memory);
    for (const absorbed of memory.gistEdited ? [] : (memory.absorbed ?? [])) {
      if (!absorbed.memory.gistEdited) this.#words.note(absorbed.memory);
    }
  }
}
