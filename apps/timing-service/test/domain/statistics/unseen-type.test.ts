import { atOnce } from '@agent-faculties/service-kit';
import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import {
  asIfOfNewType,
  mostSimilar,
  predictFrom,
  predictFromNames,
  similarityOf,
  wordsOf,
} from '../../../src/domain/statistics/unseen-type.ts';

describe('the words of a task type', () => {
  test.each([
    ['npm run test:unit', ['npm', 'run', 'test', 'unit']],
    ['tool:webSearch', ['tool', 'web', 'search']],
    ['Run tests', ['run', 'test']],
    ['gcc -O2', ['gcc', 'o2']],
    ['Prüfe Straße', ['prüfe', 'straße']],
    ['!?', []],
  ])('%s', (taskType, words) => expect([...wordsOf(taskType)]).toEqual(words));
});

describe('the similarity of two names', () => {
  test.each([
    ['npm test', 'npm test', 1],
    ['npm test', 'npm run test:unit', 2 / 3],
    ['npm test', 'deploy', 0],
    ['!', '?', 0],
  ])('of %j and %j is %f (Dice)', (one, other, expected) => {
    expect(similarityOf(wordsOf(one), wordsOf(other))).toBeCloseTo(expected, 12);
  });
});

describe('the most similar of many names', () => {
  const names = Array.from({ length: 5_000 }, (_, number) => `type ${number}`);

  test('are those that one sort of all of them puts first', () => {
    const words = wordsOf('type 4999 or 17');
    const all = names.map((taskType) => ({ taskType, similarity: similarityOf(words, wordsOf(taskType)) }));
    const first = all.sort((one, other) => other.similarity - one.similarity).slice(0, 5);
    expect(atOnce(mostSimilar(words, names, 5))).toEqual(first);
    expect(first.map(({ taskType }) => taskType)).toEqual(['type 17', 'type 4999', 'type 0', 'type 1', 'type 2']);
  });

  test('are found in several steps', () => {
    const steps = mostSimilar(wordsOf('type'), names, 5);
    expect([...steps].length).toBeGreaterThan(4);
  });
});

describe('the prediction from names', () => {
  const named = (taskType: string, seconds: number) => ({ words: wordsOf(taskType), median: Math.log(seconds) });

  test('follows the type of the same words, and is the geometric mean where no word is shared', () => {
    const known = [named('npm run test', 40), named('deploy', 1000)];
    // Dice 2 * 2 / 5: weights 0.65 and 0.01 of the logarithms.
    expect(Math.exp(predictFromNames(wordsOf('npm test'), known))).toBeCloseTo((40 ** 65 * 1000) ** (1 / 66), 9);
    expect(Math.exp(predictFromNames(wordsOf('lint'), known))).toBeCloseTo(200, 9);
  });

  const typeOf = (taskType: string, ...seconds: number[]) => {
    return { taskType, count: seconds.length, logs: seconds.map(Math.log) };
  };
  const secondsOf = (groups: readonly (readonly number[])[]) => groups.map((logs) => logs.map((log) => Math.exp(log)));

  test('takes the durations of others as they are where no name tells anything', () => {
    const known = [typeOf('a', 10), typeOf('b', 10, 40), typeOf('c', 2400)];
    const [a, b, c] = secondsOf(asIfOfNewType(wordsOf('d'), known)) as [number[], number[], number[]];
    expect(a[0]).toBeCloseTo(10, 9);
    expect(b[0]).toBeCloseTo(10, 9);
    expect(b[1]).toBeCloseTo(40, 9);
    expect(c[0]).toBeCloseTo(2400, 9);
  });

  test('moves the durations of a type as far as the others say that the new one differs from it', () => {
    const known = [typeOf('build a', 10), typeOf('build b', 20), typeOf('deploy c', 1000)];
    const [a, b, c] = asIfOfNewType(wordsOf('build x'), known) as [number[], number[], number[]];
    // By hand: what b and c say of "build x" they say of "build a" too, as its names are like theirs.
    expect(Math.exp(a[0] as number)).toBeCloseTo(10, 9);
    expect(Math.exp(b[0] as number)).toBeCloseTo(20, 9);
    // a and b say the same of any name, because they are alike to both or to neither: the geometric mean.
    expect(Math.exp(c[0] as number)).toBeCloseTo(1000, 9);
  });
});

describe('the values of a new type', () => {
  test('lies between the ends of few types with a coverage of 1 - 2 / (types + 1)', () => {
    expect(predictFrom([])).toBeNull();
    expect(predictFrom([[1, 2]])).toBeNull();
    expect(predictFrom([[1, 2], [3], [-1]])).toEqual({ low: -1, middle: 2, high: 3, coverage: 0.5 });
  });

  test('leaves a tenth of the weight on either side where there are types enough', () => {
    const nineteen = Array.from({ length: 19 }, (_, index) => [index + 1]);
    const { low, middle, high, coverage } = predictFrom(nineteen) as NonNullable<ReturnType<typeof predictFrom>>;
    // Of 20 exchangeable values the new one is below the 2nd with probability 2 / 20, and above the 18th likewise.
    expect([low, middle, high]).toEqual([2, 10, 18]);
    expect(coverage).toBeCloseTo(0.8, 12);
  });

  test('weighs a type with many runs like one with few', () => {
    const many = Array.from({ length: 1_000 }, () => 9);
    expect(predictFrom([many, [1], [2]])).toEqual(predictFrom([[9], [1], [2]]));
  });

  test.each([3, 6, 12, 30])('holds what it promises for %i exchangeable types', (types) => {
    const random = seededRandom(7 + types);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    let held = 0;
    let promised = 0;
    const rounds = 4_000;
    for (let round = 0; round < rounds; round++) {
      const runsOfType = () => {
        const middle = normal();
        return Array.from({ length: 5 }, () => middle + 0.5 * normal());
      };
      const prediction = predictFrom(Array.from({ length: types }, runsOfType));
      const [next] = runsOfType();
      if (!prediction || next === undefined) throw new Error('no prediction');
      promised = prediction.coverage;
      if (prediction.low <= next && next <= prediction.high) held++;
    }
    // Five standard errors of a share of 4,000.
    expect(held / rounds).toBeGreaterThan(promised - 0.04);
    // Not by saying anything: from many types it is near what it promises.
    if (types === 30) expect(held / rounds).toBeLessThan(promised + 0.06);
  });
});
