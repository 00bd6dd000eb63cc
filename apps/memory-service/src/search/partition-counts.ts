import { type Sight, UNSEEN } from './partitions.ts';

/** How many memories there are, by partition. */
export class PartitionCounts {
  readonly #counts = new Map<number, number>();

  add(partition: number, by: number): void {
    const left = (this.#counts.get(partition) ?? 0) + by;
    if (left === 0) this.#counts.delete(partition);
    else this.#counts.set(partition, left);
  }

  /** @complexity O(partitions) */
  inSight({ partitions }: Sight): number {
    let seen = 0;
    for (const [partition, count] of this.#counts) if (partitions[partition] !== UNSEEN) seen += count;
    return seen;
  }
}
