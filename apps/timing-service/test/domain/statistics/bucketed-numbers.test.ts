import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  BUCKETS,
  boundsOf,
  bucketOf,
  type Limit,
  limitsBy,
  type Question,
} from '../../../src/domain/statistics/bucketed-numbers.ts';
import { inBuckets, naiveAnswer } from './bucketed-durations.ts';

const GREATEST_US = 2 ** 52 - 1;
const whole = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.integer({ min: 0, max: GREATEST_US }),
  // Around each power of two.
  fc
    .tuple(fc.integer({ min: 0, max: 51 }), fc.integer({ min: -1, max: 1 }))
    .map(([power, by]) => Math.max(0, 2 ** power + by)),
);

describe('buckets', () => {
  test('follow each other without a gap, each at most 1 / 1,024 of its durations wide', () => {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const { fromUs, toUs } = boundsOf(bucket);
      expect(fromUs).toBe(bucket === 0 ? 0 : boundsOf(bucket - 1).toUs);
      if (toUs - fromUs > Math.max(1, fromUs / 1_024)) throw new Error(`bucket ${bucket} is ${toUs - fromUs} wide`);
    }
    expect(boundsOf(BUCKETS - 1).toUs - 1).toBe(GREATEST_US);
  });

  test('hold what lies between their bounds', () => {
    fc.assert(
      fc.property(whole, (us) => {
        const { fromUs, toUs } = boundsOf(bucketOf(us));
        expect(fromUs <= us && us < toUs).toBe(true);
      }),
    );
  });
});

describe('bucketed numbers', () => {
  // Many in few buckets, so that most buckets hold several.
  const close = fc.integer({ min: 3_000_000, max: 3_020_000 });
  const lists = fc.array(fc.oneof(close, close, whole), { minLength: 1, maxLength: 60 });

  test('answer as a sorted list does, where somebody knows what is in a bucket', () => {
    fc.assert(
      fc.property(lists, fc.array(fc.oneof(close, whole)), (allUs, probes) => {
        const sorted = allUs.map((us) => us / 1e6).sort((one, other) => one - other);
        const known: { bucket: number; limit: Limit }[] = [];
        const numbers = inBuckets(sorted).asking({
          limitsOf: (bucket) => known.filter((each) => each.bucket === bucket).map(({ limit }) => limit),
          ask: (question) => {
            const limits = limitsBy(question, naiveAnswer(allUs, question));
            known.push(...limits.map((limit) => ({ bucket: question.bucket, limit })));
          },
          isPassedOver: () => {},
        });
        expect(numbers.size).toBe(sorted.length);
        /** Asked once more where something was not known. */
        const answered = <Answer>(question: () => Answer): Answer => {
          question();
          return question();
        };
        for (const seconds of [...sorted, ...probes.flatMap((us) => [us / 1e6, (us + 0.5) / 1e6]), -1]) {
          expect(answered(() => numbers.countAtMost(seconds))).toBe(sorted.filter((value) => value <= seconds).length);
          expect(answered(() => numbers.countBelow(seconds))).toBe(sorted.filter((value) => value < seconds).length);
        }
        for (const [index, seconds] of sorted.entries()) expect(answered(() => numbers.at(index))).toBe(seconds);
      }),
    );
  });

  test('agree with themselves, however little is known of a bucket', () => {
    const some = fc.array(fc.integer({ min: 3_000_000, max: 3_004_000 }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(
        some,
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        (allUs, ranks, counts) => {
          const bare = inBuckets(allUs.map((us) => us / 1e6));
          const limits = new Map<number, Limit[]>();
          for (const [bucket, size] of bare.filled()) {
            const { fromUs, toUs } = boundsOf(bucket);
            const asked: Question[] = [
              ...ranks.map((rank) => ({ kind: 'at', bucket, rank: rank % size }) as const),
              ...counts.map((us) => ({ kind: 'count', bucket, us: fromUs + (us % (toUs - fromUs - 1)) }) as const),
            ];
            limits.set(
              bucket,
              asked.flatMap((question) => limitsBy(question, naiveAnswer(allUs, question))),
            );
          }
          const numbers = bare.asking({
            limitsOf: (bucket) => limits.get(bucket) ?? [],
            ask: () => {},
            isPassedOver: () => {},
          });
          const each = [...numbers];
          expect(each).toEqual(each.toSorted((one, other) => one - other));
          for (const seconds of each) {
            expect(numbers.countAtMost(seconds)).toBe(each.filter((value) => value <= seconds).length);
            expect(numbers.countBelow(seconds)).toBe(each.filter((value) => value < seconds).length);
          }
        },
      ),
    );
  });

  test('are the middles of their buckets otherwise, and agree with themselves', () => {
    fc.assert(
      fc.property(lists, (allUs) => {
        const sorted = allUs.map((us) => us / 1e6).sort((one, other) => one - other);
        const numbers = inBuckets(sorted);
        const middles = [...numbers];
        for (const [index, exact] of sorted.entries()) {
          const middle = middles[index] as number;
          expect(Math.abs(middle - exact)).toBeLessThanOrEqual(exact / 2_048 + 1e-12);
          expect(numbers.countAtMost(middle)).toBe(middles.filter((value) => value <= middle).length);
          expect(numbers.countBelow(middle)).toBe(middles.filter((value) => value < middle).length);
        }
      }),
    );
  });

  test('a copy does not change with them, and no rank is beyond their end', () => {
    const numbers = inBuckets([1, 2]);
    const copy = numbers.copy();
    numbers.add(3);
    expect([copy.size, numbers.size]).toEqual([2, 3]);
    expect(() => copy.at(2)).toThrow('index 2 is outside 0..1');
  });
});
