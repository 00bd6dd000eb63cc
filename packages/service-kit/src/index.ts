export { makeFolder } from './files/make-folder.ts';
export { inPassingFolder, removeLeftFolders } from './files/passing-folders.ts';
export { syncDirectory, writeAt, writeSynced } from './files/synced-files.ts';
export { readTar, TAR_END, type TarEntry, TarError, tarHeader, tarPadding } from './files/tar-archive.ts';
export { type BackgroundAudit, backgroundAudit, type RecordWrite } from './observability/audit.ts';
export { createLog, type Logger, type LogLevel } from './observability/log.ts';
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
export { TurnQueue } from './process/turn-queue.ts';
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
