import { maskSecrets, type RedactionCounts, redactJson } from '@agent-faculties/redaction';
import type { Request, RequestHandler } from 'express';
import { Counter, type Registry } from 'prom-client';
import { operationIdOf } from '../contract/found-operation.ts';
import { type OpenApiDocument, operationsOf, writingOperationsOf } from '../contract/openapi.ts';
import type { JsonFields } from '../http/ndjson.ts';
import { InvalidInputError } from '../problems/errors.ts';
import { atOnce, type Steps } from '../values/steps.ts';
import {
  addCounts,
  type FoundInRequest,
  isIdentifier,
  noteFault,
  secretFound,
  secretInIdentifier,
} from './found-secrets.ts';
import { refuseLongTexts } from './long-texts.ts';
import { maskedUrl } from './masked-url.ts';

/** mask: secrets are replaced; block: a request with a secret is refused; off: secrets are kept. */
export const REDACT_MODES = ['mask', 'block', 'off'] as const;
export type RedactMode = (typeof REDACT_MODES)[number];

/** One entry of the list in an answer or a report. */
export interface Redaction {
  readonly type: string;
  readonly count: number;
}

/** For lines, which are read one by one. */
export interface LineRedaction {
  /** Returns the line without secrets. @throws InvalidInputError when the line must be refused */
  line(fields: JsonFields): Promise<JsonFields>;
}

declare global {
  namespace Express {
    interface Request {
      /** Counts of the secrets found in this request so far. Set by the check of the URL. */
      redactions?: FoundInRequest;
    }
  }
}

export interface RedactionOptions {
  readonly mode: RedactMode;
  readonly spec: OpenApiDocument;
  readonly registry: Registry;
  /** Fields of a body that hold records, which the handler hands to `lines` one by one. */
  readonly recordFields?: readonly string[];
}

const SLICE_MS = 5;
/** A body of so few bytes is searched at once: a millisecond, whatever it holds. */
const SMALL_BODY_BYTES = 4 * 1024;
/** URLs in which nothing is, short ones alone: those of most operations are few. */
const MOST_CLEAN_URLS = 1_000;
const LONGEST_CLEAN_URL = 100;

/**
 * Keeps secrets out of a service: input is masked before anything else reads it, so that data, answers and log never hold a
 * secret. `<private>` parts are removed in every mode.
 */
export class RequestRedaction {
  readonly #mode: RedactMode;
  readonly #writing: ReadonlySet<string>;
  readonly #counter: Counter<'type'>;
  readonly #recordFields: ReadonlySet<string>;
  readonly #carrying: ReadonlySet<string>;
  readonly #cleanUrls = new Set<string>();

  constructor({ mode, spec, registry, recordFields = [] }: RedactionOptions) {
    this.#recordFields = new Set(recordFields);
    this.#carrying = new Set(
      operationsOf(spec)
        .filter(({ method, path }) => spec.paths[path]?.[method]?.['x-carries-requests'] === true)
        .map(({ path }) => path),
    );
    this.#mode = mode;
    this.#writing = writingOperationsOf(spec);
    this.#counter = new Counter({
      name: 'agent_faculties_redactions_total',
      help: 'Secrets and <private> parts found in requests, by type',
      labelNames: ['type'],
      registers: [registry],
    });
  }

  /** Masks path, query and the headers that name the caller. Mount it first. */
  readonly url: RequestHandler = (req, _res, next) => {
    const found: FoundInRequest = { counts: new Map(), faults: [] };
    req.redactions = found;
    const masks = this.#mode !== 'off';
    if (!this.#cleanUrls.has(req.url)) this.#maskUrl(req, found);
    if (masks) maskHeaders(req, found);
    next();
  };

  #maskUrl(req: Request, found: FoundInRequest): void {
    const url = maskedUrl(req.url, { masks: this.#mode !== 'off', found });
    if (url !== req.url) {
      req.url = url;
      req.originalUrl = url;
    } else if (found.counts.size === 0 && url.length <= LONGEST_CLEAN_URL) {
      if (this.#cleanUrls.size >= MOST_CLEAN_URLS) this.#cleanUrls.clear();
      this.#cleanUrls.add(url);
    }
  }

  /** Masks the body. Mount it after the JSON parser and before validation. */
  readonly body: RequestHandler = async (req, _res, next) => {
    try {
      if (typeof req.body === 'object' && req.body !== null) {
        const found = req.redactions as FoundInRequest;
        const before: object = req.body;
        const carries = this.#carrying.has(req.path);
        const steps = redactJson(before, {
          isOpaque: (where) =>
            carries ? isCarried(where) : where.length === 1 && this.#recordFields.has(where[0] as string),
          ...this.#options(found, 'body'),
        });
        if ((req.bodyBytes ?? Number.POSITIVE_INFINITY) <= SMALL_BODY_BYTES) req.body = atOnce(steps);
        else {
          await inSlices(refuseLongTexts(carries ? withoutArguments(before) : before, ['body']));
          req.body = await inSlices(steps);
        }
        refuseOnlyPrivate(before, req.body);
      }
      next();
    } catch (error) {
      next(error);
    }
  };

  /** Refuses identifiers that hold a secret, and in the mode `block` every write with a secret. Mount it after validation. */
  readonly refusal: RequestHandler = (req, _res, next) => {
    const { faults, counts } = req.redactions as FoundInRequest;
    for (const [type, count] of counts) this.#counter.inc({ type }, count);
    const identifiers = faults.filter(({ where }) => isIdentifier(where));
    if (identifiers.length > 0) throw secretInIdentifier(identifiers);
    if (this.#mode === 'block' && faults.length > 0 && this.#writing.has(operationIdOf(req))) throw secretFound(faults);
    next();
  };

  /** Masks the lines of a request. */
  lines(req: Request): LineRedaction {
    const { counts } = req.redactions as FoundInRequest;
    return {
      line: async (fields) => {
        const inLine: FoundInRequest = { counts: new Map(), faults: [] };
        try {
          return await redactedLine(fields, { mode: this.#mode, found: inLine });
        } finally {
          for (const [type, count] of inLine.counts) {
            this.#counter.inc({ type }, count);
          }
          addCounts(counts, inLine.counts);
        }
      },
    };
  }

  #options({ counts, faults }: FoundInRequest, place: string) {
    return {
      masks: this.#mode !== 'off',
      counts,
      onFound: (where: readonly string[], types: readonly string[]) =>
        noteFault(faults, [place, ...where].join('/'), types),
    };
  }
}

/** Headers that name the caller, and where a secret in them is said to stand. */
const CALLER_HEADERS = [
  ['x-agent-id', 'header/agent_id'],
  ['x-session-id', 'header/X-Session-ID'],
  ['x-project', 'header/project'],
] as const;

function maskHeaders(req: Request, { counts, faults }: FoundInRequest): void {
  for (const [name, where] of CALLER_HEADERS) {
    const given = req.headers[name];
    if (typeof given !== 'string') continue;
    const inHeader: RedactionCounts = new Map();
    req.headers[name] = maskSecrets(given, inHeader);
    if (inHeader.size === 0) continue;
    noteFault(faults, where, [...inHeader.keys()]);
    addCounts(counts, inHeader);
  }
}

/** A line of NDJSON without secrets. @throws InvalidInputError when the line must be refused */
export async function redactLine(
  fields: JsonFields,
  { mode, counts }: { readonly mode: RedactMode; readonly counts: RedactionCounts },
): Promise<JsonFields> {
  return await redactedLine(fields, { mode, found: { counts, faults: [] } });
}

async function redactedLine(
  fields: JsonFields,
  { mode, found }: { mode: RedactMode; found: FoundInRequest },
): Promise<JsonFields> {
  const { counts, faults } = found;
  await inSlices(refuseLongTexts(fields, []));
  const line = (await inSlices(
    redactJson(fields, {
      masks: mode !== 'off',
      counts,
      onFound: (where, types) => noteFault(faults, where.join('/'), types),
      isOpaque: isVectors,
    }),
  )) as JsonFields;
  const refused = mode === 'block' ? faults : faults.filter(({ where }) => isIdentifier(where) || where === 'id');
  if (refused.length > 0)
    throw new InvalidInputError(refused.map(({ where, message }) => `${where} ${message}`).join(', '));
  return line;
}

/** Counts for an answer; undefined where nothing was found. */
export function redactionsOf(req: Request): Redaction[] | undefined {
  const counts = req.redactions?.counts;
  return counts === undefined || counts.size === 0 ? undefined : listed(counts);
}

/** By type, the most frequent first. */
export function listed(counts: RedactionCounts): Redaction[] {
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
}

/** Of a JSON-RPC message all but what an answer may quote: a request that it carries is searched when it comes to its operation. */
function isCarried([field, inner]: readonly string[]): boolean {
  if (field === undefined) return false;
  if (field !== 'params') return field !== 'method';
  return inner !== undefined && inner !== 'name' && inner !== 'uri';
}

/** Of the call of a tool, its arguments are left to the tool: a model reads what that answers, and no error of the protocol. */
function withoutArguments(message: object): object {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return message;
  return { ...message, params: { ...params, arguments: null } };
}

/** Numbers in base64, in which a search would find what is none. */
function isVectors(where: readonly string[]): boolean {
  return where.length === 1 && where[0] === 'vectors';
}

async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (let started = performance.now(), step = steps.next(); ; step = steps.next()) {
    if (performance.now() - started >= SLICE_MS) {
      await new Promise(setImmediate);
      started = performance.now();
    }
    if (step.done) return step.value;
  }
}

/** A field of the body that had words, all of them private: there is nothing to do with the rest. */
function refuseOnlyPrivate(before: object, after: object): void {
  if (before === after) return;
  for (const [field, value] of Object.entries(after)) {
    const given: unknown = (before as Readonly<Record<string, unknown>>)[field];
    if (typeof value !== 'string' || value.trim() !== '' || typeof given !== 'string' || given.trim() === '') continue;
    // Without the tag: problem documents lose what stands behind one, as every text does.
    const message = 'holds nothing but private parts, which are not kept: send what may be known';
    throw new InvalidInputError(`body/${field} ${message}. Nothing was stored.`, {
      code: 'only_private',
      faults: [{ where: `body/${field}`, message }],
    });
  }
}
