import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Caller } from '@agent-faculties/agent-identity';
import { type Clock, InvalidInputError, UnavailableError } from '@agent-faculties/service-kit';
import {
  type Handlers,
  type JsonFields,
  type LineRedaction,
  ndjsonLines,
  requirePlainBody,
  requireWhole,
} from '@agent-faculties/service-kit/http';
import type { Request } from 'express';
import type { components, operations } from '../api.gen.ts';
import { nextTurn } from '../domain/concurrency/next-turn.ts';
import type { VectorModel } from '../domain/embedding/vector-model.ts';
import type { MemoryStore } from '../domain/memory/memory-store.ts';
import { type Viewer, viewerOf } from '../domain/memory/visibility.ts';
import { withDryRunStore } from '../domain/transfer/dry-run-store.ts';
import { LINE_LIMIT_BYTES } from '../domain/transfer/line-limit.ts';
import { emptyReport, type IncomingRecord, type MergeReport, mergeAll } from '../domain/transfer/merge.ts';
import type { MergeDeps, MergeRecord } from '../domain/transfer/merge-record.ts';
import { type ParseOptions, type ReadMemoryRecord, transferLine } from '../wire/memory-record.ts';
import { redactedRecord } from '../wire/redacted-record.ts';

type Schemas = components['schemas'];

export interface TransferDeps extends MergeDeps {
  readonly clock: Clock;
  readonly readRecord: ReadMemoryRecord;
  readonly store: MemoryStore;
  /** The model of the vectors in the store; null: the store has none. */
  readonly model: VectorModel | null;
  /** Called after a merge that brought memories without vectors. */
  readonly onWithoutVectors: () => void;
}

export function transferHandlers(deps: TransferDeps): Pick<Handlers<operations>, 'merge' | 'exportMemories'> {
  return {
    merge: async ({ body, query, caller, recordWrite, redaction, req }) => {
      const dryRun = query.dry_run ?? body?.dry_run ?? false;
      const report = emptyReport();
      const parse = parserFor(deps, { caller, redaction });
      const records = isStream(req) ? recordsOfLines(req, parse) : recordsOfBody(body, parse);
      const target = dryRun ? withDryRunStore(deps) : deps;
      try {
        const onWritten = (ids: readonly string[]) => recordWrite('memories', dryRun ? [] : ids);
        await mergeAll(target, viewerOf(caller), { records, report, onWritten });
        if (isStream(req)) requireWhole(req, { lines: report.received });
      } catch (error) {
        throw error instanceof UnavailableError ? brokenOff(error, report) : error;
      } finally {
        if (report.withoutVectors > 0 && !dryRun) deps.onWithoutVectors();
      }
      const view = reportView(report);
      const { rejected: _, ...log } = view;
      return { status: 200, body: { report: { ...view, dry_run: dryRun } }, log };
    },
    exportMemories: async ({ query, caller, req, res }) => {
      res.status(200).type('application/x-ndjson');
      if (req.method === 'HEAD') {
        res.end();
        return undefined;
      }
      try {
        await pipeline(
          Readable.from(exportLines(deps, viewerOf(caller), { withVectors: query.vectors ?? false })),
          res,
        );
      } catch (error) {
        // The client has closed the connection, so nobody can be told.
        if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      }
      return undefined;
    },
  };
}

async function* exportLines(
  { clock, store, model }: TransferDeps,
  viewer: Viewer,
  { withVectors }: { withVectors: boolean },
) {
  for await (const batch of store.scan({ viewer })) {
    const nowMs = clock.now();
    const vectors = withVectors ? await store.vectorsAsRead(batch.map(({ memory }) => memory)) : [];
    const lines = batch.map((stored, at) => `${transferLine(stored, { nowMs, model, vectors: vectors[at] ?? [] })}\n`);
    if (lines.length > 0) yield lines.join('');
    // To whoever reads fast the stream asks for many batches at once.
    await nextTurn();
  }
}

type Parse = (fields: JsonFields) => Promise<MergeRecord>;

function parserFor(
  { clock, readRecord, store, model }: TransferDeps,
  { caller, redaction }: { caller: Caller; redaction: LineRedaction },
): Parse {
  const options: ParseOptions = {
    nowMs: Math.floor(clock.now()),
    callerAgentId: caller.agentId,
    callerProject: caller.project,
    model,
    knownEntities: (keys, project) => store.knownEntities(keys, project),
  };
  return async (fields) => {
    const redacted = await redactedRecord(fields, async (line) => await redaction.line(line));
    return await readRecord(redacted, options);
  };
}

function isStream(req: Request): boolean {
  return req.get('Content-Type') === 'application/x-ndjson';
}

async function* recordsOfLines(req: Request, parse: Parse): AsyncGenerator<IncomingRecord> {
  requirePlainBody(req);
  for await (const { bytes, read } of ndjsonLines(req, { lineLimitBytes: LINE_LIMIT_BYTES })) {
    yield { bytes, read: async () => await parse(read()) };
  }
}

async function* recordsOfBody(body: Schemas['Merge'], parse: Parse): AsyncGenerator<IncomingRecord> {
  const { memories, embedding_model, vectors } = body;
  if (vectors && vectors.length !== memories.length) {
    const message = `has ${vectors.length} entries for ${memories.length} memories: send one for each, or null`;
    throw InvalidInputError.at('body/vectors', message);
  }
  for (const [index, memory] of memories.entries()) {
    const made = vectors ? { embedding_model, vectors: vectors[index] } : {};
    yield { bytes: weightOf(memory), read: async () => await parse({ ...fieldsOf(memory), ...made }) };
  }
}

function fieldsOf(memory: unknown): JsonFields {
  if (typeof memory === 'object' && memory !== null && !Array.isArray(memory)) return memory as JsonFields;
  throw new InvalidInputError('is not a JSON object');
}

/** Estimates the bytes of a record whose JSON is already parsed; the text makes up most of it. */
function weightOf(memory: unknown): number {
  const { content } = (memory ?? {}) as { content?: unknown };
  return RECORD_BYTES + (typeof content === 'string' ? content.length : 0);
}

/** Estimated bytes of a record without its text. */
const RECORD_BYTES = 1_000;

function brokenOff(cause: UnavailableError, report: MergeReport): UnavailableError {
  const message = `The merge broke off after ${report.received} records. ${cause.message} Records that were merged are kept: send all of them again.`;
  return new UnavailableError(message, { code: cause.code, cause, extra: { report: reportView(report) } });
}

function reportView(report: MergeReport) {
  return {
    received: report.received,
    added: report.added,
    updated: report.updated,
    duplicates: report.duplicates,
    rejected_count: report.rejectedCount,
    rejected: report.rejected,
    without_vectors: report.withoutVectors,
  };
}
