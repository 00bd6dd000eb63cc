import { messageHeaders } from './message-headers.ts';
import { jsonOf, messagesOf } from './messages.ts';

/** Everything outside the process that a bridge uses. */
export interface BridgeEdge {
  /** JSON-RPC from the host, one message a line. */
  readonly input: AsyncIterable<Uint8Array>;
  /** JSON-RPC to the host, one message a line. Anything else there is a fault for the host. */
  readonly out: (line: string) => void;
  readonly err: (text: string) => void;
  readonly fetch: typeof fetch;
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface BridgeOptions {
  /** 'memory-service' */
  readonly service: string;
  /** The address of /mcp. */
  readonly url: URL;
  /** The agent and session of the requests. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly protocolVersion?: string;
    readonly serverInfo?: ServerInfo;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

interface ServerInfo {
  readonly name?: string;
}

/**
 * How long a message waits for a service that is away, such as during a restart, before it is answered with an error. Once one has
 * waited in vain, no other waits until the service has answered again: a model would be held up by each of its calls.
 */
const AWAY_LIMIT_MS = 10_000;
const AWAY_STEP_MS = 250;
/** How long requests may continue after the host has closed its input. */
const LEAVE_LIMIT_MS = 5_000;
/** RFC 9110: statuses of a gateway that does not reach the service. The service has done nothing. */
const BAD_GATEWAY = 502;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/**
 * Passes JSON-RPC messages between a host that speaks over standard input and output, and a service that speaks streamable HTTP.
 * Each message is a separate request, so nothing is lost when the service restarts. Resolves when the input has ended.
 */
export async function bridge(edge: BridgeEdge, options: BridgeOptions): Promise<void> {
  const underWay = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  /** The protocol revision of a host of 2025, which names it only once. */
  let negotiated: string | null = null;
  const presence: Presence = { isAway: false };

  const start = (message: Message): void => {
    const cancel = new AbortController();
    const key = message.id === undefined ? null : keyOf(message.id);
    if (key !== null) underWay.set(key, cancel);
    const signal = AbortSignal.any([edge.signal, cancel.signal]);
    const work = pass(message, { edge, options, signal, negotiated, presence }).then((version) => {
      negotiated = version ?? negotiated;
      if (key !== null) underWay.delete(key);
      running.delete(work);
    });
    running.add(work);
  };

  for await (const line of jsonLines(edge.input, edge.signal)) {
    const message = jsonOf(line) as Message | undefined;
    if (message === undefined || message === null || typeof message !== 'object') {
      edge.out(errorLine(null, PARSE_ERROR, 'This is not a JSON object on one line.'));
    } else if (Array.isArray(message)) {
      edge.out(errorLine(null, INVALID_REQUEST, 'This is a list: send one JSON-RPC message on each line.'));
    } else if (message.method === 'notifications/cancelled') {
      underWay.get(keyOf(message.params?.requestId))?.abort();
    } else if (typeof message.method === 'string') {
      start(message);
    } else if (message.id !== undefined && message.result === undefined && message.error === undefined) {
      edge.out(errorLine(message.id, INVALID_REQUEST, 'This message has no method.'));
    }
    // Anything else would be an answer, and services ask hosts nothing.
  }
  // A pause that nobody ends would keep the process alive, and the host waits for it.
  const leaving = new AbortController();
  const limit = edge.pause(LEAVE_LIMIT_MS, AbortSignal.any([edge.signal, leaving.signal])).catch(() => {});
  await Promise.race([Promise.allSettled(running), limit]);
  leaving.abort();
  for (const cancel of underWay.values()) cancel.abort();
}

/** What the messages of a host know of the service together. */
interface Presence {
  /** Whether it was away for longer than a message waits, and has not answered since. */
  isAway: boolean;
}

interface Passing {
  readonly edge: BridgeEdge;
  readonly options: BridgeOptions;
  readonly signal: AbortSignal;
  readonly negotiated: string | null;
  readonly presence: Presence;
}

/** @returns the revision that an `initialize` agreed on */
async function pass(message: Message, passing: Passing): Promise<string | null> {
  const { edge, signal } = passing;
  const { id } = message;
  let isAnswered = id === undefined;
  let version: string | null = null;
  try {
    for await (const received of messagesOf(await sent(message, passing))) {
      const answer = answerTo(id, received);
      const { id: answers, result } = answer;
      if (answers === id) {
        refuseOther(result, passing.options);
        isAnswered = true;
        if (message.method === 'initialize') version = result?.protocolVersion ?? null;
      }
      edge.out(`${JSON.stringify(answer)}\n`);
    }
    if (!isAnswered) edge.out(errorLine(id, INTERNAL_ERROR, `${passing.options.service} gave no answer to this.`));
  } catch (error) {
    // A host that has cancelled a request expects no answer.
    if (signal.aborted) return null;
    const said = (error as Error).message;
    edge.err(`${message.method}: ${said}\n`);
    if (!isAnswered) edge.out(errorLine(id, INTERNAL_ERROR, said));
  }
  return version;
}

/** Of a message that it could not read, the service does not know the id. @throws Error for a notification, which nobody answers */
function answerTo(id: Message['id'], answer: Message): Message {
  if (answer.id !== null) return answer;
  if (id === undefined) throw new Error(answer.error?.message ?? 'The service refused it.');
  return { ...answer, id };
}

/** @throws Error that says what to do */
async function sent(message: Message, { edge, options, signal, negotiated, presence }: Passing): Promise<Response> {
  const headers = { ...options.headers, ...messageHeaders(message, negotiated) };
  const init = { method: 'POST', headers, body: JSON.stringify(message), signal };
  for (let waited = 0; ; waited += AWAY_STEP_MS) {
    const isLast = presence.isAway || waited >= AWAY_LIMIT_MS;
    try {
      const response = await edge.fetch(options.url, init);
      const isThere = response.status !== BAD_GATEWAY;
      if (isThere || isLast) {
        presence.isAway = !isThere;
        return response;
      }
      await response.body?.cancel();
    } catch (error) {
      if (signal.aborted || !wasRefused(error)) throw lost(error, options);
      if (isLast) {
        presence.isAway = true;
        throw away(options);
      }
    }
    await edge.pause(AWAY_STEP_MS, signal);
  }
}

/** A host would take the tools of one service for those of the other. @throws Error where the other service answers */
function refuseOther(result: Message['result'], { service, url }: BridgeOptions): void {
  const info = result?.serverInfo ?? (result?._meta?.['io.modelcontextprotocol/serverInfo'] as ServerInfo | undefined);
  const answers = /^agent-faculties-(memory|timing)$/.exec(info?.name ?? '')?.[1];
  if (answers === undefined || `${answers}-service` === service) return;
  throw new Error(
    `At ${url.href} answers ${answers}-service and not ${service}: say where it is with --url. Behind a gateway timing-service is below /timing.`,
  );
}

/** Whether no connection came to be, so that the service has done nothing. */
function wasRefused(error: unknown): boolean {
  return codesOf(error).some((code) => UNREACHED.has(code));
}

const UNREACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** The codes of the errors at all addresses that were tried. */
function codesOf(error: unknown): string[] {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  return [cause, ...(cause?.errors ?? [])].flatMap((one) => one?.code ?? []);
}

function away({ service, url }: BridgeOptions): Error {
  return new Error(
    `${service} does not answer at ${url.origin}: start it with "agent-faculties start", or say where it is with --url, or where its data are with --data.`,
  );
}

function lost(cause: unknown, { service, url }: BridgeOptions): Error {
  const { message, cause: reason } = cause as Error;
  const why = (reason as Error | undefined)?.message ?? message;
  if (why === 'bad port') {
    return new Error(
      `fetch refuses port ${url.port}, as browsers do (${why}), and nothing was sent: give ${service} another one.`,
      { cause },
    );
  }
  if (codesOf(cause).some((code) => /CERT|UNABLE_TO_VERIFY/.test(code))) {
    return new Error(
      `The certificate of ${url.origin} is not trusted (${why}), and nothing was sent: name it, or the one that signed it, by NODE_EXTRA_CA_CERTS=FILE in the environment of this command.`,
      { cause },
    );
  }
  return new Error(
    `The connection to ${service} at ${url.origin} was lost (${why}). What was asked may have been done: look before you ask again.`,
    { cause },
  );
}

function errorLine(id: Message['id'], code: number, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })}\n`;
}

/** A key for an id. Ids of different types are different: 1 is not "1". */
function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

async function* jsonLines(input: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of untilAborted(input, signal)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

/** A host that ends by a signal may leave the input open. */
async function* untilAborted<T>(input: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const items = input[Symbol.asyncIterator]();
  for (;;) {
    const item = await orAborted(items.next(), signal);
    if (item.done) return;
    yield item.value;
  }
}

/** With a listener of its own, because a promise for the end of the session would keep all that was ever read. */
function orAborted<T>(next: Promise<IteratorResult<T>>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ done: true, value: undefined });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    next.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
