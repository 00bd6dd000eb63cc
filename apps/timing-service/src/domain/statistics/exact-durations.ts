import { OUTCOMES, type Outcome } from '../task.ts';
import { BUCKET_ERROR, BucketedNumbers, type Limit, limitsBy, type Question } from './bucketed-numbers.ts';
import type { DurationQuestion, DurationSample, OutcomeDurations } from './duration-history.ts';

/** Look-ups for one answer: each takes milliseconds of the database where there are 100 million. */
const MOST_LOOK_UPS = 48;

export interface Calculated<Result> {
  readonly result: Result;
  /** What its durations may be off by, as a share of them; 0: they are exact. */
  readonly error: number;
}

/**
 * A calculation over a sample. Where the sample has its durations in buckets, the calculation runs until it asks for nothing that is not
 * known: it stays a plain function of a sample, and the store is asked only for the few durations that it uses. One that would use
 * too many of them is answered from the middles of the buckets.
 */
export async function calculated<Result>(
  sample: DurationSample,
  calculation: (sample: DurationSample) => Result,
): Promise<Calculated<Result>> {
  const { lookUp } = sample;
  if (!lookUp) return { result: calculation(sample), error: 0 };
  const exact = await exactly(sample, calculation, lookUp);
  return exact ?? { result: calculation(sample), error: BUCKET_ERROR };
}

/** Null where it would take too many look-ups, or the store cannot say. */
async function exactly<Result>(
  sample: DurationSample,
  calculation: (sample: DurationSample) => Result,
  lookUp: NonNullable<DurationSample['lookUp']>,
): Promise<Calculated<Result> | null> {
  const known = new Map<string, Limit[]>();
  try {
    for (let lookUps = 0; ; ) {
      const round = new Round(known, MOST_LOOK_UPS - lookUps);
      const result = calculation(round.over(sample));
      const wanted = [...round.wanted.values()];
      if (wanted.length === 0) return { result, error: 0 };
      const answers = await lookUp(wanted);
      if (!answers) return null;
      for (const [index, { outcome, question }] of wanted.entries()) {
        const key = `${outcome} ${question.bucket}`;
        known.set(key, [...(known.get(key) ?? []), ...limitsBy(question, answers[index] as number)]);
      }
      lookUps += wanted.length;
    }
  } catch (error) {
    if (error instanceof TooManyLookUps) return null;
    throw error;
  }
}

/** Ends a calculation as soon as it is known that its result is not used: a curve over many buckets takes tens of milliseconds. */
class TooManyLookUps extends Error {}

/** The greatest relative error of the durations in a calculation without look-ups; 0: they are exact. */
export function errorWithoutLookUps({ lookUp }: DurationSample): number {
  return lookUp ? BUCKET_ERROR : 0;
}

/** The durations of all runs with one of the outcomes, and the numbers in `more`, as buckets; null if the sample has none. */
export function joinedBuckets(
  { ended }: DurationSample,
  outcomes: readonly Outcome[],
  more: Iterable<number>,
): BucketedNumbers | null {
  const parts = outcomes.map((outcome) => ended[outcome].sorted);
  if (!parts.every((sorted) => sorted instanceof BucketedNumbers)) return null;
  const joined = new BucketedNumbers();
  for (const sorted of parts) for (const [bucket, count] of sorted.filled()) joined.addToBucket(bucket, count);
  for (const seconds of more) joined.add(seconds);
  return joined;
}

/** One run of a calculation. Collects the questions that it asks and nothing answers yet. */
class Round {
  readonly wanted = new Map<string, DurationQuestion>();
  readonly #known: ReadonlyMap<string, readonly Limit[]>;
  readonly #mostWanted: number;

  /** @param known by outcome and bucket */
  constructor(known: ReadonlyMap<string, readonly Limit[]>, mostWanted: number) {
    this.#known = known;
    this.#mostWanted = mostWanted;
  }

  over({ ended, activeStartsMs, abandonedCount, version }: DurationSample): DurationSample {
    const entries = OUTCOMES.map((outcome) => [outcome, this.#durations(outcome, ended[outcome])]);
    return { ended: Object.fromEntries(entries), activeStartsMs, abandonedCount, version };
  }

  #durations(outcome: Outcome, { sorted, moments }: OutcomeDurations): OutcomeDurations {
    if (!(sorted instanceof BucketedNumbers)) return { sorted, moments };
    const knowing = {
      limitsOf: (bucket: number) => this.#known.get(`${outcome} ${bucket}`) ?? [],
      ask: (question: Question) => this.#want({ outcome, question }),
      isPassedOver: () => {
        if (sorted.size > 0) throw new TooManyLookUps();
      },
    };
    return { sorted: sorted.asking(knowing), moments };
  }

  #want(asked: DurationQuestion): void {
    this.wanted.set(JSON.stringify(asked), asked);
    if (this.wanted.size > this.#mostWanted) throw new TooManyLookUps();
  }
}
