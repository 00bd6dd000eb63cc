import { hostname } from 'node:os';
import { ManualClock } from '@agent-faculties/service-kit';
import type { Contradiction } from '../../src/domain/contradictions/contradiction.ts';
import type { VectorModel } from '../../src/domain/embedding/vector-model.ts';
import type { ChangeAct } from '../../src/domain/memory/change-act.ts';
import type { Expected } from '../../src/domain/memory/decision.ts';
import type { Memory, Strength } from '../../src/domain/memory/memory.ts';
import { openDataDirectory } from '../../src/persistence/directory/data-directory.ts';
import { type LoadReport, loadStore } from '../../src/persistence/directory/load-store.ts';
import { type SavedFiles, Snapshots } from '../../src/persistence/snapshot/snapshot.ts';
import { VectorMatrix } from '../../src/search/vectors/vector-matrix.ts';
import type { RowRange } from '../../src/search/vectors/vector-rows.ts';
import type { Change, ComparedChange, SingleChange } from '../../src/store/changes/change.ts';
import type { StoredComparison } from '../../src/store/indexes/comparisons.ts';
import type { SnapshotRecord } from '../../src/store/records/snapshot-records.ts';
import type { KnownOfMemory, StoreSink } from '../../src/store/store-sink.ts';
import { DIMENSION } from '../sample-memory.ts';

export const MODEL: VectorModel = { id: 'test-model', dimension: DIMENSION };
const SAVED_AT_MS = Date.parse('2026-11-21T09:30:00Z');
const FIRST_STRENGTH: Strength = { lastRecalledAt: null, recallCount: 0, stabilityDays: 1 };

/** The contents of a store, in a form that can be compared with another one. */
export type Contents = Record<string, { memory: Memory; strength: Readonly<Strength>; vectors: number[] | null }>;

/** The simplest store there can be: a map. */
export class NaiveStore implements StoreSink {
  readonly records = new Map<string, SnapshotRecord>();
  readonly matrix: VectorMatrix;
  readonly deleted = new Set<string>();
  /** The comparisons that it was told of, in order. */
  readonly comparisons: unknown[] = [];

  constructor({ dimension = DIMENSION, maximumRows = 200_000 } = {}) {
    this.matrix = new VectorMatrix({ dimension, maximumRows });
  }

  add(memory: Memory, { strength = FIRST_STRENGTH, rows = null }: KnownOfMemory = {}): void {
    // An insertion at the end, as in the real store.
    this.records.delete(memory.id);
    this.deleted.delete(memory.id);
    this.records.set(memory.id, { memory, strength, rows });
  }

  update(memory: Memory, { strength, rows }: KnownOfMemory = {}): void {
    const before = this.records.get(memory.id);
    if (!before) return;
    const after = { memory, strength: strength ?? before.strength, rows: rows === undefined ? before.rows : rows };
    this.records.set(memory.id, after);
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.records.delete(id);
    this.wereDeleted(ids);
  }

  // It keeps the vectors of terse memories, and no versions.
  cameBetween(): void {}
  stoodBehind(): void {}
  erased(): void {}

  strengthen(id: string, strength: Readonly<Strength>): void {
    const record = this.records.get(id);
    if (record) this.records.set(id, { ...record, strength });
  }

  compared(change: ComparedChange): void {
    this.comparisons.push(change);
  }

  decided(contradiction: Contradiction): void {
    this.comparisons.push(contradiction);
  }

  wasCompared(memoryId: string, comparison: StoredComparison): void {
    this.comparisons.push([memoryId, comparison]);
  }

  wereDeleted(ids: readonly string[]): void {
    for (const id of ids) this.deleted.add(id);
  }

  acting(_act: ChangeAct | undefined, changes: () => void): void {
    changes();
  }

  isAsExpected(expected: readonly Expected[]): boolean {
    return expected.every(({ id, updatedAt }) => this.records.get(id)?.memory.updatedAt === updatedAt);
  }

  apply(change: Change): void {
    if (change.op !== 'group') this.#applyOne(change);
    else if (this.isAsExpected(change.expected)) for (const one of change.changes) this.#applyOne(one);
  }

  #applyOne(change: SingleChange): void {
    if (change.op === 'delete') this.remove(change.ids);
    else if (change.op === 'compared') this.compared(change);
    else if (change.op === 'decided') this.decided(change.contradiction);
    // It keeps no versions.
    else if (change.op === 'erased') return;
    else if (change.op === 'strengthened')
      for (const { id, strength } of change.recalled) this.strengthen(id, strength);
    else if (change.op === 'add')
      this.add(change.memory, { strength: change.strength, rows: this.#append(change.vectors) });
    else
      this.update(change.memory, { strength: change.strength, rows: change.vectors && this.#append(change.vectors) });
  }

  contents(): Contents {
    return Object.fromEntries(
      [...this.records].map(([id, { memory, strength, rows }]) => {
        const vectors = rows && [...this.matrix.row(rows.first, rows.count)];
        return [id, { memory, strength, vectors }];
      }),
    );
  }

  #append(vectors: readonly Float32Array[]): RowRange | null {
    if (vectors.length === 0) return null;
    const first = this.matrix.length;
    for (const vector of vectors) this.matrix.append(vector);
    return { first, count: vectors.length };
  }
}

export interface OpenStore {
  readonly store: NaiveStore;
  readonly report: LoadReport;
  readonly snapshots: Snapshots;
  readonly warnings: string[];
  change(change: Change): Promise<void>;
  save(): Promise<SavedFiles>;
  /** Resolves when a save has taken what it will write. */
  nextCapture(): Promise<void>;
  /** As after a stop without a save. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** null: without embeddings. */
  readonly model?: VectorModel | null;
  readonly repair?: boolean;
  /** Room for so many vectors. */
  readonly maximumRows?: number;
}

/** A naive store over a real data directory. */
export async function openNaiveStore(
  path: string,
  { model = MODEL, repair = false, maximumRows = 200_000 }: OpenOptions = {},
): Promise<OpenStore> {
  const directory = await openDataDirectory({
    path,
    process: { pid: process.pid, hostname: hostname() },
    clock: new ManualClock(SAVED_AT_MS),
  });
  const store = new NaiveStore({ dimension: model?.dimension ?? DIMENSION, maximumRows });
  const vectors = model && { model, matrix: store.matrix };
  const warnings: string[] = [];
  const warn = (...args: unknown[]) => void warnings.push(String(args.at(-1)));
  try {
    const report = await loadStore({
      directory,
      sink: store,
      vectors,
      repair: repair ? { nowMs: SAVED_AT_MS } : null,
      log: { info: () => {}, warn },
    });
    const { journal, generation } = report;
    let onCapture = () => {};
    const capture = () => {
      onCapture();
      return { memories: [...store.records.values()], vectors, versions: [], deleted: [...store.deleted] };
    };
    const snapshots = new Snapshots({ directory, journal, generation, capture });
    return {
      store,
      report,
      snapshots,
      warnings,
      change: (change) => journal.append(change, () => store.apply(change)),
      save: () => snapshots.save(SAVED_AT_MS),
      nextCapture: () =>
        new Promise((resolve) => {
          onCapture = resolve;
        }),
      close: async () => {
        await journal.close();
        await directory.release();
      },
    };
  } catch (error) {
    await directory.release();
    throw error;
  }
}
