/** How a call of a tool ended; the words of timing-service. */
export type Outcome = 'ok' | 'error' | 'timeout' | 'cancelled';

/** A call of a tool, as far as its host tells of it. */
export interface ToolCall {
  /** Of the host, the same at the start and at the end; null where the host has none. */
  readonly id: string | null;
  /** As the host calls the tool. */
  readonly tool: string;
  readonly input: unknown;
}

/** What happened, in a form that is the same for every host. */
export type Happening =
  | { readonly kind: 'session_started' }
  | { readonly kind: 'session_ended' }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'reply'; readonly text: string; readonly outcome: Outcome }
  | { readonly kind: 'tool_started'; readonly call: ToolCall }
  | {
      readonly kind: 'tool_ended';
      readonly call: ToolCall;
      readonly outcome: Outcome;
      /** As the host measured it, without the wait for a permission; null where the host does not measure it. */
      readonly durationMs: number | null;
    };

/** One call of a hook. */
export type HookEvent = Happening & {
  /** As the host calls it. */
  readonly name: string;
  readonly sessionId: string | null;
  /** What ties a prompt to its reply; null where the host has nothing for it. */
  readonly turnId: string | null;
  /** When it happened, as the host says; tells two events without ids apart and is never taken for a time. */
  readonly stamp: string | null;
  /** The working directory. */
  readonly cwd: string | null;
};

/** What a host sent: an object of JSON. */
export type Payload = Readonly<Record<string, unknown>>;

/** One host: its payloads in, its form of an answer out. */
export interface Host {
  /**
   * Null for events that are not used, and for payloads that this host does not send.
   * @param name of the event, for hosts whose payload does not have it
   */
  readonly read: (payload: Payload, name: string | null) => HookEvent | null;
  /** The answer that puts `context` before the prompt. Without a context the answer is `{}`, and every host goes on. */
  readonly withContext: (event: HookEvent, context: string) => Payload;
}
