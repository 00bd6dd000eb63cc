export { type Contract, openContract } from './contract/contract.ts';
export { type LocatedOperation, loadSpec, type OpenApiDocument, operationsOf } from './contract/openapi.ts';
export type { Handler, Handlers, Reply } from './contract/operations.ts';
export { requirePlainBody } from './contract/plain-body.ts';
export { recordReader } from './contract/record-reader.ts';
export { makeFolder } from './files/make-folder.ts';
export { inPassingFolder, removeLeftFolders } from './files/passing-folders.ts';
export { syncDirectory, writeAt, writeSynced } from './files/synced-files.ts';
export { readTar, TAR_END, type TarEntry, TarError, tarHeader, tarPadding } from './files/tar-archive.ts';
export { type DashboardPage, dashboardPage } from './http/dashboard-page.ts';
export { connectedMessage, type EventStream, EventStreams, eventMessage } from './http/event-stream.ts';
export { HookCalls } from './http/hook-door.ts';
export { type InProcessAnswer, requestInProcess } from './http/in-process.ts';
export { type Listening, listen } from './http/listen.ts';
export { type JsonFields, type NdjsonLine, ndjsonLines, requireWhole } from './http/ndjson.ts';
export type { Degradation } from './http/probes.ts';
export { createServiceApp, type ServiceApp, type ServiceAppOptions } from './http/service-app.ts';
export { ADMIN_ROLES, type MayName, mayAct, type Role } from './http/trusted-identity.ts';
export { type BackgroundAudit, backgroundAudit, type RecordWrite } from './observability/audit.ts';
export { createLog, type Logger, type LogLevel } from './observability/log.ts';
export { createMetrics, type Metrics } from './observability/metrics.ts';
export { openTracing, type Tracing } from './observability/tracing.ts';
export {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PreconditionFailedError,
  ServiceError,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './problems/errors.ts';
export { type ErrorForm, type Problem, problemFor } from './problems/problem.ts';
export { PROBLEM_CODES, type ProblemKind } from './problems/problem-codes.ts';
export { type BackupCommands, BackupError, backupCommands, standardStreams } from './process/backup-command.ts';
export type { BinaryOutput } from './process/binary-output.ts';
export { type CommandEdge, type Commands, commandEdge, runCommand } from './process/command.ts';
export { ConfigError, type ConfigOf, readConfig } from './process/config.ts';
export { configOrExit } from './process/config-or-exit.ts';
export {
  agentId,
  byteSize,
  integerBetween,
  numberBetween,
  oneOf,
  type Parser,
  path,
  space,
  text,
  trueOrFalse,
} from './process/config-parsers.ts';
export { copyCommand } from './process/copy-command.ts';
export { EXIT_FAILED, EXIT_USAGE } from './process/exit-codes.ts';
export { warnWhereExposed } from './process/exposure.ts';
export { gracefulStop } from './process/graceful-stop.ts';
export { isAlive } from './process/is-alive.ts';
export { orExit } from './process/or-exit.ts';
export { runService } from './process/run-service.ts';
export { serviceFields, spaceFields } from './process/service-fields.ts';
export { TurnQueue } from './process/turn-queue.ts';
export { refuseLongTexts } from './redaction/long-texts.ts';
export { type LineRedaction, listed, REDACT_MODES, redactLine } from './redaction/request-redaction.ts';
export { OpenSpaces, type SpaceRoom, type SpaceSource } from './spaces/open-spaces.ts';
export { type Clock, systemClock } from './values/clock.ts';
export { DAY_MS } from './values/durations.ts';
export { type IdSource, timeOfId, timeOrderedIds } from './values/ids.ts';
export { parseInstant } from './values/instant.ts';
export { lazily } from './values/lazily.ts';
export { ManualClock } from './values/manual-clock.ts';
export { pageCursor } from './values/page-cursor.ts';
export { atOnce, inTurns, type Steps } from './values/steps.ts';
export { parseTimeRange } from './values/time-range.ts';
export { dayOf, instantOf, timeZoneName, utcDay, wallTime } from './values/wall-time.ts';
