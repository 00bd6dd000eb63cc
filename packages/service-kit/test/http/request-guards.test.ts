import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { largeBodiesInTurn } from '../../src/http/request-guards.ts';

test('of many large bodies that came in at once one goes on in each later turn; small ones go on at once', async () => {
  const inTurn = largeBodiesInTurn();
  let turn = 0;
  const turns: number[] = [];
  const goesOn = (bodyBytes: number) =>
    new Promise<void>((resolve) => {
      inTurn({ bodyBytes } as Request, {} as Response, () => {
        turns.push(turn);
        resolve();
      });
    });
  void goesOn(1_000);
  void goesOn(1_000);
  expect(turns).toEqual([0, 0]);
  turns.length = 0;
  const isOver = Promise.all(Array.from({ length: 16 }, () => goesOn(600_000))).then(() => true);
  while (!(await Promise.race([isOver, nextTurn(false)]))) turn++;
  expect(new Set(turns).size).toBe(16);
  expect(Math.min(...turns)).toBeGreaterThan(0);
});
