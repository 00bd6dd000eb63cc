import { createCore } from './core.ts';
import { type Methods, methodsOf } from './methods.ts';
import type { ClientOptions } from './options.ts';
import type { operations } from './timing.gen.ts';
import { TIMING_OPERATIONS } from './timing-operations.gen.ts';
import { type WithTask, withTask } from './with-task.ts';

export const TIMING_URL = 'http://127.0.0.1:8080';

export interface TimingClient extends Methods<typeof TIMING_OPERATIONS, operations> {
  withTask: WithTask;
}

/** A client of timing-service. Nothing is sent before the first call. */
export function timingClient(options: ClientOptions = {}): TimingClient {
  const core = createCore(TIMING_URL, options);
  const methods = methodsOf<typeof TIMING_OPERATIONS, operations>(core, TIMING_OPERATIONS);
  return { ...methods, withTask: (taskType, work, settings) => withTask({ core, methods }, taskType, work, settings) };
}
