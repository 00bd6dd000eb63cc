import type { Core } from './core.ts';
import { NotFoundError, TimeoutError } from './errors.ts';
import type { Methods } from './methods.ts';
import type { CallOptions } from './options.ts';
import type { components, operations } from './timing.gen.ts';
import type { TIMING_OPERATIONS } from './timing-operations.gen.ts';

type Schemas = components['schemas'];

export interface TaskOptions extends CallOptions {
  /** How long it is expected to take. */
  readonly estimatedSeconds?: number | undefined;
  readonly metadata?: Schemas['Metadata'] | undefined;
}

/**
 * Runs `work` as a task of this type, so that its duration is known. It does not wait for the service before it begins, and a
 * service that is away changes nothing for it: `onProblem` is told. What `work` throws is thrown on, and recorded: as `timeout`
 * or `cancelled` where an AbortSignal or the timeout of a command ended it, else as `error`.
 */
export type WithTask = <R>(taskType: string, work: Work<R>, options?: TaskOptions) => Promise<R>;

type Work<R> = (task: {
  readonly correlationId: string;
  /** That of the options; without one, a signal that never aborts. */
  readonly signal: AbortSignal;
}) => R | Promise<R>;

interface Deps {
  readonly core: Core;
  readonly methods: Pick<Methods<typeof TIMING_OPERATIONS, operations>, 'startTask' | 'endTask'>;
}

/** Limit of each report about a task: the caller waits no longer for it. */
const LIMIT_MS = 2_000;
/** Nothing is sent while work such as `execSync` holds the event loop up. After so long the start tells when it was. */
const HELD_UP_MS = 10;

export async function withTask<R>(
  { core, methods }: Deps,
  task_type: string,
  work: Work<R>,
  { estimatedSeconds, metadata, signal = new AbortController().signal, ...options }: TaskOptions = {},
): Promise<R> {
  const correlation_id = core.runtime.newKey();
  // The signal ends the work, and its end still has to be reported.
  const call = { ...options, timeoutMs: options.timeoutMs ?? Math.min(LIMIT_MS, core.timeoutMs) };
  const { now } = core.runtime;
  const begun = now();
  const working = begin(work, { correlationId: correlation_id, signal });
  const isHeldUp = now() - begun >= HELD_UP_MS;
  // Both by the same clock, or by that of the service.
  const at = (ms: number) => isHeldUp && { timestamp: new Date(ms).toISOString() };
  const started = methods
    .startTask(
      {
        task_type,
        correlation_id,
        ...(estimatedSeconds !== undefined && { estimated_seconds: estimatedSeconds }),
        ...(metadata !== undefined && { metadata }),
        ...at(begun),
      },
      call,
    )
    .then(() => 'yes' as const)
    .catch((error) => {
      core.onProblem(error);
      // The service may have taken a start that it did not answer in time.
      return error instanceof TimeoutError ? 'perhaps' : 'no';
    });
  const end = async (outcome: Schemas['Outcome']) => {
    const told = { task_type, correlation_id, outcome, ...at(now()) };
    const isStarted = await started;
    if (isStarted === 'no') return;
    await methods.endTask(told, call).catch((error) => {
      if (isStarted === 'yes' || !(error instanceof NotFoundError)) core.onProblem(error);
    });
  };
  try {
    const result = await working;
    await end('ok');
    return result;
  } catch (error) {
    await end(outcomeOf(error, signal));
    throw error;
  }
}

/** What synchronous work throws is thrown by the promise. */
async function begin<R>(work: Work<R>, task: Parameters<Work<R>>[0]): Promise<R> {
  return await work(task);
}

/**
 * As the platform names them: AbortSignal.timeout ends with a TimeoutError, abort() with an AbortError or the reason that it is
 * given. Some of the platform throws an AbortError after a timeout too.
 */
function outcomeOf(error: unknown, { aborted, reason }: AbortSignal): Schemas['Outcome'] {
  if (isTimeout(error) || isCommandTimedOut(error)) return 'timeout';
  if (nameOf(error) !== 'AbortError' && !(aborted && error === reason)) return 'error';
  return nameOf(reason) === 'TimeoutError' ? 'timeout' : 'cancelled';
}

/** By its name, or that of its class, which alone tells it of the errors of OpenAI and Anthropic (`APIConnectionTimeoutError`). */
function isTimeout(error: unknown): boolean {
  const { constructor: kind } = (error ?? {}) as object;
  return [nameOf(error), kind?.name].some((name) => /Timeout/.test(String(name)));
}

/** As Node tells of a command that ran into the `timeout` it was given: `execSync` by a code, `exec` by having killed it. */
function isCommandTimedOut(error: unknown): boolean {
  const { code, killed } = (error ?? {}) as { code?: unknown; killed?: unknown };
  return code === 'ETIMEDOUT' || (killed === true && code === null);
}

function nameOf(error: unknown): string | undefined {
  return ((error ?? {}) as Partial<Error>).name;
}
