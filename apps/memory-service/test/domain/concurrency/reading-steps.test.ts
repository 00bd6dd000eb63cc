import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { asQuestion, isLong, readInSteps, readingStep } from '../../../src/domain/concurrency/reading-steps.ts';

describe('a step on a text', () => {
  const LONG = 'a'.repeat(200_000);

  test('is done at once for a short text, and one a turn for long ones, whoever asks', async () => {
    expect([isLong('a'.repeat(8_000)), isLong(LONG)]).toEqual([false, true]);
    let turn = 0;
    const turns: number[] = [];
    const all = Promise.all(Array.from({ length: 16 }, () => readingStep(LONG, () => turns.push(turn))));
    const short = readingStep('short', () => turn);
    const isOver = all.then(() => true);
    while (!(await Promise.race([isOver, nextTurn(false)]))) turn++;
    expect(await short).toBe(0);
    expect(new Set(turns).size).toBe(16);
  });

  test('is one of several of a long text, a turn each; those of a short text are done at once', async () => {
    let turn = 0;
    const turns: number[] = [];
    function* steps() {
      for (let step = 0; step < 5; step++) {
        turns.push(turn);
        yield;
      }
      return 'read';
    }
    const all = readInSteps(LONG, steps());
    const isOver = all.then(() => true);
    while (!(await Promise.race([isOver, nextTurn(false)]))) turn++;
    expect(await all).toBe('read');
    expect(new Set(turns).size).toBe(5);
    turns.length = 0;
    const short = readInSteps('short', steps());
    expect(turns).toHaveLength(5);
    expect(await short).toBe('read');
  });

  test('waits a bounded number of pauses for a question that nobody answers', async () => {
    const order: string[] = [];
    let answer = () => {};
    const question = asQuestion(() => new Promise<void>((resolve) => (answer = resolve)));
    await readingStep(
      LONG,
      () => order.push('step'),
      async () => order.push('pause'),
    );
    expect(order).toEqual(['pause', 'pause', 'pause', 'pause', 'step']);
    answer();
    await question;
  });

  test('is done as soon as the question is answered, and at once when there is none', async () => {
    const order: string[] = [];
    let answer = () => {};
    const question = asQuestion(() => new Promise<void>((resolve) => (answer = resolve)));
    const pause = async () => {
      order.push('pause');
      answer();
      await question;
    };
    await readingStep(LONG, () => order.push('step'), pause);
    await readingStep(LONG, () => order.push('step'), pause);
    expect(order).toEqual(['pause', 'step', 'step']);
  });
});
