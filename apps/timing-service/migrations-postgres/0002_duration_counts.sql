-- How many durations of a task type lie in each bucket (domain/bucketed-numbers.ts), as they were at a number of the space, for types with so
-- many that a replica does not hold each. Nothing is lost with a row: it saves whoever comes next from counting all tasks of the type.
CREATE TABLE timing.duration_counts (
  space text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  -- '': of all agents, of all projects.
  agent_id text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  counts jsonb NOT NULL,
  PRIMARY KEY (space, task_type, agent_id, project)
);
