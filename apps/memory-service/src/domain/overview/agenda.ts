import { type Clock, DAY_MS, instantOf, wallTime } from '@agent-faculties/service-kit';
import { nextTurn } from '../concurrency/next-turn.ts';
import { TimeSlicer } from '../concurrency/time-slicer.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import type { MemoryFilter, MemoryStore } from '../memory/memory-store.ts';
import { byTime } from '../memory/order-of-time.ts';
import { quoteOfDay, quoteOfTerms } from '../text/days/day-quote.ts';
import { daysOf, inMonth, inQuarter, notOn, onDay, recurringTermsOn } from '../text/days/day-terms.ts';
import { type DayMention, dayMentionsInSteps } from '../text/days/named-days.ts';
import { isQuestion } from '../text/sentences/text-marks.ts';
import { toldPart } from '../text/sentences/told-part.ts';
import { beginningOf, endOf } from '../text/times/time-period.ts';

/** UTF-16 code units; a longer text that ends in a question tells something too. */
const LONGEST_QUESTION = 500;

export interface AgendaRequest {
  /** The beginnings of the first and of the last day, wall times. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** The most memories of a day, and of a month. */
  readonly limit: number;
}

/** Of what is looked at; visibility among it. */
type AgendaFilter = MemoryFilter & { readonly heldAtMs: number };

export interface AgendaEntry {
  readonly memory: Memory;
  /** Its words that name the time. */
  readonly text: string;
  /** The first and the last day of the time that they name, as above. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Whether it is on a day as on each such weekday or day of a month, and does not name the day itself. */
  readonly isRecurring: boolean;
  /** Whether its words say that something does not take place then. */
  readonly isCalledOff: boolean;
}

/** A day or a month. */
export interface AgendaPart {
  /** Its beginning, a wall time. */
  readonly from: number;
  /** How many memories name it. */
  readonly total: number;
  readonly entries: readonly AgendaEntry[];
}

/** Those that a memory names, in order. */
export interface Agenda {
  readonly days: readonly AgendaPart[];
  readonly months: readonly AgendaPart[];
}

/** Of wall times. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** What is on from one day to another, of what fits a filter. It reads the memories that name these days alone, in slices. */
export async function agendaOf(
  { store, clock }: { readonly store: Pick<MemoryStore, 'naming'>; readonly clock: Clock },
  filter: AgendaFilter,
  request: AgendaRequest,
): Promise<Agenda> {
  return await new AgendaMaker(store, clock, { filter, limit: request.limit }).make(request);
}

class AgendaMaker {
  readonly #store: Pick<MemoryStore, 'naming'>;
  readonly #slicer: TimeSlicer;
  readonly #filter: AgendaFilter;
  readonly #limit: number;
  /** By the term of a weekday or a day of the month: what happens on each of them. */
  readonly #recurring = new Map<string, readonly Memory[]>();
  /** By id. */
  readonly #mentions = new Map<string, readonly DayMention[]>();

  constructor(
    store: Pick<MemoryStore, 'naming'>,
    clock: Clock,
    { filter, limit }: { filter: AgendaFilter; limit: number },
  ) {
    this.#store = store;
    this.#slicer = new TimeSlicer({ clock, pause: nextTurn, isStopped: () => false });
    this.#filter = filter;
    this.#limit = limit;
  }

  async make({ firstDay, lastDay }: Pick<AgendaRequest, 'firstDay' | 'lastDay'>): Promise<Agenda> {
    const days: AgendaPart[] = [];
    const asked = daysOf({ from: firstDay, until: lastDay + DAY_MS });
    for (const from of asked) days.push(await this.#day(from));
    const months: AgendaPart[] = [];
    for (const from of new Set(asked.map((day) => beginningOf(day, 'month')))) months.push(await this.#month(from));
    const isNamed = ({ total }: AgendaPart) => total > 0;
    return { days: days.filter(isNamed), months: months.filter(isNamed) };
  }

  async #day(from: number): Promise<AgendaPart> {
    const span = { from, until: from + DAY_MS };
    const [named, recurring] = [new Newest(this.#limit), new Newest(this.#limit)];
    const isNamed = new Set<string>();
    await this.#eachTelling(onDay(from), (memory) => {
      if (!this.#holdsIn(memory, span)) return;
      named.add(memory);
      isNamed.add(memory.id);
    });
    const isNotOn = new Set<string>();
    await this.#eachTelling(notOn(from), ({ id }) => void isNotOn.add(id));
    const terms = recurringTermsOn(from);
    for (const term of terms)
      await this.#slicer.each(await this.#onEach(term), (memory) => {
        // What a text says of each week or month has no beginning: it holds from when it was said.
        const isOn = wallTime(memory.createdAt) < span.until && !isNotOn.has(memory.id) && this.#holdsIn(memory, span);
        if (!isOn || isNamed.has(memory.id)) return;
        recurring.add(memory);
        isNamed.add(memory.id);
      });
    const entries: AgendaEntry[] = [];
    for (const memory of named.memories) {
      const quote = quoteOfDay(recallText(memory), await this.#mentionsOf(memory), from);
      entries.push({ memory, ...quote, isRecurring: false });
    }
    entries.sort((one, other) => Number(isLonger(one)) - Number(isLonger(other)));
    for (const memory of recurring.memories.slice(0, this.#limit - entries.length)) {
      const quote = quoteOfTerms(recallText(memory), await this.#mentionsOf(memory), terms);
      entries.push({ memory, ...quote, firstDay: from, lastDay: from, isRecurring: true });
    }
    return { from, total: named.total + recurring.total, entries };
  }

  async #month(from: number): Promise<AgendaPart> {
    const month = await this.#wholeTime(inMonth(from), { from, until: endOf(from, 'month') });
    const quarter = beginningOf(from, 'quarter');
    const longer = await this.#wholeTime(inQuarter(from), { from: quarter, until: endOf(quarter, 'quarter') });
    const entries = [...month.entries, ...longer.entries].slice(0, this.#limit);
    return { from, total: month.total + longer.total, entries };
  }

  async #wholeTime(term: string, { from, until }: Span): Promise<Omit<AgendaPart, 'from'>> {
    const named = new Newest(this.#limit);
    await this.#eachTelling(term, (memory) => {
      if (this.#holdsIn(memory, { from, until })) named.add(memory);
    });
    const entries: AgendaEntry[] = [];
    for (const memory of named.memories) {
      const quote = quoteOfTerms(recallText(memory), await this.#mentionsOf(memory), [term]);
      entries.push({ memory, ...quote, firstDay: from, lastDay: until - DAY_MS, isRecurring: false });
    }
    return { total: named.total, entries };
  }

  async #onEach(term: string): Promise<readonly Memory[]> {
    const known = this.#recurring.get(term);
    if (known) return known;
    const memories: Memory[] = [];
    await this.#eachTelling(term, (memory) => void memories.push(memory));
    this.#recurring.set(term, memories);
    return memories;
  }

  /** Of what names a time and does more than ask about it. */
  async #eachTelling(term: string, work: (memory: Memory) => void): Promise<void> {
    for await (const batch of this.#store.naming(term, this.#filter)) {
      await this.#slicer.each(batch, ({ memory }) => {
        if (!onlyAsks(recallText(memory))) work(memory);
      });
    }
  }

  #holdsIn({ validFrom, validUntil, invalidation }: Memory, span: Span): boolean {
    const [from, until] = [instantOf(span.from), instantOf(span.until)];
    // At the moment that is asked for nobody had ended it yet.
    const wasEndedLater = invalidation !== null && invalidation.at > this.#filter.heldAtMs;
    return (validFrom === null || validFrom < until) && (validUntil === null || wasEndedLater || validUntil > from);
  }

  async #mentionsOf(memory: Memory): Promise<readonly DayMention[]> {
    const known = this.#mentions.get(memory.id);
    if (known) return known;
    const mentions = await this.#slicer.through(dayMentionsInSteps(recallText(memory), wallTime(memory.createdAt)));
    this.#mentions.set(memory.id, mentions);
    return mentions;
  }
}

/** The newest of some memories, newest first, and how many there are. */
class Newest {
  readonly memories: Memory[] = [];
  total = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(memory: Memory): void {
    this.total++;
    const oldest = this.memories.at(-1);
    if (oldest && this.memories.length === this.#limit && byTime(memory, oldest) < 0) return;
    const place = this.memories.findIndex((other) => byTime(other, memory) < 0);
    this.memories.splice(place < 0 ? this.memories.length : place, 0, memory);
    if (this.memories.length > this.#limit) this.memories.pop();
  }
}

function isLonger({ firstDay, lastDay }: AgendaEntry): boolean {
  return lastDay > firstDay;
}

/** "What is on tomorrow?" names tomorrow, and nothing that is on. */
function onlyAsks(text: string): boolean {
  return text.length <= LONGEST_QUESTION && isQuestion(text) && toldPart(text) === '';
}
