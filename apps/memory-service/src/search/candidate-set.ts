import { grown } from './columns/grown.ts';
import { NONE, type SlotTable } from './columns/slot-table.ts';
import { TopRows } from './columns/top-rows.ts';
import type { WordShares } from './lexical/word-shares.ts';
import type { Sight } from './partitions.ts';
import type { ThreadIndex, Views } from './threads/thread-index.ts';

/** Candidates from each of the two lexical rankings; fewer suffice beside vectors. Measured: docs/benchmarks/recall.md. */
const LEXICAL_CANDIDATES = { besideVectors: 100, alone: 400 };
/** The best of each source whose later mentions are candidates too: the best answer is mostly among them. */
const MENTIONED = 3;
/** Weights of window and thread beside the turn, in a ranking that only chooses candidates. */
const CONTEXT = { window: 1.4, thread: 0.6 };

export interface Choice {
  readonly sight: Sight;
  readonly words: WordShares;
  readonly views: Views;
  /** The nearest first; may hold NONE and slots out of sight. */
  readonly rowSlots: readonly number[];
  readonly entitySlots: readonly number[];
  /** What a question without a subject asks for. */
  readonly saidThen: readonly number[];
  /** Slots of what was said after a memory of what it names. */
  readonly laterMentions: (slot: number) => readonly number[];
  readonly accepts: (ordinal: number) => boolean;
  readonly limit: number;
}

/** The memories that are worth scoring exactly: the best of each source and their neighbours. */
export class CandidateSet {
  readonly #slots: SlotTable;
  #chosen: number[] = [];
  #seenAt = new Int32Array(0);
  #round = 0;

  constructor(slots: SlotTable) {
    this.#slots = slots;
  }

  choose(choice: Choice): number[] {
    this.#begin();
    const bestByWords = this.#bestByWords(choice);
    for (const source of [choice.rowSlots, choice.entitySlots, choice.saidThen, ...bestByWords]) {
      for (const slot of source) this.#take(slot, choice);
    }
    this.#takeNeighbours(choice);
    const mentioned = new Set([choice.rowSlots, ...bestByWords].flatMap((source) => this.#firstSeen(source, choice)));
    for (const slot of mentioned) for (const later of choice.laterMentions(slot)) this.#take(later, choice);
    for (let slot = this.#slots.size - 1; slot >= 0 && this.#chosen.length < choice.limit; slot--) {
      this.#take(slot, choice);
    }
    return this.#chosen;
  }

  /** The best by the words of their own turn, and those near the vector. Their neighbours do not become candidates. */
  chooseAlone({ words, ...choice }: Pick<Choice, 'sight' | 'words' | 'rowSlots' | 'accepts' | 'limit'>): number[] {
    this.#begin();
    const byTurn = new TopRows(choice.limit);
    for (let index = 0; index < words.touchedCount; index++) {
      const slot = words.touched[index] as number;
      const turn = words.turnOf(slot);
      const ordinal = this.#slots.ordinal[slot] as number;
      if (turn > 0 && turn >= byTurn.least && choice.accepts(ordinal)) byTurn.offer(ordinal, turn);
    }
    for (const slot of choice.rowSlots) this.#take(slot, choice);
    for (const slot of this.#slotsOf(byTurn)) this.#take(slot, choice);
    return this.#chosen;
  }

  #begin(): void {
    this.#seenAt = grown(this.#seenAt, this.#slots.size);
    this.#round++;
    this.#chosen = [];
  }

  /**
   * Two rankings: by turn, window and thread together, and by the turn alone. Among equals the memory that was told first wins. Slots
   * cannot decide that: they are reused, so each process has others for the same memories.
   */
  #bestByWords({ words, views, sight, accepts, rowSlots }: Choice): [number[], number[]] {
    const { partition, ordinal } = this.#slots;
    const capacity = rowSlots.length > 0 ? LEXICAL_CANDIDATES.besideVectors : LEXICAL_CANDIDATES.alone;
    const byContext = new TopRows(capacity);
    const byTurn = new TopRows(capacity);
    const { touched, touchedCount, bestThread } = words;
    let least = byContext.least;
    let leastTurn = byTurn.least;
    for (let index = 0; index < touchedCount; index++) {
      const slot = touched[index] as number;
      const turn = words.turnOf(slot);
      const wantedByTurn = turn > 0 && turn >= leastTurn;
      // For most memories an upper bound of the score is too low already, so their windows are not measured.
      if (!wantedByTurn && withContext(turn, words.anyWindowAtMost(slot), bestThread) < least) continue;
      const view = views[sight.partitions[partition[slot] as number] as number] as ThreadIndex;
      const thread = words.threadOf(view.thread[slot] as number);
      const wanted =
        withContext(turn, words.windowAtMost(slot, view), thread) >= least &&
        withContext(turn, words.windowOf(slot), thread) >= least;
      const told = ordinal[slot] as number;
      if (!(wanted || wantedByTurn) || !accepts(told)) continue;
      if (wanted) byContext.offer(told, withContext(turn, words.windowOf(slot), thread));
      if (wantedByTurn) byTurn.offer(told, turn);
      least = byContext.least;
      leastTurn = byTurn.least;
    }
    return [this.#slotsOf(byContext), this.#slotsOf(byTurn)];
  }

  #slotsOf(best: TopRows): number[] {
    return Array.from(best.take().rows, (ordinal) => this.#slots.slotOf(ordinal));
  }

  /** The first few of a source; a long memory has several rows, and of one out of sight nothing is told. */
  #firstSeen(source: readonly number[], { sight, accepts }: Choice): number[] {
    const isSeen = (slot: number) =>
      slot !== NONE && this.#slots.isVisible(slot, sight) && accepts(this.#slots.ordinal[slot] as number);
    const first = new Set<number>();
    for (const slot of source) {
      if (first.size === MENTIONED) break;
      if (isSeen(slot)) first.add(slot);
    }
    return [...first];
  }

  #takeNeighbours(choice: Choice): void {
    const { views, sight } = choice;
    const { partition } = this.#slots;
    for (const slot of [...this.#chosen]) {
      const view = views[sight.partitions[partition[slot] as number] as number] as ThreadIndex;
      this.#take(view.previous[slot] as number, choice);
      this.#take(view.next[slot] as number, choice);
    }
  }

  #take(slot: number, { sight, accepts }: Pick<Choice, 'sight' | 'accepts'>): void {
    if (slot === NONE || this.#seenAt[slot] === this.#round || !this.#slots.isVisible(slot, sight)) return;
    this.#seenAt[slot] = this.#round;
    if (accepts(this.#slots.ordinal[slot] as number)) this.#chosen.push(slot);
  }
}

/** A share of words in the turn with those in its window and thread. */
function withContext(turn: number, window: number, thread: number): number {
  return turn + CONTEXT.window * window + CONTEXT.thread * thread;
}
