import { stat } from 'node:fs/promises';
import { UnavailableError } from '@agent-faculties/service-kit';
import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { Change } from '../../store/changes/change.ts';
import type { Journal, JournalCut } from '../../store/changes/journal.ts';
import { diskFault } from '../files/disk-fault.ts';
import { segmentAfter } from '../files/file-names.ts';
import { changeToShortJson } from './change-line.ts';
import { ApplyTurns, ChangeQueue, type PendingChange } from './change-queue.ts';
import { type LineBody, lineBody, lineStart } from './journal-line.ts';
import { removeSegments, SegmentFile, segmentGone } from './segment-file.ts';

interface PendingLine extends PendingChange {
  readonly body: LineBody;
}

export interface DurableJournalOptions {
  /** The folder of the segments. */
  readonly directory: string;
  /** Number of the last change that the start has read. */
  readonly sequence: number;
  /** The segments that the start has read. They are kept until the next save and never written again. */
  readonly segments: readonly { readonly path: string; readonly bytes: number }[];
  /** The model of the vectors in the changes; null without embeddings. */
  readonly model: VectorModel | null;
  /** Called before each group of changes. @throws UnavailableError while nothing may be written */
  readonly writable: () => Promise<void>;
}

/**
 * A write-ahead log of NDJSON segments with group commit: while one group is being synced, the next one fills, so the rate of
 * changes is not limited by the rate of syncs. The first change after a start or a cut makes a segment, so a service whose files
 * are saved has no journal.
 */
export class DurableJournal implements Journal {
  readonly #directory: string;
  readonly #model: VectorModel | null;
  readonly #writable: () => Promise<void>;
  readonly #queue = new ChangeQueue<PendingLine>((group) => this.#writeAndApply(group));
  /** Sizes of the segments, by path. */
  readonly #sizes: Map<string, number>;
  /** Segments whose changes are in a save: no start needs them, and they are being deleted. */
  readonly #saved = new Set<string>();
  #segment: SegmentFile | null = null;
  #sequence: number;
  #refusal: string | null = null;
  #closed = false;

  constructor({ directory, sequence, segments, model, writable }: DurableJournalOptions) {
    this.#directory = directory;
    this.#model = model;
    this.#writable = writable;
    this.#sequence = sequence;
    this.#sizes = new Map(segments.map(({ path, bytes }) => [path, bytes]));
  }

  get sequence(): number {
    return this.#sequence;
  }

  get bytes(): number {
    let sum = 0;
    for (const bytes of this.#sizes.values()) sum += bytes;
    return sum;
  }

  get refusal(): string | null {
    return this.#refusal;
  }

  async append(change: Change, apply: () => void): Promise<void> {
    this.#refuseWhenClosed();
    const body = lineBody(changeToShortJson(change, this.#model));
    const size = body.bytes.byteLength;
    await new Promise<void>((resolve, reject) => this.#queue.enqueue({ body, size, apply, resolve, reject }));
  }

  async cut<Captured>(capture: () => Captured): Promise<JournalCut<Captured>> {
    this.#refuseWhenClosed();
    return this.#queue.between(async () => {
      const captured = capture();
      const sequence = this.#sequence;
      await this.#leaveSegment();
      // An empty segment has the name of the segment that the next change will make, so it must not be deleted later.
      await this.#discard(
        [...this.#sizes.keys()].filter((path) => path === segmentAfter(this.#directory, sequence).path),
      );
      const paths = [...this.#sizes.keys()];
      return { captured, sequence, discard: () => this.#discard(paths) };
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.between(() => this.#leaveSegment());
  }

  #refuseWhenClosed(): void {
    if (this.#closed) {
      throw new UnavailableError('The service is stopping: nothing was changed. Send it again once it is back.');
    }
  }

  async #writeAndApply(group: readonly PendingLine[]): Promise<void> {
    try {
      await this.#writable();
    } catch (error) {
      // Without the lock, the directory refuses, and says why.
      for (const { reject } of group) reject(error);
      return;
    }
    try {
      await this.#write(group);
      this.#refusal = null;
    } catch (error) {
      const reason = diskFault(error);
      if (reason instanceof UnavailableError) this.#refusal = reason.message;
      for (const { reject } of group) reject(reason);
      return;
    }
    const turns = new ApplyTurns();
    for (const { apply, resolve, reject, size } of group) {
      if (turns.isFull(size)) await nextTurn();
      this.#sequence += 1;
      try {
        apply();
        resolve();
      } catch (error) {
        reject(error);
      }
    }
  }

  async #write(group: readonly PendingLine[]): Promise<void> {
    this.#segment ??= await this.#openSegment();
    const segment = this.#segment;
    const synced = this.#sequence;
    const bytes = Buffer.concat(
      group.flatMap(({ body }, index) => [lineStart(body, synced + index + 1, synced), body.bytes]),
    );
    try {
      await segment.append(bytes);
    } finally {
      await this.#note(segment);
    }
  }

  async #openSegment(): Promise<SegmentFile> {
    await this.#refuseWithoutEarlierSegments();
    const segment = await SegmentFile.create(this.#directory, this.#sequence);
    this.#sizes.set(segment.path, 0);
    return segment;
  }

  /** A start refuses a segment where those before it are missing: a folder that was emptied or replaced takes changes again after a save. */
  async #refuseWithoutEarlierSegments(): Promise<void> {
    for (const [path, bytes] of this.#sizes) {
      if (bytes === 0) continue;
      const fault = await stat(path).then(
        ({ size }) => (size < bytes ? segmentGone(path) : null),
        (error: unknown) => error,
      );
      // A save may have ended meanwhile.
      const isNeeded = this.#sizes.has(path) && !this.#saved.has(path);
      if (fault && isNeeded) throw fault;
    }
  }

  /** Continues in a new segment after a fault that leaves in doubt which bytes of the old one are on disk. */
  async #note(segment: SegmentFile): Promise<void> {
    this.#sizes.set(segment.path, segment.bytes);
    if (segment.isSound) return;
    this.#segment = null;
    await segment.close();
  }

  async #leaveSegment(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    await segment?.close();
  }

  async #discard(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#saved.add(path);
    await removeSegments(this.#directory, paths);
    for (const path of paths) {
      this.#sizes.delete(path);
      this.#saved.delete(path);
    }
  }
}
