import { BucketedNumbers } from '../../domain/statistics/bucketed-numbers.ts';
import { handOnCurve } from '../../domain/statistics/duration-curve.ts';
import type { DurationSample } from '../../domain/statistics/duration-history.ts';
import { OUTCOMES, type Outcome } from '../../domain/task.ts';
import { SampleOf } from '../samples/sample.ts';

/** The durations of one outcome in one bucket: mean in seconds, and the sum of the squared deviations from it. */
export interface CountedBucket {
  readonly outcome: Outcome;
  readonly bucket: number;
  readonly count: number;
  readonly mean: number;
  readonly squares: number;
}

/** What is kept of the durations in the database. */
export type StoredCounts = Record<
  Outcome,
  { readonly mean: number; readonly squares: number; readonly buckets: readonly (readonly [number, number])[] }
>;

type LookUp = NonNullable<DurationSample['lookUp']>;

/** Answers questions about the durations as they were at a number of the space. */
export type LookUpAt = (number: number, questions: Parameters<LookUp>[0]) => ReturnType<LookUp>;

/** A sample of so many durations that only their buckets are held. It is handed out as it is at one moment, and copied before a change. */
export class BucketedSample extends SampleOf<BucketedNumbers> {
  /** Durations that the stored counts do not have. */
  unstored = 0;
  /** The number of the last change that it holds. */
  number = -1;
  readonly #lookUpAt: LookUpAt;

  constructor(lookUpAt: LookUpAt, numbersOf: (outcome: Outcome) => BucketedNumbers = () => new BucketedNumbers()) {
    super(numbersOf);
    this.#lookUpAt = lookUpAt;
  }

  readonly lookUp: LookUp = (questions) => this.#lookUpAt(this.number, questions);

  override addDuration(outcome: Outcome, seconds: number): void {
    super.addDuration(outcome, seconds);
    this.unstored++;
  }

  addBucket({ outcome, bucket, count, mean, squares }: CountedBucket): void {
    this.ended[outcome].sorted.addToBucket(bucket, count);
    this.ended[outcome].moments.addAll({ size: count, mean, squares });
    this.unstored += count;
  }

  copy(): BucketedSample {
    const copy = new BucketedSample(this.#lookUpAt, (outcome) => this.ended[outcome].sorted.copy());
    for (const outcome of OUTCOMES) copy.ended[outcome].moments.addAll(this.ended[outcome].moments.all);
    for (const startMs of this.activeStartsMs) copy.activeStartsMs.append(startMs);
    copy.abandonedCount = this.abandonedCount;
    copy.version = this.version;
    copy.unstored = this.unstored;
    copy.number = this.number;
    handOnCurve(this, copy);
    return copy;
  }

  get stored(): StoredCounts {
    const entries = OUTCOMES.map((outcome) => {
      const { sorted, moments } = this.ended[outcome];
      const { mean, squares } = moments.all;
      return [outcome, { mean, squares, buckets: [...sorted.filled()] }];
    });
    return Object.fromEntries(entries);
  }

  /** Into a sample without durations. */
  addStored(counts: StoredCounts): void {
    for (const outcome of OUTCOMES) {
      const { mean, squares, buckets } = counts[outcome];
      const { sorted, moments } = this.ended[outcome];
      for (const [bucket, count] of buckets) sorted.addToBucket(bucket, count);
      moments.addAll({ size: sorted.size, mean, squares });
    }
  }
}
