import { stat } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { TurnQueue } from '../../src/index.ts';

describe('a turn queue', () => {
  test('runs one piece of work a turn, in order, what follows it included', async () => {
    const queue = new TurnQueue();
    let turn = 0;
    const ran: { name: number; turn: number; after: number }[] = [];
    const all = Promise.all(
      Array.from({ length: 20 }, async (_, name) => {
        const began = await queue.run(() => turn);
        ran.push({ name, turn: began, after: turn });
      }),
    );
    const isOver = all.then(() => true);
    while (!(await Promise.race([isOver, nextTurn(false)]))) turn++;
    expect(ran.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, name) => name));
    expect(ran.every(({ turn: began, after }) => began === after)).toBe(true);
    expect(new Set(ran.map(({ turn: began }) => began)).size).toBe(20);
  });

  test('looks for input between two pieces that are asked for when input has come in', async () => {
    const order: string[] = [];
    const queue = new TurnQueue();
    await new Promise<void>((resolve) => {
      stat('.', () => {
        // From here, work that is put off once runs before the event loop looks for input again, work that is put off twice after that.
        setImmediate(() => setImmediate(() => order.push('input')));
        void queue.run(() => order.push('first'));
        void queue.run(() => order.push('second')).then(() => resolve());
      });
    });
    expect(order).toEqual(['first', 'input', 'second']);
  });

  test('hands on what work returns and throws, and goes on', async () => {
    const queue = new TurnQueue();
    const bad = queue.run(() => {
      throw new Error('a fault of ours');
    });
    const good = queue.run(() => 42);
    await expect(bad).rejects.toThrow('a fault of ours');
    expect(await good).toBe(42);
  });
});
