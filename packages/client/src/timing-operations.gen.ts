// Generated from apps/timing-service/openapi.yaml; do not edit.

export const TIMING_OPERATIONS = {
  /**
   * Is the service up, and can it read the database of the space?.
   *
   * `GET /health`
   */
  getHealth: { method: 'GET', path: '/health' },
  /**
   * Does the process answer?.
   *
   * For the liveness probe of a container runtime. It says nothing about the data; restart a service that fails it.
   *
   * `GET /health/live`
   */
  getLiveness: { method: 'GET', path: '/health/live' },
  /**
   * May requests be sent here?.
   *
   * For load balancers and container runtimes. `degraded` means that the service cannot write and still answers what it can. 503 with Retry-After while the service is being stopped or cannot read its database. Before the data is loaded the port is closed.
   *
   * `GET /health/ready`
   */
  getReadiness: { method: 'GET', path: '/health/ready' },
  /**
   * Metrics in the Prometheus text format.
   *
   * `GET /metrics`
   */
  getMetrics: { method: 'GET', path: '/metrics', answers: 'text' },
  /**
   * The dashboard, a page that loads nothing from outside.
   *
   * It shows the space that its address names, and the default one without.
   *
   * `GET /dashboard`
   */
  getDashboard: { method: 'GET', path: '/dashboard', answers: 'text' },
  /**
   * Every agent that has recorded something, sorted.
   *
   * `GET /agents`
   */
  listAgents: { method: 'GET', path: '/agents', pages: 'agents' },
  /**
   * Every project in which a task type has been named, sorted.
   *
   * Those of the agent that asks; `agent_id=*` lists those of all agents. A request in a project hears of that one.
   *
   * `GET /projects`
   */
  listProjects: { method: 'GET', path: '/projects', pages: 'projects' },
  /**
   * The time, from one reading of the clock.
   *
   * `GET /clock/now`
   */
  getNow: { method: 'GET', path: '/clock/now' },
  /**
   * Seconds since an instant; negative when it lies in the future.
   *
   * `GET /clock/elapsed`
   */
  getElapsed: { method: 'GET', path: '/clock/elapsed' },
  /**
   * Start a stopwatch; starting it again resets it.
   *
   * An agent has at most 1,000 stopwatches. Each project has names of its own. To read, stop or delete one, that of the request's
   * project is taken, else the newest of that name which a question in the project is about.
   *
   * `POST /stopwatch/{name}/start`
   */
  startStopwatch: { method: 'POST', path: '/stopwatch/{name}/start' },
  /**
   * Stop a stopwatch; a second stop changes nothing.
   *
   * `POST /stopwatch/{name}/stop`
   */
  stopStopwatch: { method: 'POST', path: '/stopwatch/{name}/stop', repeatable: true },
  /**
   * Read a stopwatch.
   *
   * `GET /stopwatch/{name}`
   */
  getStopwatch: { method: 'GET', path: '/stopwatch/{name}' },
  /**
   * Delete a stopwatch.
   *
   * `DELETE /stopwatch/{name}`
   */
  deleteStopwatch: { method: 'DELETE', path: '/stopwatch/{name}' },
  /**
   * The agent's stopwatches, oldest first.
   *
   * `GET /stopwatches`
   */
  listStopwatches: { method: 'GET', path: '/stopwatches' },
  /**
   * Events, newest first.
   *
   * `agent_id=*` lists those of all agents.
   *
   * `GET /events`
   */
  listEvents: { method: 'GET', path: '/events', pages: 'events' },
  /**
   * Record an event.
   *
   * An event of type `task_start` or `task_end` with a `correlation_id` and a `task_type` pairs exactly as
   * `/events/task-start` and `/events/task-end` do; `task` and `replayed` are then in the answer.
   *
   * `POST /events`
   */
  recordEvent: { method: 'POST', path: '/events', body: true },
  /**
   * A task starts.
   *
   * Keep the `correlation_id` of the answer and send it with the end. With an own id the call may be repeated
   * safely: the same start again answers as the first time with `replayed: true`; an id that is in use for
   * another task, or with another `timestamp`, is 409. Another session makes no other start.
   *
   * `POST /events/task-start`
   */
  startTask: { method: 'POST', path: '/events/task-start', body: true, key: 'correlation_id' },
  /**
   * A task ends.
   *
   * With the id of an active task it ends, and its duration counts once, for the agent that started it. The same
   * end again is answered with the first result and `replayed: true`, and `metadata` that it brings is not kept; an
   * `outcome` or `timestamp` other than that of the first end is 409 (`already_ended`). Another `task_type` than at the start: 409; an unknown id: 404. Without
   * an id the agent's only active task of that type ends; none: 404, with `correlation_ids` where there are abandoned
   * ones, which an end with their id still closes; several: 409 with `correlation_ids`. A `timestamp` before the start is 422.
   *
   * `POST /events/task-end`
   */
  endTask: { method: 'POST', path: '/events/task-end', body: true, repeatable: 'correlation_id' },
  /**
   * Start events of running tasks with their elapsed time, newest first.
   *
   * `agent_id=*` lists those of all agents. At most the newest 1,000, and fewer when they carry much metadata;
   * `/tasks?state=active` has all of them, in pages. A task that was imported without its start event is listed
   * under its correlation id.
   *
   * `GET /events/active`
   */
  listActiveTasks: { method: 'GET', path: '/events/active' },
  /**
   * Live changes as server-sent events.
   *
   * Every message carries an `id` to resume from (`Last-Event-ID`, or `last_event_id` in the query for a first
   * connection). `event: timing` carries `{event, task|null}` and is sent again on resuming; `event: stopwatch` carries `{stopwatch}` or `{deleted, agent_id, project}`;
   * `event: tasks` carries `{abandoned: Task[]}`; `event: reset` says that more was missed than is sent again, and
   * that everything is to be read anew. A comment every 15 s keeps the connection open. `agent_id=*` streams all agents.
   *
   * `GET /events/stream`
   */
  streamEvents: { method: 'GET', path: '/events/stream', answers: 'events' },
  /**
   * One event.
   *
   * `GET /events/{event_id}`
   */
  getEvent: { method: 'GET', path: '/events/{event_id}' },
  /**
   * Tasks, newest start first.
   *
   * `agent_id=*` lists those of all agents. `since` and `until` speak of the start.
   *
   * `GET /tasks`
   */
  listTasks: { method: 'GET', path: '/tasks', pages: 'tasks' },
  /**
   * One task.
   *
   * `GET /tasks/{correlation_id}`
   */
  getTask: { method: 'GET', path: '/tasks/{correlation_id}' },
  /**
   * Duration summaries of all task types, sorted by type.
   *
   * `agent_id=*` pools all agents. Types without a task that ended ok have no summary and stand in `without_ok`.
   *
   * `GET /stats/durations`
   */
  listSummaries: { method: 'GET', path: '/stats/durations' },
  /**
   * How long tasks of this type take.
   *
   * Over tasks that ended with `outcome` (default ok). Running, timed-out and cancelled tasks count as
   * right-censored in the percentiles (Kaplan-Meier); `since` keeps the tasks that started at or after it.
   * `agent_id=*` pools all agents.
   *
   * `GET /stats/durations/{task_type}`
   */
  getSummary: { method: 'GET', path: '/stats/durations/{task_type}' },
  /**
   * Every task type that has been named, sorted.
   *
   * `agent_id=*` lists those of all agents.
   *
   * `GET /stats/task-types`
   */
  listTaskTypes: { method: 'GET', path: '/stats/task-types' },
  /**
   * A timeout from history.
   *
   * `GET /stats/recommend-timeout/{task_type}`
   */
  recommendTimeout: { method: 'GET', path: '/stats/recommend-timeout/{task_type}' },
  /**
   * Will a running task make its timeout?.
   *
   * `GET /stats/check-timeout/{task_type}`
   */
  checkTimeout: { method: 'GET', path: '/stats/check-timeout/{task_type}' },
  /**
   * Which way of doing a job is fastest?.
   *
   * Steps run one after the other. 10,000 seeded Monte Carlo draws over history; the same question over the same
   * history gives the same answer. A step that several approaches have takes as long in each of them. Runs that were cut off
   * count as longer than they took.
   *
   * `POST /stats/compare-approaches`
   */
  compareApproaches: { method: 'POST', path: '/stats/compare-approaches', body: true, repeatable: true },
  /**
   * Histogram and survival curve of a task type.
   *
   * `agent_id=*` pools all agents.
   *
   * `GET /stats/distribution/{task_type}`
   */
  getDistribution: { method: 'GET', path: '/stats/distribution/{task_type}' },
  /**
   * Durations over time, and whether they have changed.
   *
   * The newest `limit` tasks that ended ok, oldest first. The newer half is compared with the older half; where the newest runs are
   * unlike those before, as for estimates, the runs since then with those before them, or with the whole history where the newest
   * `limit` tasks are alike. While five tasks of the type or more have just begun, those of that time are not compared: only the
   * short ones of them have ended.
   * `agent_id=*` pools all agents.
   *
   * `GET /stats/trend/{task_type}`
   */
  getTrend: { method: 'GET', path: '/stats/trend/{task_type}' },
  /**
   * Where did the time go?.
   *
   * What the tasks took between `since` and `until`, in all and in groups: by `group_by`, and within it by `then_by`. A task that
   * crosses one of the two, or a midnight where days are asked for, counts on each side with the part that lies there. One that runs
   * counts up to now. An abandoned one counts with its start and without any time, because nobody knows when it ended: `abandoned_at`
   * of a task says when the service gave it up.
   *
   * `spent_seconds` adds everything up: tasks that ran side by side, and a tool call within an exchange, count twice.
   * `busy_seconds` counts each moment once.
   *
   * Days come in order, all else with the most time first. There are at most 5,000 groups, and at most 400 days by day; more is 422.
   * `agent_id=*` is about all agents.
   *
   * `GET /stats/time-spent`
   */
  getTimeSpent: { method: 'GET', path: '/stats/time-spent' },
  /**
   * Events, tasks and stopwatches as NDJSON.
   *
   * `agent_id=*` exports all agents. One JSON object a line, with `kind`.
   *
   * `GET /export`
   */
  exportData: { method: 'GET', path: '/export', answers: 'lines' },
  /**
   * Take in what /export gave.
   *
   * NDJSON of any length; a line has at most 256 KiB and is an ImportedEvent, an ImportedTask or an ImportedStopwatch.
   * Idempotent: what is known already counts as a duplicate and stays
   * as it is; a task that runs here, or was abandoned, takes the end of its ended form. Each line is taken in whole or rejected
   * with a reason. Rejected is as well a task whose correlation id is known for another agent, project, task type or start,
   * or with another end or outcome: one of the two is wrong. So is a new stopwatch of an agent that has 1,000. Agents and
   * projects are those of the lines; in a project, a line without one becomes one of it, and a line of another one is rejected.
   * Instants lie between 1970 and a day from now.
   *
   * `POST /import`
   */
  importData: { method: 'POST', path: '/import', takesLines: true, repeatable: true },
  /**
   * Take an event from the hook of a coding agent.
   *
   * The body is what the host gives its hooks, as it is; the answer is in the form that the host reads. A prompt
   * is answered with a temporal line: what time it is, how long ago the message before it came, and how long this agent's
   * commands take. Each call of a tool becomes a task under what it runs (`npm test`, `tool:Read`), with its outcome, and
   * each exchange from a prompt to its reply a task of the type `exchange`. Nothing of what is said or of what a tool wrote is kept.
   *
   * A payload that the service does not understand is answered with `{}` too, and every host goes on; the log and
   * `agent_faculties_hook_calls_total` report it. The same event again changes nothing. The user may write `#skip` into a
   * prompt to get no line.
   *
   * `POST /hooks/{host}`
   */
  receiveHook: { method: 'POST', path: '/hooks/{host}', body: true },
  /**
   * The last calls of hooks, the latest first.
   *
   * At most 20 calls since the start, of the agent that asks; without anything that was said. `agent_id=*` lists those of all
   * agents, which behind a gateway is for administrators.
   *
   * `GET /hooks`
   */
  listHooks: { method: 'GET', path: '/hooks' },
  /**
   * Take spans of OpenTelemetry as tasks.
   *
   * OTLP over HTTP, as JSON, at most 2 MiB and 10,000 spans (with their scopes and resources) a request. Spans of tools, models and agents (the semantic
   * conventions for generative AI, OpenInference, the AI SDK, Claude Code) become tasks that have ended: `tool:Read`,
   * `chat claude-opus-5`, `invoke_agent planner`. Other spans are left out. A span is known by its trace id and span id: sent
   * again, it changes nothing. A span that cannot be read is refused by itself, and `partialSuccess` says why.
   *
   * All spans belong to the agent that the request names (`agent_id`, `X-Agent-ID`); where it names none, each to the one in
   * its attribute `gen_ai.agent.name`, that of its resource, or its `service.name`. Of the attributes only names are kept.
   *
   * `POST /v1/traces`
   */
  receiveTraces: { method: 'POST', path: '/v1/traces', body: true, repeatable: true },
  /**
   * Instructions for the system prompt of a model.
   *
   * How to work with this service and what there is to call, by the names that the model knows: those of MCP, those of functions that a program offers (packages/adapters), or requests that the model makes itself.
   *
   * `GET /prompt`
   */
  getPrompt: { method: 'GET', path: '/prompt', answers: 'text' },
  /**
   * How long will it take, also when nobody has done it yet?.
   *
   * From the history of the type: that of this agent, else that of all agents. A type of which none ended ok is estimated from
   * types whose names share words with it (from all types where none does), or from `estimated_seconds` and how this agent's
   * estimates compare with what came of them, whichever was nearer the truth for the types that are known; `seconds` is then no
   * less than the longest run of the type itself that runs, was cancelled or timed out. Where no estimate has come out yet and no
   * name shares a word, it is `estimated_seconds` as it was sent.
   *
   * `interval` holds the share `coverage` of runs that end ok: as they came out for the types that are known, each told from the
   * others. With few types it is wide and promises less; with fewer than two it is null. Without an estimate of the agent, `seconds`
   * lies among the runs that it rests on. Runs that were cut off, and those that run, count as longer than they took so far: where they
   * are so many that the middle lies beyond everything seen, `seconds` is the longest run, and `interval` is null. With fewer,
   * `interval` ends at the longest ok run at most, and `coverage` is less.
   *
   * `GET /stats/estimate/{task_type}`
   */
  estimateDuration: { method: 'GET', path: '/stats/estimate/{task_type}' },
} as const;
