export { type BackgroundAudit, backgroundAudit, type Wrote } from './audit.ts';
export { type BinaryOutput, binaryOutput } from './binary-output.ts';
export type { ServiceHosts } from './browser-guard.ts';
export { type Clock, type ClockSources, refinedClock, systemClock } from './clock.ts';
export {
  ConfigError,
  type ConfigField,
  type ConfigFields,
  type ConfigOf,
  type ConfigSources,
  readConfig,
} from './config.ts';
export { type CommandLine, configOrExit, helpText } from './config-or-exit.ts';
export {
  agentId,
  byteSize,
  hostNames,
  integerBetween,
  numberBetween,
  oneOf,
  type Parser,
  path,
  text,
  trueOrFalse,
} from './config-parsers.ts';
export { type Contract, openContract } from './contract.ts';
export { type DashboardPage, dashboardPage } from './dashboard-page.ts';
export {
  ConflictError,
  type Fault,
  ForbiddenError,
  InvalidInputError,
  MisdirectedRequestError,
  NotFoundError,
  PreconditionFailedError,
  ServiceError,
  type ServiceErrorOptions,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './errors.ts';
export { warnWhereExposed } from './exposure.ts';
export { type GracefulStopOptions, gracefulStop, type Release } from './graceful-stop.ts';
export { type IdSource, timeOrderedIds } from './ids.ts';
export { parseInstant } from './instant.ts';
export { instantField, isName, nameField, nameOrNullField, oneOfField } from './json-fields.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
export { createLog, LOG_LEVELS, type Logger, type LogLevel, type LogOptions } from './log.ts';
export { ManualClock } from './manual-clock.ts';
export { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
export { type JsonFields, type NdjsonLine, ndjsonLines, requireWhole } from './ndjson.ts';
export { loadSpec, type OpenApiDocument, operationsOf } from './openapi.ts';
export type { Context, Handler, Handlers, Reply, SharedOperationId } from './operations.ts';
export { requirePlainBody } from './plain-body.ts';
export type { Shortcoming, Shortcomings } from './probes.ts';
export { type Problem, type ProblemAnswer, problemFor, problemHandler } from './problem.ts';
export { PROBLEM_CODES, type ProblemCode, type ProblemKind } from './problem-codes.ts';
export { type LineRedaction, listed, REDACT_MODES, type Redaction, type RedactMode, redactLine } from './redaction.ts';
export { type RequestLogOptions, requestLog } from './request-log.ts';
export { MAX_STOP_DELAY_SECONDS, type ProcessEdge, runService, type ServiceRun } from './run-service.ts';
export { createServiceApp, type ServiceApp, type ServiceAppOptions } from './service-app.ts';
export { ADMIN_ROLES, type MayName, type NamedAgent } from './trusted-identity.ts';
