import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LINES_PER_TURN, ndjsonLines, requireWhole } from '../../src/http/ndjson.ts';
import { BrokenOffError } from '../../src/problems/errors.ts';

async function read(input: PassThrough): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of ndjsonLines(input, { lineLimitBytes: 100 })) numbers.push(number);
  return numbers;
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the lines of a stream', () => {
  test('that ends are whole, the last one without a line end too', async () => {
    const input = new PassThrough();
    input.end('{}\n\n{}');
    expect(await read(input)).toEqual([1, 3]);
    requireWhole(input, { lines: 2 });
  });

  test('may begin with a byte order mark, as a body of JSON may', async () => {
    const values: unknown[] = [];
    const input = Readable.from([Buffer.from('\ufeff{"a":1}\n\ufeff{"a":2}\n')]);
    for await (const { read } of ndjsonLines(input, { lineLimitBytes: 100 })) values.push(attempt(read));
    expect(values).toEqual([{ a: 1 }, 'is not JSON']);
  });

  test('with an integer that is not kept exactly are refused, each by itself', async () => {
    const values: unknown[] = [];
    const input = Readable.from([Buffer.from('{"a":{"id":9007199254740993}}\n{"a":9007199254740992}\n')]);
    for await (const { read } of ndjsonLines(input, { lineLimitBytes: 100 })) values.push(attempt(read));
    expect(values).toEqual([
      'a/id is beyond 2^53, where numbers are not kept exactly: send it as a string',
      { a: 9007199254740992 },
    ]);
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

test('lines are the same however the stream is cut, and of those that are too long nothing is kept beyond the limit', async () => {
  const limit = 8;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constantFrom('{}', '', '{"a":1}', '{"a":12}'),
          fc.string({ unit: fc.constant('x'), maxLength: 30 }),
        ),
      ),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      async (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        for (let start = 0; start < bytes.length; start += chunks.at(-1)?.length ?? 0)
          chunks.push(bytes.subarray(start, start + (sizes[chunks.length % sizes.length] as number)));
        const read: unknown[] = [];
        for await (const line of ndjsonLines(Readable.from(chunks, { objectMode: false }), { lineLimitBytes: limit })) {
          let said: unknown;
          try {
            said = line.read();
          } catch (error) {
            said = (error as Error).message;
          }
          read.push([line.number, line.bytes, said]);
        }
        const expected = lines.flatMap((line, index) => {
          if (line === '') return [];
          const said =
            line.length > limit
              ? `has more than ${limit} bytes`
              : line.includes('x')
                ? 'is not JSON'
                : JSON.parse(line);
          return [[index + 1, Math.min(line.length, limit + 1), said]];
        });
        expect(read).toEqual(expected);
      },
    ),
  );
});
