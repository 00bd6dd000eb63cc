import { exec, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TimingClient, timingClient } from '../src/index.ts';
import { type LiveServices, startLiveServices } from './live-services.ts';

let services: LiveServices;
let timing: TimingClient;
let problems: unknown[];

beforeAll(async () => {
  services = await startLiveServices();
});
beforeEach(() => {
  problems = [];
  timing = timingClient({
    url: services.timingUrl,
    agentId: 'ann',
    onProblem: (error) => problems.push(error),
    runtime: { now: () => services.timing.clock.now() },
  });
});
afterAll(() => services.close());

/** As the clients of OpenAI and Anthropic have one; its `name` is that of every error. */
class APIConnectionTimeoutError extends Error {}

const latest = async () => (await timing.listTasks({ limit: 1 })).tasks[0];

describe('withTask', () => {
  test('times what it runs and gives back what that gives', async () => {
    const result = await timing.withTask(
      'build',
      async ({ correlationId }) => {
        // The client does not wait for the start, so the service may hear of it a moment later.
        while ((await timing.listActiveTasks()).active_tasks.length === 0);
        expect(await timing.getTask({ correlation_id: correlationId })).toMatchObject({ task: { state: 'active' } });
        services.timing.clock.advance(12_000);
        return 42;
      },
      { estimatedSeconds: 10, metadata: { branch: 'main' } },
    );
    expect(result).toBe(42);
    expect(await latest()).toMatchObject({
      task_type: 'build',
      agent_id: 'ann',
      state: 'ended',
      outcome: 'ok',
      duration_seconds: 12,
      estimated_seconds: 10,
      metadata: { branch: 'main' },
    });
    expect(problems).toEqual([]);
  });

  const aborted = (controller = new AbortController()) => {
    controller.abort();
    return controller.signal.reason as unknown;
  };
  test.each<[string, unknown]>([
    ['error', new Error('broken')],
    ['error', 'a text'],
    ['cancelled', aborted()],
    ['timeout', new DOMException('The operation timed out.', 'TimeoutError')],
    ['timeout', new APIConnectionTimeoutError('Request timed out.')],
    ['error', null],
    ['error', Object.create(null)],
  ])('records %s and throws on what was thrown', async (outcome, fault) => {
    const call = timing.withTask('deploy', () => {
      throw fault;
    });
    await expect(call).rejects.toBe(fault);
    expect(await latest()).toMatchObject({ task_type: 'deploy', state: 'ended', outcome });
  });

  /** As execFileSync does; the services in this process could not answer while it waits. */
  const throwTimedOutSync = () => {
    throw Object.assign(new Error('spawnSync node ETIMEDOUT'), { code: 'ETIMEDOUT' });
  };
  const LONG = [process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']] as const;
  test.each<[string, string, () => unknown]>([
    ['timeout', 'a command that ran into its timeout', () => promisify(execFile)(...LONG, { timeout: 50 })],
    ['timeout', 'one that was waited for', () => throwTimedOutSync()],
    ['error', 'one that failed', () => promisify(exec)('exit 3')],
    ['error', 'one that something else killed', () => promisify(exec)('kill -9 $$')],
  ])('records %s of %s', async (outcome, _, work) => {
    await expect(timing.withTask('npm test', work)).rejects.toThrow();
    expect(await latest()).toMatchObject({ task_type: 'npm test', outcome });
  });

  test('times work that lets nothing be sent before it is over', async () => {
    const { clock } = services.timing;
    clock.advance(1_000);
    await timing.withTask('vite build', () => clock.advance(3_000));
    expect(await latest()).toMatchObject({ task_type: 'vite build', outcome: 'ok', duration_seconds: 3 });
  });

  test('hands its signal to the work, and records the end although that signal has ended it', async () => {
    const stop = new AbortController();
    const call = timing.withTask(
      'search',
      ({ signal }) => {
        stop.abort();
        signal.throwIfAborted();
      },
      { signal: stop.signal },
    );
    await expect(call).rejects.toHaveProperty('name', 'AbortError');
    expect(await latest()).toMatchObject({ task_type: 'search', outcome: 'cancelled' });
  });

  test('records how its signal ended, whatever the work throws then', async () => {
    const enough = new Error('enough');
    const throwsReason = (signal: AbortSignal) => signal.throwIfAborted();
    // As `node:timers/promises` and `node:child_process` do, whatever the reason.
    const throwsAbortError = () => {
      throw new DOMException('The operation was aborted', 'AbortError');
    };
    const throwsOther = () => {
      throw new Error('broken');
    };
    for (const [work, reason, outcome] of [
      [throwsReason, enough, 'cancelled'],
      [throwsAbortError, enough, 'cancelled'],
      [throwsAbortError, new DOMException('The operation timed out.', 'TimeoutError'), 'timeout'],
      [throwsOther, enough, 'error'],
    ] as const) {
      const call = timing.withTask('search', ({ signal }) => work(signal), { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBeDefined();
      expect(await latest()).toMatchObject({ task_type: 'search', outcome });
    }
  });

  test('runs the work where the service is away, and says so once', async () => {
    const away = timingClient({
      url: 'http://127.0.0.1:65535',
      onProblem: (error) => problems.push(error),
      runtime: { sleep: async () => {} },
    });
    expect(await away.withTask('build', () => 'done')).toBe('done');
    expect(problems).toEqual([expect.objectContaining({ name: 'ConnectionError' })]);
  });

  test.each([
    [true, ['build']],
    [false, []],
  ])(
    'ends a task whose start was not answered in time, for the service may have taken it: %s',
    async (isTaken, ended) => {
      const limits: AbortController[] = [];
      const impatient = timingClient({
        url: services.timingUrl,
        agentId: `impatient-${isTaken}`,
        onProblem: (error) => problems.push(error),
        runtime: { timeout: () => limits[limits.push(new AbortController()) - 1]?.signal as AbortSignal },
        fetch: async (address, init) => {
          if (!String(address).endsWith('/task-start')) return fetch(address, init);
          if (isTaken) await fetch(address, init);
          limits[0]?.abort();
          throw limits[0]?.signal.reason;
        },
      });
      expect(await impatient.withTask('build', () => 'done')).toBe('done');
      expect(problems).toEqual([expect.objectContaining({ name: 'TimeoutError' })]);
      const { tasks } = await timing.listTasks({ agent_id: `impatient-${isTaken}`, state: 'ended' });
      expect(tasks.map(({ task_type }) => task_type)).toEqual(ended);
    },
  );

  test('waits no longer for a report where the limit of the call is undefined', async () => {
    const limits: number[] = [];
    const timeout = (milliseconds: number) => {
      limits.push(milliseconds);
      return new AbortController().signal;
    };
    const watched = timingClient({ url: services.timingUrl, runtime: { timeout } });
    await watched.withTask('build', () => 1, { timeoutMs: undefined });
    await watched.withTask('build', () => 1, { timeoutMs: 700 });
    expect(limits).toEqual([2_000, 2_000, 700, 700]);
  });
});
