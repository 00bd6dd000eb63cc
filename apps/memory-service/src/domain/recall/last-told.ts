import type { Caller } from '@agent-faculties/agent-identity';
import { DAY_MS } from '@agent-faculties/service-kit';
import { type Memory, recallText } from '../memory/memory.ts';
import type { MemoryFilter, MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { entityKey } from '../text/entities/entities.ts';
import { isQuestion } from '../text/sentences/text-marks.ts';
import { type LastAsked, lastAsked } from './question/last-asked.ts';
import type { RecalledMemory } from './ranking/ranking.ts';
import type { Why } from './ranking/why.ts';
import type { RecallStore } from './recall-store.ts';
import { isEmptyText } from './relevance/says-nothing.ts';

/** How many of the newest memories are looked at: 100 agents tell as many in some days. */
const MOST_READ = 10_000;
/** Notes without a session, and the messages of one, belong to two sittings where the time between them is longer. */
const SITTING_GAP_MS = 4 * 3_600_000;
const NEWS_MS = DAY_MS;
/** The most memories of an answer. */
const PLACES = 100;

interface LastRequest {
  readonly asked: LastAsked;
  readonly caller: Caller;
  readonly filter: MemoryFilter;
  /** When it is asked, epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds, exclusive. */
  readonly before: number;
  /** 1..PLACES */
  readonly topK: number;
  readonly explains: boolean;
  /** Whether a memory that fits the filter may be told. */
  readonly isWanted: (memory: Memory) => boolean;
}

type LastStore = Pick<RecallStore, 'newestBefore'> & Pick<MemoryStore, 'saidBefore'>;

/**
 * What was told last outside of the present sitting of the caller's session, newest first. For `session` it is the last session of the caller's agent, with what
 * others told in it; where that agent told nothing, it is the last session of anybody. For `news` it is all that was told within the day
 * before the newest memory. A memory that says nothing is left out, and so is one that asks for what was told last. The score tells only
 * the place, because nothing is compared.
 */
export async function lastTold(store: LastStore, request: LastRequest): Promise<RecalledMemory[]> {
  const { asked, filter, explains } = request;
  if (filter.kinds?.includes('episodic') === false) return [];
  const reader = new LastReader(store, { ...request, filter: { ...filter, kinds: ['episodic'] } });
  const told = asked === 'news' ? await reader.news() : await reader.session();
  return told.map((stored, place) => {
    const score = (PLACES - place) / PLACES;
    const entityKeys = stored.memory.entities.map(({ name }) => entityKey(name));
    return { stored, entityKeys, score, relevance: 'medium', why: explains ? whyOf(score) : null };
  });
}

/** Only when and where it was said speaks for it. */
function whyOf(circumstance: number): Why {
  const none = { vector: 0, lexical: 0, entity: 0, crowding: 0, update: 0, recency: 0, importance: 0, priming: 0 };
  return { ...none, circumstance, limit: 0 };
}

class LastReader {
  readonly #store: LastStore;
  readonly #request: LastRequest;
  /** When the present sitting of the caller's session began. */
  #began: number | null = null;

  constructor(store: LastStore, request: LastRequest) {
    this.#store = store;
    this.#request = request;
  }

  async news(): Promise<StoredMemory[]> {
    return await this.#newest({}, { isOver: (memory, told) => isApart(memory, told[0], NEWS_MS) });
  }

  async session(): Promise<StoredMemory[]> {
    const last = await this.#lastOfSession();
    if (last === null) return [];
    const { sessionId, agentId } = last;
    if (sessionId !== null) return await this.#newest({ sessionId }, { isOver: () => false });
    const isOver: IsOver = (memory, told) => isApart(memory, told.at(-1), SITTING_GAP_MS);
    return await this.#newest({ authorAgentIds: [agentId] }, { isOver, isOf: (memory) => memory.sessionId === null });
  }

  /** The newest that the agent told; where it told nothing, the newest of anybody. */
  async #lastOfSession(): Promise<Memory | null> {
    let ofAnybody: Memory | null = null;
    for await (const batch of this.#wanted({})) {
      for (const { memory } of batch) {
        const isOwn = memory.agentId === this.#request.caller.agentId;
        if ((ofAnybody !== null && !isOwn) || !(await this.#tells(memory))) continue;
        if (isOwn) return memory;
        ofAnybody = memory;
      }
    }
    return ofAnybody;
  }

  async #newest(
    narrower: Partial<MemoryFilter>,
    { isOver, isOf = () => true }: { isOver: IsOver; isOf?: (memory: Memory) => boolean },
  ): Promise<StoredMemory[]> {
    const told: StoredMemory[] = [];
    for await (const batch of this.#wanted(narrower)) {
      for (const stored of batch) {
        if (!isOf(stored.memory) || !(await this.#tells(stored.memory))) continue;
        if (isOver(stored.memory, told) || told.length === this.#request.topK) return told;
        told.push(stored);
      }
    }
    return told;
  }

  /** What may be told, newest first, in batches. */
  async *#wanted(narrower: Partial<MemoryFilter>): AsyncGenerator<readonly StoredMemory[]> {
    const { filter, before, caller, isWanted } = this.#request;
    this.#began ??= await this.#beginningOfSitting();
    const began = this.#began;
    const isOfSitting = ({ sessionId, createdAt }: Memory) => sessionId === caller.sessionId && createdAt >= began;
    const options = { filter: { ...filter, ...narrower }, most: MOST_READ };
    for await (const batch of this.#store.newestBefore(before, options))
      yield batch.filter(({ memory }) => !isOfSitting(memory) && isWanted(memory));
  }

  /** A host may name the same session in all its requests: of that one, the caller has before it what was told in this sitting. */
  async #beginningOfSitting(): Promise<number> {
    const { filter, caller, now } = this.#request;
    if (caller.sessionId === null) return Number.POSITIVE_INFINITY;
    let began = now;
    for await (const batch of this.#store.newestBefore(now + 1, {
      filter: { viewer: filter.viewer },
      most: MOST_READ,
    })) {
      for (const { memory } of batch) {
        if (began - memory.createdAt > SITTING_GAP_MS) return began;
        if (memory.sessionId === caller.sessionId) began = memory.createdAt;
      }
    }
    return began;
  }

  /** Whether it says something. Behind a question, "Yes." does. */
  async #tells(memory: Memory): Promise<boolean> {
    const text = recallText(memory);
    if (lastAsked(text) !== null) return false;
    if (!isEmptyText(text)) return true;
    const before = isQuestion(text) ? null : await this.#store.saidBefore(memory);
    return before !== null && isQuestion(recallText(before)) && lastAsked(recallText(before)) === null;
  }
}

/** By the memories that were told after it, newest first. */
type IsOver = (memory: Memory, told: readonly StoredMemory[]) => boolean;

function isApart(memory: Memory, later: StoredMemory | undefined, byMs: number): boolean {
  return later !== undefined && later.memory.createdAt - memory.createdAt > byMs;
}
