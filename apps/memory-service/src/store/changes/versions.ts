import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import type { ChangeAct, KeptOperation } from '../../domain/memory/change-act.ts';
import type { VersionRead } from '../../domain/memory/decision.ts';
import type { ExpiredVersion, MemoryHistory, PastContradiction, PastVersion } from '../../domain/memory/history.ts';
import type { Memory } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';

/** A change of a memory. */
export interface NotedChange {
  readonly before: StoredMemory | null;
  readonly after: Memory | null;
  /** Absent: the operation of the act. */
  readonly operation?: KeptOperation;
  /** Ids of the memories that it superseded until then. */
  readonly released: readonly string[];
  /** The contradictions that it took part in until then. */
  readonly contradictions: readonly PastContradiction[];
}

/** Versions that are handed out at a time. */
const BATCH = 100;

/** A version; its words are in this process or in a file. */
export interface KeptVersion {
  readonly id: string;
  readonly at: number;
  readonly operation: KeptOperation;
  readonly run: string | null;
  /** Ids of the memories that it absorbed or was derived from. */
  readonly holds: readonly string[];
  /** When the memory that the change deleted would have expired, epoch milliseconds; null: never, or the change deleted none. */
  readonly expiresAt: number | null;
  /** The version, while no file holds it. */
  version: PastVersion | null;
  /** The line of a file that holds it; null while none does. */
  line: FiledLine | null;
}

/** A line of the file of versions. */
export interface FiledLine {
  /** In bytes. */
  readonly offset: number;
  /** In bytes, without the line end. */
  readonly length: number;
  /** The check of the line, by which it is found again after the file was written anew. */
  readonly check: string;
}

/** Reads lines of the file of versions, in this order; undefined for one that cannot be read any more. */
export type VersionReader = (lines: readonly FiledLine[]) => Promise<readonly (PastVersion | undefined)[]>;

/**
 * The versions before the changes of the last days. The journal holds the changes and who made them, so the versions are made anew
 * from it at a start; a save writes them into a file, and then only where they lie stays in memory.
 */
export class Versions implements MemoryHistory {
  readonly keptMs: number;
  readonly #byId = new Map<string, KeptVersion[]>();
  #readFile: VersionReader = async () => [];
  #size = 0;
  #act: ChangeAct | undefined;

  /** @param options.keptMs 0: none are kept */
  constructor({ keptMs = 0 }: { keptMs?: number } = {}) {
    this.keptMs = keptMs;
  }

  get size(): number {
    return this.#size;
  }

  /** The act under way; undefined: no versions are kept of the changes under way. */
  get act(): ChangeAct | undefined {
    return this.#act;
  }

  readFrom(read: VersionReader): void {
    this.#readFile = read;
  }

  /** Makes changes as part of an act; undefined: no versions of them are kept. */
  acting(act: ChangeAct | undefined, changes: () => void): void {
    const outer = this.#act;
    this.#act = act;
    try {
      changes();
    } finally {
      this.#act = outer;
    }
  }

  /** Keeps the version of a memory before a change, where somebody makes it. */
  note(id: string, { before, after, operation, ...past }: NotedChange): void {
    if (!this.#act || this.keptMs === 0 || (before === null && after === null)) return;
    const { operation: whole } = this.#act;
    if (whole === 'erase') return;
    const act = { ...this.#act, operation: operation ?? whole };
    // A new memory that supersedes others has no version before.
    if (before === null && act.operation === 'supersede') return;
    this.add(keptOf({ ...act, id, before, after: after?.updatedAt ?? null, ...past }, null));
  }

  /** Adds one that a file holds, or that is new. */
  add(kept: KeptVersion): void {
    const known = this.#byId.get(kept.id);
    if (known) known.push(kept);
    else this.#byId.set(kept.id, [kept]);
    this.#size++;
  }

  /** Forgets all, to be told anew. */
  clear(): void {
    this.#byId.clear();
    this.#size = 0;
  }

  /** A copy, in the order of the changes of each memory. */
  capture(): KeptVersion[] {
    return [...this.#all()];
  }

  async versionsOf(id: string): Promise<readonly PastVersion[]> {
    return await this.#read(this.#byId.get(id) ?? []);
  }

  async *versionsOfRun(run: string): AsyncIterable<readonly PastVersion[]> {
    yield* this.#batches([...this.#all()].filter((kept) => kept.run === run));
  }

  async *scan(): AsyncIterable<readonly PastVersion[]> {
    yield* this.#batches([...this.#all()]);
  }

  /** Whether it holds a version still. */
  has({ id, at }: VersionRead): boolean {
    return this.#byId.get(id)?.some((kept) => kept.at === at) ?? false;
  }

  /** Whether a consolidation that had changed this memory was undone. */
  wasUndone(id: string): boolean {
    return this.#byId.get(id)?.some(({ operation }) => operation === 'undo') ?? false;
  }

  async erase(ids: readonly string[]): Promise<void> {
    this.drop(ids);
  }

  /** In this turn. */
  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    this.#drop((kept) => gone.has(kept.id) || kept.holds.some((id) => gone.has(id)));
  }

  async expire(nowMs: number): Promise<readonly ExpiredVersion[]> {
    const gone = this.#deletedAndExpired(nowMs);
    const isGone = (kept: KeptVersion) => gone.has(kept.id) || kept.holds.some((id) => gone.has(id));
    return this.#drop((kept) => kept.at < nowMs - this.keptMs || isGone(kept)).map(({ id }) => ({ id }));
  }

  /** Ids of the memories that were deleted and would have expired by now, and of what they had absorbed. */
  #deletedAndExpired(nowMs: number): ReadonlySet<string> {
    const gone = new Set<string>();
    for (const [id, versions] of this.#byId) {
      const last = versions.at(-1);
      if (last === undefined || last.expiresAt === null || last.expiresAt > nowMs) continue;
      for (const one of [id, ...last.holds]) gone.add(one);
    }
    return gone;
  }

  *#all(): Generator<KeptVersion> {
    for (const versions of this.#byId.values()) yield* versions;
  }

  async *#batches(all: readonly KeptVersion[]): AsyncGenerator<readonly PastVersion[]> {
    for (let start = 0; start < all.length; start += BATCH) {
      if (start > 0) await nextTurn();
      yield await this.#read(all.slice(start, start + BATCH));
    }
  }

  async #read(kept: readonly KeptVersion[]): Promise<PastVersion[]> {
    // Taken before the file is read: a save that ends meanwhile leaves them to the file.
    const here = kept.map(({ version }) => version);
    const filed = kept.filter((_, i) => here[i] === null);
    const read = await this.#readFile(filed.flatMap(({ line }) => line ?? []));
    const versions = new Map(filed.map((one, i) => [one, read[i]] as const));
    return kept.flatMap((one, i) => here[i] ?? versions.get(one) ?? []);
  }

  #drop(isGone: (kept: KeptVersion) => boolean): KeptVersion[] {
    const dropped: KeptVersion[] = [];
    for (const [id, versions] of this.#byId) {
      const left = versions.filter((kept) => !isGone(kept));
      if (left.length === versions.length) continue;
      dropped.push(...versions.filter(isGone));
      if (left.length > 0) this.#byId.set(id, left);
      else this.#byId.delete(id);
    }
    this.#size -= dropped.length;
    return dropped;
  }
}

/** @param line that holds the version; null: none does */
export function keptOf(version: PastVersion, line: FiledLine | null): KeptVersion {
  const { id, at, operation, run, before, after } = version;
  const { absorbed = [], sources = [], expiresAt = null } = before?.memory ?? {};
  const holds = [...absorbed.map(({ memory }) => memory.id), ...sources];
  return {
    id,
    at,
    operation,
    run,
    holds,
    expiresAt: after === null ? expiresAt : null,
    version: line ? null : version,
    line,
  };
}
