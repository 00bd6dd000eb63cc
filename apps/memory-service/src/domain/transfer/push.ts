import type { Memory } from '../memory/memory.ts';
import type { Remote } from './remote.ts';

/** A memory on its way to another server. */
export interface Outgoing {
  readonly memory: Pick<Memory, 'id' | 'agentId' | 'scope'>;
  /** Makes the line; called when it is sent. */
  readonly line: () => Promise<string>;
}

export interface PushOptions {
  /** The agent in whose name memories that all may see are sent. */
  readonly agentId: string;
  /** Whether to send PRIVATE memories too, each in the name of its agent. */
  readonly includePrivate: boolean;
  readonly dryRun: boolean;
  /** Called with the number of memories sent so far. */
  readonly onProgress: (sent: number) => void;
}

export interface PushSummary {
  sent: number;
  added: number;
  updated: number;
  duplicates: number;
  readonly rejected: { readonly id: string; readonly reason: string }[];
  withoutVectors: number;
}

/** The most lines of a request. Progress is shown after each request, and a failed request is sent again whole. */
const LINES_PER_REQUEST = 500;
/** The most bytes of a request, below the 1 MiB that gateways take by default; a longer line goes alone. */
const BYTES_PER_REQUEST = 768 * 1024;

/** The memories that a push sends. */
export function pushable<T extends Outgoing>(
  memories: readonly T[],
  { includePrivate }: { includePrivate: boolean },
): T[] {
  return memories.filter(({ memory }) => includePrivate || memory.scope !== 'PRIVATE');
}

/**
 * Sends memories to another server, in requests of some hundred. It may be repeated: the server counts known memories and leaves
 * them unchanged. @throws RemoteError; memories that were sent before stay there
 */
export async function push(remote: Remote, memories: readonly Outgoing[], options: PushOptions): Promise<PushSummary> {
  const summary: PushSummary = { sent: 0, added: 0, updated: 0, duplicates: 0, rejected: [], withoutVectors: 0 };
  for (const [agentId, sent] of bySender(pushable(memories, options), options.agentId)) {
    for await (const request of requests(sent)) {
      const lines = request.map(({ line }) => line);
      const report = await remote.merge(lines, { agentId, dryRun: options.dryRun });
      summary.sent += request.length;
      summary.added += report.added;
      summary.updated += report.updated;
      summary.duplicates += report.duplicates;
      summary.withoutVectors += report.without_vectors;
      for (const { index, reason } of report.rejected) summary.rejected.push({ id: request[index]?.id ?? '', reason });
      options.onProgress(summary.sent);
    }
  }
  return summary;
}

/** Groups memories by the agent that sends them; a server takes PRIVATE memories only from their own agent. */
function bySender(memories: readonly Outgoing[], agentId: string): Map<string, Outgoing[]> {
  const senders = new Map<string, Outgoing[]>();
  for (const outgoing of memories) {
    const sender = outgoing.memory.scope === 'PRIVATE' ? outgoing.memory.agentId : agentId;
    const sent = senders.get(sender);
    if (sent) sent.push(outgoing);
    else senders.set(sender, [outgoing]);
  }
  return senders;
}

async function* requests(memories: readonly Outgoing[]): AsyncGenerator<{ id: string; line: string }[]> {
  let request: { id: string; line: string }[] = [];
  let bytes = 0;
  for (const { memory, line: make } of memories) {
    const line = await make();
    const lineBytes = Buffer.byteLength(line);
    if (request.length > 0 && (request.length === LINES_PER_REQUEST || bytes + lineBytes > BYTES_PER_REQUEST)) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push({ id: memory.id, line });
    bytes += lineBytes;
  }
  if (request.length > 0) yield request;
}
