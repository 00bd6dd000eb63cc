import { createServer, IncomingMessage, type RequestListener, request } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import fc from 'fast-check';
import { denseBodyGuard } from '../../src/http/dense-body.ts';
import { jsonBody } from '../../src/http/json-body.ts';
import { utf8Guard } from '../../src/http/request-guards.ts';
import { problemFor } from '../../src/problems/problem.ts';

const LIMIT_BYTES = 8_000;

const echo = (reader: RequestHandler): RequestListener => {
  const tell: RequestHandler = (req, res) => void res.json({ body: req.body, bytes: req.bodyBytes });
  const problem: ErrorRequestHandler = (error, _req, res, _next) => void res.json(problemFor(error));
  return express().use(reader, tell).use(problem);
};
const ours = createServer(echo(jsonBody(LIMIT_BYTES, [])));
const twin = createServer(
  echo(
    express.json({
      limit: LIMIT_BYTES,
      strict: true,
      verify: (req, _res, body, charset) => {
        utf8Guard(req, body, charset);
        denseBodyGuard(body);
      },
    }),
  ),
);

beforeAll(async () => {
  for (const server of [ours, twin]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  for (const server of [ours, twin]) server.close();
});

interface Sent {
  readonly bytes: Uint8Array;
  readonly type?: string;
  /** In a packet of its own, behind the head. */
  readonly isApart?: boolean;
}

async function answerOf(server: typeof ours, { bytes, type = 'application/json', isApart = false }: Sent) {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': type, 'content-length': bytes.length };
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', agent: false, headers });
  const answer = new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject).on('response', async (response) => {
      response.setEncoding('utf8');
      resolve((await response.toArray()).join(''));
    });
  });
  if (isApart) {
    outgoing.flushHeaders();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
  outgoing.end(bytes);
  return JSON.parse(await answer) as { body?: unknown; bytes?: number; problem?: { code: string } };
}

const compare = async (sent: Sent) => expect(await answerOf(ours, sent)).toEqual(await answerOf(twin, sent));

describe('the body of a request', () => {
  test.each([
    ['an object', '{"a":1}'],
    ['a list, with blanks before it', ' \t\r\n[1,"é"]'],
    ['behind a byte order mark', '\ufeff{"a":1}'],
    ['behind two byte order marks', '\ufeff\ufeff{"a":1}'],
    ['a byte order mark alone', '\ufeff'],
    ['a text', '"a"'],
    ['blanks', '  '],
    ['nothing', ''],
    ['an object that breaks off', '{"a":'],
    ['an object and more', '{"a":1}{'],
    ['behind a blank of Unicode', '\u00a0{}'],
    ['a name that is no field', '{"__proto__":{"a":1}}'],
    ['more than the limit', JSON.stringify({ a: 'x'.repeat(LIMIT_BYTES) })],
    ['just the limit', JSON.stringify({ a: 'x'.repeat(LIMIT_BYTES - 8) })],
  ])('is read as express.json reads it: %s', async (_, text) => {
    await compare({ bytes: Buffer.from(text) });
    await compare({ bytes: Buffer.from(text), isApart: true });
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/JSON',
    'text/plain',
    'application/json, application/json',
  ])('is read as express.json reads it: %s', async (type) => {
    await compare({ bytes: Buffer.from('{"a":"é"}'), type });
  });

  test('is read as express.json reads it, whatever bytes it has', async () => {
    const json = fc.json().map((text) => Buffer.from(text));
    const broken = fc.tuple(fc.json(), fc.nat(), fc.integer({ min: 0, max: 255 })).map(([text, at, byte]) => {
      const bytes = Buffer.from(text);
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    const any = fc.oneof(json, broken, fc.uint8Array({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(any, (bytes) => compare({ bytes })),
      { numRuns: 150 },
    );
  });

  test('is taken without listening for it where it came with its head', async () => {
    const req = new IncomingMessage(new Socket()) as Request;
    req.headers = { 'content-type': 'application/json', 'content-length': '7' };
    const listened = jest.spyOn(req, 'on');
    req.push('{"a":1}');
    await new Promise((next) => jsonBody(LIMIT_BYTES, [])(req, {} as Response, next));
    expect([req.body, listened.mock.calls.map(([event]) => event)]).toEqual([{ a: 1 }, []]);
  });

  test('counts its bytes, and is refused where they are no UTF-8', async () => {
    expect(await answerOf(ours, { bytes: Buffer.from('{"a":"é"}') })).toEqual({ body: { a: 'é' }, bytes: 10 });
    const broken = await answerOf(ours, { bytes: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) });
    expect(broken.problem?.code).toBe('malformed_json');
  });
});
