-- Instants are whole microseconds since 1970 (`*_us`). Texts are ordered by their bytes, as SQLite does. An empty project is none.

-- Every transaction that writes to a space takes the next numbers here. The row is locked until it commits, so numbers are in the order of
-- the commits: whoever has seen a number has seen everything below it.
CREATE TABLE timing.space (
  name text COLLATE "C" PRIMARY KEY,
  head bigint NOT NULL DEFAULT 0,
  -- The number at which tasks were last deleted.
  dropped bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE timing.event (
  space text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  task_type text COLLATE "C",
  timestamp_us bigint NOT NULL,
  metadata text COLLATE "C",
  correlation_id text COLLATE "C",
  project text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (space, sequence),
  CONSTRAINT event_id UNIQUE (space, id)
);
--> statement-breakpoint
CREATE INDEX event_time ON timing.event (space, timestamp_us, sequence);
--> statement-breakpoint
CREATE INDEX event_agent_time ON timing.event (space, agent_id, timestamp_us, sequence);
--> statement-breakpoint
CREATE INDEX event_type_time ON timing.event (space, task_type, timestamp_us, sequence) WHERE task_type IS NOT NULL;
--> statement-breakpoint
CREATE INDEX event_correlation ON timing.event (space, correlation_id, timestamp_us, sequence) WHERE correlation_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE timing.task (
  space text COLLATE "C" NOT NULL,
  -- The numbers at which it started, was abandoned and ended, and the last of them: its state at any number can be read off them.
  sequence bigint NOT NULL,
  abandoned_sequence bigint,
  end_sequence bigint,
  changed bigint NOT NULL,
  correlation_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL DEFAULT '',
  task_type text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  outcome text COLLATE "C",
  started_us bigint NOT NULL,
  ended_us bigint,
  duration_us bigint,
  estimated_seconds double precision,
  metadata text COLLATE "C",
  end_event_id text COLLATE "C",
  CONSTRAINT task_correlation PRIMARY KEY (space, correlation_id)
);
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
CREATE TABLE timing.stopwatch (
  space text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL DEFAULT '',
  started_us bigint NOT NULL,
  stopped_us bigint,
  PRIMARY KEY (space, agent_id, name, project)
);
--> statement-breakpoint
CREATE INDEX stopwatch_order ON timing.stopwatch (space, sequence);
--> statement-breakpoint
CREATE TABLE timing.agent (
  space text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (space, agent_id)
);
--> statement-breakpoint
CREATE TABLE timing.task_type (
  space text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (space, agent_id, task_type, project)
);
--> statement-breakpoint
-- What listeners are told of that is no event: JSON.
CREATE TABLE timing.notice (
  space text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  change text COLLATE "C" NOT NULL,
  PRIMARY KEY (space, number)
);
--> statement-breakpoint
-- When the next run of a job is due, which one of the replicas does.
CREATE TABLE timing.job (
  name text COLLATE "C" PRIMARY KEY,
  due_at timestamptz NOT NULL
);
