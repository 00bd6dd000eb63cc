import type { Evidence } from '../domain/recall/evidence/evidence.ts';
import type { Question } from '../domain/recall/question/question.ts';
import { longestReply } from '../domain/recall/relevance/told-by-words.ts';
import { formsOf } from '../domain/text/words/irregular-verbs.ts';
import { IS_NOTE, IS_QUESTION, NONE, OF_USER, type SlotTable, TELLS_TIME } from './columns/slot-table.ts';
import type { DaysNamed } from './days-named.ts';
import { NearShares } from './lexical/near-shares.ts';
import { PASSAGE_TERMS, WINDOW_TERMS } from './lexical/passage-size.ts';
import { Passages } from './lexical/passages.ts';
import { holds, type Stretch } from './lexical/reading-log.ts';
import type { WordShares } from './lexical/word-shares.ts';
import type { ThreadIndex } from './threads/thread-index.ts';
import type { VectorEvidence } from './vectors/vector-evidence.ts';

/** Evidence with the places of its memory in the indexes. */
export interface FoundEvidence extends Evidence {
  readonly ordinal: number;
  /** Row of the first chunk's vector; NONE without one. */
  readonly row: number;
  /** The number of its chunks' vectors, in rows one after the other. */
  readonly rows: number;
}

/** What the evidence for a question is measured by, beside its words. */
interface BesideWords {
  readonly vectors: VectorEvidence | null;
  readonly named: NamedSpeaker;
  /** From the entity index: ordinal to 0..1. */
  readonly entityHits: ReadonlyMap<number, number>;
}

/** The speaker that a question names. */
export interface NamedSpeaker {
  /** NONE where it names none. */
  readonly number: number;
  /**
   * Whether what it told of others counts as its own words: it is an agent that says nothing itself, or all that it said in a time is
   * asked for.
   */
  readonly countsTold: boolean;
}

/** A word that tells the subject of a question, with the numbers of all its forms. */
interface TellingWord {
  readonly term: string;
  readonly numbers: readonly number[];
}

/** The asked words that tell a subject. */
interface Telling {
  readonly words: readonly TellingWord[];
  /** How many of them have no other form: a memory with all words holds these as they are. */
  readonly asTheyAre: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Measures how far each memory answers one question. Valid in one turn of the event loop. */
export class EvidenceMeasure {
  readonly #slots: SlotTable;
  readonly #words: WordShares;
  readonly #days: DaysNamed;
  readonly #termsByOrdinal: (ordinal: number) => Stretch;
  readonly #passages: Passages;
  readonly #near: NearShares;
  readonly #numberOf: (term: string) => number;
  /** All; beside names: without those that name speakers. */
  #telling = tellingOf([]);
  #tellingBesideNames = tellingOf([]);
  #longestReply = 0;

  /** @param about.termsOf the terms of a memory by its ordinal */
  constructor(about: {
    readonly slots: SlotTable;
    readonly words: WordShares;
    readonly days: DaysNamed;
    readonly numberOf: (term: string) => number;
    readonly termsOf: (ordinal: number) => Stretch;
  }) {
    this.#slots = about.slots;
    this.#words = about.words;
    this.#days = about.days;
    this.#termsByOrdinal = about.termsOf;
    this.#passages = new Passages(about.slots, about.termsOf);
    this.#near = new NearShares(about.numberOf);
    this.#numberOf = about.numberOf;
  }

  /** The next calls are about this question, for which the shares of words are measured and its days looked up. */
  ask(question: Question): void {
    const { names, telling } = question;
    const { asked } = this.#words;
    this.#longestReply = longestReply(question);
    this.#passages.ask(asked);
    this.#near.ask(asked.words.filter(({ term }) => !names.includes(term)));
    const all = asked.words
      .filter(({ term }) => telling.includes(term))
      .map(({ term }) => ({ term, numbers: formsOf(term).map(this.#numberOf) }));
    this.#telling = tellingOf(all);
    this.#tellingBesideNames = tellingOf(all.filter(({ term }) => !names.includes(term)));
  }

  /**
   * The evidence of a memory, where window and near are only what they are at most, which takes less.
   * @param view with the threads of this memory as the viewer sees them
   */
  atMost(slot: number, view: ThreadIndex, { vectors, named, entityHits }: BesideWords): Mutable<FoundEvidence> {
    const slots = this.#slots;
    const ordinal = slots.ordinal[slot] as number;
    const flags = slots.flags[slot] as number;
    const before = questionBefore(slot, { slots, view });
    const wasAsked = before !== NONE;
    return {
      ordinal,
      row: slots.firstRow[slot] as number,
      rows: slots.rows[slot] as number,
      hasVector: slots.firstRow[slot] !== NONE,
      turn: this.turnOf(slot),
      covers: true,
      coversWithBefore: true,
      window: isLongWindow(slot, view) ? this.#passages.windowOf(slot, view) : this.#words.windowAtMost(slot, view),
      thread: this.#words.threadOf(view.thread[slot] as number),
      near: this.#near.most,
      coherence: vectors ? vectors.coherenceOf(slot, view) : 1,
      cosine: vectors ? vectors.cosineOf(slot) : 0,
      mixedCosine: vectors ? vectors.mixedCosineOf(slot, view) : 0,
      askedBeforeTurn: wasAsked ? this.turnOf(before) : 0,
      askedBeforeWords: wasAsked ? (slots.words[before] as number) : 0,
      askedBeforeCosine: wasAsked && vectors ? vectors.cosineOf(before) : 0,
      saidBefore: slots.saidAt(view.previous[slot] as number),
      saidAfter: slots.saidAt(view.next[slot] as number),
      entity: entityHits.get(ordinal) ?? 0,
      speaker: speakerFits(slots, slot, named),
      role: slots.roleOf(slot),
      isQuestion: (flags & IS_QUESTION) !== 0,
      isNote: (flags & IS_NOTE) !== 0,
      isOfUser: (flags & OF_USER) !== 0,
      tellsTime: (flags & TELLS_TIME) !== 0,
      namesDay: this.#days.has(slot),
      words: slots.words[slot] as number,
      createdAt: slots.createdAt[slot] as number,
    };
  }

  /** Makes what `atMost` gave for this memory exact. */
  exactly(slot: number, view: ThreadIndex, most: Mutable<FoundEvidence>, named: NamedSpeaker): FoundEvidence {
    const wanted = most.speaker === 1 || isToldBy(this.#slots, slot, named) ? this.#tellingBesideNames : this.#telling;
    most.covers = this.#covers(slot, wanted);
    const mayTell = !most.isQuestion && most.words <= this.#longestReply;
    most.coversWithBefore = most.covers || (mayTell && this.#coversWithBefore(slot, view, wanted));
    if (!isLongWindow(slot, view)) most.window = this.#words.windowOf(slot);
    most.near = this.#near.shareIn(this.#termsOf(slot));
    return most;
  }

  /** Share of the asked words in the text itself. */
  turnOf(slot: number): number {
    const isLong = (this.#slots.terms[slot] as number) > PASSAGE_TERMS;
    return isLong ? this.#passages.turnOf(slot) : this.#words.turnOf(slot);
  }

  /** Whether all that is asked stands in a memory. @param wanted without names, where one of these said or told it */
  #covers(slot: number, { words, asTheyAre }: Telling): boolean {
    if (this.#telling.words.length === 0 || this.#words.matchedIn(slot) < asTheyAre) return false;
    return words.every((word) => this.#holds(slot, word));
  }

  /** Whether all that is asked stands in a memory and the two before it together. */
  #coversWithBefore(slot: number, { previous }: ThreadIndex, { words }: Telling): boolean {
    const before = previous[slot] as number;
    if (this.#telling.words.length === 0 || before === NONE) return false;
    const beforeThat = previous[before] as number;
    return words.every(
      (word) =>
        this.#holds(slot, word) || this.#holds(before, word) || (beforeThat !== NONE && this.#holds(beforeThat, word)),
    );
  }

  /** Whether the best passage of a text has any form of a word. */
  #holds(slot: number, { numbers }: TellingWord): boolean {
    const terms = this.#termsOf(slot);
    return numbers.some((number) => holds(terms, number));
  }

  /** The terms of the best passage of its text. */
  #termsOf(slot: number): Stretch {
    const isLong = (this.#slots.terms[slot] as number) > PASSAGE_TERMS;
    return isLong ? this.#passages.termsOf(slot) : this.#termsByOrdinal(this.#slots.ordinal[slot] as number);
  }
}

function tellingOf(words: readonly TellingWord[]): Telling {
  return { words, asTheyAre: words.filter(({ numbers }) => numbers.length === 1).length };
}

/** Whether the window of a memory is measured over the terms around its best passage. */
function isLongWindow(slot: number, { windowTerms }: ThreadIndex): boolean {
  return (windowTerms[slot] as number) > WINDOW_TERMS;
}

/**
 * 1: by the speaker that the question names; -1: by another one; 0: one of the two is unknown, or the agent that the question names told
 * what another one said.
 */
export function speakerFits(slots: SlotTable, slot: number, named: NamedSpeaker): Evidence['speaker'] {
  const speaker = slots.speaker[slot] as number;
  if (named.number === NONE) return 0;
  if (speaker === named.number) return 1;
  if (isToldBy(slots, slot, named)) return named.countsTold ? 1 : 0;
  return speaker === NONE ? 0 : -1;
}

function isToldBy({ teller }: SlotTable, slot: number, { number }: NamedSpeaker): boolean {
  return number !== NONE && teller[slot] === number;
}

/** The slot of the memory just before, if that memory is a question; else NONE. */
export function questionBefore(slot: number, { slots, view }: { slots: SlotTable; view: ThreadIndex }): number {
  const before = view.previous[slot] as number;
  return before !== NONE && ((slots.flags[before] as number) & IS_QUESTION) !== 0 ? before : NONE;
}
