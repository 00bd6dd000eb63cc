import { type Clock, UnavailableError } from '@agent-faculties/service-kit';
import type { EntityLink } from '../domain/cognition/entity-links.ts';
import { nextTurn } from '../domain/concurrency/next-turn.ts';
import type { ConsolidationStore, ExpiredOf } from '../domain/consolidation/consolidation-store.ts';
import type { Contradiction } from '../domain/contradictions/contradiction.ts';
import type { ContradictionStore, Neighbours } from '../domain/contradictions/contradiction-store.ts';
import type { VectorBacklog } from '../domain/embedding/catch-up.ts';
import { type Decision, type Strengthening, versionOf } from '../domain/memory/decision.ts';
import { type Keyed, type Memory, recallText } from '../domain/memory/memory.ts';
import { matches } from '../domain/memory/memory-match.ts';
import type {
  AgentCounts,
  AskedPage,
  MemoryFilter,
  MemoryPage,
  MemoryStore,
  StoredMemory,
} from '../domain/memory/memory-store.ts';
import { isBefore } from '../domain/memory/order-of-time.ts';
import { nobodyIn, type Viewer } from '../domain/memory/visibility.ts';
import type { Retrieved } from '../domain/recall/evidence/evidence.ts';
import type { Question } from '../domain/recall/question/question.ts';
import type { Known, RecallStore } from '../domain/recall/recall-store.ts';
import type { ReadNames } from '../domain/text/entities/entities.ts';
import { composedForm } from '../domain/text/words/normal-form.ts';
import type { ComparedChange } from './changes/change.ts';
import { DecisionWriter } from './changes/decision-writer.ts';
import type { Journal } from './changes/journal.ts';
import type { MemoryIndexes } from './indexes/memory-indexes.ts';

/** Memories looked at in one turn of the event loop: below 1 ms. */
const RECORDS_PER_TURN = 5_000;
/** Characters searched in one turn: about 2 ms. */
const CHARACTERS_PER_TURN = 500_000;
/** Expired memories taken out of the indexes in one turn: about 5 ms. */
const EXPIRED_PER_TURN = 100;
/** Memories freed together from what superseded them; their lines of 200,000 characters take about 10 ms to write out. */
const FREED_PER_TURN = 20;
/** Memories of one batch of a scan. */
const BATCH = 200;

/** The memories of this process: reads answer from its indexes, and `DecisionWriter` writes. */
export class JournalledStore
  implements MemoryStore, RecallStore, ContradictionStore, ConsolidationStore, VectorBacklog
{
  readonly #indexes: MemoryIndexes;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #writer: DecisionWriter;
  /** Null while nothing is freed. */
  #freeing: Promise<void> | null = null;

  constructor({ indexes, journal, clock }: { indexes: MemoryIndexes; journal: Journal; clock: Clock }) {
    this.#indexes = indexes;
    this.#journal = journal;
    this.#clock = clock;
    this.#writer = new DecisionWriter({ indexes, journal });
  }

  /**
   * The indexes as they are now: with the changes of other processes, and without expired memories, which supersede nothing. Every method
   * that reads begins with it.
   */
  async #current(): Promise<MemoryIndexes> {
    if (this.#journal.catchUp) await this.#journal.catchUp();
    while (this.#indexes.takeOutExpired(this.#clock.now(), { most: EXPIRED_PER_TURN })) await nextTurn();
    if (this.#indexes.expired.superseded(1).length > 0) {
      this.#freeing ??= this.#freeFromExpired().finally(() => {
        this.#freeing = null;
      });
      await this.#freeing;
    }
    return this.#indexes;
  }

  /** The same, with every saved vector: after a start, vectors may load for some seconds longer than words. */
  async #whole(): Promise<MemoryIndexes> {
    await this.#indexes.vectors?.matrix.whole();
    return await this.#current();
  }

  async size(): Promise<number> {
    await this.#current();
    return this.#writer.size;
  }

  async knownEntities(keys: readonly string[], project: string | null): Promise<ReadonlySet<string>> {
    const { entities } = await this.#current();
    return new Set(keys.filter((key) => entities.fan(key, nobodyIn(project)) > 0));
  }

  async namedIn(text: string | ReadNames, viewer: Viewer): Promise<readonly string[]> {
    return (await this.#current()).entities.namedIn(text, viewer);
  }

  async fansOf(keys: readonly string[], viewer: Viewer): Promise<readonly number[]> {
    const { entities } = await this.#current();
    return keys.map((key) => entities.fan(key, viewer));
  }

  async linksOf(...about: Parameters<RecallStore['linksOf']>): Promise<readonly EntityLink[]> {
    return (await this.#current()).search.linksOf(...about);
  }

  async find(id: string): Promise<StoredMemory | null> {
    const { records } = await this.#current();
    const ordinal = records.ordinalHolding(id);
    return ordinal === undefined ? null : records.at(ordinal);
  }

  async findByIdempotencyKey(keyed: Keyed): Promise<StoredMemory | null> {
    const { records } = await this.#current();
    const ordinal = records.ordinalOfKey(keyed);
    return ordinal === undefined ? null : records.at(ordinal);
  }

  async findSameWords(memory: Memory): Promise<StoredMemory | null> {
    const { words } = await this.#current();
    await words.ready();
    const id = words.find(memory);
    return id === null ? null : await this.find(id);
  }

  async saidBefore(memory: Memory): Promise<Memory | null> {
    return (await this.#current()).saidBefore(memory);
  }

  async wasDeleted(id: string): Promise<boolean> {
    return (await this.#current()).wasDeleted(id);
  }

  async vectorsOf(id: string): Promise<readonly Float32Array[]> {
    const [vectors = []] = await (await this.#whole()).rows.copiesOf([id]);
    return vectors;
  }

  async vectorsAsRead(memories: readonly Memory[]): Promise<readonly (readonly Float32Array[])[]> {
    const indexes = await this.#whole();
    const isAsRead = memories.map((memory) => {
      const now = indexes.storedOrExpired(memory.id)?.memory;
      return now !== undefined && recallText(now) === recallText(memory);
    });
    const found = await indexes.rows.copiesOf(memories.map(({ id }) => id));
    return found.map((vectors, place) => (isAsRead[place] ? vectors : []));
  }

  async changeTogether(decision: Decision): Promise<boolean> {
    await this.#current();
    return await this.#writer.decide(decision);
  }

  async *scanAll(): AsyncIterable<readonly StoredMemory[]> {
    yield* this.#turns((await this.#current()).records.order.snapshot());
  }

  async embeddingsOf(ids: readonly string[]): Promise<readonly (Float32Array | null)[]> {
    return await (await this.#whole()).rows.embeddingsOf(ids);
  }

  async decidedAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const indexes = await this.#current();
    return new Set(ids.filter((id) => indexes.versions.wasUndone(id) || indexes.isDecidedAbout(id)));
  }

  async derivedFrom(ids: readonly string[]): Promise<readonly StoredMemory[]> {
    await this.#current();
    return [...new Set(ids.flatMap((id) => this.#derivedFrom(id)))];
  }

  async hasDerived(): Promise<boolean> {
    return (await this.#current()).records.hasDerived;
  }

  async standInsFor(
    ids: readonly string[],
    filter: MemoryFilter,
  ): Promise<ReadonlyMap<string, readonly StoredMemory[]>> {
    const { records } = await this.#current();
    const standIns = new Map<string, readonly StoredMemory[]>();
    for (const id of ids) {
      const fitting = this.#derivedFrom(id).filter(({ memory }) => matches(memory, filter, records.saidAt));
      if (fitting.length > 0) standIns.set(id, fitting);
    }
    return standIns;
  }

  #derivedFrom(id: string): StoredMemory[] {
    const { records } = this.#indexes;
    return records.derivedFrom(id).flatMap((derivedId) => {
      const ordinal = records.ordinalOf(derivedId);
      return ordinal === undefined ? [] : [records.at(ordinal)];
    });
  }

  async removeExpired({ isMeant }: ExpiredOf = { isMeant: () => true }): Promise<readonly Memory[]> {
    const expired = (await this.#current()).expired.all().flatMap(({ memory }) => (isMeant(memory) ? memory.id : []));
    const removed: Memory[] = [];
    for (let start = 0; start < expired.length; start += EXPIRED_PER_TURN) {
      // As they are by now: the successor of one may have gone with an earlier batch.
      const batch = (await this.#current()).expired.of(expired.slice(start, start + EXPIRED_PER_TURN));
      const changes = [{ op: 'delete', ids: batch.map(({ id }) => id) }] as const;
      if (await this.#writer.write({ expected: batch.map(versionOf), changes })) removed.push(...batch);
    }
    return removed;
  }

  /** Written later: to write each recall into the journal would take longer than the recall. */
  async strengthen(recalled: readonly Strengthening[]): Promise<void> {
    for (const { id, strength } of recalled) this.#indexes.strengthen(id, strength);
    this.#journal.strengthened?.(recalled);
  }

  async list(filter: MemoryFilter, { limit, after, text, isRecalled }: AskedPage): Promise<MemoryPage> {
    const needle = text === undefined ? undefined : searchable(text);
    const items: StoredMemory[] = [];
    let total = 0;
    let isMore = false;
    const { records } = await this.#current();
    for await (const turn of this.#turns(records.order.snapshot().reverse())) {
      for (const stored of turn) {
        if (isRecalled !== undefined && isRecalled !== stored.strength.recallCount > 0) continue;
        if (!matches(stored.memory, filter, records.saidAt) || (needle !== undefined && !holds(stored.memory, needle)))
          continue;
        total++;
        if (after && !isBefore(stored.memory, after)) continue;
        if (items.length < limit) items.push(stored);
        else isMore = true;
      }
    }
    const last = items.at(-1)?.memory;
    return { items, total, next: isMore && last ? { createdAt: last.createdAt, id: last.id } : null };
  }

  async *scan(filter: MemoryFilter): AsyncIterable<readonly StoredMemory[]> {
    const { records } = await this.#current();
    for await (const turn of this.#turns(records.order.snapshot())) {
      const fitting = turn.filter(({ memory }) => matches(memory, filter, records.saidAt));
      for (let start = 0; start < fitting.length; start += BATCH) yield fitting.slice(start, start + BATCH);
    }
  }

  async *naming(term: string, filter: MemoryFilter): AsyncIterable<readonly StoredMemory[]> {
    const { records, search } = await this.#current();
    const ordinals = search.naming(term, filter.viewer);
    await records.unpacked(ordinals);
    for await (const turn of this.#turns(ordinals))
      yield turn.filter(({ memory }) => matches(memory, filter, records.saidAt));
  }

  async *newestBefore(
    instant: number,
    { filter, most }: Parameters<RecallStore['newestBefore']>[1],
  ): AsyncIterable<readonly StoredMemory[]> {
    const { records } = await this.#current();
    const ordinals = firstOf(records.order.newestBefore(instant), most);
    // In small batches: most readers need the first ones alone, and what nobody reads stays packed.
    for (let start = 0; start < ordinals.length; start += BATCH) {
      const batch = ordinals.slice(start, start + BATCH);
      await records.unpacked(batch);
      for await (const turn of this.#turns(batch))
        yield turn.filter(({ memory }) => matches(memory, filter, records.saidAt));
      await nextTurn();
    }
  }

  async counts(viewer: Viewer): Promise<ReadonlyMap<string, AgentCounts>> {
    return (await this.#current()).records.counts(viewer);
  }

  async projectCounts(viewer: Viewer): Promise<ReadonlyMap<string, number>> {
    return (await this.#current()).records.projectCounts(viewer);
  }

  async knownTo(viewer: Viewer, exceptId: string | null): Promise<Known> {
    return (await this.#current()).knownTo(viewer, exceptId);
  }

  async compareBy(by: string): Promise<void> {
    await this.#indexes.comparisons.compareBy(by);
  }

  async waitingCount(viewer: Viewer): Promise<number> {
    return (await this.#current()).waitingCount(viewer);
  }

  async waitingMemories(count: number): Promise<readonly Memory[]> {
    return (await this.#current()).waitingForComparison(count);
  }

  async waitingAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { comparisons, records } = await this.#current();
    const isWaiting = (id: string) => {
      const ordinal = records.ordinalOf(id);
      return ordinal !== undefined && comparisons.isWaiting(ordinal);
    };
    return new Set(ids.filter(isWaiting));
  }

  async withoutVectors(count: number, { except }: { except: ReadonlySet<string> }): Promise<readonly Memory[]> {
    return (await this.#whole()).rows.waitingMemories(count, except);
  }

  async withoutVectorsCount(viewer: Viewer): Promise<number> {
    const indexes = await this.#current();
    if (indexes.vectors?.matrix.isWhole !== false) return indexes.withoutVectorsCount(viewer);
    const counts = [...indexes.records.counts(viewer).values()];
    return counts.reduce((sum, { episodic, semantic }) => sum + episodic + semantic, 0);
  }

  async publicVectorCount(): Promise<number> {
    return (await this.#current()).rows.publicCount;
  }

  async neighboursOf(memory: Memory, count: number): Promise<Neighbours> {
    const { rows, search } = await this.#whole();
    const [vector = null] = await rows.embeddingsOf([memory.id]);
    return await search.neighboursOf(memory, { count, vector });
  }

  async noteCompared({ by, memories, read, found }: Parameters<ContradictionStore['noteCompared']>[0]): Promise<void> {
    const change: ComparedChange = {
      op: 'compared',
      by,
      memories: memories.map(({ id }) => id),
      read: read.map(({ id, updatedAt }) => ({ id, updatedAt })),
      found,
    };
    await this.#journal.append(change, () => this.#indexes.compared(change));
  }

  async *contradictions(): AsyncIterable<readonly Contradiction[]> {
    const all = [...(await this.#current()).comparisons.all()];
    for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
  }

  async contradictionsOf(memoryIds: readonly string[]): Promise<readonly Contradiction[]> {
    const { comparisons } = await this.#current();
    return [...new Set(memoryIds.flatMap((id) => comparisons.of(id)))];
  }

  async contradiction(id: string): Promise<Contradiction | null> {
    return (await this.#current()).comparisons.find(id);
  }

  async decide(
    contradiction: Contradiction,
    { read, changed, act }: Parameters<ContradictionStore['decide']>[1],
  ): Promise<boolean> {
    const expected = read.map(versionOf);
    const updates = changed.map((memory) => ({ op: 'update', memory }) as const);
    // The decision goes first: when the update ends a succession, it opens again each contradiction that the memory has still lost.
    return await this.#writer.write({ expected, changes: [{ op: 'decided', contradiction }, ...updates], act });
  }

  async retrieve(question: Question, options: Parameters<RecallStore['retrieve']>[1]): Promise<Retrieved> {
    return await (await this.#current()).search.retrieve(question, options);
  }

  /**
   * Ends what expired memories supersede, as a delete of them does. It is written, so that what is written after it finds the same memories
   * at the next start. Each is a change of its own, because many long memories are no line that the journal takes. Where the disk refuses, a
   * later reader tries again.
   */
  async #freeFromExpired(): Promise<void> {
    for (let isTaken = true; isTaken && this.#journal.refusal === null; ) {
      const superseded = this.#indexes.expired.superseded(FREED_PER_TURN);
      if (superseded.length === 0) return;
      try {
        const taken = await Promise.all(superseded.map((memory) => this.#free(memory)));
        isTaken = taken.every((one) => one);
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        return;
      }
    }
  }

  async #free(memory: Memory): Promise<boolean> {
    const alone = this.#indexes.expired.freed(memory);
    return await this.#writer.write({ expected: [versionOf(memory)], changes: [{ op: 'update', memory: alone }] });
  }

  /** Those of these memories that still exist, in batches of a few ms, each in its own turn of the event loop. */
  async *#turns(ordinals: readonly number[]): AsyncGenerator<readonly StoredMemory[]> {
    const { records } = this.#indexes;
    let turn: StoredMemory[] = [];
    let characters = 0;
    for (const ordinal of ordinals) {
      if (!records.has(ordinal)) continue;
      const stored = records.at(ordinal);
      turn.push(stored);
      characters += stored.memory.content.length;
      if (turn.length < RECORDS_PER_TURN && characters < CHARACTERS_PER_TURN) continue;
      yield turn;
      await nextTurn();
      turn = [];
      characters = 0;
    }
    if (turn.length > 0) yield turn;
  }
}

function firstOf(ordinals: Iterable<number>, most: number): number[] {
  const first: number[] = [];
  for (const ordinal of ordinals) {
    if (first.length === most) break;
    first.push(ordinal);
  }
  return first;
}

function holds({ gist, content }: Memory, needle: string): boolean {
  return searchable(content).includes(needle) || searchable(gist).includes(needle);
}

/** As it looks, but for upper and lower case. */
function searchable(text: string): string {
  return composedForm(text).toLowerCase();
}
