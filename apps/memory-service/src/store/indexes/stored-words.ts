import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import { TEXTS_OF_A_TURN } from '../../domain/concurrency/texts-of-a-turn.ts';
import { SameWords } from '../../domain/ingest/same-words.ts';
import type { Memory } from '../../domain/memory/memory.ts';
import type { Records } from '../records/records.ts';

const ALL = { memories: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/**
 * Knows stored memories by their words. What came since somebody asked last is noted when somebody asks next: most spaces are opened
 * for a recall, which does not ask.
 */
export class StoredWords {
  readonly #words: SameWords;
  readonly #records: Records;
  /** Memories at ordinals from here on are not noted yet. */
  #until = 0;

  constructor(records: Records, words = new SameWords()) {
    this.#records = records;
    this.#words = words;
  }

  /** Notes a memory that came or was changed; later, where others before it are still to be noted. */
  note(ordinal: number, memory: Memory): void {
    if (ordinal < this.#until) this.#note(memory);
  }

  forget(id: string): void {
    this.#words.forget(id);
  }

  /** Notes all memories that `find` needs, over several turns of the event loop. */
  async ready(): Promise<void> {
    for (;;) {
      this.#noteSome(TEXTS_OF_A_TURN);
      if (this.#until >= this.#records.end) return;
      await nextTurn();
    }
  }

  /**
   * Id of the memory that a message of these words repeats; null when there is none.
   * @complexity O(memories) the first time, unless `ready` has come before
   */
  find(said: Memory): string | null {
    this.#noteSome(ALL);
    return this.#words.find(said);
  }

  #noteSome({ memories, characters }: typeof TEXTS_OF_A_TURN): void {
    // What came before these would be forgotten again.
    this.#until = Math.max(this.#until, this.#records.end - this.#words.most);
    const end = Math.min(this.#records.end, this.#until + memories);
    for (let left = characters; this.#until < end && left > 0; this.#until++) {
      if (!this.#records.has(this.#until)) continue;
      const { memory } = this.#records.at(this.#until);
      this.#note(memory);
      left -= charactersOf(memory);
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

/** The characters of the message and of those that it absorbed. */
function charactersOf({ content, absorbed = [] }: Memory): number {
  return absorbed.reduce((sum, { memory }) => sum + memory.content.length, content.length);
}
