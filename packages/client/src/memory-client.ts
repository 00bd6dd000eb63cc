import { type Around, around } from './around.ts';
import { createCore } from './core.ts';
import { type Line, sendLines } from './lines.ts';
import type { operations } from './memory.gen.ts';
import { MEMORY_OPERATIONS } from './memory-operations.gen.ts';
import { type AnswerOf, type Methods, methodsOf } from './methods.ts';
import type { CallOptions, ClientOptions } from './options.ts';

export const MEMORY_URL = 'http://127.0.0.1:7832';

export interface MemoryClient extends Methods<typeof MEMORY_OPERATIONS, operations> {
  /** `merge` for any number of lines; takes what `exportMemories` gives. */
  mergeLines(
    lines: Iterable<Line> | AsyncIterable<Line>,
    options?: CallOptions & { readonly dryRun?: boolean },
  ): Promise<AnswerOf<operations['merge']>>;
  around: Around;
}

/** A client of memory-service. Nothing is sent before the first call. */
export function memoryClient(options: ClientOptions = {}): MemoryClient {
  const core = createCore(MEMORY_URL, options);
  const methods = methodsOf<typeof MEMORY_OPERATIONS, operations>(core, MEMORY_OPERATIONS);
  return {
    ...methods,
    mergeLines: (lines, { dryRun, ...call } = {}) =>
      sendLines(core, MEMORY_OPERATIONS.merge, lines, { ...call, query: { dry_run: dryRun } }),
    around: (messages, answer, settings) => around({ core, methods }, messages, answer, settings),
  };
}
