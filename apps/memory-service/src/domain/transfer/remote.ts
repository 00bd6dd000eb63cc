import type { NdjsonLine } from '@agent-faculties/service-kit/http';

/** The answer of another server to the memories that were sent to it. */
export interface RemoteReport {
  readonly added: number;
  readonly updated: number;
  readonly duplicates: number;
  /** `index` counts the memories of the request from 0. */
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
  readonly without_vectors: number;
}

/** Another memory service, over the network. */
export interface Remote {
  /** @param lines NDJSON, without line ends @param agentId the agent that sends them @throws RemoteError */
  merge(lines: readonly string[], options: { agentId: string; dryRun: boolean }): Promise<RemoteReport>;
  /** The memories that the agent may see there, with vectors. @throws RemoteError, also in the middle */
  export(agentId: string): AsyncIterable<NdjsonLine>;
  /** @throws RemoteError when it cannot be reached */
  state(): Promise<RemoteState>;
}

export interface RemoteState {
  /** How many memories are not PRIVATE. */
  readonly memories: number;
  /** The embedding model; null: the server has no vectors. */
  readonly model: { readonly id: string; readonly dimension: number } | null;
}

/** The other server cannot be reached, or refuses the request. The message says what to do. */
export class RemoteError extends Error {}
