import { lookup as systemLookup } from 'node:dns';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateHost, publicLookup } from './public-address.ts';

/** For the whole of a request; the specification of Standard Webhooks recommends 15 to 30 s. */
export const ANSWER_LIMIT_MS = 15_000;
/** Bytes of an answer that are read, and dropped, so that the connection may be used again. Those of its form count: many small parts take long. */
const ANSWER_LIMIT_BYTES = 64 * 1024;

/** Resolves after some milliseconds, and rejects when the signal ends it. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface PosterOptions {
  /** Whether plain HTTP and addresses that are not public are allowed. */
  readonly allowPrivate: boolean;
  readonly pause: Pause;
  /** That of the system unless given. */
  readonly lookup?: LookupFunction;
}

const NO_ANSWER = new Error('the connection was closed without an answer');
const TOO_LONG = new Error(`the answer is longer than ${ANSWER_LIMIT_BYTES / 1024} KiB`);

export interface Answer {
  readonly status: number;
  /** Seconds that the receiver asks for; null: none. */
  readonly retryAfterSeconds: number | null;
}

/** Sends to one URL, over a connection that is kept. Redirects are not followed. */
export class Poster {
  readonly #url: URL;
  readonly #options: PosterOptions;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(url: URL, options: PosterOptions) {
    this.#url = url;
    this.#options = options;
    const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true });
  }

  /** @throws Error that says why there is no answer, and at once when the signal ends it */
  async post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    const { allowPrivate, lookup = systemLookup as LookupFunction } = this.#options;
    // Addresses in a URL are not looked up.
    if (!allowPrivate && isPrivateHost(this.#url)) throw new Error('the address is private');
    signal.throwIfAborted();
    const request = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
    const req = request(this.#url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      agent: this.#agent,
      lookup: allowPrivate ? lookup : publicLookup(lookup),
    });
    const stop = () => req.destroy(new Error('stopped'));
    signal.addEventListener('abort', stop);
    const answered = new AbortController();
    this.#options.pause(ANSWER_LIMIT_MS, answered.signal).then(
      () => req.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS / 1_000} s`)),
      () => {},
    );
    try {
      return await new Promise((resolve, reject) => {
        let answer: Answer | null = null;
        // Once there is a status it stands, whatever becomes of the body.
        const end = (error: Error) => (answer ? resolve(answer) : reject(error));
        const limit = limitOf(req);
        // 100 and 103 may come any number of times before the answer.
        req.on('information', limit);
        req.once('response', (res) => {
          answer = answerOf(res);
          // The body is read for the sake of the connection.
          res.on('data', limit);
          res.on('error', () => {});
          res.once('close', () => end(NO_ANSWER));
        });
        req.on('error', end);
        req.once('close', () => end(NO_ANSWER));
        req.end(body);
      });
    } finally {
      answered.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What ends a request once too much was sent back. */
function limitOf(req: ClientRequest): () => void {
  let readBefore = 0;
  req.once('socket', (socket) => {
    readBefore = socket.bytesRead;
  });
  return () => {
    const { bytesRead = 0 } = req.socket ?? {};
    if (bytesRead - readBefore > ANSWER_LIMIT_BYTES) req.destroy(TOO_LONG);
  };
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): Answer {
  return { status: statusCode, retryAfterSeconds: retryAfterOf(headers) };
}

/** Seconds, or the time until a date by the clock of the receiver (RFC 9110, 10.2.3). */
function retryAfterOf({ 'retry-after': retryAfter = '', date = '' }: IncomingHttpHeaders): number | null {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const seconds = (Date.parse(retryAfter) - Date.parse(date)) / 1_000;
  return seconds > 0 ? seconds : null;
}
