import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue, type TextCall } from '../src/fair-queue.ts';

const ONE = { texts: 1, characters: 0 };

function call(name: string, count: number): TextCall {
  return { texts: Array.from({ length: count }, (_, index) => `${name}${index + 1}`) };
}

/** As the queue has it: up to four texts. */
const isShort = ({ texts }: TextCall) => texts.length <= 4;

function takeAll(queue: FairQueue<TextCall>): string[] {
  const order: string[] = [];
  while (queue.length > 0) order.push(...queue.take(ONE).map(({ text }) => text));
  return order;
}

describe('FairQueue', () => {
  test('serves calls in turn, one text each', () => {
    const queue = new FairQueue<TextCall>();
    for (const [name, count] of [
      ['a', 3],
      ['b', 1],
      ['c', 2],
    ] as const)
      queue.add(call(name, count));
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  test('gives a newcomer its turn right after the text under way of the only other call', () => {
    const queue = new FairQueue<TextCall>();
    queue.add(call('long', 200));
    queue.take(ONE);
    queue.take(ONE);
    queue.add(call('query', 1));
    expect(takeAll(queue).slice(0, 2)).toEqual(['query1', 'long3']);
  });

  test('lets a question wait for one text at most, however many long messages there are', () => {
    const queue = new FairQueue<TextCall>();
    for (let sender = 0; sender < 16; sender += 1) queue.add(call(`long${sender}-`, 64));
    queue.take(ONE);
    queue.add(call('query', 1));
    expect(takeAll(queue)[0]).toBe('query1');
    for (let sender = 0; sender < 16; sender += 1) queue.add(call(`long${sender}-`, 64));
    queue.add(call('first', 1));
    queue.add(call('second', 1));
    expect(takeAll(queue).slice(0, 4)).toEqual(['first1', 'long0-1', 'second1', 'long1-1']);
  });

  test('gives long messages every other text while short ones keep coming', () => {
    const queue = new FairQueue<TextCall>();
    queue.add(call('long', 64));
    const order: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      queue.add(call('query', 2));
      order.push(...queue.take(ONE).map(({ text }) => text));
    }
    expect(order.filter((text) => text.startsWith('long'))).toHaveLength(20);
  });

  test('lets a long call advance however many newcomers come', () => {
    const queue = new FairQueue<TextCall>();
    queue.add(call('long', 50));
    const order: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      queue.add(call('query', 1));
      order.push(...queue.take(ONE).map(({ text }) => text));
    }
    expect(order.filter((text) => text.startsWith('long')).length).toBeGreaterThanOrEqual(5);
  });

  test('takes up to the limits in a turn, and the first text however long it is', () => {
    const queue = new FairQueue<TextCall>();
    queue.add({ texts: ['x'.repeat(100), 'ab', 'cd', 'ef'] });
    const sizes = () => queue.take({ texts: 2, characters: 5 }).map(({ text }) => text.length);
    expect([sizes(), sizes(), sizes(), sizes()]).toEqual([[100], [2, 2], [2], []]);
  });

  test('forgets what waits of a dropped call', () => {
    const queue = new FairQueue<TextCall>();
    const dropped = call('a', 3);
    queue.add(dropped);
    queue.add(call('b', 2));
    queue.take(ONE);
    queue.drop(dropped);
    expect(queue.length).toBe(2);
    expect(takeAll(queue)).toEqual(['b1', 'b2']);
  });

  test('takes each text once, in order within its call, and no call twice before the others of its lane (any calls, any turns)', () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new FairQueue<TextCall>();
        const taken = new Map<TextCall, number[]>();
        const sinceTurn = new Map<TextCall, Set<TextCall>>();
        const take = (texts: number) => {
          for (const { call: served, index } of queue.take({ texts, characters: 1e9 })) {
            taken.get(served)?.push(index);
            // Each call that waited at the last turn of this one, and still waits, has had a turn since.
            const missing = sinceTurn.get(served);
            expect(missing?.size ?? 0).toBe(0);
            for (const others of sinceTurn.values()) others.delete(served);
            const waiting = [...taken].filter(
              ([other, done]) =>
                other !== served && isShort(other) === isShort(served) && done.length < other.texts.length,
            );
            sinceTurn.set(served, new Set(waiting.map(([other]) => other)));
          }
        };
        for (const one of steps) {
          if ('take' in one) take(one.take);
          else {
            const added = call('t', one.add);
            taken.set(added, []);
            queue.add(added);
          }
        }
        while (queue.length > 0) take(1);
        for (const [done, indexes] of taken) expect(indexes).toEqual(done.texts.map((_, index) => index));
      }),
    );
  });
});
