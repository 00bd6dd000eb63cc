-- Events and tasks in periods that retention drops whole. A row belongs to the period of `kept_us`, the instant from which its age counts:
-- of an event its time, of an ended task that of its end. Rows with 0 are in none: open tasks, imports, and all that was written while no
-- period was made for it. They are in the tables of before, `..._by_row`, and are deleted one by one.
-- Nothing here reads a row: a new column with a constant default and a default partition without others need no scan.
ALTER TABLE timing.event ADD COLUMN kept_us bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE timing.event RENAME TO event_by_row;
--> statement-breakpoint
ALTER INDEX timing.event_time RENAME TO event_by_row_time;
--> statement-breakpoint
ALTER INDEX timing.event_agent_time RENAME TO event_by_row_agent_time;
--> statement-breakpoint
ALTER INDEX timing.event_type_time RENAME TO event_by_row_type_time;
--> statement-breakpoint
ALTER INDEX timing.event_correlation RENAME TO event_by_row_correlation;
--> statement-breakpoint
CREATE TABLE timing.event (LIKE timing.event_by_row INCLUDING DEFAULTS) PARTITION BY RANGE (kept_us);
--> statement-breakpoint
CREATE INDEX event_time ON timing.event (space, timestamp_us, sequence);
--> statement-breakpoint
CREATE INDEX event_agent_time ON timing.event (space, agent_id, timestamp_us, sequence);
--> statement-breakpoint
CREATE INDEX event_type_time ON timing.event (space, task_type, timestamp_us, sequence) WHERE task_type IS NOT NULL;
--> statement-breakpoint
CREATE INDEX event_correlation ON timing.event (space, correlation_id, timestamp_us, sequence) WHERE correlation_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE timing.event ATTACH PARTITION timing.event_by_row DEFAULT;
--> statement-breakpoint
ALTER TABLE timing.event_by_row ADD CONSTRAINT event_by_row_kept CHECK (kept_us = 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE timing.task ADD COLUMN kept_us bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE timing.task RENAME TO task_by_row;
--> statement-breakpoint
ALTER INDEX timing.task_order RENAME TO task_by_row_order;
--> statement-breakpoint
ALTER INDEX timing.task_time RENAME TO task_by_row_time;
--> statement-breakpoint
ALTER INDEX timing.task_agent_time RENAME TO task_by_row_agent_time;
--> statement-breakpoint
ALTER INDEX timing.task_type_time RENAME TO task_by_row_type_time;
--> statement-breakpoint
ALTER INDEX timing.task_type_changed RENAME TO task_by_row_type_changed;
--> statement-breakpoint
ALTER INDEX timing.task_open RENAME TO task_by_row_open;
--> statement-breakpoint
ALTER INDEX timing.task_estimated RENAME TO task_by_row_estimated;
--> statement-breakpoint
CREATE TABLE timing.task (LIKE timing.task_by_row INCLUDING DEFAULTS) PARTITION BY RANGE (kept_us);
--> statement-breakpoint
CREATE INDEX task_order ON timing.task (space, sequence);
--> statement-breakpoint
CREATE INDEX task_time ON timing.task (space, started_us, sequence);
--> statement-breakpoint
CREATE INDEX task_agent_time ON timing.task (space, agent_id, started_us, sequence);
--> statement-breakpoint
CREATE INDEX task_type_time ON timing.task (space, task_type, started_us, sequence);
--> statement-breakpoint
CREATE INDEX task_type_changed ON timing.task (space, task_type, changed);
--> statement-breakpoint
CREATE INDEX task_open ON timing.task (space, task_type, agent_id, started_us) WHERE state <> 'ended';
--> statement-breakpoint
CREATE INDEX task_estimated ON timing.task (space, end_sequence) WHERE estimated_seconds IS NOT NULL AND outcome = 'ok';
--> statement-breakpoint
ALTER TABLE timing.task ATTACH PARTITION timing.task_by_row DEFAULT;
--> statement-breakpoint
ALTER TABLE timing.task_by_row ADD CONSTRAINT task_by_row_kept CHECK (kept_us = 0) NOT VALID;
--> statement-breakpoint
-- The periods that were made: a partition of events and one of tasks each, under these bounds.
CREATE TABLE timing.period (
  from_us bigint PRIMARY KEY,
  to_us bigint NOT NULL
);
--> statement-breakpoint
-- Whether an id is in use, in any period. No unique index spans them, so whoever starts a task asks when it holds the number of its space:
-- a volatile function sees what was committed until then, which the statement that calls it does not.
CREATE FUNCTION timing.has_task(wanted_space text, wanted_id text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM timing.task WHERE space = wanted_space AND correlation_id = wanted_id);
END
$$;
