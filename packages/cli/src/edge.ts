/** What a command has of the world; tests hand in another one. */
export interface Edge {
  readonly version: string;
  /** Without interpreter and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether a person sits at the other end. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Epoch milliseconds. */
  readonly clock: { readonly now: () => number };
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly fetch: typeof fetch;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
