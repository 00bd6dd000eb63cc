import type { ProblemKind } from '@agent-faculties/service-kit';

/** The codes of this service that are more precise than the common ones of service-kit; docs/errors.md lists both. */
export const TIMING_PROBLEM_CODES = {
  correlation_id_in_use: {
    status: 409,
    title: 'Conflict',
    meaning:
      'A task was started with a correlation id that belongs to another task. Choose another id or leave it out.',
  },
  task_type_mismatch: {
    status: 409,
    title: 'Conflict',
    meaning: 'A task was ended under another task type than it was started with. Use the type of the start.',
  },
  already_ended: {
    status: 409,
    title: 'Conflict',
    meaning:
      'A task that has ended was told to have ended at another time, or with another outcome. Nothing was changed; leave that out to be answered with the first end.',
  },
  ambiguous_task: {
    status: 409,
    title: 'Conflict',
    meaning:
      'A task was ended without a correlation id while several of its type run. `correlation_ids` names them; send one.',
  },
  too_many_stopwatches: {
    status: 409,
    title: 'Conflict',
    meaning: 'The agent has 1,000 stopwatches. Delete one that is no longer needed.',
  },
  unknown_correlation_id: {
    status: 404,
    title: 'Not found',
    meaning: 'No task has this correlation id. Start the task first and keep the id of the answer.',
  },
  no_active_task: {
    status: 404,
    title: 'Not found',
    meaning:
      'The agent has no active task of this type. Start one first, or send the correlation id; the detail names those of abandoned tasks.',
  },
  no_completed_tasks: {
    status: 404,
    title: 'Not found',
    meaning: 'No task of this type has ended with the outcome asked for. The detail says what there is instead.',
  },
  unknown_stopwatch: {
    status: 404,
    title: 'Not found',
    meaning: 'The agent has no stopwatch of this name. Start it first.',
  },
  unknown_event: {
    status: 404,
    title: 'Not found',
    meaning: 'No event has this id. Take an id from the answer that recorded it.',
  },
  database_unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'The disk is full, or the database file is read-only or locked; nothing was written. The detail says which. Send it again once that is mended.',
  },
  database_damaged: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'The database is not what was written to it: nothing is written any more. Its operator restores a backup or runs `timing-service repair`.',
  },
} as const satisfies Record<string, ProblemKind>;
