import type { OrderedSample } from '@agent-faculties/stats-math';
import { upperBound } from './sorted-numbers.ts';

/**
 * Buckets of whole microseconds, as in HDR histograms: below 2,048 one for each, then 1,024 for each doubling. So a duration is off by at
 * most 1 / 2,048 of itself when the middle of its bucket stands for it.
 */
const PER_DOUBLING = 1_024;
const FIRST_WIDE = 2 * PER_DOUBLING;
/** 142 years, beyond every duration that is accepted. */
const GREATEST_US = 2 ** 52;
export const BUCKETS = bucketOf(GREATEST_US - 1) + 1;

/** What an answer from buckets may be off by, as a share of it. */
export const BUCKET_ERROR = 0.001;

export function bucketOf(us: number): number {
  if (us < FIRST_WIDE) return Math.max(0, us);
  const least = Math.min(us, GREATEST_US - 1);
  let doublings = Math.floor(Math.log2(least / PER_DOUBLING));
  // The logarithm of a number just below a power of two may be that of the power.
  if (least < PER_DOUBLING * 2 ** doublings) doublings--;
  return doublings * PER_DOUBLING + Math.floor(least / 2 ** doublings);
}

/** The least microseconds of a bucket, and of the one behind it. */
export function boundsOf(bucket: number): { fromUs: number; toUs: number } {
  const doublings = Math.max(0, Math.floor(bucket / PER_DOUBLING) - 1);
  const fromUs = (bucket - doublings * PER_DOUBLING) * 2 ** doublings;
  return { fromUs, toUs: fromUs + 2 ** doublings };
}

/** A question that buckets cannot answer: the number at a rank (from 0) of a bucket, or how many of its numbers are at most `us`. */
export type Question =
  | { readonly kind: 'at'; readonly bucket: number; readonly rank: number }
  | { readonly kind: 'count'; readonly bucket: number; readonly us: number };

/** A known limit of the numbers of a bucket, microseconds: up to a rank they are `atMost`, or from a rank on `atLeast` this. */
export type Limit =
  | { readonly rank: number; readonly atMost: number }
  | { readonly rank: number; readonly atLeast: number };

/** A source that knows more of the numbers than the buckets do. */
export interface Knowing {
  /** In any order; they agree with each other. */
  limitsOf(bucket: number): readonly Limit[];
  /** Called with a question that the limits do not answer. A number within the limits stands in for the answer. */
  ask(question: Question): void;
  /** Called when an answer takes the middles of all buckets, and no limits. */
  isPassedOver(): void;
}

/** @returns what an answer to a question says of the numbers of its bucket */
export function limitsBy(question: Question, answer: number): Limit[] {
  if (question.kind === 'at') {
    const { rank } = question;
    return [
      { rank, atMost: answer },
      { rank, atLeast: answer },
    ];
  }
  return [
    { rank: answer - 1, atMost: question.us },
    { rank: answer, atLeast: question.us + 1 },
  ];
}

/**
 * Seconds, of which only is kept how many lie in each bucket: 350 KiB for any number of them. Ranks are exact up to the bucket; within one
 * all numbers are its middle, unless somebody knows better.
 */
export class BucketedNumbers implements OrderedSample {
  readonly #counts: Float64Array;
  readonly #knowing: Knowing | null;
  /** Numbers before each bucket, and all of them at the end; null after a change. */
  #before: Float64Array | null = null;

  constructor(counts: Float64Array = new Float64Array(BUCKETS), knowing: Knowing | null = null) {
    this.#counts = counts;
    this.#knowing = knowing;
  }

  get size(): number {
    return this.#ranks()[BUCKETS] as number;
  }

  get bytes(): number {
    return this.#counts.byteLength + (this.#before?.byteLength ?? 0);
  }

  add(seconds: number): void {
    this.addToBucket(bucketOf(Math.round(seconds * 1e6)), 1);
  }

  addToBucket(bucket: number, count: number): void {
    this.#counts[bucket] = (this.#counts[bucket] as number) + count;
    this.#before = null;
  }

  copy(): BucketedNumbers {
    return new BucketedNumbers(this.#counts.slice());
  }

  /** The same numbers, not copied, about which more is known. */
  asking(knowing: Knowing): BucketedNumbers {
    return new BucketedNumbers(this.#counts, knowing);
  }

  /** Buckets that are not empty, ascending. */
  *filled(): Generator<readonly [bucket: number, count: number]> {
    this.#knowing?.isPassedOver();
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#counts[bucket] as number;
      if (count > 0) yield [bucket, count];
    }
  }

  at(index: number): number {
    const ranks = this.#ranks();
    if (!(index >= 0 && index < this.size)) throw new RangeError(`index ${index} is outside 0..${this.size - 1}`);
    const bucket = upperBound(ranks, ranks.length, index) - 1;
    const rank = index - (ranks[bucket] as number);
    const { fromUs, toUs } = this.#between(bucket, rank);
    if (fromUs !== toUs) this.#knowing?.ask({ kind: 'at', bucket, rank });
    return standIn(bucket, fromUs, toUs) / 1e6;
  }

  countAtMost(seconds: number): number {
    return this.#countUpTo(greatestUs(seconds));
  }

  countBelow(seconds: number): number {
    const us = greatestUs(seconds);
    return this.#countUpTo(us / 1e6 === seconds ? us - 1 : us);
  }

  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  #countUpTo(us: number): number {
    if (us < 0) return 0;
    const ranks = this.#ranks();
    const bucket = bucketOf(us);
    const before = ranks[bucket] as number;
    const count = this.#counts[bucket] as number;
    if (us >= boundsOf(bucket).toUs - 1) return before + count;
    let low = 0;
    let high = count;
    while (low < high) {
      const rank = Math.floor((low + high) / 2);
      const { fromUs, toUs } = this.#between(bucket, rank);
      if (standIn(bucket, fromUs, toUs) <= us) low = rank + 1;
      else high = rank;
    }
    const isSure =
      (low === 0 || this.#between(bucket, low - 1).toUs <= us) &&
      (low === count || this.#between(bucket, low).fromUs > us);
    if (!isSure) this.#knowing?.ask({ kind: 'count', bucket, us });
    return before + low;
  }

  /** The limits of the number at a rank of a bucket, ends included. Both grow with the rank. */
  #between(bucket: number, rank: number): { fromUs: number; toUs: number } {
    const bounds = boundsOf(bucket);
    let { fromUs } = bounds;
    let toUs = bounds.toUs - 1;
    for (const limit of this.#knowing?.limitsOf(bucket) ?? []) {
      if ('atMost' in limit) toUs = rank <= limit.rank ? Math.min(toUs, limit.atMost) : toUs;
      else fromUs = rank >= limit.rank ? Math.max(fromUs, limit.atLeast) : fromUs;
    }
    return { fromUs, toUs };
  }

  #ranks(): Float64Array {
    if (this.#before) return this.#before;
    const before = new Float64Array(BUCKETS + 1);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      before[bucket + 1] = (before[bucket] as number) + (this.#counts[bucket] as number);
    }
    this.#before = before;
    return before;
  }
}

/** The number from `leastUs` to `mostUs` that is nearest to the middle of the bucket, in whole microseconds; it grows with both. */
function standIn(bucket: number, leastUs: number, mostUs: number): number {
  const { fromUs, toUs } = boundsOf(bucket);
  return Math.min(Math.max(Math.floor((fromUs + toUs - 1) / 2), leastUs), mostUs);
}

/** The greatest number of whole microseconds that is at most this many seconds. */
function greatestUs(seconds: number): number {
  if (seconds * 1e6 >= GREATEST_US) return GREATEST_US - 1;
  let us = Math.floor(seconds * 1e6);
  // The product may be rounded to either side.
  while ((us + 1) / 1e6 <= seconds) us++;
  while (us / 1e6 > seconds) us--;
  return us;
}
