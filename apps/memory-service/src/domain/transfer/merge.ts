import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidInputError } from '@agent-faculties/service-kit';
import { type MergeDeps, type MergeRecord, mergeRecord, type Outcome, type Rejected } from './merge-record.ts';
import { Successors } from './successors.ts';

/** One record as it comes in: read when it is its turn, so that a broken one stops no other. */
export interface IncomingRecord {
  /** About; bounds what is held at once. */
  readonly bytes: number;
  /** @throws InvalidInputError */
  readonly read: () => MergeRecord | Promise<MergeRecord>;
}

export interface MergeReport {
  received: number;
  added: number;
  updated: number;
  duplicates: number;
  rejectedCount: number;
  /** The first 1,000, in order; `index` counts the records from 0. */
  readonly rejected: { readonly index: number; readonly reason: string }[];
  /** Of what was added or updated: memories that came without vectors that fit. */
  withoutVectors: number;
}

/** Taken in at once, so that they share a sync of the journal, which takes as many in one group. */
const BATCH_RECORDS = 128;
/** Read and checked in one turn of the event loop: a few ms. */
const BATCH_BYTES = 256 * 1024;
/** To write 100,000 of them into an answer holds everybody up for 100 ms; who sends many records is told what is wrong by then. */
const MOST_REJECTED_SHOWN = 1_000;

export function emptyReport(): MergeReport {
  return { received: 0, added: 0, updated: 0, duplicates: 0, rejectedCount: 0, rejected: [], withoutVectors: 0 };
}

/**
 * Takes in memories of another store, each whole or not at all, and counts in `report` what became of them. To merge the same
 * again changes nothing. Holds one batch at a time and leaves the event loop between two.
 * @param of.onWritten called with the ids of what was added or updated, batch by batch
 * @throws UnavailableError when the disk refuses; what `report` counts stays
 */
export async function mergeAll(
  deps: MergeDeps,
  callerAgentId: string,
  of: {
    records: AsyncIterable<IncomingRecord>;
    report: MergeReport;
    onWritten?: (ids: readonly string[]) => void;
  },
): Promise<void> {
  const { records, report, onWritten = () => {} } = of;
  let batch: IncomingRecord[] = [];
  let bytes = 0;
  const flush = async () => {
    await mergeBatch(deps, callerAgentId, { batch, report, onWritten });
    batch = [];
    bytes = 0;
    await nextTurn();
  };
  for await (const record of records) {
    batch.push(record);
    bytes += record.bytes;
    if (batch.length === BATCH_RECORDS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
}

async function mergeBatch(
  deps: MergeDeps,
  callerAgentId: string,
  {
    batch,
    report,
    onWritten,
  }: { batch: readonly IncomingRecord[]; report: MergeReport; onWritten: (ids: readonly string[]) => void },
): Promise<void> {
  const records: (MergeRecord | Rejected)[] = [];
  for (const record of batch) records.push(await readOrRejected(record));
  await nextTurn();
  const memories = records.map((record) => ('memory' in record ? record.memory : null));
  const successors = new Successors(deps.store, callerAgentId, memories);
  const settled = await Promise.allSettled(
    records.map(async (record, position): Promise<Outcome> => {
      if ('rejected' in record) return record;
      const isCircle = () => successors.formCircle(record.memory, position);
      return await mergeRecord(deps, callerAgentId, { record, isCircle });
    }),
  );
  const written: string[] = [];
  for (const [position, result] of settled.entries()) {
    if (result.status !== 'fulfilled') continue;
    note(report, result.value, report.received + position);
    const memory = memories[position];
    if (memory && 'done' in result.value && result.value.done !== 'duplicate') written.push(memory.id);
  }
  onWritten(written);
  report.received += batch.length;
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function readOrRejected({ read }: IncomingRecord): Promise<MergeRecord | Rejected> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InvalidInputError) return { rejected: error.message };
    throw error;
  }
}

function note(report: MergeReport, outcome: Outcome, index: number): void {
  if ('rejected' in outcome) {
    report.rejectedCount++;
    if (report.rejected.length < MOST_REJECTED_SHOWN) report.rejected.push({ index, reason: outcome.rejected });
  } else if (outcome.done === 'duplicate') report.duplicates++;
  else {
    report[outcome.done]++;
    if (outcome.withoutVectors) report.withoutVectors++;
  }
}
