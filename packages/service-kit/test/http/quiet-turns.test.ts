import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { quietTurns } from '../../src/http/quiet-turns.ts';

/** More than any step needs. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}

function started() {
  let endPatience = () => {};
  const pauses: number[] = [];
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds);
    return new Promise<void>((resolve) => {
      endPatience = resolve;
    });
  };
  const { middleware, begin } = quietTurns({ pause });
  /** @returns ends its answer */
  const request = () => {
    const response = new EventEmitter();
    middleware({} as Request, response as Response, () => {});
    return () => void response.emit('close');
  };
  const nextStep = begin();
  const done: number[] = [];
  const step = (number: number) => void nextStep().then(() => done.push(number));
  return { request, step, done, pauses, endPatience: () => endPatience() };
}

describe('steps between requests', () => {
  test('are done at once where there is no request', async () => {
    const { step, done } = started();
    step(1);
    expect(done).toEqual([]);
    await someTurns();
    expect(done).toEqual([1]);
  });

  test('wait until the last request has its answer, and for one that comes in between', async () => {
    const { request, step, done } = started();
    const [endFirst, endSecond] = [request(), request()];
    step(1);
    await someTurns();
    endFirst();
    await someTurns();
    expect(done).toEqual([]);
    endSecond();
    const endThird = request();
    await someTurns();
    expect(done).toEqual([]);
    endThird();
    await someTurns();
    expect(done).toEqual([1]);
  });

  test('wait for 5 s in all, since an event stream never ends', async () => {
    const { request, step, done, pauses, endPatience } = started();
    request();
    step(1);
    await someTurns();
    expect([done, pauses]).toEqual([[], [5_000]]);
    endPatience();
    await someTurns();
    step(2);
    await someTurns();
    expect([done, pauses]).toEqual([[1, 2], [5_000]]);
  });
});
