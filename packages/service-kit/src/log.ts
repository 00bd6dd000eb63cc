import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly name: string;
  readonly level: LogLevel;
  /** Where the JSON lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

/** A log of JSON lines: level as a word, time as UTC ISO 8601. */
export function createLog({ name, level, destination }: LogOptions): Logger {
  const options = {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}
