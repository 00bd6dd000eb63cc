import { describe, expect, test } from '@jest/globals';
import { Semaphore } from '../../../src/domain/concurrency/semaphore.ts';

describe('a semaphore', () => {
  test('lets so many run at once and the others in order, whether the ones before succeed or fail', async () => {
    const semaphore = new Semaphore(2);
    const begun: number[] = [];
    const ends: ((isSuccess: boolean) => void)[] = [];
    const results = [0, 1, 2, 3, 4].map((number) =>
      semaphore.run(async () => {
        begun.push(number);
        await new Promise<void>((resolve, reject) => {
          ends[number] = (isSuccess) => (isSuccess ? resolve() : reject(new Error('failed')));
        });
        return number;
      }),
    );
    const settled = Promise.allSettled(results);
    expect(begun).toEqual([0, 1]);
    ends[1]?.(false);
    await expect(results[1]).rejects.toThrow('failed');
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.(true);
    expect(await results[0]).toBe(0);
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends[2]?.(true);
    await results[2];
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    ends[3]?.(true);
    ends[4]?.(true);
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await semaphore.run(async () => 'free again')).toBe('free again');
  });
});
