import type { Memory } from '../memory/memory.ts';
import type { Remote } from './remote.ts';

/** A memory on its way to another server. */
export interface Outgoing {
  readonly memory: Pick<Memory, 'id' | 'agentId' | 'scope'>;
  /** Made when it is sent. */
  readonly line: () => Promise<string>;
}

export interface PushOptions {
  /** Who sends what all may see. */
  readonly agentId: string;
  /** Sends PRIVATE memories too, those of each agent in that agent's name. */
  readonly includePrivate: boolean;
  readonly dryRun: boolean;
  /** Told how many were sent so far. */
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

/** Of one request: progress is shown for each, and what breaks off is sent again from here. */
const LINES_PER_REQUEST = 500;
/** Below what gateways take by default, 1 MiB; a longer line goes alone. */
const BYTES_PER_REQUEST = 768 * 1024;

/** What is pushed of these. */
export function pushable<T extends Outgoing>(
  memories: readonly T[],
  { includePrivate }: { includePrivate: boolean },
): T[] {
  return memories.filter(({ memory }) => includePrivate || memory.scope !== 'PRIVATE');
}

/**
 * Sends memories to another server, in requests of some hundred. May be repeated: what is there already is counted and left.
 * @throws RemoteError; what was sent before stays
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

/** PRIVATE memories are taken from their own agents only. */
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
