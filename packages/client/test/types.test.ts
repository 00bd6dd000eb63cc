import { expect, test } from '@jest/globals';
import { type MemorySchemas, memoryClient, timingClient } from '../src/index.ts';

/** Never called: that it compiles is the test. */
export async function usesTheTypes(): Promise<void> {
  const memory = memoryClient();
  const timing = timingClient();
  const stored = await memory.ingest({ content: 'x', scope: 'PRIVATE' });
  stored.memory?.id.toUpperCase();
  for await (const one of memory.listMemories({ limit: 5, kind: 'semantic' })) {
    const typed: MemorySchemas['schemas']['Memory'] = one;
    typed.gist.toUpperCase();
  }
  (await memory.listMemories()).total.toFixed();
  (await timing.getSummary({ task_type: 'build', since: '2026-01-01' })).summary.p95_seconds.toFixed();
  (await memory.getMemory({ id: 'x' }).withResponse()).response.headers.get('ETag');
  await memory.updateMemory({ id: 'x', gist: 'y', 'If-Match': '*' });
  await memory.consolidate();
  const timed: number = await timing.withTask('build', () => 1);
  timed.toFixed();
  // As variables of the environment are.
  const perhaps: string | undefined = undefined;
  const some: number | undefined = undefined;
  memoryClient({ url: perhaps, agentId: perhaps, timeoutMs: some, maxRetries: some, onProblem: undefined });
  await memory.recall({ query: 'x', project: perhaps, top_k: some }, { timeoutMs: some, headers: undefined });
  await timing.withTask('build', () => 1, { estimatedSeconds: some });

  // @ts-expect-error a message has words
  await memory.ingest({});
  // @ts-expect-error what must be there must not be undefined
  await memory.ingest({ content: undefined });
  // @ts-expect-error there is no such scope
  await memory.ingest({ content: 'x', scope: 'ALL' });
  // @ts-expect-error there is no such field
  await memory.recall({ query: 'x', limit: 3 });
  // @ts-expect-error a task type must be named
  await timing.getSummary();
  // @ts-expect-error one page has no items of its own
  for await (const one of memory.getStats()) void one;
}

test('compiles', () => expect(usesTheTypes).toBeInstanceOf(Function));
