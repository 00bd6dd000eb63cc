import { grown } from './grown.ts';
import { NONE, type SlotTable } from './slot-table.ts';
import { TopSlots } from './top-slots.ts';
import type { Views, WordShares } from './word-shares.ts';

/** Taken from each of the two lexical rankings; more changes no result that was measured (docs/benchmarks.md). */
const LEXICAL_CANDIDATES = 100;
/** Weights of window and thread beside the turn, in a ranking that only chooses candidates. */
const CONTEXT = { window: 1.4, thread: 0.6 };

export interface Choice {
  readonly caller: number;
  readonly words: WordShares;
  readonly views: Views;
  /** May hold NONE and slots that the caller does not see. */
  readonly rowSlots: readonly number[];
  readonly entitySlots: readonly number[];
  readonly accepts: (ordinal: number) => boolean;
  readonly limit: number;
}

/** The memories that are worth scoring exactly: the best of each source and their neighbours. */
export class CandidateSet {
  private readonly slots: SlotTable;
  private readonly byContext = new TopSlots(LEXICAL_CANDIDATES);
  private readonly byTurn = new TopSlots(LEXICAL_CANDIDATES);
  private chosen: number[] = [];
  private seenAt = new Int32Array(0);
  private round = 0;

  constructor(slots: SlotTable) {
    this.slots = slots;
  }

  choose(choice: Choice): number[] {
    this.seenAt = grown(this.seenAt, this.slots.size);
    this.round++;
    this.chosen = [];
    this.rankWords(choice);
    for (const source of [
      choice.rowSlots,
      choice.entitySlots,
      this.byContext.slots.subarray(0, this.byContext.size),
      this.byTurn.slots.subarray(0, this.byTurn.size),
    ]) {
      for (const slot of source) this.take(slot, choice);
    }
    this.takeNeighbours(choice);
    for (let slot = this.slots.size - 1; slot >= 0 && this.chosen.length < choice.limit; slot--)
      this.take(slot, choice);
    return this.chosen;
  }

  private rankWords({ words, views, caller, accepts }: Choice): void {
    const { byContext, byTurn } = this;
    const { agent, ordinal } = this.slots;
    byContext.clear();
    byTurn.clear();
    for (let index = 0; index < words.touchedCount; index++) {
      const slot = words.touched[index] as number;
      const view = agent[slot] === caller ? views.own : views.others;
      const turn = words.turnOf(slot);
      const context =
        turn + CONTEXT.window * words.windowOf(slot) + CONTEXT.thread * words.threadOf(view.thread[slot] as number);
      const wanted = byContext.wants(context);
      const wantedByTurn = turn > 0 && byTurn.wants(turn);
      if (!(wanted || wantedByTurn) || !accepts(ordinal[slot] as number)) continue;
      if (wanted) byContext.offer(slot, context);
      if (wantedByTurn) byTurn.offer(slot, turn);
    }
  }

  private takeNeighbours(choice: Choice): void {
    const { views, caller } = choice;
    const { agent } = this.slots;
    for (const slot of [...this.chosen]) {
      const view = agent[slot] === caller ? views.own : views.others;
      this.take(view.previous[slot] as number, choice);
      this.take(view.next[slot] as number, choice);
    }
  }

  private take(slot: number, { caller, accepts }: Choice): void {
    if (slot === NONE || this.seenAt[slot] === this.round || !this.slots.isVisible(slot, caller)) return;
    this.seenAt[slot] = this.round;
    if (accepts(this.slots.ordinal[slot] as number)) this.chosen.push(slot);
  }
}
