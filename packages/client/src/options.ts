import type { Runtime } from './runtime.ts';

/** One that is undefined counts as absent, so that a variable of the environment goes in as it is. */
export interface ClientOptions {
  /** The address of the service, with a path behind a gateway. */
  readonly url?: string | URL | undefined;
  /** The agent id; without it the service takes its default, or the owner of the key. */
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The project of what is written and asked; none unless given. */
  readonly project?: string | undefined;
  /** The tenant, which no request looks beyond; `default`, or that of the key, unless given. */
  readonly space?: string | undefined;
  /** The key for the gateway. */
  readonly key?: string | undefined;
  /** Limit of a whole call, including retries and the body of the answer; of a stream, until it begins. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. Default 2. */
  readonly maxRetries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gives the W3C trace context; called for each call. */
  readonly traceparent?: (() => string | undefined) | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Gets the errors that `around` and `withTask` survive; default console.warn. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
  readonly runtime?: Partial<Runtime>;
}

/** Options of one call. Absent ones are those of the client. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  readonly space?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
