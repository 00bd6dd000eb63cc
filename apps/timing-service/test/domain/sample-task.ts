import type { TimingEvent } from '../../src/domain/event.ts';
import type { Task } from '../../src/domain/task.ts';

/** 2026-11-21T09:30:00.123456Z */
export const STARTED_MS = 1_795_253_400_123.456;

/** An active task of ann that started at STARTED_MS. */
export function sampleTask(fields: Partial<Task> = {}): Task {
  return {
    correlationId: 'c1',
    agentId: 'ann',
    project: null,
    taskType: 'build',
    state: 'active',
    outcome: null,
    startedMs: STARTED_MS,
    endedMs: null,
    abandonedMs: null,
    durationSeconds: null,
    estimatedSeconds: null,
    metadata: null,
    endEventId: null,
    ...fields,
  };
}

/** An end of `sampleTask`, 2.5 s after its start. */
export function sampleEnd(fields: Partial<TimingEvent> = {}): TimingEvent {
  return {
    id: 'e2',
    agentId: 'ann',
    project: null,
    eventType: 'task_end',
    taskType: 'build',
    timestampMs: STARTED_MS + 2_500,
    metadata: null,
    correlationId: 'c1',
    ...fields,
  };
}
