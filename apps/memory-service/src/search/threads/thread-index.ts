import { grown } from '../columns/grown.ts';
import { NONE, type SlotTable } from '../columns/slot-table.ts';
import type { Partitions } from '../partitions.ts';

/** Messages without a session id belong together while no pause between two is longer. */
export const PAUSE_THAT_ENDS_A_THREAD_MS = 30 * 60_000;
/** A window is a memory and so many neighbours on either side. */
export const WINDOW_REACH = 2;

/** The threads as they are seen, by level: SHARED_ELSEWHERE, TOLD and OWN; none where nothing is. */
export type Views = readonly [unseen: null, shared: ThreadIndex, told: ThreadIndex, own: ThreadIndex];

/** Sums over the memories of some threads, for averages. */
export interface ThreadTotals {
  memories: number;
  /** Terms, repeats included. */
  terms: number;
  /** Terms of the windows, summed over the memories. */
  windowTerms: number;
  threads: number;
}

/** The memories of one author in one session, in order; several threads where pauses part them. */
interface Timeline {
  slots: Int32Array<ArrayBuffer>;
  length: number;
  readonly longestPause: number;
}

/** Thread numbers of all views, so that a query needs one accumulator. */
export class ThreadNumbers {
  count = 0;
  readonly #free: number[] = [];
  take(): number {
    return this.#free.pop() ?? this.count++;
  }
  release(thread: number): void {
    this.#free.push(thread);
  }
}

/**
 * One view of the threads: who comes before and after whom. An author's own view holds all its memories, the view of others those
 * that are not PRIVATE, the view of other projects those that are SHARED. So a memory is no neighbour to whoever does not see it.
 */
export class ThreadIndex {
  previous = new Int32Array(0);
  next = new Int32Array(0);
  thread = new Int32Array(0);
  /** Terms of the window around a slot. */
  windowTerms = new Int32Array(0);
  /** By thread. */
  threadTerms = new Int32Array(0);
  threadSize = new Int32Array(0);
  /** A cache of VectorEvidence, cleared when threads change. By slot: length of the mixed vector; NaN: not computed. */
  mixedLength = new Float32Array(0);
  /** By thread, with the size for which it was measured; 0 where it was not. */
  coherence = new Float32Array(0);
  coherenceSize = new Int32Array(0);
  readonly #totalsOfAuthor: ThreadTotals[] = [];
  readonly #timelines: Map<string | null, Timeline>[] = [];
  readonly #slots: SlotTable;
  readonly #partitions: Pick<Partitions, 'authorOf'>;
  readonly #numbers: ThreadNumbers;

  constructor(slots: SlotTable, numbers: ThreadNumbers, partitions: Pick<Partitions, 'authorOf'>) {
    this.#slots = slots;
    this.#partitions = partitions;
    this.#numbers = numbers;
  }

  totalsOf(author: number): Readonly<ThreadTotals> | undefined {
    return this.#totalsOfAuthor[author];
  }

  add(slot: number, sessionId: string | null): void {
    this.#reserve();
    const author = this.#authorOf(slot);
    const timeline = this.#timelineOf(author, sessionId);
    const place = this.#placeIn(timeline, slot);
    timeline.slots = grown(timeline.slots, timeline.length + 1);
    if (place < timeline.length) timeline.slots.copyWithin(place + 1, place, timeline.length);
    timeline.slots[place] = slot;
    timeline.length++;

    const before = this.#nearAt(timeline, place - 1, slot);
    const after = this.#nearAt(timeline, place + 1, slot);
    this.previous[slot] = before;
    this.next[slot] = after;
    if (before !== NONE) this.next[before] = slot;
    if (after !== NONE) this.previous[after] = slot;
    this.windowTerms[slot] = 0;
    const totals = this.#totalsIn(author);
    totals.memories++;
    totals.terms += this.#slots.terms[slot] as number;
    this.#joinThread(slot, totals);
    this.#refreshAround(slot, totals);
  }

  /** Call it while the slot still holds its author and time. */
  remove(slot: number, sessionId: string | null): void {
    const author = this.#authorOf(slot);
    const timeline = this.#timelineOf(author, sessionId);
    const place = this.#placeIn(timeline, slot);
    timeline.slots.copyWithin(place, place + 1, timeline.length);
    timeline.length--;
    if (timeline.length === 0) this.#timelines[author]?.delete(sessionId);

    const totals = this.#totalsIn(author);
    totals.memories--;
    totals.terms -= this.#slots.terms[slot] as number;
    totals.windowTerms -= this.windowTerms[slot] as number;
    this.#leaveThread(slot, totals, timeline);
  }

  /** The slot of what an author said last in a session by a moment, epoch milliseconds; NONE for nothing. */
  lastSaid(author: number, sessionId: string | null, by: number): number {
    const timeline = this.#timelines[author]?.get(sessionId);
    if (!timeline) return NONE;
    const { createdAt } = this.#slots;
    const place = placeBehind(timeline, (slot) => (createdAt[slot] as number) <= by);
    return place > 0 ? (timeline.slots[place - 1] as number) : NONE;
  }

  /** The vector of this slot is another than before. */
  forgetVector(slot: number): void {
    for (const at of [this.previous[slot], slot, this.next[slot]]) {
      if (at !== undefined && at !== NONE) this.mixedLength[at] = Number.NaN;
    }
    this.coherenceSize[this.thread[slot] as number] = 0;
  }

  #joinThread(slot: number, totals: ThreadTotals): void {
    const before = this.previous[slot] as number;
    const after = this.next[slot] as number;
    const neighbour = before === NONE ? after : before;
    const thread = neighbour === NONE ? this.#beginThread(totals) : (this.thread[neighbour] as number);
    this.#moveTo(thread, slot);
    if (before === NONE || after === NONE || this.thread[after] === thread) return;
    // The message lies in a long pause and closes it: the threads on both sides become one.
    const later = this.thread[after] as number;
    for (let member = after; member !== NONE; member = this.next[member] as number) this.#moveTo(thread, member);
    this.#endThread(later, totals);
  }

  #leaveThread(slot: number, totals: ThreadTotals, timeline: Timeline): void {
    const before = this.previous[slot] as number;
    const after = this.next[slot] as number;
    const thread = this.thread[slot] as number;
    this.threadSize[thread] = (this.threadSize[thread] as number) - 1;
    this.threadTerms[thread] = (this.threadTerms[thread] as number) - (this.#slots.terms[slot] as number);
    if (before === NONE && after === NONE) {
      this.#endThread(thread, totals);
      return;
    }
    const joined = before !== NONE && after !== NONE && this.#areNear(before, after, timeline);
    if (before !== NONE) this.next[before] = joined ? after : NONE;
    if (after !== NONE) this.previous[after] = joined ? before : NONE;
    if (before !== NONE && after !== NONE && !joined) {
      const later = this.#beginThread(totals);
      for (let member = after; member !== NONE; member = this.next[member] as number) {
        this.threadSize[thread] = (this.threadSize[thread] as number) - 1;
        this.threadTerms[thread] = (this.threadTerms[thread] as number) - (this.#slots.terms[member] as number);
        this.#moveTo(later, member);
      }
    }
    if (before !== NONE) this.#refreshAround(before, totals);
    if (after !== NONE) this.#refreshAround(after, totals);
  }

  #moveTo(thread: number, slot: number): void {
    this.thread[slot] = thread;
    this.threadSize[thread] = (this.threadSize[thread] as number) + 1;
    this.threadTerms[thread] = (this.threadTerms[thread] as number) + (this.#slots.terms[slot] as number);
  }

  #beginThread(totals: ThreadTotals): number {
    const thread = this.#numbers.take();
    this.threadSize = grown(this.threadSize, thread + 1);
    this.threadTerms = grown(this.threadTerms, thread + 1);
    this.coherence = grown(this.coherence, thread + 1);
    this.coherenceSize = grown(this.coherenceSize, thread + 1);
    this.coherenceSize[thread] = 0;
    totals.threads++;
    return thread;
  }

  #endThread(thread: number, totals: ThreadTotals): void {
    this.threadSize[thread] = 0;
    this.threadTerms[thread] = 0;
    this.#numbers.release(thread);
    totals.threads--;
  }

  /** Measures anew the windows that hold this slot. */
  #refreshAround(slot: number, totals: ThreadTotals): void {
    let at = slot;
    for (let step = 0; step < WINDOW_REACH && this.previous[at] !== NONE; step++) at = this.previous[at] as number;
    for (let step = 0; step <= 2 * WINDOW_REACH && at !== NONE; step++) {
      this.#refreshWindow(at, totals);
      at = this.next[at] as number;
    }
  }

  #refreshWindow(slot: number, totals: ThreadTotals): void {
    let terms = this.#slots.terms[slot] as number;
    for (const links of [this.previous, this.next]) {
      let at = links[slot] as number;
      for (let step = 0; step < WINDOW_REACH && at !== NONE; step++) {
        terms += this.#slots.terms[at] as number;
        at = links[at] as number;
      }
    }
    totals.windowTerms += terms - (this.windowTerms[slot] as number);
    this.windowTerms[slot] = terms;
    this.mixedLength[slot] = Number.NaN;
  }

  #totalsIn(author: number): ThreadTotals {
    this.#totalsOfAuthor[author] ??= { memories: 0, terms: 0, windowTerms: 0, threads: 0 };
    return this.#totalsOfAuthor[author];
  }

  #authorOf(slot: number): number {
    return this.#partitions.authorOf(this.#slots.partition[slot] as number);
  }

  #nearAt(timeline: Timeline, place: number, slot: number): number {
    if (place < 0 || place >= timeline.length) return NONE;
    const other = timeline.slots[place] as number;
    return this.#areNear(other, slot, timeline) ? other : NONE;
  }

  #areNear(a: number, b: number, timeline: Timeline): boolean {
    const { createdAt } = this.#slots;
    return Math.abs((createdAt[a] as number) - (createdAt[b] as number)) <= timeline.longestPause;
  }

  #timelineOf(author: number, sessionId: string | null): Timeline {
    this.#timelines[author] ??= new Map();
    const ofAuthor = this.#timelines[author];
    let timeline = ofAuthor.get(sessionId);
    if (!timeline) {
      const longestPause = sessionId === null ? PAUSE_THAT_ENDS_A_THREAD_MS : Number.POSITIVE_INFINITY;
      timeline = { slots: new Int32Array(0), length: 0, longestPause };
      ofAuthor.set(sessionId, timeline);
    }
    return timeline;
  }

  /** Where a slot stands or would stand. */
  #placeIn(timeline: Timeline, slot: number): number {
    const { length } = timeline;
    const last = timeline.slots[length - 1];
    // Mostly the newest comes.
    if (last !== undefined && length > 0 && this.#slots.isBefore(last, slot)) return length;
    return placeBehind(timeline, (other) => this.#slots.isBefore(other, slot));
  }

  #reserve(): void {
    const { size } = this.#slots;
    if (size <= this.thread.length) return;
    this.previous = grown(this.previous, size);
    this.next = grown(this.next, size);
    this.thread = grown(this.thread, size);
    this.windowTerms = grown(this.windowTerms, size);
    this.mixedLength = grown(this.mixedLength, size);
  }
}

/** The first place behind those slots of a timeline that come before something. @param comesBefore true for the slots of its beginning */
function placeBehind({ slots, length }: Timeline, comesBefore: (slot: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(slots[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
