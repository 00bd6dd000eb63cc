import type { JsonFields, NdjsonLine } from '@agent-faculties/service-kit/http';
import { emptyReport, type IncomingRecord, type MergeReport, mergeAll } from './merge.ts';
import type { MergeDeps, MergeRecord } from './merge-record.ts';

export interface PullOptions {
  /** The agent whose PRIVATE memories may come, and who owns records that name no agent. */
  readonly agentId: string;
  readonly includePrivate: boolean;
  /** @throws InvalidInputError */
  readonly parse: (fields: JsonFields) => Promise<MergeRecord>;
  /** Called with the number of lines so far. */
  readonly onProgress: (received: number) => void;
}

export interface PullSummary extends MergeReport {
  /** How many PRIVATE memories were left on the server. */
  leftOut: number;
  /** How many derived memories were left there. */
  derived: number;
}

/** Merges the lines of another server's export, except derived memories: this store derives its own. @throws UnavailableError; merged memories stay */
export async function pull(
  deps: MergeDeps,
  lines: AsyncIterable<NdjsonLine>,
  options: PullOptions,
): Promise<PullSummary> {
  const summary = { ...emptyReport(), leftOut: 0, derived: 0 };
  await mergeAll(
    deps,
    { agentId: options.agentId, project: null },
    { records: wanted(lines, { ...options, summary }), report: summary },
  );
  return summary;
}

async function* wanted(
  lines: AsyncIterable<NdjsonLine>,
  { includePrivate, parse, onProgress, summary }: PullOptions & { summary: PullSummary },
): AsyncGenerator<IncomingRecord> {
  let received = 0;
  for await (const { bytes, read } of lines) {
    onProgress(++received);
    const { isPrivate, isDerived } = kindOf(read);
    if (isDerived) summary.derived++;
    else if (!includePrivate && isPrivate) summary.leftOut++;
    else yield { bytes, read: async () => await parse(read()) };
  }
}

/** The kind of a line. An unreadable line counts as neither: the merge then reports what is wrong with it. */
function kindOf(read: () => JsonFields): { isPrivate: boolean; isDerived: boolean } {
  try {
    const { scope, kind, sources } = read();
    return {
      isPrivate: scope === 'PRIVATE',
      isDerived: kind === 'semantic' && Array.isArray(sources) && sources.length > 0,
    };
  } catch {
    return { isPrivate: false, isDerived: false };
  }
}
