import {
  identityMiddleware,
  readCaller,
  readSpace,
  readTrustedCaller,
  readTrustedSpace,
  requireOneAgent,
  requireOneProject,
  requireVisibleNames,
} from '@agent-faculties/agent-identity';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Contract } from '../contract/contract.ts';
import { noSuchPath } from '../contract/contract-violation.ts';
import { operationIdOf } from '../contract/found-operation.ts';
import { writingOperationsOf } from '../contract/openapi.ts';
import { type Handlers, operationRouter, type RouterOptions } from '../contract/operations.ts';
import { requestAudit } from '../observability/audit.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { type ErrorForm, problemHandler } from '../problems/problem.ts';
import { type RedactMode, RequestRedaction } from '../redaction/request-redaction.ts';
import { plainContentType } from '../validator-workarounds/contract-validation.ts';
import { inSequence } from '../validator-workarounds/in-sequence.ts';
import { queryFaultHandlers } from '../validator-workarounds/query-faults.ts';
import type { Clock } from '../values/clock.ts';
import type { IdSource } from '../values/ids.ts';
import { documentation } from './documentation.ts';
import { type ExpressMessages, expressMessages } from './express-messages.ts';
import { type ForeignBody, slimForeignBodies } from './foreign-body.ts';
import { forgiveHooks, type HookDoorOptions, hookBodies } from './hook-door.ts';
import { hostAndOriginGuard, type ServiceHosts } from './host-and-origin-guard.ts';
import { sendJson } from './json-answer.ts';
import { jsonBody } from './json-body.ts';
import { type Degradations, probes } from './probes.ts';
import { type NextStep, quietTurns } from './quiet-turns.ts';
import { bodyGuard, finiteGuard, largeBodiesInTurn, urlGuard } from './request-guards.ts';
import { requestLog } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';
import { type MayName, trustedIdentity } from './trusted-identity.ts';

export interface ServiceAppOptions<Operations, InSpace extends keyof Handlers<Operations> = never>
  extends Pick<RouterOptions<Operations, InSpace>, 'handlers' | 'spaces'> {
  readonly contract: Contract;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Agent of a request that names none. */
  readonly defaultAgentId: string;
  /** Limit of a request body, counted after decompression. */
  readonly bodyLimitBytes: number;
  /** operationIds that may read for all agents ('*'); elsewhere '*' is refused before the handler. */
  readonly allowAnyAgent: ReadonlySet<string>;
  /** For a service behind a gateway: its header X-Agent-ID names the caller. Without it, callers name themselves. */
  readonly trustedHeader?: { readonly mayName: MayName } | undefined;
  /** The hosts that the service answers to; loopback names alone unless given. Behind a gateway all hosts are accepted. */
  readonly hosts?: ServiceHosts;
  /** How secrets in requests are treated; masked unless given. */
  readonly redact?: RedactMode;
  /** Fields of a body that hold records, which a handler hands to `redaction` one by one. */
  readonly recordFields?: readonly string[];
  /** The current degradations, for /health/ready. @throws UnavailableError when the service cannot serve at all */
  readonly degradations?: Degradations;
  /** For a service that takes hooks. */
  readonly hooks?: HookDoorOptions;
  /** Bodies in forms of others, beside the payloads of hooks. */
  readonly foreignBodies?: readonly ForeignBody[];
  /** For a service that speaks a protocol with errors of its own at some address. */
  readonly errorForm?: ErrorForm;
  /** Exports spans of requests. */
  readonly tracing?: Tracing | undefined;
  /** What a first request of its kind would wait for: done one after the other once the service listens, in steps between requests. */
  readonly warmUps?: readonly ((nextStep: NextStep) => Promise<void>)[];
  /** Mounts routes outside the contract, such as the files of a page; called before validation. */
  readonly mount?: (app: Express) => void;
}

export interface ServiceApp extends Express {
  /** Compiles the contract, and does the `warmUps`, so that few requests have to wait. @throws Error when the contract cannot be compiled */
  readonly warmUp: () => Promise<void>;
  /** From now on /health/ready answers 503. */
  readonly drain: () => void;
  /** For the server that listens. */
  readonly messages: ExpressMessages;
}

/**
 * An Express app for a contract and its handlers; it never listens. In this order: secrets of the URL, request log, metrics,
 * security headers, browser check, URL check, /openapi.json /docs /metrics /health/live /health/ready, `mount`, JSON body,
 * secrets of the body, contract, identity, operation, 404, problem documents.
 * @throws Error when contract and handlers do not match
 */
export function createServiceApp<Operations, InSpace extends keyof Handlers<Operations> = never>(
  options: ServiceAppOptions<Operations, InSpace>,
): ServiceApp {
  const { contract, handlers, spaces, log, metrics, clock, ids, defaultAgentId } = options;
  const { spec, validation } = contract;
  const { trustedHeader } = options;
  const audit = requestAudit({ log, spec, trustHeaders: trustedHeader !== undefined });
  const { redact: mode = 'mask', recordFields = [] } = options;
  const redaction = new RequestRedaction({ mode, spec, registry: metrics.registry, recordFields });
  const app = express();
  app.disable('x-powered-by');
  // Answers change all the time, and hashing one costs more than most handlers.
  app.disable('etag');
  // Set on the prototype, since the validator of responses wraps it.
  app.response.json = sendJson;
  app.enable('case sensitive routing');
  app.enable('strict routing');

  const quiet = quietTurns();
  const guard = hostAndOriginGuard({ ...options.hosts, behindGateway: trustedHeader !== undefined });
  app.use(
    inSequence(
      quiet.middleware,
      heardByMany,
      redaction.url,
      requestLog({ log, ids, clock }),
      metrics.middleware,
      ...(options.tracing ? [options.tracing.middleware] : []),
      securityHeaders,
      guard,
      urlGuard,
    ),
  );
  const { drain, ...probe } = probes(options.degradations ?? (() => []));
  app.use(documentation({ spec, metrics, probes: probe }));
  options.mount?.(app);
  const foreign = [...(options.hooks ? [hookBodies(options.hooks)] : []), ...(options.foreignBodies ?? [])];
  const [refuseQueryFaults, withQueryFaults] = queryFaultHandlers(spec);
  app.use(
    inSequence(
      jsonBody(options.bodyLimitBytes, foreign),
      largeBodiesInTurn(),
      bodyGuard,
      slimForeignBodies(foreign),
      plainContentType(spec),
      redaction.body,
      validation,
      refuseQueryFaults,
      finiteGuard,
      redaction.refusal,
      identityMiddleware({
        defaultAgentId,
        ...(trustedHeader && { trusted: trustedIdentity(spec, trustedHeader.mayName) }),
      }),
      anyAgentGuard(options.allowAnyAgent),
      namesGuard(writingOperationsOf(spec)),
      operationRouter<Operations, InSpace>({ spec, handlers, spaces, audit, redaction }),
    ),
    withQueryFaults,
  );
  app.use((req) => {
    throw noSuchPath(req.path);
  });
  const callerOf = refusedCaller({ defaultAgentId, isTrusted: trustedHeader !== undefined });
  if (options.hooks) app.use(forgiveHooks({ ...options.hooks, log, audit, clock, callerOf }));
  app.use(problemHandler({ log, audit, form: options.errorForm ?? (() => null) }));
  const warmUp = async () => {
    const nextStep = quiet.begin();
    for (const one of [contract.warmUp, ...(options.warmUps ?? [])]) {
      await nextStep();
      await one(nextStep);
    }
  };
  return Object.assign(app, { warmUp, drain, messages: expressMessages(app) });
}

/** A log, metrics and others await the end of each answer. With a pipeline that are more than ten, which Node takes for a leak. */
const heardByMany: RequestHandler = (_req, res, next) => {
  res.setMaxListeners(0);
  next();
};

/** The caller that a refused request names in query or header; null for what neither names validly. Its body may be anything. */
function refusedCaller({ defaultAgentId, isTrusted }: { defaultAgentId: string; isTrusted: boolean }) {
  return ({ caller, query, headers }: Request): { space: string; agentId: string | null } | null => {
    if (caller) return caller;
    const sources = { query, headers };
    const named = orNull(() =>
      requireOneAgent(
        isTrusted ? readTrustedCaller(sources, { mayName: () => false }) : readCaller(sources, { defaultAgentId }),
      ),
    );
    if (named) return named;
    const space = orNull(() => (isTrusted ? readTrustedSpace(sources) : readSpace(sources)));
    return space === null ? null : { space, agentId: null };
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function anyAgentGuard(allowed: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    if (req.caller && !allowed.has(operationIdOf(req))) requireOneAgent(req.caller);
    next();
  };
}

/** Checks the names under which something is written. */
function namesGuard(writing: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    if (req.caller && writing.has(operationIdOf(req))) {
      requireOneProject(req.caller);
      // Whatever is stored under a bad name can be deleted.
      if (req.method !== 'DELETE') requireVisibleNames(req.caller);
    }
    next();
  };
}
