import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { LINES_PER_TURN, ndjsonLines, requireWhole } from '../../src/http/ndjson.ts';
import { BrokenOffError } from '../../src/problems/errors.ts';

async function read(input: PassThrough): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of ndjsonLines(input, { lineLimitBytes: 100 })) numbers.push(number);
  return numbers;
}

describe('the lines of a stream', () => {
  test('that ends are whole, the last one without a line end too', async () => {
    const input = new PassThrough();
    input.end('{}\n\n{}');
    expect(await read(input)).toEqual([1, 3]);
    requireWhole(input, { lines: 2 });
  });

  test.each([
    ['in the middle of a line', '{}\n{}\n{"half":', [1, 2]],
    ['between two lines', '{}\n{}\n', [1, 2]],
    ['in the middle of the first line', '{"half"', []],
  ])('that is closed %s are those that came whole, and the rest is said to be missing', async (_, text, expected) => {
    const input = new PassThrough();
    input.write(text, () => setImmediate(() => input.destroy()));
    expect(await read(input)).toEqual(expected);
    expect(() => requireWhole(input, { lines: expected.length })).toThrow(BrokenOffError);
    expect(() => requireWhole(input, { lines: expected.length })).toThrow(`after ${expected.length} whole lines`);
  });

  test('that was closed before anybody read it are none', async () => {
    const input = new PassThrough();
    input.destroy();
    await once(input, 'close');
    expect(await read(input)).toEqual([]);
    expect(() => requireWhole(input, { lines: 0 })).toThrow(BrokenOffError);
  });

  test.each(['x\n', '\n', '{}\n'])(
    'are handed on some at a time, others having a turn in between: %j',
    async (line) => {
      const lines = 20_000;
      let turns = 0;
      let isOver = false;
      const counted = (async () => {
        for (; !isOver; turns++) await nextTurn();
      })();
      let handedOn = 0;
      const input = Readable.from([Buffer.from(line.repeat(lines))]);
      for await (const { number } of ndjsonLines(input, { lineLimitBytes: 100 })) handedOn = number;
      isOver = true;
      await counted;
      expect(handedOn).toBe(line === '\n' ? 0 : lines);
      expect(turns).toBeGreaterThanOrEqual(Math.floor(lines / LINES_PER_TURN));
    },
  );
});
