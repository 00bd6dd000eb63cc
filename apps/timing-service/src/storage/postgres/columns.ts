// The columns of the rows in ../tables/rows.ts. Numbers are exact up to 2^53; the driver hands bigint out as text.

export const EVENT_COLUMNS = `sequence::float8 AS sequence, id, agent_id AS "agentId", event_type AS "eventType",
  task_type AS "taskType", timestamp_us::float8 AS "timestampUs", metadata, correlation_id AS "correlationId", project`;

export const TASK_COLUMNS = `sequence::float8 AS sequence, correlation_id AS "correlationId", agent_id AS "agentId", project,
  task_type AS "taskType", state, outcome, started_us::float8 AS "startedUs", ended_us::float8 AS "endedUs",
  duration_us::float8 AS "durationUs", estimated_seconds AS "estimatedSeconds", metadata, end_event_id AS "endEventId",
  end_sequence::float8 AS "endSequence"`;

export const STOPWATCH_COLUMNS = `sequence::float8 AS sequence, agent_id AS "agentId", name, project,
  started_us::float8 AS "startedUs", stopped_us::float8 AS "stoppedUs"`;
