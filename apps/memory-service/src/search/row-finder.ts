import type { TurnQueue } from '@agent-faculties/service-kit';
import { isOpen } from '../domain/memory/memory-match.ts';
import type { MemoryFilter } from '../domain/memory/memory-store.ts';
import type { Viewer } from '../domain/memory/visibility.ts';
import type { SearchedRecords, SearchedVectors } from './searched-records.ts';
import { nearestFitting } from './vectors/fitting-rows.ts';
import type { SpaceVectors } from './vectors/space-vectors.ts';

/** Memories that a filter looks at in one turn of the event loop: 5 ms. */
const LOOKED_AT_A_TURN = 10_000;

interface RowFinderDeps extends SearchedVectors {
  readonly records: SearchedRecords;
}

/** Finds the rows near a vector whose memories pass a filter. */
export class RowFinder {
  readonly #deps: RowFinderDeps;
  readonly #turns: TurnQueue;

  /** @param turns those in which the memories are looked at */
  constructor(deps: RowFinderDeps, turns: TurnQueue) {
    this.#deps = deps;
    this.#turns = turns;
  }

  /** So many rows that a filter cannot starve the answer. */
  async nearest(
    vector: Float32Array,
    { filter, accepts, rows }: { filter: MemoryFilter; accepts: (ordinal: number) => boolean; rows: number },
  ): Promise<ArrayLike<number>> {
    const wanted = {
      count: rows,
      share: isOpen(filter) ? this.#saidVisiblyTo(filter.viewer) / Math.max(1, this.#deps.records.size) : null,
      fitting: () => this.#rowsInTurns(accepts, filter.authorAgentIds),
      fits: (row: number) => {
        const ordinal = this.#deps.ordinalOf(row);
        return this.#deps.records.has(ordinal) && accepts(ordinal);
      },
    };
    return await nearestFitting(vector, { source: this.#deps.vectors as SpaceVectors, wanted });
  }

  async *#rowsInTurns(accepts: (ordinal: number) => boolean, authors: readonly string[] | undefined) {
    const stretches = this.#stretchesOf(accepts, authors);
    for (let isDone = false; !isDone; ) {
      const { value, done } = await this.#turns.run(() => stretches.next());
      yield value;
      isDone = done === true;
    }
  }

  /**
   * Rows of what is accepted, each time of as many memories as may be looked at in one turn of the event loop.
   * @param authors of all that is accepted, where they are known: an agent's own are few among those of a team
   */
  *#stretchesOf(
    accepts: (ordinal: number) => boolean,
    authors: readonly string[] | undefined,
  ): Generator<readonly number[], readonly number[]> {
    const { records } = this.#deps;
    const parts = authors
      ? [...new Set(authors)].map((author) => records.ordinalsOf(author))
      : [records.order.snapshot()];
    let rows: number[] = [];
    let lookedAt = 0;
    for (const ordinals of parts) {
      for (const ordinal of ordinals) {
        const range = this.#deps.rowsOf(ordinal);
        if (range && accepts(ordinal)) for (let i = 0; i < range.count; i++) rows.push(range.first + i);
        if (++lookedAt % LOOKED_AT_A_TURN > 0) continue;
        yield rows;
        rows = [];
      }
    }
    return rows;
  }

  #saidVisiblyTo(viewer: Viewer): number {
    let count = 0;
    for (const { episodic } of this.#deps.records.counts(viewer).values()) count += episodic;
    return count;
  }
}
