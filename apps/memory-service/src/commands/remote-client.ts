import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ndjsonLines } from '@agent-faculties/service-kit/http';
import { LINE_LIMIT_BYTES } from '../domain/transfer/line-limit.ts';
import { type Remote, RemoteError, type RemoteReport } from '../domain/transfer/remote.ts';

/** A merge of some hundred memories takes a second; a busy server may take longer. */
const REQUEST_LIMIT_MS = 120_000;
/** Pauses between attempts; a server that restarts is back within their sum. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
/** Statuses after which the same request may succeed: too many requests, a gateway without its server, a busy server. */
const WORTH_ANOTHER_TRY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface RemoteClientOptions {
  readonly url: URL;
  /** The key for a gateway in front of the server; null: there is none. */
  readonly apiKey: string | null;
  /** null: that of the key, else the default one. */
  readonly space: string | null;
  readonly fetch: typeof fetch;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A memory service, or the gateway in front of it, over HTTP. */
export function remoteClient({ url, apiKey, space, fetch, pause }: RemoteClientOptions): Remote {
  const ask = async (path: string, { agentId, ...init }: RequestInit & { agentId?: string }): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (agentId !== undefined) headers.set('X-Agent-ID', utf8Header(agentId));
    if (space !== null) headers.set('X-Space', space);
    if (apiKey !== null) headers.set('Authorization', `Bearer ${apiKey}`);
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= PAUSES_MS.length;
      try {
        const answer = await fetch(at(url, path), { ...init, headers });
        if (last || !WORTH_ANOTHER_TRY.has(answer.status)) return answer;
        await answer.body?.cancel();
      } catch (error) {
        if (last) throw unreachable(url, causeOf(error));
      }
      await pause(PAUSES_MS[attempt] as number);
    }
  };
  return {
    merge: async (lines, { agentId, dryRun }) => {
      const answer = await ask(`merge${dryRun ? '?dry_run=true' : ''}`, {
        method: 'POST',
        agentId,
        headers: { 'Content-Type': 'application/x-ndjson' },
        body: lines.map((line) => `${line}\n`).join(''),
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      });
      const { report } = (await bodyOf(answer, url)) as { report?: RemoteReport };
      if (!report) throw noMemoryService(url);
      return report;
    },
    export: async function* (agentId) {
      const answer = await ask('export?vectors=true', { agentId });
      if (!answer.ok) await bodyOf(answer, url);
      const stream = Readable.fromWeb(answer.body as ReadableStream);
      let fault: Error | null = null;
      stream.once('error', (error) => {
        fault = error;
      });
      yield* ndjsonLines(stream, { lineLimitBytes: LINE_LIMIT_BYTES });
      if (fault) {
        throw new RemoteError(
          `The export of ${url} broke off (${causeOf(fault)}). What came so far is kept: run the command again.`,
        );
      }
    },
    state: async () => {
      const answer = await ask('health', { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
      const health = await bodyOf(answer, url);
      if (!isHealth(health)) throw noMemoryService(url);
      const { memories, embedding } = health;
      const model = embedding.model === null ? null : { id: embedding.model, dimension: embedding.dimension };
      return { memories, model };
    },
  };
}

interface Health {
  readonly memories: number;
  readonly embedding: { readonly model: string | null; readonly dimension: number };
}

/** Whether the body is that of a memory service; other services answer /health too. */
function isHealth(body: unknown): body is Health {
  const { memories, embedding } = body as Partial<Health>;
  return typeof memories === 'number' && typeof embedding === 'object' && embedding !== null;
}

function noMemoryService(url: URL): RemoteError {
  return new RemoteError(`${url} is not a memory-service: check the address.`);
}

/** Appends to the path of the address, because a gateway may serve the service below a folder. */
function at(url: URL, path: string): URL {
  return new URL(path, url.href.endsWith('/') ? url : `${url.href}/`);
}

/** Encodes as UTF-8 with one byte in each character, which is the form that `Headers` takes. */
function utf8Header(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

function unreachable(url: URL, cause: string): RemoteError {
  const advice = /certificate/i.test(cause)
    ? 'name the file of its certificate in the environment variable NODE_EXTRA_CA_CERTS'
    : 'check the address and the network';
  return new RemoteError(`${url} cannot be reached (${cause}): ${advice}.`);
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

async function bodyOf(answer: Response, url: URL): Promise<unknown> {
  const text = await answer.text();
  const body = jsonOf(text);
  if (answer.ok && body) return body;
  if (answer.status === 401 || answer.status === 403) {
    throw new RemoteError(
      `${url} refuses this key (${answer.status}): give --api-key one that may merge (for push) or export (for pull).`,
    );
  }
  if (typeof body?.detail === 'string') throw new RemoteError(`${url} answered ${answer.status}: ${body.detail}`);
  throw new RemoteError(`${url} answered ${answer.status} and is not a memory-service: check the address.`);
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
