import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Metadata } from '../../src/domain/event.ts';
import { decideEndById, decideEndByType, decideStart } from '../../src/domain/pairing.ts';
import { OUTCOMES } from '../../src/domain/task.ts';
import { refusalOf } from './refusal-of.ts';
import { STARTED_MS, sampleEnd, sampleTask } from './sample-task.ts';

describe('a start', () => {
  test('with a new id is written as it is', () => {
    const started = sampleTask();
    expect(decideStart(null, started)).toEqual({ write: started });
  });

  test.each(['active', 'ended', 'abandoned'] as const)('again is replayed when the task is %s', (state) => {
    const existing = sampleTask({ state, metadata: { a: [1, { b: null }] }, estimatedSeconds: 3 });
    const again = sampleTask({ metadata: { a: [1, { b: null }] }, estimatedSeconds: 3, startedMs: STARTED_MS + 9 });
    expect(decideStart(existing, again)).toEqual({ replay: existing });
  });

  test('again is replayed with any metadata that has been through JSON, in any order of its names', () => {
    const metadata = fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
    ) as fc.Arbitrary<Metadata>;
    fc.assert(
      fc.property(metadata, (sent) => {
        const existing = sampleTask({ metadata: JSON.parse(JSON.stringify(sent)) });
        expect(decideStart(existing, sampleTask({ metadata: sent }))).toEqual({ replay: existing });
      }),
      { seed: 60, numRuns: 200 },
    );
    const existing = sampleTask({ metadata: { a: 1, b: 0 } });
    expect(decideStart(existing, sampleTask({ metadata: { b: -0, a: 1 } }))).toEqual({ replay: existing });
  });

  test.each([
    ['another agent', { agentId: 'bob' }],
    ['another type', { taskType: 'test' }],
    ['another estimate', { estimatedSeconds: 4 }],
    ['no estimate', { estimatedSeconds: null }],
    ['other metadata', { metadata: { a: 2 } }],
    ['no metadata', { metadata: null }],
  ])('under a known id with %s is refused', async (_what, fields) => {
    const known = { estimatedSeconds: 3, metadata: { a: 1 } };
    const existing = sampleTask({ ...known, state: 'ended' });
    expect(await refusalOf(() => decideStart(existing, sampleTask({ ...known, ...fields })))).toEqual({
      name: 'ConflictError',
      code: 'correlation_id_in_use',
      message:
        "The correlation id 'c1' is in use for another task (type 'build', ended): choose another id, or leave it out and take the one in the answer.",
    });
  });
});

describe('an end by id', () => {
  test.each(OUTCOMES)('closes the task with outcome %s, whoever sends it', (outcome) => {
    const task = sampleTask({ metadata: { kept: true }, estimatedSeconds: 3 });
    expect(decideEndById(task, sampleEnd({ agentId: 'bob', metadata: 'its own' }), outcome)).toEqual({
      write: {
        ...task,
        state: 'ended',
        outcome,
        endedMs: STARTED_MS + 2_500,
        durationSeconds: 2.5,
        endEventId: 'e2',
      },
    });
  });

  test('closes an abandoned task however late', () => {
    const late = sampleEnd({ timestampMs: STARTED_MS + 86_400_000 });
    expect(decideEndById(sampleTask({ state: 'abandoned' }), late, 'ok')).toMatchObject({
      write: { state: 'ended', durationSeconds: 86_400 },
    });
  });

  test('before its start, by a clock that was set back, takes no time and ends at the start', () => {
    expect(decideEndById(sampleTask(), sampleEnd({ timestampMs: STARTED_MS - 10_000 }), 'ok')).toMatchObject({
      write: { endedMs: STARTED_MS, durationSeconds: 0 },
    });
  });

  test('of a task that has ended is replayed, whatever the outcome', () => {
    const task = sampleTask({ state: 'ended', outcome: 'ok', endedMs: STARTED_MS + 1, durationSeconds: 0.001 });
    for (const outcome of OUTCOMES) expect(decideEndById(task, sampleEnd(), outcome)).toEqual({ replay: task });
  });

  test('that nobody has started is refused', async () => {
    expect(await refusalOf(() => decideEndById(undefined, sampleEnd({ correlationId: 'none' }), 'ok'))).toEqual({
      name: 'NotFoundError',
      code: 'unknown_correlation_id',
      message: "No task with the correlation id 'none': start it first, and end it with the id of the answer.",
    });
  });

  test.each(['active', 'ended', 'abandoned'] as const)('under another type is refused when it is %s', async (state) => {
    expect(await refusalOf(() => decideEndById(sampleTask({ state }), sampleEnd({ taskType: 'test' }), 'ok'))).toEqual({
      name: 'ConflictError',
      code: 'task_type_mismatch',
      message: "The task 'c1' was started as 'build', not 'test': end it under the type it was started with.",
    });
  });
});

describe('an end by type', () => {
  const byType = sampleEnd({ correlationId: null });

  test('closes the only task', () => {
    const task = sampleTask();
    expect(decideEndByType([task], byType, 'error')).toEqual({
      write: {
        ...task,
        state: 'ended',
        outcome: 'error',
        endedMs: STARTED_MS + 2_500,
        durationSeconds: 2.5,
        endEventId: 'e2',
      },
    });
  });

  test('with no task is refused', async () => {
    expect(await refusalOf(() => decideEndByType([], byType, 'ok'))).toEqual({
      name: 'NotFoundError',
      code: 'no_active_task',
      message: "The agent 'ann' has no active task of type 'build': start one first, or send the correlation_id.",
    });
  });

  test('with several tasks is refused and told their ids and starts', async () => {
    const tasks = ['c1', 'c2'].map((correlationId, hours) =>
      sampleTask({ correlationId, startedMs: Date.UTC(2026, 10, 21, 9 + hours, 30) }),
    );
    expect(await refusalOf(() => decideEndByType(tasks, byType, 'ok'))).toEqual({
      name: 'ConflictError',
      code: 'ambiguous_task',
      message:
        "The agent 'ann' has several active tasks of type 'build': send the correlation_id of the one that ended " +
        "('c1', started 2026-11-21T09:30:00.000Z; 'c2', started 2026-11-21T10:30:00.000Z).",
      extra: { correlation_ids: ['c1', 'c2'] },
    });
    const seven = Array.from({ length: 7 }, (_, index) => sampleTask({ correlationId: `c${index}` }));
    const { message } = (await refusalOf(() => decideEndByType(seven, byType, 'ok'))) as { message: string };
    expect(message).toMatch(/\('c0', .*'c4', started [^;]*, and 2 more\)\.$/);
  });
});
