import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { TurnQueue } from '../../src/storage/turn-queue.ts';

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
