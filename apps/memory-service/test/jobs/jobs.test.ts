import type { Logger } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Memory } from '../../src/domain/memory/memory.ts';
import { type JobDeps, Jobs } from '../../src/jobs/jobs.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Jobs over a store in which one memory waits for its vectors. */
function jobsOver(withoutVectors: () => Promise<readonly Memory[]>) {
  const logged: unknown[] = [];
  const log = { info: () => {}, warn: () => {}, error: (line: unknown) => logged.push(line) } as unknown as Logger;
  const deps = {
    store: { withoutVectors },
    persistence: { state: () => ({ dataDir: null }), isUnsaved: () => false },
    finder: { findContradictions: async () => ({ compared: 0, found: 0 }) },
    nightly: { start: () => {}, stop: async () => {} },
    consolidator: { stop: async () => {} },
    callers: { areActive: () => false },
    isOwner: async () => true,
    waitingForVectors: () => 1,
    log,
  };
  return { jobs: new Jobs(deps as unknown as JobDeps, { autoSaveSeconds: null }), logged };
}

test('vectors that cannot be made by a fault end no process: the log has it, and they are tried again a minute later', async () => {
  const fault = new Error('The log of the space does not continue its checkpoint.');
  let attempts = 0;
  const { jobs, logged } = jobsOver(async () => {
    attempts++;
    if (attempts === 1) throw fault;
    return [];
  });
  // Of a rejection that nobody takes the process would die.
  const rejected: unknown[] = [];
  const note = (reason: unknown) => rejected.push(reason);
  process.on('unhandledRejection', note);
  try {
    jobs.start();
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
    expect({ attempts, logged }).toEqual({ attempts: 1, logged: [{ job: 'vectors', err: fault }] });
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect({ attempts, rejected }).toEqual({ attempts: 2, rejected: [] });
    await jobs.stop();
  } finally {
    process.off('unhandledRejection', note);
  }
});
