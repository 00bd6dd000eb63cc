import { InvalidInputError } from '@agent-faculties/service-kit';
import { loadSpec } from '@agent-faculties/service-kit/http';
import { describe, expect, test } from '@jest/globals';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import { formatTransferLine, transferLineReader } from '../../src/wire/transfer-lines.ts';

const { read } = transferLineReader(loadSpec(CONTRACT));
const NOON = '2026-11-20T12:00:00Z';
const NOON_MS = Date.UTC(2026, 10, 20, 12);
const EVENT = { kind: 'event', id: 'e', agent_id: 'ann', event_type: 'note', timestamp: NOON };
const TASK = {
  kind: 'task',
  correlation_id: 'c',
  agent_id: 'ann',
  task_type: 'build',
  state: 'active',
  started_at: NOON,
};
const ENDED = { ...TASK, state: 'ended', ended_at: '2026-11-20T12:00:01.5Z', outcome: 'ok' };
const ABANDONED = { ...TASK, state: 'abandoned', abandoned_at: '2026-11-21T13:00:00Z' };
const WATCH = { kind: 'stopwatch', name: 'w', agent_id: 'ann', started_at: NOON };

type Fields = Record<string, unknown>;

function refusalOf(fields: Fields): string | null {
  try {
    read(fields);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.message;
  }
}

describe('a line', () => {
  test.each<[string, Fields, unknown]>([
    [
      'an event',
      EVENT,
      {
        kind: 'event',
        event: {
          id: 'e',
          agentId: 'ann',
          eventType: 'note',
          taskType: null,
          timestampMs: NOON_MS,
          metadata: null,
          correlationId: null,
        },
      },
    ],
    [
      'an event of microseconds',
      { ...EVENT, timestamp: '2026-11-20T12:00:00.000001Z', metadata: '', task_type: 'b', correlation_id: 'c' },
      { event: { timestampMs: NOON_MS + 0.001, metadata: '', taskType: 'b', correlationId: 'c' } },
    ],
    [
      'a task that runs, whose end is null',
      { ...TASK, ended_at: null, outcome: null },
      { task: { state: 'active', startedMs: NOON_MS, endedMs: null, outcome: null, durationSeconds: null } },
    ],
    [
      'a task that ended, with its duration computed',
      { ...ENDED, duration_seconds: 99, estimated_seconds: 2, metadata: { a: 1 }, end_event_id: 'e' },
      {
        task: {
          correlationId: 'c',
          agentId: 'ann',
          taskType: 'build',
          state: 'ended',
          startedMs: NOON_MS,
          endedMs: NOON_MS + 1_500,
          durationSeconds: 1.5,
          outcome: 'ok',
          estimatedSeconds: 2,
          metadata: { a: 1 },
          endEventId: 'e',
        },
      },
    ],
    [
      'a stopwatch that runs',
      WATCH,
      { stopwatch: { name: 'w', agentId: 'ann', project: null, startedMs: NOON_MS, stoppedMs: null } },
    ],
    ['a stopwatch that stopped', { ...WATCH, stopped_at: NOON }, { stopwatch: { stoppedMs: NOON_MS } }],
    ['an abandoned task', ABANDONED, { task: { abandonedMs: NOON_MS + 25 * 3_600_000, endedMs: null, outcome: null } }],
    ['one of which nobody kept when', { ...ABANDONED, abandoned_at: null }, { task: { abandonedMs: null } }],
    ['null where a field may be absent', { ...TASK, estimated_seconds: null, metadata: null, end_event_id: null }, {}],
  ])('is read: %s', (_what, fields, expected) => {
    expect(read(fields)).toMatchObject(expected as object);
  });

  test.each([EVENT, TASK, ENDED, ABANDONED, WATCH])('that is written again is read as the same: $kind', (fields) => {
    const item = read(fields);
    expect(read(JSON.parse(formatTransferLine(item, NOON_MS)))).toEqual(item);
  });

  test.each<[Fields, string]>([
    [{}, 'kind must be event, task or stopwatch'],
    [{ ...EVENT, kind: 'other' }, 'kind must be event, task or stopwatch'],
    [{ ...EVENT, id: undefined }, 'id is required'],
    [{ ...EVENT, agent_id: '*' }, 'agent_id must name one agent'],
    [{ ...EVENT, agent_id: ' ann' }, 'agent_id must name one agent'],
    [{ ...EVENT, event_type: '' }, 'event_type must be 1 to 128 characters, not blank, without control characters'],
    [{ ...EVENT, task_type: 7 }, 'task_type must be 1 to 128 characters, not blank, without control characters'],
    [{ ...EVENT, timestamp: 5 }, 'timestamp must be an ISO 8601 instant, such as 2026-11-21T09:30:00Z'],
    [{ ...EVENT, timestamp: '1969-12-31' }, 'timestamp must lie between 1970 and 2255'],
    [{ ...EVENT, timestamp: '2255-06-06' }, 'timestamp must lie between 1970 and 2255'],
    [{ ...EVENT, metadata: [] }, 'metadata must be an object, a string or null'],
    [{ ...EVENT, metadata: 7 }, 'metadata must be an object, a string or null'],
    [
      { ...EVENT, metadata: 'x'.repeat(65_535) },
      'metadata has 65537 bytes as JSON, at most 65536 are kept: store the rest elsewhere and send a reference.',
    ],
    [{ ...TASK, state: 'lost' }, 'state must be one of active, ended, abandoned'],
    [{ ...TASK, state: 'ended' }, 'ended_at is required'],
    [
      { ...ENDED, state: 'active' },
      "ended_at is of a task that has ended, and state is 'active': send state 'ended', or no ended_at",
    ],
    [
      { ...TASK, state: 'abandoned', outcome: 'ok' },
      "outcome is of a task that has ended, and state is 'abandoned': send state 'ended', or no outcome",
    ],
    [
      { ...TASK, duration_seconds: 5 },
      "duration_seconds is of a task that has ended, and state is 'active': send state 'ended', or no duration_seconds",
    ],
    [
      { ...TASK, state: 'abandoned', end_event_id: 'e' },
      "end_event_id is of a task that has ended, and state is 'abandoned': send state 'ended', or no end_event_id",
    ],
    [
      { ...ENDED, abandoned_at: NOON },
      "abandoned_at is of an abandoned task, and state is 'ended': send state 'abandoned', or no abandoned_at",
    ],
    [{ ...ABANDONED, abandoned_at: '2026-11-20' }, 'abandoned_at lies before started_at'],
    [{ ...ENDED, outcome: 'lost' }, 'outcome must be one of ok, error, timeout, cancelled'],
    [{ ...ENDED, ended_at: '2026-11-20' }, 'ended_at lies before started_at'],
    [{ ...TASK, estimated_seconds: 0 }, 'estimated_seconds must be above 0 and at most 1000000000'],
    [{ ...TASK, estimated_seconds: '5' }, 'estimated_seconds must be above 0 and at most 1000000000'],
    [{ ...WATCH, name: ' ' }, 'name must be 1 to 128 characters, not blank, without control characters'],
    [{ ...WATCH, stopped_at: '2026-11-20' }, 'stopped_at lies before started_at'],
  ])('%j is refused: %s', (fields, reason) => {
    expect(refusalOf(JSON.parse(JSON.stringify(fields)))).toBe(reason);
  });
});
