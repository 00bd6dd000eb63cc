import { describe, expect, test } from '@jest/globals';
import { KeyedLock } from '../../../src/domain/concurrency/keyed-lock.ts';

/** Work that records its start and ends when the test says so. */
function work() {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const named = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, { resolve: () => resolve(`did ${name}`), reject });
    });
  };
  return {
    begun,
    named,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

/** Resolves when the handlers of every settled promise have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a keyed lock', () => {
  test('runs work on one key one after the other, in the order of asking', async () => {
    const lock = new KeyedLock();
    const { begun, named, end } = work();
    const results = ['a1', 'a2', 'a3'].map((name) => lock.run('a', named(name)));
    await settled();
    expect(begun).toEqual(['a1']);
    end('a1');
    await settled();
    expect(begun).toEqual(['a1', 'a2']);
    end('a2');
    await settled();
    end('a3');
    expect(await Promise.all(results)).toEqual(['did a1', 'did a2', 'did a3']);
  });

  test('lets who comes late wait for all who came before, also when the first has gone', async () => {
    const lock = new KeyedLock();
    const { begun, named, end } = work();
    const first = lock.run('a', named('a1'));
    const second = lock.run('a', named('a2'));
    await settled();
    end('a1');
    await first;
    await settled();
    const third = lock.run('a', named('a3'));
    await settled();
    expect(begun).toEqual(['a1', 'a2']);
    end('a2');
    await second;
    await settled();
    end('a3');
    expect(await third).toBe('did a3');
  });

  test('runs work on different keys side by side', async () => {
    const lock = new KeyedLock();
    const { begun, named, end } = work();
    const results = [lock.run('a', named('a')), lock.run('b', named('b')), lock.run('__proto__', named('c'))];
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['c', 'b', 'a']) end(name);
    expect(await Promise.all(results)).toEqual(['did a', 'did b', 'did c']);
  });

  test('goes on after work that failed, and hands its fault to the one who asked for it', async () => {
    const lock = new KeyedLock();
    const { begun, named, end, fail } = work();
    const failing = lock.run('a', named('a1'));
    const next = lock.run('a', named('a2'));
    const throwing = lock.run('a', () => {
      throw new Error('at once');
    });
    const last = lock.run('a', named('a3'));
    fail('a1');
    await settled();
    fail('a1');
    await expect(failing).rejects.toThrow('a1');
    end('a2');
    expect(await next).toBe('did a2');
    await expect(throwing).rejects.toThrow('at once');
    await settled();
    end('a3');
    expect(await last).toBe('did a3');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  test('lets work on one key wait for work on another', async () => {
    const lock = new KeyedLock();
    const inner = () => lock.run('inner', async () => 'done');
    expect(await Promise.all([lock.run('outer', inner), lock.run('outer', inner), inner()])).toEqual([
      'done',
      'done',
      'done',
    ]);
  });

  test('is free at once when nobody holds it any more', async () => {
    const lock = new KeyedLock();
    await lock.run('a', async () => {});
    const { begun, named, end } = work();
    const result = lock.run('a', named('a'));
    await settled();
    expect(begun).toEqual(['a']);
    end('a');
    await result;
  });
});
