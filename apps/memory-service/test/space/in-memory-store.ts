import { atOnce, type Clock, ManualClock } from '@agent-faculties/service-kit';
import type { EntityLink } from '../../src/domain/cognition/entity-links.ts';
import { initialStrength, stronger } from '../../src/domain/cognition/retention.ts';
import type { ExpiredOf } from '../../src/domain/consolidation/consolidation-store.ts';
import {
  type Contradiction,
  isComparable,
  isLostBy,
  mayBeCompared,
} from '../../src/domain/contradictions/contradiction.ts';
import type { ContradictionStore, Neighbour, Neighbours } from '../../src/domain/contradictions/contradiction-store.ts';
import { directionOf, dot } from '../../src/domain/embedding/direction.ts';
import { isTerse } from '../../src/domain/embedding/terse.ts';
import { wordsKey } from '../../src/domain/ingest/same-words.ts';
import {
  type Absent,
  type Decision,
  isAsRead,
  type PlannedChange,
  type Strengthening,
  versionOf,
} from '../../src/domain/memory/decision.ts';
import {
  type Keyed,
  keysOf,
  type Memory,
  NOT_SUPERSEDED,
  recallText,
  type Strength,
} from '../../src/domain/memory/memory.ts';
import { matches } from '../../src/domain/memory/memory-match.ts';
import type {
  AgentCounts,
  AskedPage,
  MemoryFilter,
  MemoryPage,
  StoredMemory,
} from '../../src/domain/memory/memory-store.ts';
import { byTime, isBefore } from '../../src/domain/memory/order-of-time.ts';
import { isSameValidity, repeatsValidity } from '../../src/domain/memory/validity.ts';
import {
  audienceKey,
  isSeenByAllWhoSee,
  isVisibleTo,
  NOBODY,
  nobodyIn,
  type Viewer,
} from '../../src/domain/memory/visibility.ts';
import type { Candidate, Retrieved } from '../../src/domain/recall/evidence/evidence.ts';
import type { Question } from '../../src/domain/recall/question/question.ts';
import type { Known, RecallStore } from '../../src/domain/recall/recall-store.ts';
import type { SpaceStore } from '../../src/domain/space/stored-space.ts';
import { namedDaysInSteps } from '../../src/domain/text/days/named-days.ts';
import { entityKey, type ReadNames } from '../../src/domain/text/entities/entities.ts';
import { termsOf } from '../../src/domain/text/words/terms.ts';
import { NO_SPEAKERS } from '../domain/recall/no-speakers.ts';

const DAY_MS = 86_400_000;

interface Row extends StoredMemory {
  readonly vectors: readonly Float32Array[];
  /** The scorer that compared it; null while it waits. */
  readonly comparedBy: string | null;
}

/** The plainest engine that the ports allow: a map, and every question looks at all of it. */
export class InMemoryStore implements SpaceStore {
  readonly #rows = new Map<string, Row>();
  readonly #deleted = new Set<string>();
  readonly #contradictions = new Map<string, Contradiction>();
  #comparesBy: string | null = null;
  readonly #hasModel: boolean;
  readonly #clock: Clock;
  /** Grows with every change. */
  revision = 0;

  constructor({ hasModel = false, clock = new ManualClock(0) }: { hasModel?: boolean; clock?: Clock } = {}) {
    this.#hasModel = hasModel;
    this.#clock = clock;
  }

  // Memories

  async find(id: string): Promise<StoredMemory | null> {
    return this.#find(id);
  }

  async findByIdempotencyKey(keyed: Keyed): Promise<StoredMemory | null> {
    return this.#findByKey(keyed);
  }

  async findSameWords(memory: Memory): Promise<StoredMemory | null> {
    return this.#findSameWords(memory);
  }

  async saidBefore(memory: Memory): Promise<Memory | null> {
    const inSession = this.#inSessionOf(memory).filter((other) => isSeenByAllWhoSee(memory, other));
    return inSession.findLast((other) => other.expiresAt === null && isBefore(other, memory)) ?? null;
  }

  /** Oldest first. */
  #inSessionOf({ id, agentId, project, sessionId }: Memory): Memory[] {
    return this.#all()
      .map(({ memory }) => memory)
      .filter((other) => other.kind === 'episodic' && other.id !== id && other.sessionId === sessionId)
      .filter((other) => other.agentId === agentId && other.project === project);
  }

  async wasDeleted(id: string): Promise<boolean> {
    const row = this.#rows.get(id);
    return this.#deleted.has(id) || (row !== undefined && this.#isGone(row));
  }

  async vectorsOf(id: string): Promise<readonly Float32Array[]> {
    return this.#rows.get(id)?.vectors ?? [];
  }

  async vectorsAsRead(memories: readonly Memory[]): Promise<readonly (readonly Float32Array[])[]> {
    return memories.map((memory) => {
      const row = this.#rows.get(memory.id);
      return row && recallText(row.memory) === recallText(memory) ? (row.vectors ?? []) : [];
    });
  }

  async changeTogether({ expected, absent = {}, mostMemories, changes }: Decision): Promise<boolean> {
    this.#freeFromExpired();
    const areAsRead = expected.every((one) => isAsRead(this.#rows.get(one.id)?.memory, one));
    if (!areAsRead || !this.#isAbsent(absent)) return false;
    const added = changes.filter(({ op }) => op === 'add').length;
    if (mostMemories !== undefined && this.#all().length + added > mostMemories) return false;
    for (const change of changes) this.#apply(change);
    return true;
  }

  async strengthen(recalled: readonly Strengthening[]): Promise<void> {
    for (const { id, strength } of recalled) {
      const row = this.#rows.get(id);
      if (row && !this.#isGone(row)) this.#rows.set(id, { ...row, strength: stronger(row.strength, strength) });
    }
    this.revision++;
  }

  async list(filter: MemoryFilter, { limit, after, text, isRecalled }: AskedPage): Promise<MemoryPage> {
    const searchable = (one: string) => one.normalize('NFC').toLowerCase();
    const needle = searchable(text ?? '');
    const holds = ({ gist, content }: Memory) => [gist, content].some((one) => searchable(one).includes(needle));
    const fitting = this.#all()
      .filter(({ memory }) => matches(memory, filter, this.#saidAt) && holds(memory))
      .filter(({ strength }) => isRecalled === undefined || isRecalled === strength.recallCount > 0)
      .reverse();
    const left = fitting.filter(({ memory }) => after === null || isBefore(memory, after));
    const items = left.slice(0, limit).map(stored);
    const last = items.at(-1)?.memory;
    const next = left.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null;
    return { items, total: fitting.length, next };
  }

  async *scan(filter: MemoryFilter): AsyncGenerator<readonly StoredMemory[]> {
    for (const row of this.#all()) if (matches(row.memory, filter, this.#saidAt)) yield [stored(row)];
  }

  async *naming(term: string, filter: MemoryFilter): AsyncIterable<readonly StoredMemory[]> {
    const names = ({ memory }: StoredMemory) =>
      memory.kind === 'episodic' && atOnce(namedDaysInSteps(recallText(memory), memory.createdAt)).includes(term);
    for await (const batch of this.scan(filter)) yield batch.filter(names);
  }

  async *newestBefore(
    instant: number,
    { filter, most }: Parameters<RecallStore['newestBefore']>[1],
  ): AsyncGenerator<readonly StoredMemory[]> {
    const newest = this.#all()
      .filter(({ memory }) => memory.createdAt < instant)
      .reverse();
    for (const row of newest.slice(0, most)) if (matches(row.memory, filter, this.#saidAt)) yield [stored(row)];
  }

  async counts(viewer: Viewer): Promise<ReadonlyMap<string, AgentCounts>> {
    const counts = new Map<string, AgentCounts>();
    for (const { memory } of this.#visibleTo(viewer)) {
      const { agentId, kind, scope, createdAt } = memory;
      const so = counts.get(agentId) ?? { episodic: 0, semantic: 0, private: 0, lastActiveAt: 0 };
      counts.set(agentId, {
        ...so,
        [kind]: so[kind] + 1,
        private: so.private + Number(scope === 'PRIVATE'),
        lastActiveAt: Math.max(so.lastActiveAt, createdAt),
      });
    }
    return counts;
  }

  async projectCounts(viewer: Viewer): Promise<ReadonlyMap<string, number>> {
    const projects = this.#visibleTo(viewer).flatMap(({ memory: { project } }) => project ?? []);
    return new Map(projects.map((one) => [one, projects.filter((other) => other === one).length]));
  }

  async size(): Promise<number> {
    return this.#all().length;
  }

  async knownEntities(keys: readonly string[], project: string | null): Promise<ReadonlySet<string>> {
    return new Set(keys.filter((key) => this.#naming(key, nobodyIn(project)).length > 0));
  }

  // Recall

  async namedIn(asked: string | ReadNames, viewer: Viewer): Promise<readonly string[]> {
    const text = typeof asked === 'string' ? asked : asked.text;
    const named = this.#visibleTo(viewer).flatMap(({ memory }) => entityKeys(memory));
    const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}#-]+/gu, ' ')} `;
    return [...new Set(named)].filter((key) => words.includes(` ${key} `));
  }

  async fansOf(keys: readonly string[], viewer: Viewer): Promise<readonly number[]> {
    return keys.map((key) => this.#naming(key, viewer).length);
  }

  async linksOf(
    keys: readonly string[],
    viewer: Viewer,
    { newest }: { newest: number },
  ): Promise<readonly EntityLink[]> {
    return keys.map((key) => {
      const naming = this.#naming(key, viewer);
      const namedTogether = naming
        .reverse()
        .slice(0, newest)
        .map(({ memory }) => entityKeys(memory));
      return { fan: naming.length, namedTogether };
    });
  }

  async knownTo(viewer: Viewer, exceptId: string | null): Promise<Known> {
    const visible = this.#visibleTo(viewer);
    const names = new Map(visible.map(({ memory: { name } }) => [name?.toLowerCase(), name]));
    return {
      speakers: {
        ...NO_SPEAKERS,
        hasOneCalled: (word) =>
          [...names.keys()].some((name) => name?.split(' ').some((part) => part.startsWith(word))),
        find: (word) => names.get(word.toLowerCase()) ?? null,
      },
      vocabulary: {
        memoriesWith: (term) =>
          visible.filter(({ memory }) => memory.id !== exceptId && termsOf(recallText(memory)).includes(term)).length,
        isCommon: () => false,
      },
    };
  }

  async retrieve(question: Question, options: Parameters<RecallStore['retrieve']>[1]): Promise<Retrieved> {
    const { filter, exceptId, vector, namedKeys } = options;
    const wanted = (row: Row) =>
      matches(row.memory, filter, this.#saidAt) &&
      row.memory.id !== exceptId &&
      row.memory.kind === (filter.kinds?.[0] ?? 'episodic');
    const rows = this.#all().filter(wanted);
    const candidates = rows.map((row) => candidateOf(row, { question, vector, namedKeys }));
    const bestTurn = Math.max(0, ...candidates.map(({ evidence }) => evidence.turn));
    const likeness = (a: Candidate, b: Candidate) => {
      const [x, y] = [a, b].map(({ stored: { memory } }) => this.#rows.get(memory.id)?.vectors[0]);
      return x && y ? dot(x, y) : 0;
    };
    const likenesses = (of: readonly Candidate[]) =>
      Float64Array.from(of.flatMap((a) => of.map((b) => (a === b ? Number.NEGATIVE_INFINITY : likeness(a, b)))));
    const cosineWith = (other: Float32Array, { stored: { memory } }: Candidate) =>
      Math.max(0, ...(this.#rows.get(memory.id)?.vectors ?? []).map((own) => dot(other, own)));
    const hasVectors = vector !== null;
    const termsIn = ({ stored: { memory } }: Candidate) => new Set(termsOf(recallText(memory)));
    const isRare = (term: string) =>
      !/^\d/.test(term) && candidates.filter((one) => termsIn(one).has(term)).length <= 3;
    const laterMentions = (of: Candidate) =>
      candidates.flatMap((one, index) => {
        if (one.stored.memory.createdAt <= of.stored.memory.createdAt) return [];
        const isFew = (key: string) => this.#naming(key, filter.viewer).length <= 8;
        const isNamed = one.entityKeys.some((key) => of.entityKeys.includes(key) && isFew(key));
        const words = [...termsIn(of)].filter((term) => termsIn(one).has(term) && isRare(term)).length;
        return isNamed || words > 0 ? { index, isNamed, words } : [];
      });
    const found = { candidates, leftOut: null, bestTurn, speakerShare: 1, hasVectors };
    return { ...found, laterMentions, likeness, likenesses, cosineWith };
  }

  async hasDerived(): Promise<boolean> {
    return this.#all().some(({ memory }) => memory.sources.length > 0);
  }

  async standInsFor(
    ids: readonly string[],
    filter: MemoryFilter,
  ): Promise<ReadonlyMap<string, readonly StoredMemory[]>> {
    const standIns = ids.map(
      (id) => [id, this.#derivedFrom(id).filter(({ memory }) => matches(memory, filter, this.#saidAt))] as const,
    );
    return new Map(standIns.filter(([, derived]) => derived.length > 0));
  }

  // Consolidation

  async *scanAll(): AsyncGenerator<readonly StoredMemory[]> {
    for (const row of this.#all()) yield [stored(row)];
  }

  async embeddingsOf(ids: readonly string[]): Promise<readonly (Float32Array | null)[]> {
    return ids.map((id) => {
      const { vectors = [] } = this.#rows.get(id) ?? {};
      return vectors.length === 0 ? null : directionOf([...vectors]);
    });
  }

  async decidedAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const isPrivate = (id: string) => this.#rows.get(id)?.memory.scope === 'PRIVATE';
    const isDecided = (id: string) => {
      const superseded = this.#all().flatMap(({ memory }) => (memory.supersededBy === id ? memory.id : []));
      const others = [...this.#contradictions.values()]
        .filter(({ a, b, decision }) => decision !== null && (a === id || b === id))
        .map(({ a, b }) => (a === id ? b : a));
      return [...superseded, ...others].some((other) => isPrivate(id) || !isPrivate(other));
    };
    return new Set(ids.filter(isDecided));
  }

  async removeExpired({ isMeant }: ExpiredOf = { isMeant: () => true }): Promise<readonly Memory[]> {
    const expired = [...this.#rows.values()].filter((row) => this.#isGone(row)).map(({ memory }) => memory);
    const gone = expired.filter(isMeant);
    for (const { id } of gone) this.#remove(id);
    return gone;
  }

  async derivedFrom(ids: readonly string[]): Promise<readonly StoredMemory[]> {
    return [...new Map(ids.flatMap((id) => this.#derivedFrom(id)).map((one) => [one.memory.id, one])).values()];
  }

  // Contradictions

  async compareBy(by: string): Promise<void> {
    this.#comparesBy = by;
  }

  async waitingCount(viewer: Viewer): Promise<number> {
    return this.#visibleTo(viewer).filter((row) => this.#waits(row)).length;
  }

  async waitingMemories(count: number): Promise<readonly Memory[]> {
    const ready = [...this.#rows.values()].filter(
      (row) => !this.#isGone(row) && this.#waits(row) && !this.#lacksVectors(row),
    );
    return ready.slice(0, count).map(({ memory }) => memory);
  }

  async waitingAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.#rows.has(id) && this.#waits(this.#rows.get(id) as Row)));
  }

  async neighboursOf(memory: Memory, count: number): Promise<Neighbours> {
    const terms = new Set(termsOf(recallText(memory)));
    const near = (others: readonly Row[]): Neighbour[] => {
      const scored = others
        .filter((other) => other.memory.id !== memory.id && other.memory.kind === 'episodic')
        .map((other) => ({
          other,
          shared: termsOf(recallText(other.memory)).filter((term) => terms.has(term)).length,
        }));
      const best = scored.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared);
      return best.slice(0, count).map(({ other }) => ({ memory: other.memory, cosine: 0 }));
    };
    const own = this.#all().filter((row) => row.memory.agentId === memory.agentId);
    return {
      shared: near(memory.scope === 'PRIVATE' ? own : this.#visibleTo(NOBODY)),
      ownPrivate: near(own.filter((row) => row.memory.scope === 'PRIVATE')),
    };
  }

  async noteCompared({ by, memories, read, found }: Parameters<ContradictionStore['noteCompared']>[0]): Promise<void> {
    const versions = new Map(read.map(({ id, updatedAt }) => [id, updatedAt]));
    const isAsRead = (id: string) => this.#rows.get(id)?.memory.updatedAt === versions.get(id);
    const stale = new Set(found.filter(({ a, b }) => !isAsRead(a) || !isAsRead(b)).flatMap(({ a, b }) => [a, b]));
    for (const { id } of memories) {
      const row = this.#rows.get(id);
      if (row && !stale.has(id) && isAsRead(id)) this.#rows.set(id, { ...row, comparedBy: by });
    }
    for (const one of found) if (!stale.has(one.a) && !stale.has(one.b)) this.#contradictions.set(one.id, one);
    this.revision++;
  }

  async *contradictions(): AsyncGenerator<readonly Contradiction[]> {
    yield [...this.#contradictions.values()].filter(({ a, b }) => this.#find(a) && this.#find(b));
  }

  async contradictionsOf(memoryIds: readonly string[]): Promise<readonly Contradiction[]> {
    const known = [...this.#contradictions.values()];
    return known.filter(({ a, b }) => memoryIds.includes(a) || memoryIds.includes(b));
  }

  async contradiction(id: string): Promise<Contradiction | null> {
    return this.#contradictions.get(id) ?? null;
  }

  async decide(
    contradiction: Contradiction,
    { read, changed }: Parameters<ContradictionStore['decide']>[1],
  ): Promise<boolean> {
    const changes = changed.map((memory) => ({ op: 'update' as const, memory }));
    if (!(await this.changeTogether({ expected: read.map(versionOf), changes }))) return false;
    this.#contradictions.set(contradiction.id, contradiction);
    return true;
  }

  // Vectors that are missing

  async withoutVectors(count: number, { except }: { except: ReadonlySet<string> }): Promise<readonly Memory[]> {
    const lacking = this.#all().filter((row) => this.#lacksVectors(row) && !except.has(row.memory.id));
    return lacking.slice(0, count).map(({ memory }) => memory);
  }

  async withoutVectorsCount(viewer: Viewer): Promise<number> {
    return this.#visibleTo(viewer).filter((row) => this.#lacksVectors(row)).length;
  }

  async publicVectorCount(): Promise<number> {
    return this.#visibleTo(NOBODY).reduce((sum, { vectors }) => sum + vectors.length, 0);
  }

  // What stands behind them

  /** What is there now, in the order of time. */
  #all(): Row[] {
    this.#freeFromExpired();
    return [...this.#rows.values()].filter((row) => !this.#isGone(row)).sort((a, b) => byTime(a.memory, b.memory));
  }

  /** What has expired supersedes nothing. */
  #freeFromExpired(): void {
    for (const row of [...this.#rows.values()]) {
      const chain = this.#isGone(row) ? [] : this.#goneSuccessorsOf(row.memory);
      const last = chain.at(-1);
      if (last) this.#endSuccession(row.memory, last, (next) => !this.#isGone(next));
    }
  }

  #goneSuccessorsOf({ supersededBy }: Memory): Memory[] {
    const chain: Memory[] = [];
    for (let id = supersededBy; id !== null; id = chain.at(-1)?.supersededBy ?? null) {
      const row = this.#rows.get(id);
      if (!row || !this.#isGone(row) || chain.includes(row.memory)) break;
      chain.push(row.memory);
    }
    return chain;
  }

  /** What has expired is in the map and in no answer. */
  #isGone({ memory: { expiresAt } }: Row): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now();
  }

  readonly #saidAt = (id: string) => this.#all().find(({ memory }) => memory.id === id)?.memory.createdAt ?? null;

  #visibleTo(viewer: Viewer): Row[] {
    return this.#all().filter(({ memory }) => isVisibleTo(viewer, memory));
  }

  #naming(key: string, viewer: Viewer): Row[] {
    return this.#visibleTo(viewer).filter(({ memory }) => entityKeys(memory).includes(key));
  }

  #derivedFrom(id: string): StoredMemory[] {
    return this.#all()
      .filter(({ memory }) => memory.sources.includes(id))
      .map(stored);
  }

  #lacksVectors({ vectors }: Row): boolean {
    return this.#hasModel && vectors.length === 0;
  }

  #waits({ memory, comparedBy }: Row): boolean {
    return this.#comparesBy !== null && comparedBy !== this.#comparesBy && isComparable(memory);
  }

  #find(id: string): StoredMemory | null {
    const holder = this.#all().find(({ memory }) => memory.id === id || absorbs(memory, id));
    return holder ? stored(holder) : null;
  }

  #findByKey({ agentId, project, idempotencyKey: key }: Keyed): StoredMemory | null {
    if (key === null) return null;
    const isIt = (one: Keyed) => one.agentId === agentId && one.project === project && one.idempotencyKey === key;
    const found = this.#all().find(({ memory }) => keysOf(memory).some(isIt));
    return found ? stored(found) : null;
  }

  #findSameWords(memory: Memory): StoredMemory | null {
    const key = wordsKey(memory);
    const isSame = (said: Memory) =>
      said.kind === 'episodic' &&
      !said.gistEdited &&
      Math.abs(said.createdAt - memory.createdAt) < DAY_MS &&
      repeatsValidity(memory, said) &&
      wordsKey(said) === key;
    const holds = ({ memory: said }: Row) =>
      isSame(said) || (!said.gistEdited && said.absorbed?.some((one) => isSame(one.memory)));
    const found = this.#all().findLast(holds);
    return found ? stored(found) : null;
  }

  #isAbsent({ ids = [], tombstones = [], keysOf: keys = [], wordsOf = [] }: Absent): boolean {
    return (
      ids.every((id) => this.#find(id) === null) &&
      tombstones.every((id) => !this.#deleted.has(id) && (!this.#rows.has(id) || this.#find(id) !== null)) &&
      keys.every((keyed) => this.#findByKey(keyed) === null) &&
      wordsOf.every((memory) => this.#findSameWords(memory) === null)
    );
  }

  #apply(change: PlannedChange): void {
    this.revision++;
    if (change.op === 'delete') for (const id of change.ids) this.#remove(id);
    else if (change.op === 'add') this.#add(change.memory, change.strength ?? null, change.vectors);
    else this.#update(change);
  }

  #add(memory: Memory, strength: Readonly<Strength> | null, vectors: readonly Float32Array[]): void {
    this.#forget(memory.id);
    this.#deleted.delete(memory.id);
    const first = strength ?? initialStrength(memory.importance);
    this.#rows.set(memory.id, { memory, strength: first, vectors, comparedBy: null });
    this.#takeVectorsBehind(memory);
  }

  #update({ memory, strength, vectors }: Extract<PlannedChange, { op: 'update' }>): void {
    const before = this.#rows.get(memory.id);
    if (!before) return;
    const isOtherText = recallText(memory) !== recallText(before.memory);
    const isOtherScope = memory.scope !== before.memory.scope || !isSameValidity(memory, before.memory);
    if (isOtherText || isOtherScope || `${memory.tags}` !== `${before.memory.tags}`) this.#forgetDerived(memory.id);
    const isFreed = before.memory.supersededBy !== null && memory.supersededBy === null;
    const isToCompare = isOtherText || isOtherScope || isFreed || this.#isGone(before);
    this.#rows.set(memory.id, {
      memory,
      strength: strength ?? before.strength,
      vectors: vectors ?? before.vectors,
      comparedBy: isToCompare ? null : before.comparedBy,
    });
    const isExpiring = (memory.expiresAt === null) !== (before.memory.expiresAt === null);
    if (isOtherText || isExpiring || memory.scope !== before.memory.scope) this.#takeVectorsBehind(before.memory);
    if (memory.scope !== before.memory.scope) {
      this.#takeVectorsBehind(memory);
      if (vectors === undefined && isTerse(memory)) this.#takeVectorsOf(memory);
    }
    this.#forgetContradictions(memory.id, (other) => isOtherText || !mayBeCompared(memory, other));
    const isOtherSuccessor = memory.supersededBy !== before.memory.supersededBy;
    if (isOtherSuccessor || audienceKey(memory) !== audienceKey(before.memory)) this.#reviewSuccession(memory.id);
    if (isFreed) this.#reopenLostBy(memory.id);
  }

  #reopenLostBy(id: string): void {
    for (const one of this.#contradictions.values()) {
      if ((one.a === id || one.b === id) && isLostBy(id, one)) {
        this.#contradictions.set(one.id, { ...one, decision: null });
      }
    }
  }

  /** The terse memories that anybody sees right behind this one. */
  #takeVectorsBehind(memory: Memory): void {
    const after = this.#inSessionOf(memory).filter((other) => isBefore(memory, other));
    const sights = [() => true, ({ scope }: Memory) => scope !== 'PRIVATE', ({ scope }: Memory) => scope === 'SHARED'];
    for (const sees of sights.filter((sees) => sees(memory))) {
      const seen = after.filter(sees);
      const last = seen.findIndex(({ expiresAt }) => expiresAt === null);
      for (const next of last < 0 ? seen : seen.slice(0, last + 1)) if (isTerse(next)) this.#takeVectorsOf(next);
    }
  }

  #takeVectorsOf({ id }: Memory): void {
    const row = this.#rows.get(id);
    if (row) this.#rows.set(id, { ...row, vectors: [] });
  }

  #remove(id: string): void {
    const row = this.#rows.get(id);
    if (row) this.#takeVectorsBehind(row.memory);
    this.#forget(id);
    this.#forgetDerived(id);
    this.#deleted.add(id);
  }

  #forget(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    this.#forgetContradictions(id, () => true);
    this.#endSuccessionsTo(row.memory);
  }

  #forgetDerived(sourceId: string): void {
    for (const { memory } of this.#derivedFrom(sourceId)) if (memory.id !== sourceId) this.#forget(memory.id);
  }

  #forgetContradictions(id: string, isConcerned: (other: Memory) => boolean): void {
    for (const { id: contradictionId, a, b } of this.#contradictions.values()) {
      const other = this.#rows.get(a === id ? b : a)?.memory;
      if ((a === id || b === id) && (!other || isConcerned(other))) this.#contradictions.delete(contradictionId);
    }
  }

  #endSuccessionsTo(gone: Memory): void {
    for (const { memory } of [...this.#rows.values()])
      if (memory.supersededBy === gone.id) this.#endSuccession(memory, gone);
  }

  /** Ends each succession of a memory where not all who see the loser see its successor. */
  #reviewSuccession(id: string): void {
    for (const row of [...this.#rows.values()]) {
      const { memory } = row;
      const successor = this.#rows.get(memory.supersededBy ?? '');
      if (!successor || this.#isGone(row) || this.#isGone(successor)) continue;
      const isConcerned = memory.id === id || successor.memory.id === id;
      if (isConcerned && !isSeenByAllWhoSee(memory, successor.memory)) this.#endSuccession(memory, successor.memory);
    }
  }

  /** What had taken the place of the successor takes its own. */
  #endSuccession(memory: Memory, successor: Memory, counts: (next: Row) => boolean = () => true): void {
    const next = this.#rows.get(successor.supersededBy ?? '');
    const isTaken = next && next.memory.id !== memory.id && counts(next) && isSeenByAllWhoSee(memory, next.memory);
    const reason = 'what replaced it was replaced';
    const supersession = successor.supersession && { ...successor.supersession, reason };
    const link = isTaken ? { supersededBy: next.memory.id, supersession } : NOT_SUPERSEDED;
    this.#update({ op: 'update', memory: { ...memory, ...link, updatedAt: memory.updatedAt + 1 } });
  }
}

function stored({ memory, strength }: Row): StoredMemory {
  return { memory, strength };
}

function absorbs({ absorbed = [] }: Memory, id: string): boolean {
  return absorbed.some(({ memory }) => memory.id === id);
}

/** A derived memory names what its sources name; both would count twice. */
function entityKeys({ kind, entities }: Memory): string[] {
  return kind === 'semantic' ? [] : [...new Set(entities.map(({ name }) => entityKey(name)))];
}

/** Evidence of the memory alone: this engine knows no threads. */
function candidateOf(
  row: Row,
  { question, vector, namedKeys }: { question: Question; vector: Float32Array | null; namedKeys: readonly string[] },
): Candidate {
  const { memory, vectors } = row;
  const terms = new Set(termsOf(recallText(memory)));
  const turn = question.terms.filter((term) => terms.has(term)).length / Math.max(1, question.terms.length);
  const cosine = vector ? Math.max(0, ...vectors.map((one) => dot(one, vector))) : 0;
  const keys = entityKeys(memory);
  const evidence = {
    hasVector: vectors.length > 0,
    turn,
    covers: turn === 1,
    coversWithBefore: turn === 1,
    window: turn,
    thread: turn,
    near: 0,
    coherence: 1,
    cosine,
    mixedCosine: cosine,
    askedBeforeTurn: 0,
    askedBeforeCosine: 0,
    askedBeforeWords: 0,
    saidBefore: null,
    saidAfter: null,
    entity: namedKeys.filter((key) => keys.includes(key)).length / Math.max(1, namedKeys.length),
    speaker: 0,
    role: memory.role,
    isQuestion: false,
    isNote: memory.sessionId === null,
    isOfUser: false,
    tellsTime: false,
    namesDay: false,
    words: terms.size,
    createdAt: memory.createdAt,
  } as const;
  return { stored: stored(row), entityKeys: keys, evidence };
}
