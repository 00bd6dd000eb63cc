import { type Sight, UNSEEN } from './partitions.ts';

/** So many partitions are looked through one by one; a name that more of them have gets a map. */
const FEW = 16;

/** How many memories there are, by partition. Most names are in one or two, so that a map for each would take most of an index. */
export class PartitionCounts {
  /** Partition and count, alternating. */
  #pairs: number[] = [];
  #counts: Map<number, number> | null = null;

  add(partition: number, by: number): void {
    if (this.#counts) count(this.#counts, partition, by);
    else this.#addToPairs(partition, by);
  }

  /** @complexity O(partitions) */
  inSight({ partitions }: Sight): number {
    let seen = 0;
    if (this.#counts) {
      for (const [partition, count] of this.#counts) if (partitions[partition] !== UNSEEN) seen += count;
      return seen;
    }
    const pairs = this.#pairs;
    for (let at = 0; at < pairs.length; at += 2) {
      if (partitions[pairs[at] as number] !== UNSEEN) seen += pairs[at + 1] as number;
    }
    return seen;
  }

  #addToPairs(partition: number, by: number): void {
    const pairs = this.#pairs;
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at] !== partition) continue;
      const left = (pairs[at + 1] as number) + by;
      if (left === 0) pairs.splice(at, 2);
      else pairs[at + 1] = left;
      return;
    }
    if (pairs.length === 0) this.#pairs = [partition, by];
    else if (pairs.length < 2 * FEW) pairs.push(partition, by);
    else {
      const counts = new Map<number, number>();
      for (let at = 0; at < pairs.length; at += 2) counts.set(pairs[at] as number, pairs[at + 1] as number);
      count(counts, partition, by);
      this.#counts = counts;
      this.#pairs = [];
    }
  }
}

function count(counts: Map<number, number>, partition: number, by: number): void {
  const left = (counts.get(partition) ?? 0) + by;
  if (left === 0) counts.delete(partition);
  else counts.set(partition, left);
}
