import {
  ConnectionError,
  errorOf,
  type FacultiesError,
  RateLimitError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { jsonOf } from './json.ts';
import type { ClientOptions } from './options.ts';
import { baseOf, bodyOf, headersOf, isRepeatable, pathOf, queryOf, type Request, withKey } from './request.ts';
import { type Runtime, SYSTEM_RUNTIME } from './runtime.ts';

export interface Core {
  readonly runtime: Runtime;
  /** Limit of a call that says none. */
  readonly timeoutMs: number;
  readonly onProblem: (error: unknown) => void;
  /**
   * Sends a request, retries it where that is safe, and reads the answer.
   * `read` gets the answer when it is 2xx; with `isStream` the timeout ends when it is called.
   */
  readonly send: <T>(request: Request, read: Read<T>, options?: { readonly isStream: boolean }) => Promise<T>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;
/** Pause before the first retry, doubled for each further one. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** How long the pauses of a call are together while a service that has answered before refuses connections: it is being started anew. */
const RESTART_MS = 8_000;
/** So that a service which is back does not wait for long. */
const LONGEST_RESTART_PAUSE_MS = 1_000;
/** Statuses after which a retry may succeed: slow body, too many requests, server away. */
const WORTH_ANOTHER_TRY: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

export function createCore(defaultUrl: string, client: ClientOptions): Core {
  const base = baseOf(client.url ?? defaultUrl, client.fetch);
  const runtime = { ...SYSTEM_RUNTIME, ...client.runtime };
  const ask = client.fetch ?? globalThis.fetch.bind(globalThis);
  const timeoutMs = client.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  /** Whether it has answered since a call has waited for it in vain. Nobody waits for a service that was never there. */
  let wasThere = false;

  async function send<T>(request: Request, read: Read<T>, { isStream } = { isStream: false }): Promise<T> {
    const sending = sendingOf(request);
    const { limit, retries } = sending;
    let waitedMs = 0;
    for (let tries = 0; ; tries++) {
      const outcome = await attempt(sending, read, { isStream });
      if ('result' in outcome) return outcome.result;
      const { failure, retryAfterMs } = outcome;
      const isRefused = wasRefused(failure);
      const awaitsRestart = isRefused && wasThere && retries > 0;
      const longestMs = awaitsRestart ? LONGEST_RESTART_PAUSE_MS : LONGEST_PAUSE_MS;
      const pauseMs = Math.max(retryAfterMs, pauseBefore(tries, { random: runtime.random(), longestMs }));
      waitedMs += pauseMs;
      // 429 and a refused connection say that the service has done nothing.
      const mayRepeat = sending.isRepeatable || failure instanceof RateLimitError || isRefused;
      const isEnough = awaitsRestart ? waitedMs > RESTART_MS : tries >= retries;
      if (isEnough || !mayRepeat || !limit.leaves(pauseMs)) {
        wasThere &&= !awaitsRestart;
        throw failure;
      }
      await runtime.sleep(pauseMs, limit.halt).catch((error) => {
        throw noAnswer(error, sending);
      });
    }
  }

  /** @throws the reason of the caller's signal, where that has ended the call already */
  function sendingOf(request: Request): Sending {
    const { operation, options = {} } = request;
    const { signal } = options;
    const input = withKey(operation, request.input ?? {}, runtime);
    const sent = {
      method: operation.method,
      url: base + pathOf(operation, input) + queryOf(operation, input),
      headers: headersOf(client, request, input),
      body: request.lines ?? (operation.body ? jsonOf(bodyOf(operation, input)) : undefined),
    };
    signal?.throwIfAborted();
    return {
      ...sent,
      isRepeatable: isRepeatable(operation, input),
      retries: options.maxRetries ?? client.maxRetries ?? DEFAULT_RETRIES,
      signal,
      limit: limitOf(runtime, options.timeoutMs ?? timeoutMs, signal),
    };
  }

  /** @throws what a retry does not change */
  async function attempt<T>(
    sending: Sending,
    read: Read<T>,
    { isStream }: ReadOptions,
  ): Promise<{ readonly result: T } | Failure> {
    const { method, url, headers, body, limit } = sending;
    try {
      const response = await ask(url, { method, headers, signal: limit.halt, ...(body !== undefined && { body }) });
      wasThere = true;
      if (response.ok) {
        if (isStream) limit.lift();
        return { result: await read(response) };
      }
      const error = await errorOf(response, `${method} ${url}`);
      if (!WORTH_ANOTHER_TRY.has(error.status)) throw error;
      return { failure: error, retryAfterMs: retryAfterOf(response.headers, runtime.now()) };
    } catch (error) {
      if (isSaid(error)) throw error;
      return { failure: noAnswer(error, sending), retryAfterMs: 0 };
    }
  }

  /** @throws the reason of the caller's signal, where that has ended the call */
  function noAnswer(error: unknown, { method, url, limit, signal }: Sending): FacultiesError {
    if (signal?.aborted) throw signal.reason;
    if (limit.isOver()) return new TimeoutError(`${method} ${url} was not answered within ${limit.ms} ms.`);
    const reason = reasonOf(error);
    const advice =
      reason === 'bad port'
        ? 'fetch refuses this port, as browsers do; give the service another one'
        : 'check the address and whether the service runs';
    return new ConnectionError(`${base} cannot be reached (${reason}): ${advice}.`, { cause: error });
  }

  return { runtime, timeoutMs, onProblem: client.onProblem ?? ((error) => console.warn(String(error))), send };
}

type Read<T> = (response: Response) => Promise<T>;

interface ReadOptions {
  readonly isStream: boolean;
}

/** A request as it is sent, each time alike. */
interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: ReturnType<typeof headersOf>;
  readonly body: Request['lines'] | string;
  /** Whether the same request again does no harm. */
  readonly isRepeatable: boolean;
  readonly retries: number;
  /** Of the caller. */
  readonly signal: AbortSignal | undefined;
  readonly limit: Limit;
}

/** What came of an attempt that may be repeated. */
interface Failure {
  readonly failure: FacultiesError;
  /** How long the service asks to wait; 0 where it does not say. */
  readonly retryAfterMs: number;
}

/** How long a call may take, all its attempts together. */
interface Limit {
  readonly ms: number;
  /** Aborts at the end of the time, and when the caller gives up. */
  readonly halt: AbortSignal;
  readonly isOver: () => boolean;
  /** Whether time is left after a pause. */
  readonly leaves: (pauseMs: number) => boolean;
  /** From now on only the caller ends the call. */
  readonly lift: () => void;
}

function limitOf(runtime: Runtime, ms: number, signal: AbortSignal | undefined): Limit {
  const endsAt = runtime.now() + ms;
  const timeout = runtime.timeout(ms);
  // A controller of its own, because a stream outlives the timeout but not the signal of the caller.
  const stop = new AbortController();
  const onTimeout = () => stop.abort();
  timeout.addEventListener('abort', onTimeout, { once: true });
  return {
    ms,
    halt: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    isOver: () => timeout.aborted,
    leaves: (pauseMs) => !timeout.aborted && runtime.now() + pauseMs < endsAt,
    lift: () => timeout.removeEventListener('abort', onTimeout),
  };
}

/** Whether it is an error of this client, which a retry does not change. */
function isSaid(error: unknown): boolean {
  return error instanceof UnexpectedAnswerError || (error instanceof Error && 'problem' in error);
}

/** Equal jitter: half of the pause is fixed, so that a retry never follows at once. */
function pauseBefore(attempt: number, { random, longestMs }: { random: number; longestMs: number }): number {
  return Math.min(longestMs, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + random / 2);
}

/** Whether no connection came to be, at any of the addresses of the host. Where fetch does not say it, as in browsers, false. */
function wasRefused({ cause }: Error): boolean {
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } };
  return reason?.code === 'ECONNREFUSED';
}

/** Retry-After is seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers, nowMs: number): number {
  const value = headers.get('Retry-After') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Math.max(ms || 0, 0);
}

function reasonOf(error: unknown): string {
  // Not instanceof, because fetch may come from another realm.
  const { cause, message } = error as Error & { cause?: Partial<Error> };
  // OpenSSL ends its own with a line break.
  return (cause?.message || message).trim();
}
