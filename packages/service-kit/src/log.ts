import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Lines wait for so many bytes or so long, then go out in one write. To write each by itself, as the request goes on, took a
 * quarter of the processor time of a whole request. A process that ends by itself writes them all; only kill -9 loses them.
 */
const BUFFER_BYTES = 4_096;
const FLUSH_EVERY_MS = 250;

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
    serializers: { err: errorFields },
  };
  return pino(options, destination ?? standardOutput());
}

/** Turns the log from the level it has now to 'debug' and back, and says so; a log of that level or below turns to 'info'. */
export function levelSwitch(log: Logger): () => void {
  const usual = log.level;
  const other = usual === 'debug' || usual === 'trace' ? 'info' : 'debug';
  return () => {
    const level = log.level === usual ? other : usual;
    const say = () => log.info({ log_level: level }, 'log level');
    // While the more talkative of the two holds.
    if (level === 'debug') {
      log.level = level;
      say();
    } else {
      say();
      log.level = level;
    }
  };
}

/** Libraries hang what they were given on their errors: a body, the values of a statement. That stays out of the log. */
function errorFields(error: Error): object {
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(code !== undefined && { code }) };
}

function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS });
}
