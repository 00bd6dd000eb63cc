import { DEFAULT_SPACE, headerText, MAX_ID_CHARACTERS } from '@agent-faculties/agent-identity';
import type { Request } from 'express';
import { type FoundOperation, foundOperation } from '../contract/found-operation.ts';
import { type OpenApiDocument, writingOperationsOf } from '../contract/openapi.ts';
import type {} from '../http/request-fields.ts';
import { ConflictError, ServiceError } from '../problems/errors.ts';
import type { Logger } from './log.ts';
import type { Tracing } from './tracing.ts';

/** How many ids of each kind a line lists; the rest are counted. */
const IDS_NAMED = 50;
/** Characters of a path parameter, which may not be validated yet. */
const TARGET_CHARACTERS = 200;
/** Key ids of the gateway. */
const USABLE_KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Records what a write has changed. Call it at once: a later error does not undo the write.
 * @param ids or, where they are not known, how many
 */
export type RecordWrite = (kind: string, ids: readonly string[] | number) => void;

type Touched = Record<string, { count: number; ids: string[] }>;

function noteIn(touched: Touched): RecordWrite {
  return (kind, ids) => {
    const count = typeof ids === 'number' ? ids : ids.length;
    if (count === 0) return;
    touched[kind] ??= { count: 0, ids: [] };
    const entry = touched[kind];
    entry.count += count;
    if (typeof ids !== 'number') entry.ids.push(...ids.slice(0, IDS_NAMED - entry.ids.length));
  };
}

/** Audit lines are written at every log level except 'silent'. */
function lineWriter(log: Logger): (fields: object) => void {
  const always = log.child({}, { level: 'info' });
  return (fields) => {
    if (log.level !== 'silent') always.info(fields, 'audit');
  };
}

interface Ending {
  readonly status: number;
  readonly code?: string;
  /** Lines received, of a body that broke off. */
  readonly lines?: unknown;
}

export interface RequestAudit {
  /** For the handler of a request. */
  recorderOf(req: Request): RecordWrite;
  /** Whether anything was recorded for the request so far. */
  hasWritten(req: Request): boolean;
  /** Writes the line of a request to a writing operation; later calls for the same request do nothing. */
  ended(req: Request, answer: Ending): void;
}

export interface RequestAuditOptions {
  readonly log: Logger;
  readonly spec: OpenApiDocument;
  /** Whether X-Key-Id and X-Agent-ID come from a gateway, which does not let clients send them. */
  readonly trustHeaders: boolean;
}

/**
 * Writes one line for each request to a writing operation: caller, ids, outcome; never content.
 */
export function requestAudit({ log, spec, trustHeaders }: RequestAuditOptions): RequestAudit {
  const write = lineWriter(log);
  const writing = writingOperationsOf(spec);
  const touchedBy = new WeakMap<Request, Touched>();
  const done = new WeakSet<Request>();
  return {
    recorderOf: (req) => {
      const touched: Touched = {};
      touchedBy.set(req, touched);
      return noteIn(touched);
    },
    hasWritten: (req) => Object.keys(touchedBy.get(req) ?? {}).length > 0,
    ended: (req, { status, code, lines }) => {
      const operation = foundOperation(req);
      if (!operation || !writing.has(operation.schema.operationId) || done.has(req)) return;
      done.add(req);
      write({
        request_id: req.id,
        actor: 'agent',
        // A request that fails validation has no caller yet; the gateway's header names it.
        agent: req.caller?.agentId ?? (trustHeaders ? agentOf(req) : null),
        session: req.caller?.sessionId ?? null,
        ...spaceOf(req),
        key: trustHeaders ? keyIdOf(req) : null,
        operation: operation.schema.operationId,
        target: targetOf(operation),
        wrote: touchedBy.get(req) ?? {},
        status,
        outcome: outcomeOf({ status, code }),
        ...(code !== undefined && { code }),
        ...(code === BROKEN_OFF && { lines }),
      });
    },
  };
}

/** Nothing of the default space: most services have no other. */
export function spaceOf({ caller }: Request): { readonly space?: string } {
  return caller === undefined || caller.space === DEFAULT_SPACE ? {} : { space: caller.space };
}

const BROKEN_OFF = 'broken_off';

function outcomeOf({ status, code }: { status: number; code: string | undefined }): string {
  // Neither done nor refused: the lines before the break stay.
  if (code === BROKEN_OFF) return BROKEN_OFF;
  return status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
}

function agentOf(req: Request): string | null {
  const given = req.headers['x-agent-id'];
  return typeof given === 'string' && given.length <= MAX_ID_CHARACTERS ? headerText(given) : null;
}

function keyIdOf(req: Request): string | null {
  const given = req.headers['x-key-id'];
  return typeof given === 'string' && USABLE_KEY_ID.test(given) ? given : null;
}

function targetOf({ pathParams }: FoundOperation): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pathParams).map(([name, value]) => [name, String(value).slice(0, TARGET_CHARACTERS)]),
  );
}

/** Runs a write that no request asked for, and writes a line when it is done or has failed. */
export type BackgroundAudit = <T>(operation: string, work: (recordWrite: RecordWrite) => Promise<T>) => Promise<T>;

/** For jobs: the actor is "system". Where spans are exported, each run is one. */
export function backgroundAudit(log: Logger, tracing?: Pick<Tracing, 'job'>): BackgroundAudit {
  const write = lineWriter(log);
  const traced: Tracing['job'] = tracing?.job ?? (async (_name, work) => await work());
  return async (operation, work) => {
    const touched: Touched = {};
    const line = { actor: 'system', operation, wrote: touched };
    try {
      const result = await traced(operation, () => work(noteIn(touched)));
      if (Object.keys(touched).length > 0) write({ ...line, outcome: 'done' });
      return result;
    } catch (error) {
      const outcome = error instanceof ConflictError ? 'refused' : 'failed';
      write({ ...line, outcome, code: error instanceof ServiceError ? error.code : 'internal_error' });
      throw error;
    }
  };
}
