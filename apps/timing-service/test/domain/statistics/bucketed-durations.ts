import { BucketedNumbers, bucketOf, type Question } from '../../../src/domain/statistics/bucketed-numbers.ts';
import type { DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import { OUTCOMES, type Outcome } from '../../../src/domain/task.ts';
import { type Durations, sampleOf } from './sample-durations.ts';

export function inBuckets(values: Iterable<number>): BucketedNumbers {
  const numbers = new BucketedNumbers();
  for (const value of values) numbers.add(value);
  return numbers;
}

/** Answers by looking through all microseconds. */
export function naiveAnswer(allUs: readonly number[], question: Question): number {
  const inBucket = allUs.filter((us) => bucketOf(us) === question.bucket).sort((one, other) => one - other);
  if (question.kind === 'at') return inBucket[question.rank] as number;
  return inBucket.filter((us) => us <= question.us).length;
}

/** The same durations in buckets, with a store that knows each of them. */
export function bucketedSampleOf(durations: Durations): DurationSample & { readonly lookUps: number } {
  const { ended, activeStartsMs, abandonedCount } = sampleOf(durations);
  const usOf = (outcome: Outcome) => [...ended[outcome].sorted].map((seconds) => Math.round(seconds * 1e6));
  const entries = OUTCOMES.map((outcome) => {
    const { sorted, moments } = ended[outcome];
    return [outcome, { sorted: inBuckets(sorted), moments }];
  });
  const sample = {
    ended: Object.fromEntries(entries) as DurationSample['ended'],
    activeStartsMs,
    abandonedCount,
    version: 0,
    lookUps: 0,
    lookUp: async (questions: Parameters<NonNullable<DurationSample['lookUp']>>[0]) => {
      sample.lookUps += questions.length;
      return questions.map(({ outcome, question }) => naiveAnswer(usOf(outcome), question));
    },
  };
  return sample;
}
