import { setTimeout as pause } from 'node:timers/promises';
import { redactJson } from '@agent-faculties/redaction';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { atOnce } from '../values/steps.ts';
import { type BatchedOutput, batchedOutput, drained } from './batched-output.ts';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const FLUSH_LIMIT_MS = 1_000;

const STANDARD_OUTPUT = 1;

/** The output of each log that writes to standard output. */
const outputs = new WeakMap<Logger, BatchedOutput>();

export interface LogOptions {
  readonly name: string;
  readonly level: LogLevel;
  /** Where the JSON lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

/**
 * A log of JSON lines: level as a word, time as UTC ISO 8601. Lines are written in batches: one write per line took a quarter of
 * the processor time of a request. kill -9 loses the last lines.
 */
export function createLog({ name, level, destination }: LogOptions): Logger {
  const options = {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets<Record<string, unknown>> },
    serializers: { err: errorFields },
    hooks: { logMethod: logWithoutSecrets },
  };
  if (destination) return pino(options, destination);
  const output = batchedOutput({
    fd: STANDARD_OUTPUT,
    onLost: (lines) => log.warn({ lines }, 'lines of the log were lost'),
  });
  const log = pino(options, output);
  outputs.set(log, output);
  return log;
}

/** Resolves once all lines on standard output are written, or when the reader has taken nothing for a second. */
export async function flushed(log: Logger): Promise<void> {
  const output = outputs.get(log);
  if (output) await drained(output, () => pause(FLUSH_LIMIT_MS, undefined, { ref: false }));
}

/** Switches the log between its level and 'debug', and logs the switch; a log at 'debug' or 'trace' switches to 'info'. */
export function levelSwitch(log: Logger): () => void {
  const usual = log.level;
  const other = usual === 'debug' || usual === 'trace' ? 'info' : 'debug';
  return () => {
    const level = log.level === usual ? other : usual;
    const say = () => log.info({ log_level: level }, 'log level');
    // Log the switch at the more verbose of the two levels.
    if (level === 'debug') {
      log.level = level;
      say();
    } else {
      say();
      log.level = level;
    }
  };
}

/** Libraries attach their input to errors: a body, the values of a statement. The log leaves it out. */
function errorFields(error: unknown): object {
  const told = pino.stdSerializers.err(error as Error);
  // Anything can be thrown; other values are returned unchanged.
  if (told === error) return withoutSecrets({ type: typeof error, message: String(error) });
  const { type, message, stack, code } = told;
  return withoutSecrets({ type, message, stack, ...(code !== undefined && { code }) });
}

/**
 * Masks secrets that the masking of requests does not see: an unknown path, or an error of a library that quotes its input.
 */
export function withoutSecrets<T>(value: T): T {
  return atOnce(redactJson(value, { masks: true, counts: new Map() })) as T;
}

function logWithoutSecrets(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const texts = args as unknown[];
  method.apply(
    this,
    texts.map((text) => (typeof text === 'string' ? withoutSecrets(text) : text)) as Parameters<LogFn>,
  );
}
