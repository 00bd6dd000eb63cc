import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import fc from 'fast-check';
import { CHARACTERS_PER_TURN, sendJson, turnsOf } from '../../src/http/json-answer.ts';
import { rawExchange } from '../raw-exchange.ts';

const listOf = (count: number, text: string) => Array.from({ length: count }, (_, id) => ({ id, text, gist: text }));

describe('the JSON of a large value, in turns', () => {
  test('is what JSON.stringify makes of it', () => {
    const letter = fc.constantFrom('a', '"', '\n', 'ä', '我', '😀', '\ud800');
    const leaf = fc.oneof(
      fc.string(),
      letter.map((one) => one.repeat(60_000)),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, Symbol('s'), () => 0, new Date(0), new Map([[1, 2]])),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 6 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (body) => {
        expect([...turnsOf(body)].join('')).toBe(JSON.stringify(body));
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ['200 memories of long texts', { memories: listOf(200, 'a'.repeat(20_000)) }],
    ['one list in another', { one: { two: [listOf(90, 'a'.repeat(9_000))] } }],
    ['many numbers', { series: Array.from({ length: 100_000 }, (_, n) => [n, n / 2]) }],
    ['many fields', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field ${n}`, n]))],
  ])('of %s has turns of a bounded length', (_name, value) => {
    const lengths = [...turnsOf(value)].map(({ length }) => length);
    expect(lengths.length).toBeGreaterThan(5);
    // A piece is what had gathered, and one part that cannot be divided.
    expect(Math.max(...lengths)).toBeLessThan(2.5 * CHARACTERS_PER_TURN);
  });
});

describe('a JSON answer', () => {
  const LARGE = { memories: listOf(60, '"wörd"\n'.repeat(5_000)) };

  async function exchange(
    body: unknown,
    given: { lines?: string[]; method?: string; ours?: boolean },
  ): Promise<string> {
    const app = express();
    app.disable('etag');
    if (given.ours ?? true) app.response.json = sendJson;
    app.get('/', (_req, res) => void res.status(200).json(body));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const head = [`${given.method ?? 'GET'} / HTTP/1.1`, 'Host: a', 'Connection: close', ...(given.lines ?? [])];
    try {
      const received = await rawExchange(
        { address: { host: '127.0.0.1', port } } as never,
        `${head.join('\r\n')}\r\n\r\n`,
      );
      return received.replace(/^Date: .*$/m, 'Date: now');
    } finally {
      server.close();
    }
  }

  test.each([
    ['a large one', LARGE, {}],
    ['a small one', { a: 'ö' }, {}],
    ['one text that is sent in parts', { text: '我'.repeat(400_000) }, {}],
    ['one to HEAD', LARGE, { method: 'HEAD' }],
    ['one that the client has', LARGE, { lines: ['If-None-Match: *'] }],
  ])('is the same bytes that Express sends: %s', async (_name, body, given) => {
    const ours = await exchange(body, given);
    const expected = await exchange(body, { ...given, ours: false });
    // Without toBe, whose message would show the difference of two megabytes.
    expect(ours === expected).toBe(true);
    expect(ours).toMatch(/^HTTP\/1\.1 (?:200|304) /);
  });

  test('of many texts is made and sent in many turns', async () => {
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns++) await nextTurn();
    })();
    await exchange(LARGE, {});
    isOver = true;
    await counting;
    // It takes as many turns to make the answer as to send it.
    expect(turns).toBeGreaterThan((2 * JSON.stringify(LARGE).length) / (2.5 * CHARACTERS_PER_TURN));
  });

  test('that cannot be made is an error of its request', async () => {
    const app = express();
    app.response.json = sendJson;
    app.get('/', (_req, res) => void res.json([...listOf(60, 'a'.repeat(9_000)), { toJSON: () => 1n }]));
    app.use(((error, _req, res, _next) => void res.status(500).send(error.name)) as express.ErrorRequestHandler);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect([answer.status, await answer.text()]).toEqual([500, 'TypeError']);
    server.close();
  });

  test('is not made to its end for a client that is gone', async () => {
    const app = express();
    app.response.json = sendJson;
    const asked: number[] = [];
    let left = () => {};
    const gone = new Promise<void>((resolve) => (left = resolve));
    const item = (n: number) => ({
      get text() {
        asked.push(n);
        return 'a'.repeat(90_000);
      },
    });
    app.get('/', (_req, res) => {
      res.once('close', () => left());
      res.json(Array.from({ length: 40 }, (_, n) => item(n)));
      res.destroy();
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await expect(fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).rejects.toThrow();
    await gone;
    for (let turns = 0; turns < 10; turns++) await nextTurn();
    expect(Math.max(...asked)).toBeLessThan(5);
    server.close();
  });
});
