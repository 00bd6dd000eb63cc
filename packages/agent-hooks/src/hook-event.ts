/** The outcome of a call of a tool, in the words of timing-service. */
export type Outcome = 'ok' | 'error' | 'timeout' | 'cancelled';

/** A call of a tool, with the fields that its host gives. */
export interface ToolCall {
  /** The id that the host gives the call, the same at its start and end; null where the host gives none. */
  readonly id: string | null;
  /** The name of the tool in the host. */
  readonly tool: string;
  readonly input: unknown;
}

/** What happened, in the same form for every host. */
export type Happening =
  | { readonly kind: 'session_started' }
  | { readonly kind: 'session_ended' }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'reply'; readonly text: string; readonly outcome: Outcome }
  | { readonly kind: 'tool_started'; readonly call: ToolCall }
  | {
      readonly kind: 'tool_ended';
      readonly call: ToolCall;
      /** Null: what the call started runs on in the background, and no host tells of its end. */
      readonly outcome: Outcome | null;
      /** The duration that the host measured, without the wait for a permission; null where it measures none. */
      readonly durationMs: number | null;
    };

/** One call of a hook. */
export type HookEvent = Happening & {
  /** The name of the event in the host. */
  readonly name: string;
  readonly sessionId: string | null;
  /** The id that a prompt shares with its reply; null where the host gives none. */
  readonly turnId: string | null;
  /** The time stamp of the host. It only distinguishes events without ids; no duration is computed from it. */
  readonly stamp: string | null;
  /** The working directory. */
  readonly cwd: string | null;
};

/** The JSON object that a host sends. */
export type Payload = Readonly<Record<string, unknown>>;

/** One host: reads its payloads and writes its answers. */
export interface Host {
  /**
   * The event of a payload; null for events that are not used and for payloads that this host does not send.
   * @param name of the event, for hosts whose payload does not have it
   */
  readonly read: (payload: Payload, name: string | null) => HookEvent | null;
  /** The answer that puts `context` before the prompt. Without a context the answer is `{}`, and every host goes on. */
  readonly withContext: (event: HookEvent, context: string) => Payload;
}
