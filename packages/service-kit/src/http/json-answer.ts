import { setImmediate as nextTurn } from 'node:timers/promises';
import express, { type Response } from 'express';

/** Characters of JSON that one turn of the event loop makes: 1 to 3 ms. A single text is one piece, however long. */
export const CHARACTERS_PER_TURN = 100_000;
/** Handed to the system at once, which copies them before it comes back. */
const BYTES_PER_WRITE = 256 * 1024;
/** Of a number, a literal, and the signs around any value. */
const LEAST_WEIGHT = 4;
/** Statuses that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);
const { json: sendByExpress } = express.response;

/**
 * Replaces `res.json` of Express, with the same bytes and headers. It makes and sends a large answer, such as 200 memories of
 * 400 kB, one piece per turn of the event loop; in one turn it blocked all requests for hundreds of milliseconds.
 */
export function sendJson(this: Response, body: unknown): Response {
  if (weightOf(body, CHARACTERS_PER_TURN) <= CHARACTERS_PER_TURN) return sendAtOnce(this, body);
  sendInTurns(this, body).catch((error) => this.req.next?.(error));
  return this;
}

/** What Express sends for most answers, without its questions about content types and caches. */
function sendAtOnce(res: Response, body: unknown): Response {
  const { method, headers } = res.req;
  const isPlain =
    method !== 'HEAD' &&
    !EMPTY.has(res.statusCode) &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    !res.hasHeader('Content-Type');
  const text = isPlain ? JSON.stringify(body) : undefined;
  if (text === undefined) return sendByExpress.call(res, body);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text, 'utf8');
  return res;
}

async function sendInTurns(res: Response, body: unknown): Promise<void> {
  const encoded: Buffer[] = [];
  for (const text of turnsOf(body)) {
    encoded.push(Buffer.from(text));
    await nextTurn();
    if (res.destroyed) return;
  }
  if (!res.get('Content-Type')) res.type('json');
  if (res.req.fresh) return void res.send('');
  res.set('Content-Length', String(encoded.reduce((sum, { length }) => sum + length, 0)));
  if (res.req.method === 'HEAD') return void res.end();
  for (const bytes of encoded.flatMap(inWrites)) {
    if (res.write(bytes)) await nextTurn();
    else await room(res);
    if (res.destroyed) return;
  }
  res.end();
}

function inWrites(bytes: Buffer): Buffer[] {
  const writes = Math.ceil(bytes.length / BYTES_PER_WRITE);
  return Array.from({ length: writes }, (_, at) => bytes.subarray(at * BYTES_PER_WRITE, (at + 1) * BYTES_PER_WRITE));
}

/** Resolves when more can be written, or when the client is gone. */
function room(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

/** The JSON of a value, in pieces of one turn each. */
export function* turnsOf(value: unknown): Generator<string> {
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length < CHARACTERS_PER_TURN) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* piecesOf(value: unknown): Generator<string> {
  if (!isDivisible(value) || weightOf(value, CHARACTERS_PER_TURN) <= CHARACTERS_PER_TURN) {
    yield JSON.stringify(value);
    return;
  }
  if (Array.isArray(value)) {
    let sign = '[';
    for (const item of value) {
      yield sign;
      yield* piecesOf(isSaid(item) ? item : null);
      sign = ',';
    }
    yield ']';
    return;
  }
  let sign = '{';
  for (const [name, field] of Object.entries(value)) {
    if (!isSaid(field)) continue;
    yield `${sign}${JSON.stringify(name)}:`;
    yield* piecesOf(field);
    sign = ',';
  }
  yield sign === '{' ? '{}' : '}';
}

function isDivisible(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** Whether JSON can represent the value. If not, it becomes null in an array and is left out of an object. */
function isSaid(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** About as many characters as the JSON of a value has; no more are counted than tell that it is over a limit. */
function weightOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + LEAST_WEIGHT;
  if (typeof value !== 'object' || value === null) return LEAST_WEIGHT;
  let weight = LEAST_WEIGHT;
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += weightOf(item, limit - weight);
      if (weight > limit) break;
    }
    return weight;
  }
  for (const name in value) {
    weight += name.length + weightOf((value as Record<string, unknown>)[name], limit - weight);
    if (weight > limit) break;
  }
  return weight;
}
