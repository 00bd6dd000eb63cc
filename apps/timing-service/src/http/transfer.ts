import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Clock, InvalidInputError, type RecordWrite } from '@agent-faculties/service-kit';
import {
  type Handlers,
  type LineRedaction,
  ndjsonLines,
  requirePlainBody,
  requireWhole,
} from '@agent-faculties/service-kit/http';
import type { Request, Response } from 'express';
import type { operations } from '../api.gen.ts';
import type { ChangeFeed } from '../domain/change-feed.ts';
import { STOPWATCHES_PER_AGENT } from '../domain/stopwatch.ts';
import { inProject, notFarAhead, type TransferItem, type TransferStore } from '../domain/transfer.ts';
import type { Whose } from '../domain/whose.ts';
import { formatTransferLine, type ReadTransferLine } from '../wire/transfer-lines.ts';
import { whoseOf } from './agent-scope.ts';

/** Lines per transaction: a few milliseconds, so that other requests can run between them. */
const BATCH_LINES = 200;
/** Bytes per transaction, where lines have much metadata. */
const BATCH_BYTES = 1024 * 1024;
/** Room for 64 KiB of escaped metadata and the rest of a record. */
const LINE_LIMIT_BYTES = 256 * 1024;
/** Rejected lines that the report names. */
const REJECTED_SHOWN = 100;
const CONFLICT =
  'correlation_id is known for a task of another agent, project, type, start, end or outcome: compare the two with GET /tasks/{correlation_id}';
const FULL = `agent_id has ${STOPWATCHES_PER_AGENT} stopwatches: delete one that is no longer needed`;

export interface TransferDeps {
  readonly clock: Clock;
  readonly readLine: ReadTransferLine;
  readonly transfer: TransferStore;
  readonly feed: ChangeFeed;
}

export function transferHandlers(deps: TransferDeps): Pick<Handlers<operations>, 'exportData' | 'importData'> {
  return {
    exportData: async ({ caller, req, res }) => {
      res.status(200).type('application/x-ndjson');
      if (req.method === 'HEAD') res.end();
      else await writeLines(deps, res, whoseOf(caller));
      return undefined;
    },
    importData: async ({ req, caller, recordWrite, redaction }) => {
      requirePlainBody(req);
      const report: ImportReport = {
        received: 0,
        imported: 0,
        updated: 0,
        duplicates: 0,
        rejected_count: 0,
        rejected: [],
      };
      try {
        await importLines(deps, { req, project: caller.project, report, recordWrite, redaction });
        requireWhole(req, { lines: report.received });
      } finally {
        // Thousands of records are too many for listeners, so they reload everything. Lines written before a failure stay.
        if (report.imported + report.updated > 0) deps.feed.publish({ kind: 'reset' });
      }
      return { status: 200, body: report };
    },
  };
}

async function writeLines(deps: TransferDeps, res: Response, whose: Whose): Promise<void> {
  try {
    await pipeline(Readable.from(lineBatches(deps, whose)), res);
  } catch (error) {
    // The client is gone: nobody would read an error.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* lineBatches({ transfer, clock }: TransferDeps, whose: Whose): AsyncGenerator<string> {
  for await (const batch of transfer.export(whose)) {
    if (batch.length > 0) yield batch.map((item) => `${formatTransferLine(item, clock.now())}\n`).join('');
  }
}

interface ImportReport {
  received: number;
  imported: number;
  updated: number;
  duplicates: number;
  rejected_count: number;
  rejected: { line: number; reason: string }[];
}

/** Imported lines stay when the request breaks off; sending them again counts them as duplicates. */
async function importLines(
  { clock, transfer, readLine }: TransferDeps,
  {
    req,
    project,
    report,
    recordWrite,
    redaction,
  }: {
    req: Request;
    project: string | null;
    report: ImportReport;
    recordWrite: RecordWrite;
    redaction: LineRedaction;
  },
): Promise<void> {
  let batch: { line: number; item: TransferItem }[] = [];
  let batchBytes = 0;
  const reject = (line: number, reason: string): void => {
    report.rejected_count++;
    if (report.rejected.length < REJECTED_SHOWN) report.rejected.push({ line, reason });
  };
  const flush = async (): Promise<void> => {
    const outcomes = await transfer.import(batch.map(({ item }) => item));
    for (const [index, outcome] of outcomes.entries()) {
      const { line, item } = batch[index] as (typeof batch)[number];
      if (outcome === 'conflict') reject(line, CONFLICT);
      else if (outcome === 'full') reject(line, FULL);
      else report[outcome === 'duplicate' ? 'duplicates' : outcome]++;
      if (outcome === 'imported' || outcome === 'updated') noteWritten(recordWrite, item);
    }
    batch = [];
    batchBytes = 0;
    await new Promise(setImmediate);
  };
  for await (const { number, bytes, read } of ndjsonLines(req, { lineLimitBytes: LINE_LIMIT_BYTES })) {
    report.received++;
    try {
      const item = notFarAhead(clock.now(), readLine(await redaction.line(read())));
      batch.push({ line: number, item: inProject(project, item) });
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      reject(number, error.message);
    }
    batchBytes += bytes;
    if (batch.length === BATCH_LINES || batchBytes >= BATCH_BYTES) await flush();
  }
  await flush();
}

function noteWritten(recordWrite: RecordWrite, item: TransferItem): void {
  if (item.kind === 'event') recordWrite('events', [item.event.id]);
  else if (item.kind === 'task') recordWrite('tasks', [item.task.correlationId]);
  else recordWrite('stopwatches', [item.stopwatch.name]);
}
