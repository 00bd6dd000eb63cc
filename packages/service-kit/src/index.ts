export { type Contract, openContract } from './contract/contract.ts';
export { instantField, isName, nameField, nameOrNullField, oneOfField } from './contract/json-fields.ts';
export { loadSpec, type OpenApiDocument, operationsOf } from './contract/openapi.ts';
export type { Context, Handler, Handlers, Reply, SharedOperationId } from './contract/operations.ts';
export { requirePlainBody } from './contract/plain-body.ts';
export type { ServiceHosts } from './http/browser-guard.ts';
export { type DashboardPage, dashboardPage } from './http/dashboard-page.ts';
export { type Listening, type ListenOptions, listen } from './http/listen.ts';
export { type JsonFields, type NdjsonLine, ndjsonLines, requireWhole } from './http/ndjson.ts';
export type { Degradation, Degradations } from './http/probes.ts';
export {
  type LineRedaction,
  listed,
  REDACT_MODES,
  type Redaction,
  type RedactMode,
  redactLine,
} from './http/redaction.ts';
export { type RequestLogOptions, requestLog } from './http/request-log.ts';
export { createServiceApp, type ServiceApp, type ServiceAppOptions } from './http/service-app.ts';
export { ADMIN_ROLES, type MayName, type NamedAgent } from './http/trusted-identity.ts';
export { type BackgroundAudit, backgroundAudit, type RecordWrite } from './observability/audit.ts';
export { createLog, LOG_LEVELS, type Logger, type LogLevel, type LogOptions } from './observability/log.ts';
export { createMetrics, type Metrics, type MetricsOptions } from './observability/metrics.ts';
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
} from './problems/errors.ts';
export { type Problem, type ProblemAnswer, problemFor, problemHandler } from './problems/problem.ts';
export { PROBLEM_CODES, type ProblemCode, type ProblemKind } from './problems/problem-codes.ts';
export { type BinaryOutput, binaryOutput } from './process/binary-output.ts';
export {
  ConfigError,
  type ConfigField,
  type ConfigFields,
  type ConfigOf,
  type ConfigSources,
  readConfig,
} from './process/config.ts';
export { type CommandLine, configOrExit, helpText } from './process/config-or-exit.ts';
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
} from './process/config-parsers.ts';
export { EXIT_FAILED, EXIT_USAGE } from './process/exit-codes.ts';
export { warnWhereExposed } from './process/exposure.ts';
export { type GracefulStopOptions, gracefulStop, type Release } from './process/graceful-stop.ts';
export { MAX_STOP_DELAY_SECONDS, type ProcessEdge, runService, type ServiceRun } from './process/run-service.ts';
export { type Clock, type ClockSources, refinedClock, systemClock } from './values/clock.ts';
export { DAY_MS } from './values/durations.ts';
export { type IdSource, timeOrderedIds } from './values/ids.ts';
export { parseInstant } from './values/instant.ts';
export { ManualClock } from './values/manual-clock.ts';
