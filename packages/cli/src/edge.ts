import type { Child } from './child.ts';

/** Everything outside the process that a command uses; tests replace it. */
export interface Edge {
  readonly version: string;
  /** The arguments, without interpreter and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Puts a text over the line of standard error that is being written. */
  readonly overwrite: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether it is a terminal. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Epoch milliseconds. */
  readonly clock: { readonly now: () => number };
  /** Rejects when the signal aborts. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly fetch: typeof fetch;
  /** Runs another program with the streams of this one; resolves to its exit code. */
  readonly execute: (program: readonly string[], env: Record<string, string | undefined>) => Promise<number>;
  /** Starts another program beside this one. */
  readonly spawn: (program: readonly string[], env: Record<string, string | undefined>) => Child;
  readonly programs: Programs;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The other programs of this installation, as the arguments that start them. */
export interface Programs {
  readonly service: (name: 'memory' | 'timing') => readonly string[];
  /** Starts both services; further arguments choose one. */
  readonly start: readonly string[];
  /** Where `start` keeps the data. */
  readonly dataFolder: string;
}
