import type { NdjsonLine } from '@agent-faculties/service-kit';

/** What another server said of memories that were sent to it. */
export interface RemoteReport {
  readonly added: number;
  readonly updated: number;
  readonly duplicates: number;
  /** `index` counts the memories of the request from 0. */
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
  readonly without_vectors: number;
}

/** A memory service that is reached over the network. */
export interface Remote {
  /** @param lines NDJSON, without line ends @param agentId who sends them @throws RemoteError */
  merge(lines: readonly string[], options: { agentId: string; dryRun: boolean }): Promise<RemoteReport>;
  /** What the agent may see there, with vectors. @throws RemoteError, in the middle as well */
  export(agentId: string): AsyncIterable<NdjsonLine>;
  /** @throws RemoteError when it cannot be reached */
  state(): Promise<RemoteState>;
}

export interface RemoteState {
  /** Memories that are not PRIVATE. */
  readonly memories: number;
  /** null: without vectors. */
  readonly model: { readonly id: string; readonly dimension: number } | null;
}

/** The other server cannot be reached, or does not do what was asked. The message says what to do. */
export class RemoteError extends Error {}
