# Generated from apps/timing-service/openapi.yaml; do not edit.
# ruff: noqa
from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from ._answers import AsyncPages, Line, Pages, ServerEvent
from ._async_calls import AsyncCaller
from ._calls_gen import Caller
from ._request import CallOptions, Null, Operation

Name: TypeAlias = str
NullableName: TypeAlias = "str | None"
ProjectInput: TypeAlias = "str | None"
Project: TypeAlias = str
Instant: TypeAlias = str
InstantInput: TypeAlias = str
ToldInstant: TypeAlias = "str | None"
Metadata: TypeAlias = "dict[str, Any] | str | None"
class ImportedEvent(TypedDict):
    kind: str
    id: Name
    agent_id: Name
    project: NotRequired[NullableName]
    event_type: Name
    task_type: NotRequired[NullableName]
    timestamp: InstantInput
    metadata: NotRequired[Metadata]
    correlation_id: NotRequired[NullableName]


class ImportedTask(TypedDict):
    kind: str
    correlation_id: Name
    agent_id: Name
    project: NotRequired[NullableName]
    task_type: Name
    state: Literal["active", "ended", "abandoned"]
    started_at: InstantInput
    estimated_seconds: NotRequired[float | None]
    metadata: NotRequired[Metadata]
    end_event_id: NotRequired[NullableName]
    abandoned_at: NotRequired[InstantInput | None]


class ImportedEnd(TypedDict):
    ended_at: InstantInput
    outcome: Outcome


Outcome: TypeAlias = Literal["ok", "error", "timeout", "cancelled"]
class ImportedStopwatch(TypedDict):
    kind: str
    name: Name
    agent_id: Name
    project: NotRequired[NullableName]
    started_at: InstantInput
    stopped_at: NotRequired[InstantInput | None]


Confidence: TypeAlias = Literal["none", "low", "medium", "high"]
class Liveness(TypedDict):
    status: Literal["ok"]


class Readiness(TypedDict):
    status: Literal["ready", "degraded"]
    reasons: list[ReadinessReasonsItem]


class ReadinessReasonsItem(TypedDict):
    code: Literal["database_unavailable"]
    detail: str


class Health(TypedDict):
    status: Literal["ok"]
    version: str
    uptime_seconds: float
    database: HealthDatabase


class HealthDatabase(TypedDict):
    ok: bool
    path: str


class Event(TypedDict):
    id: str
    event_id: str
    agent_id: str
    project: NotRequired[Project]
    event_type: str
    task_type: str | None
    timestamp: Instant
    metadata: Metadata
    correlation_id: str | None


class Task(TypedDict):
    correlation_id: str
    agent_id: str
    project: NotRequired[Project]
    task_type: str
    state: Literal["active", "ended", "abandoned"]
    outcome: Outcome | None
    started_at: Instant
    ended_at: Instant | None
    abandoned_at: NotRequired[str]
    duration_seconds: float | None
    elapsed_seconds: float
    estimated_seconds: float | None
    metadata: Metadata


class Stopwatch(TypedDict):
    name: str
    agent_id: str
    project: NotRequired[Project]
    started_at: Instant
    stopped_at: Instant | None
    elapsed_seconds: float
    is_running: bool


ApproximateWithin: TypeAlias = float
RestsOnSince: TypeAlias = str
Interval: TypeAlias = list[float | None]
class OutcomeCounts(TypedDict):
    ok: int
    error: int
    timeout: int
    cancelled: int
    active: int
    abandoned: int


class Summary(TypedDict):
    task_type: str
    count: int
    mean_seconds: float
    median_seconds: float
    p95_seconds: float
    min_seconds: float
    max_seconds: float
    stddev_seconds: float | None
    p50_seconds: float
    p90_seconds: float
    p99_seconds: float
    p95_interval: Interval
    at_least: NotRequired[list[Literal["p50_seconds", "p90_seconds", "p95_seconds", "p99_seconds"]]]
    censored_count: int
    outcomes: OutcomeCounts
    confidence: Confidence
    method: Literal["empirical", "kaplan-meier"]
    approximate_within: NotRequired[ApproximateWithin]


class Recommendation(TypedDict):
    recommended_seconds: float
    percentile_value: float
    percentile: float
    safety_margin: float
    sample_count: int
    method: Literal["empirical", "tolerance", "lognormal"]
    conservative_seconds: float
    interval: Interval
    censored_count: int
    confidence: Confidence
    longer_runs: LongerRuns
    warning: str | None
    approximate_within: NotRequired[ApproximateWithin]
    since: NotRequired[RestsOnSince]


class LongerRuns(TypedDict):
    ok: int
    error: int


class Risk(TypedDict):
    elapsed_seconds: float
    timeout_seconds: float
    time_remaining: float
    median_duration: float
    p95_duration: float
    percent_through_timeout: float
    at_risk: bool
    sample_count: int
    risk_probability: float
    risk_interval: Interval
    risk_level: Literal["low", "medium", "high"]
    longer_runs: LongerRuns
    beyond_history: bool
    expected_remaining_seconds: RiskExpectedRemainingSeconds
    censored_count: int
    confidence: Confidence
    warning: NotRequired[str]
    approximate_within: NotRequired[ApproximateWithin]
    since: NotRequired[RestsOnSince]


class RiskExpectedRemainingSeconds(TypedDict):
    median: float | None
    p95: float | None


class DurationEstimate(TypedDict):
    task_type: str
    source: Literal["history", "similar_names", "other_types", "own_estimate", "none"]
    of: Literal["agent", "all"] | None
    seconds: float | None
    interval: list[float | None]
    coverage: float | None
    sample_count: int
    approximate_within: NotRequired[ApproximateWithin]
    since: NotRequired[RestsOnSince]
    similar: list[DurationEstimateSimilarItem]
    ratio: float | None
    confidence: Confidence


class DurationEstimateSimilarItem(TypedDict):
    task_type: str
    similarity: float
    median_seconds: float
    count: int


class Comparison(TypedDict):
    approaches: list[ComparisonApproachesItem]
    recommendation: str | None
    savings_vs_worst: float
    verdict: Literal["clear", "too_close_to_call", "insufficient_data"]
    probability_fastest_beats_second: float | None
    on_average: MeanDifference | None
    warning: str | None
    draws: int
    approximate_within: NotRequired[ApproximateWithin]


class ComparisonApproachesItem(TypedDict):
    name: str
    steps: list[ComparisonApproachesItemStepsItem]
    total_estimated_seconds: float
    total_adjusted_seconds: float | None
    adjustment_coverage: float
    ranked: bool
    mean_seconds: float | None
    p50_seconds: float | None
    p80_seconds: float | None
    p95_seconds: float | None
    at_least: NotRequired[list[Literal["mean_seconds", "p50_seconds", "p80_seconds", "p95_seconds"]]]
    probability_fastest: float | None


class ComparisonApproachesItemStepsItem(TypedDict):
    task_type: str
    estimated_seconds: float | None
    adjusted_seconds: float | None
    has_historical_data: bool
    sample_count: int
    failed_count: NotRequired[int]
    confidence: Confidence
    source: Literal["history", "scaled_estimate", "estimate", "none"]


class MeanDifference(TypedDict):
    approach: str
    other: str
    difference_seconds: float
    interval: list[float | None]


class Distribution(TypedDict):
    task_type: str
    count: int
    censored_count: int
    approximate_within: NotRequired[ApproximateWithin]
    p50_seconds: float
    p95_seconds: float
    recommended_seconds: float
    conservative_seconds: float
    since: NotRequired[str]
    histogram: list[DistributionHistogramItem]
    survival: list[DistributionSurvivalItem]


class DistributionHistogramItem(TypedDict):
    from_seconds: float
    to_seconds: float
    count: int


class DistributionSurvivalItem(TypedDict):
    seconds: float
    survival: float
    low: float
    high: float


class Trend(TypedDict):
    task_type: str
    direction: Literal["faster", "slower", "steady", "unknown"]
    ratio: float | None
    ratio_interval: Interval
    probability_slower: float | None
    previous_median_seconds: float | None
    recent_median_seconds: float | None
    since: NotRequired[str]
    points: list[TrendPointsItem]


class TrendPointsItem(TypedDict):
    correlation_id: str
    agent_id: str
    started_at: Instant
    duration_seconds: float
    running_median_seconds: float


TimeSpentBy: TypeAlias = Literal["day", "agent", "project", "session", "task_type", "outcome"]
class TaskTimes(TypedDict):
    tasks: int
    spent_seconds: float
    busy_seconds: float
    running_seconds: float
    cut_off_seconds: float
    longest_seconds: float
    outcomes: OutcomeCounts


class TimeSpent(TypedDict):
    since: Instant
    until: Instant
    time_zone: str
    total: TaskTimes
    groups: list[TimeSpentGroupsItem]


class TimeSpentGroupsItem(TypedDict):
    tasks: int
    spent_seconds: float
    busy_seconds: float
    running_seconds: float
    cut_off_seconds: float
    longest_seconds: float
    outcomes: OutcomeCounts
    day: NotRequired[str]
    agent_id: NotRequired[str]
    project: NotRequired[str | None]
    session: NotRequired[str | None]
    task_type: NotRequired[str]
    outcome: NotRequired[Literal["ok", "error", "timeout", "cancelled", "active", "abandoned"]]


class ImportReport(TypedDict):
    received: int
    imported: int
    updated: int
    duplicates: int
    rejected_count: int
    rejected: list[ImportReportRejectedItem]
    redacted: NotRequired[Redacted]


class ImportReportRejectedItem(TypedDict):
    line: int
    reason: str


Redacted: TypeAlias = list["RedactedItem"]
class RedactedItem(TypedDict):
    type: str
    count: int


class JsonRpc(TypedDict):
    jsonrpc: NotRequired[str]
    method: NotRequired[str]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: NotRequired[str]
    errors: NotRequired[list[ProblemErrorsItem]]
    correlation_ids: NotRequired[list[str]]


class ProblemErrorsItem(TypedDict):
    where: str
    message: str


class ListAgentsAnswer(TypedDict):
    agents: list[str]
    next_cursor: str | None


class ListProjectsAnswer(TypedDict):
    projects: list[str]
    next_cursor: str | None


class GetNowAnswer(TypedDict):
    now: Instant
    unix: float


class GetElapsedAnswer(TypedDict):
    elapsed_seconds: float
    since: str


class StartStopwatchAnswer(TypedDict):
    name: str
    agent_id: str
    project: NotRequired[Project]
    started_at: Instant
    stopped_at: Instant | None
    elapsed_seconds: float
    is_running: bool
    restarted: bool
    redacted: NotRequired[Redacted]


class StopStopwatchAnswer(TypedDict):
    name: str
    agent_id: str
    project: NotRequired[Project]
    started_at: Instant
    stopped_at: Instant | None
    elapsed_seconds: float
    is_running: bool
    redacted: NotRequired[Redacted]


class DeleteStopwatchAnswer(TypedDict):
    deleted: str


class ListStopwatchesAnswer(TypedDict):
    stopwatches: list[Stopwatch]


class ListEventsAnswer(TypedDict):
    events: list[Event]
    next_cursor: str | None


class RecordEventAnswer(TypedDict):
    event: Event
    task: NotRequired[Task]
    replayed: NotRequired[bool]
    redacted: NotRequired[Redacted]


class StartTaskAnswer(TypedDict):
    event: Event
    correlation_id: str
    task: Task
    replayed: bool
    redacted: NotRequired[Redacted]


class EndTaskAnswer(TypedDict):
    event: Event
    duration_seconds: float
    task: Task
    replayed: bool
    redacted: NotRequired[Redacted]


class ListActiveTasksAnswer(TypedDict):
    active_tasks: list[ListActiveTasksAnswerActiveTasksItem]


class ListActiveTasksAnswerActiveTasksItem(TypedDict):
    id: str
    event_id: str
    agent_id: str
    project: NotRequired[Project]
    event_type: str
    task_type: str | None
    timestamp: Instant
    metadata: Metadata
    correlation_id: str | None
    elapsed_seconds: float


class GetEventAnswer(TypedDict):
    event: Event


class ListTasksAnswer(TypedDict):
    tasks: list[Task]
    next_cursor: str | None


class GetTaskAnswer(TypedDict):
    task: Task


class ListSummariesAnswer(TypedDict):
    summaries: list[Summary]
    without_ok: list[ListSummariesAnswerWithoutOkItem]


class ListSummariesAnswerWithoutOkItem(TypedDict):
    task_type: str
    outcomes: OutcomeCounts


class GetSummaryAnswer(TypedDict):
    summary: Summary


class ListTaskTypesAnswer(TypedDict):
    task_types: list[str]


class RecommendTimeoutAnswer(TypedDict):
    recommendation: Recommendation


class CheckTimeoutAnswer(TypedDict):
    risk: Risk


class CompareApproachesApproachesItem(TypedDict):
    name: Name
    steps: list[CompareApproachesApproachesItemStepsItem]


class CompareApproachesApproachesItemStepsItem(TypedDict):
    task_type: Name
    estimated_seconds: NotRequired[float | None]


class GetDistributionAnswer(TypedDict):
    distribution: Distribution


class GetTrendAnswer(TypedDict):
    trend: Trend


class GetTimeSpentAnswer(TypedDict):
    time_spent: TimeSpent


class ListHooksAnswer(TypedDict):
    hooks: list[ListHooksAnswerHooksItem]


class ListHooksAnswerHooksItem(TypedDict):
    agent_id: str | None
    host: str
    event: Literal["prompt", "reply", "tool_started", "tool_ended", "session_started", "session_ended", "other"]
    result: Literal["context", "recorded", "ignored", "refused"]
    at: Instant
    took_ms: float


class ReceiveTracesAnswer(TypedDict):
    partialSuccess: NotRequired[ReceiveTracesAnswerPartialSuccess]


class ReceiveTracesAnswerPartialSuccess(TypedDict):
    rejectedSpans: str
    errorMessage: str


class EstimateDurationAnswer(TypedDict):
    estimate: DurationEstimate



OPERATIONS: dict[str, Operation] = {
    "get_health": Operation("GET", "/health"),
    "get_liveness": Operation("GET", "/health/live"),
    "get_readiness": Operation("GET", "/health/ready"),
    "get_metrics": Operation("GET", "/metrics", answers="text"),
    "get_dashboard": Operation("GET", "/dashboard", answers="text"),
    "list_agents": Operation("GET", "/agents", pages="agents"),
    "list_projects": Operation("GET", "/projects", pages="projects"),
    "get_now": Operation("GET", "/clock/now"),
    "get_elapsed": Operation("GET", "/clock/elapsed"),
    "start_stopwatch": Operation("POST", "/stopwatch/{name}/start"),
    "stop_stopwatch": Operation("POST", "/stopwatch/{name}/stop", repeatable=True),
    "get_stopwatch": Operation("GET", "/stopwatch/{name}"),
    "delete_stopwatch": Operation("DELETE", "/stopwatch/{name}"),
    "list_stopwatches": Operation("GET", "/stopwatches"),
    "list_events": Operation("GET", "/events", pages="events"),
    "record_event": Operation("POST", "/events", body=True),
    "start_task": Operation("POST", "/events/task-start", body=True, key="correlation_id"),
    "end_task": Operation("POST", "/events/task-end", body=True, repeatable="correlation_id"),
    "list_active_tasks": Operation("GET", "/events/active"),
    "stream_events": Operation("GET", "/events/stream", answers="events"),
    "get_event": Operation("GET", "/events/{event_id}"),
    "list_tasks": Operation("GET", "/tasks", pages="tasks"),
    "get_task": Operation("GET", "/tasks/{correlation_id}"),
    "list_summaries": Operation("GET", "/stats/durations"),
    "get_summary": Operation("GET", "/stats/durations/{task_type}"),
    "list_task_types": Operation("GET", "/stats/task-types"),
    "recommend_timeout": Operation("GET", "/stats/recommend-timeout/{task_type}"),
    "check_timeout": Operation("GET", "/stats/check-timeout/{task_type}"),
    "compare_approaches": Operation("POST", "/stats/compare-approaches", body=True, repeatable=True),
    "get_distribution": Operation("GET", "/stats/distribution/{task_type}"),
    "get_trend": Operation("GET", "/stats/trend/{task_type}"),
    "get_time_spent": Operation("GET", "/stats/time-spent"),
    "export_data": Operation("GET", "/export", answers="lines"),
    "import_data": Operation("POST", "/import", takes_lines=True, repeatable=True),
    "receive_hook": Operation("POST", "/hooks/{host}", body=True),
    "list_hooks": Operation("GET", "/hooks"),
    "receive_traces": Operation("POST", "/v1/traces", body=True, repeatable=True),
    "get_prompt": Operation("GET", "/prompt", answers="text"),
    "estimate_duration": Operation("GET", "/stats/estimate/{task_type}"),
}


class TimingOperations(Caller):
    _operations = OPERATIONS

    def get_health(self, *, space: str | None = None, options: CallOptions | None = None) -> Health:
        """Is the service up, and can it read the database of the space?.

        `GET /health`
        """
        return self._value(OPERATIONS["get_health"], {"space": space}, options)

    def get_liveness(self, *, options: CallOptions | None = None) -> Liveness:
        """Does the process answer?.

        For the liveness probe of a container runtime. It says nothing about the data; restart a service that fails it.

        `GET /health/live`
        """
        return self._value(OPERATIONS["get_liveness"], {}, options)

    def get_readiness(self, *, options: CallOptions | None = None) -> Readiness:
        """May requests be sent here?.

        For load balancers and container runtimes. `degraded` means that the service cannot write and still answers what it can. 503 with Retry-After while the service is being stopped or cannot read its database. Before the data is loaded the port is closed.

        `GET /health/ready`
        """
        return self._value(OPERATIONS["get_readiness"], {}, options)

    def get_metrics(self, *, options: CallOptions | None = None) -> str:
        """Metrics in the Prometheus text format.

        `GET /metrics`
        """
        return self._value(OPERATIONS["get_metrics"], {}, options)

    def get_dashboard(self, *, space: str | None = None, options: CallOptions | None = None) -> str:
        """The dashboard, a page that loads nothing from outside.

        It shows the space that its address names, and the default one without.

        `GET /dashboard`
        """
        return self._value(OPERATIONS["get_dashboard"], {"space": space}, options)

    def list_agents(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> Pages[ListAgentsAnswer, str]:
        """Every agent that has recorded something, sorted.

        `GET /agents`
        """
        return self._pages(OPERATIONS["list_agents"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    def list_projects(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> Pages[ListProjectsAnswer, str]:
        """Every project in which a task type has been named, sorted.

        Those of the agent that asks; `agent_id=*` lists those of all agents. A request in a project hears of that one.

        `GET /projects`
        """
        return self._pages(OPERATIONS["list_projects"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    def get_now(self, *, options: CallOptions | None = None) -> GetNowAnswer:
        """The time, from one reading of the clock.

        `GET /clock/now`
        """
        return self._value(OPERATIONS["get_now"], {}, options)

    def get_elapsed(self, *, since: InstantInput, options: CallOptions | None = None) -> GetElapsedAnswer:
        """Seconds since an instant; negative when it lies in the future.

        `GET /clock/elapsed`
        """
        return self._value(OPERATIONS["get_elapsed"], {"since": since}, options)

    def start_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> StartStopwatchAnswer:
        """Start a stopwatch; starting it again resets it.

        An agent has at most 1,000 stopwatches. Each project has names of its own. To read, stop or delete one, that of the request's
        project is taken, else the newest of that name which a question in the project is about.

        `POST /stopwatch/{name}/start`
        """
        return self._value(OPERATIONS["start_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    def stop_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> StopStopwatchAnswer:
        """Stop a stopwatch; a second stop changes nothing.

        `POST /stopwatch/{name}/stop`
        """
        return self._value(OPERATIONS["stop_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    def get_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Stopwatch:
        """Read a stopwatch.

        `GET /stopwatch/{name}`
        """
        return self._value(OPERATIONS["get_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    def delete_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> DeleteStopwatchAnswer:
        """Delete a stopwatch.

        `DELETE /stopwatch/{name}`
        """
        return self._value(OPERATIONS["delete_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    def list_stopwatches(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListStopwatchesAnswer:
        """The agent's stopwatches, oldest first.

        `GET /stopwatches`
        """
        return self._value(OPERATIONS["list_stopwatches"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def list_events(self, *, event_type: Name | None = None, task_type: Name | None = None, correlation_id: Name | None = None, since: InstantInput | None = None, until: InstantInput | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> Pages[ListEventsAnswer, Event]:
        """Events, newest first.

        `agent_id=*` lists those of all agents.

        `GET /events`
        """
        return self._pages(OPERATIONS["list_events"], {"event_type": event_type, "task_type": task_type, "correlation_id": correlation_id, "since": since, "until": until, "agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    def record_event(self, *, event_type: Name, task_type: NullableName | None = None, metadata: Metadata | None = None, correlation_id: NullableName | None = None, timestamp: ToldInstant | None = None, project: ProjectInput | None = None, options: CallOptions | None = None) -> RecordEventAnswer:
        """Record an event.

        An event of type `task_start` or `task_end` with a `correlation_id` and a `task_type` pairs exactly as
        `/events/task-start` and `/events/task-end` do; `task` and `replayed` are then in the answer.

        `POST /events`
        """
        return self._value(OPERATIONS["record_event"], {"event_type": event_type, "task_type": task_type, "metadata": metadata, "correlation_id": correlation_id, "timestamp": timestamp, "project": project}, options)

    def start_task(self, *, task_type: Name, metadata: Metadata | None = None, estimated_seconds: float | None = None, correlation_id: NullableName | None = None, timestamp: ToldInstant | None = None, project: ProjectInput | None = None, options: CallOptions | None = None) -> StartTaskAnswer:
        """A task starts.

        Keep the `correlation_id` of the answer and send it with the end. With an own id the call may be repeated
        safely: the same start again answers as the first time with `replayed: true`; an id that is in use for
        another task, or with another `timestamp`, is 409. Another session makes no other start.

        `POST /events/task-start`
        """
        return self._value(OPERATIONS["start_task"], {"task_type": task_type, "metadata": metadata, "estimated_seconds": estimated_seconds, "correlation_id": correlation_id, "timestamp": timestamp, "project": project}, options)

    def end_task(self, *, task_type: Name, correlation_id: NullableName | None = None, outcome: Outcome | None = None, metadata: Metadata | None = None, timestamp: ToldInstant | None = None, project: ProjectInput | None = None, options: CallOptions | None = None) -> EndTaskAnswer:
        """A task ends.

        With the id of an active task it ends, and its duration counts once, for the agent that started it. The same
        end again is answered with the first result and `replayed: true`, and `metadata` that it brings is not kept; an
        `outcome` or `timestamp` other than that of the first end is 409 (`already_ended`). Another `task_type` than at the start: 409; an unknown id: 404. Without
        an id the agent's only active task of that type ends; none: 404, with `correlation_ids` where there are abandoned
        ones, which an end with their id still closes; several: 409 with `correlation_ids`. A `timestamp` before the start is 422.

        `POST /events/task-end`
        """
        return self._value(OPERATIONS["end_task"], {"task_type": task_type, "correlation_id": correlation_id, "outcome": outcome, "metadata": metadata, "timestamp": timestamp, "project": project}, options)

    def list_active_tasks(self, *, task_type: Name | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListActiveTasksAnswer:
        """Start events of running tasks with their elapsed time, newest first.

        `agent_id=*` lists those of all agents. At most the newest 1,000, and fewer when they carry much metadata;
        `/tasks?state=active` has all of them, in pages. A task that was imported without its start event is listed
        under its correlation id.

        `GET /events/active`
        """
        return self._value(OPERATIONS["list_active_tasks"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space}, options)

    def stream_events(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, last_event_id: str | None = None, options: CallOptions | None = None) -> Iterator[ServerEvent]:
        """Live changes as server-sent events.

        Every message carries an `id` to resume from (`Last-Event-ID`, or `last_event_id` in the query for a first
        connection). `event: timing` carries `{event, task|null}` and is sent again on resuming; `event: stopwatch` carries `{stopwatch}` or `{deleted, agent_id, project}`;
        `event: tasks` carries `{abandoned: Task[]}`; `event: reset` says that more was missed than is sent again, and
        that everything is to be read anew. A comment every 15 s keeps the connection open. `agent_id=*` streams all agents.

        `GET /events/stream`
        """
        return self._events(OPERATIONS["stream_events"], {"agent_id": agent_id, "project": project, "space": space, "last_event_id": last_event_id}, options)

    def get_event(self, *, event_id: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetEventAnswer:
        """One event.

        `GET /events/{event_id}`
        """
        return self._value(OPERATIONS["get_event"], {"event_id": event_id, "agent_id": agent_id, "project": project, "space": space}, options)

    def list_tasks(self, *, task_type: Name | None = None, state: Literal["active", "ended", "abandoned"] | None = None, outcome: Outcome | None = None, since: InstantInput | None = None, until: InstantInput | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> Pages[ListTasksAnswer, Task]:
        """Tasks, newest start first.

        `agent_id=*` lists those of all agents. `since` and `until` speak of the start.

        `GET /tasks`
        """
        return self._pages(OPERATIONS["list_tasks"], {"task_type": task_type, "state": state, "outcome": outcome, "since": since, "until": until, "agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    def get_task(self, *, correlation_id: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetTaskAnswer:
        """One task.

        `GET /tasks/{correlation_id}`
        """
        return self._value(OPERATIONS["get_task"], {"correlation_id": correlation_id, "agent_id": agent_id, "project": project, "space": space}, options)

    def list_summaries(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListSummariesAnswer:
        """Duration summaries of all task types, sorted by type.

        `agent_id=*` pools all agents. Types without a task that ended ok have no summary and stand in `without_ok`.

        `GET /stats/durations`
        """
        return self._value(OPERATIONS["list_summaries"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def get_summary(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, since: InstantInput | None = None, outcome: Outcome | None = None, options: CallOptions | None = None) -> GetSummaryAnswer:
        """How long tasks of this type take.

        Over tasks that ended with `outcome` (default ok). Running, timed-out and cancelled tasks count as
        right-censored in the percentiles (Kaplan-Meier); `since` keeps the tasks that started at or after it.
        `agent_id=*` pools all agents.

        `GET /stats/durations/{task_type}`
        """
        return self._value(OPERATIONS["get_summary"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "since": since, "outcome": outcome}, options)

    def list_task_types(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListTaskTypesAnswer:
        """Every task type that has been named, sorted.

        `agent_id=*` lists those of all agents.

        `GET /stats/task-types`
        """
        return self._value(OPERATIONS["list_task_types"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def recommend_timeout(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, percentile: float | None = None, safety_margin: float | None = None, options: CallOptions | None = None) -> RecommendTimeoutAnswer:
        """A timeout from history.

        `GET /stats/recommend-timeout/{task_type}`
        """
        return self._value(OPERATIONS["recommend_timeout"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "percentile": percentile, "safety_margin": safety_margin}, options)

    def check_timeout(self, *, task_type: Name, elapsed_seconds: float, timeout_seconds: float, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> CheckTimeoutAnswer:
        """Will a running task make its timeout?.

        `GET /stats/check-timeout/{task_type}`
        """
        return self._value(OPERATIONS["check_timeout"], {"task_type": task_type, "elapsed_seconds": elapsed_seconds, "timeout_seconds": timeout_seconds, "agent_id": agent_id, "project": project, "space": space}, options)

    def compare_approaches(self, *, approaches: list[CompareApproachesApproachesItem], project: ProjectInput | None = None, options: CallOptions | None = None) -> Comparison:
        """Which way of doing a job is fastest?.

        Steps run one after the other. 10,000 seeded Monte Carlo draws over history; the same question over the same
        history gives the same answer. A step that several approaches have takes as long in each of them. Runs that were cut off
        count as longer than they took.

        `POST /stats/compare-approaches`
        """
        return self._value(OPERATIONS["compare_approaches"], {"approaches": approaches, "project": project}, options)

    def get_distribution(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetDistributionAnswer:
        """Histogram and survival curve of a task type.

        `agent_id=*` pools all agents.

        `GET /stats/distribution/{task_type}`
        """
        return self._value(OPERATIONS["get_distribution"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space}, options)

    def get_trend(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, options: CallOptions | None = None) -> GetTrendAnswer:
        """Durations over time, and whether they have changed.

        The newest `limit` tasks that ended ok, oldest first. The newer half is compared with the older half; where the newest runs are
        unlike those before, as for estimates, the runs since then with those before them, or with the whole history where the newest
        `limit` tasks are alike. While five tasks of the type or more have just begun, those of that time are not compared: only the
        short ones of them have ended.
        `agent_id=*` pools all agents.

        `GET /stats/trend/{task_type}`
        """
        return self._value(OPERATIONS["get_trend"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "limit": limit}, options)

    def get_time_spent(self, *, group_by: TimeSpentBy | None = None, then_by: TimeSpentBy | None = None, task_type: Name | None = None, since: InstantInput | None = None, until: InstantInput | None = None, time_zone: str | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetTimeSpentAnswer:
        """Where did the time go?.

        What the tasks took between `since` and `until`, in all and in groups: by `group_by`, and within it by `then_by`. A task that
        crosses one of the two, or a midnight where days are asked for, counts on each side with the part that lies there. One that runs
        counts up to now. An abandoned one counts with its start and without any time, because nobody knows when it ended: `abandoned_at`
        of a task says when the service gave it up.

        `spent_seconds` adds everything up: tasks that ran side by side, and a tool call within an exchange, count twice.
        `busy_seconds` counts each moment once.

        Days come in order, all else with the most time first. There are at most 5,000 groups, and at most 400 days by day; more is 422.
        `agent_id=*` is about all agents.

        `GET /stats/time-spent`
        """
        return self._value(OPERATIONS["get_time_spent"], {"group_by": group_by, "then_by": then_by, "task_type": task_type, "since": since, "until": until, "time_zone": time_zone, "agent_id": agent_id, "project": project, "space": space}, options)

    def export_data(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Iterator[dict[str, Any]]:
        """Events, tasks and stopwatches as NDJSON.

        `agent_id=*` exports all agents. One JSON object a line, with `kind`.

        `GET /export`
        """
        return self._lines(OPERATIONS["export_data"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def import_data(self, lines: Iterable[Line], *, options: CallOptions | None = None) -> ImportReport:
        """Take in what /export gave.

        NDJSON of any length; a line has at most 256 KiB and is an ImportedEvent, an ImportedTask or an ImportedStopwatch.
        Idempotent: what is known already counts as a duplicate and stays
        as it is; a task that runs here, or was abandoned, takes the end of its ended form. Each line is taken in whole or rejected
        with a reason. Rejected is as well a task whose correlation id is known for another agent, project, task type or start,
        or with another end or outcome: one of the two is wrong. So is a new stopwatch of an agent that has 1,000. Agents and
        projects are those of the lines; in a project, a line without one becomes one of it, and a line of another one is rejected.
        Instants lie between 1970 and a day from now.

        `POST /import`
        """
        return self._send_lines(OPERATIONS["import_data"], lines, {}, options)

    def receive_hook(self, *, host: Literal["claude-code", "codex", "vscode", "gemini", "cursor", "copilot-cli", "opencode", "cline"], options: CallOptions | None = None, **fields: Any) -> dict[str, Any]:
        """Take an event from the hook of a coding agent.

        The body is what the host gives its hooks, as it is; the answer is in the form that the host reads. A prompt
        is answered with a temporal line: what time it is, how long ago the message before it came, and how long this agent's
        commands take. Each call of a tool becomes a task under what it runs (`npm test`, `tool:Read`), with its outcome, and
        each exchange from a prompt to its reply a task of the type `exchange`. Nothing of what is said or of what a tool wrote is kept.

        A payload that the service does not understand is answered with `{}` too, and every host goes on; the log and
        `agent_faculties_hook_calls_total` report it. The same event again changes nothing. The user may write `#skip` into a
        prompt to get no line.

        `POST /hooks/{host}`
        """
        return self._value(OPERATIONS["receive_hook"], {"host": host, **fields}, options)

    def list_hooks(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListHooksAnswer:
        """The last calls of hooks, the latest first.

        At most 20 calls since the start, of the agent that asks; without anything that was said. `agent_id=*` lists those of all
        agents, which behind a gateway is for administrators.

        `GET /hooks`
        """
        return self._value(OPERATIONS["list_hooks"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def receive_traces(self, *, resourceSpans: list[dict[str, Any]] | None = None, options: CallOptions | None = None, **fields: Any) -> ReceiveTracesAnswer:
        """Take spans of OpenTelemetry as tasks.

        OTLP over HTTP, as JSON, at most 2 MiB and 10,000 spans (with their scopes and resources) a request. Spans of tools, models and agents (the semantic
        conventions for generative AI, OpenInference, the AI SDK, Claude Code) become tasks that have ended: `tool:Read`,
        `chat claude-opus-5`, `invoke_agent planner`. Other spans are left out. A span is known by its trace id and span id: sent
        again, it changes nothing. A span that cannot be read is refused by itself, and `partialSuccess` says why.

        All spans belong to the agent that the request names (`agent_id`, `X-Agent-ID`); where it names none, each to the one in
        its attribute `gen_ai.agent.name`, that of its resource, or its `service.name`. Of the attributes only names are kept.

        `POST /v1/traces`
        """
        return self._value(OPERATIONS["receive_traces"], {"resourceSpans": resourceSpans, **fields}, options)

    def get_prompt(self, *, mode: Literal["mcp", "tools", "rest"] | None = None, options: CallOptions | None = None) -> str:
        """Instructions for the system prompt of a model.

        How to work with this service and what there is to call, by the names that the model knows: those of MCP, those of functions that a program offers (packages/adapters), or requests that the model makes itself.

        `GET /prompt`
        """
        return self._value(OPERATIONS["get_prompt"], {"mode": mode}, options)

    def estimate_duration(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, estimated_seconds: float | None = None, options: CallOptions | None = None) -> EstimateDurationAnswer:
        """How long will it take, also when nobody has done it yet?.

        From the history of the type: that of this agent, else that of all agents. A type of which none ended ok is estimated from
        types whose names share words with it (from all types where none does), or from `estimated_seconds` and how this agent's
        estimates compare with what came of them, whichever was nearer the truth for the types that are known; `seconds` is then no
        less than the longest run of the type itself that runs, was cancelled or timed out. Where no estimate has come out yet and no
        name shares a word, it is `estimated_seconds` as it was sent.

        `interval` holds the share `coverage` of runs that end ok: as they came out for the types that are known, each told from the
        others. With few types it is wide and promises less; with fewer than two it is null. Without an estimate of the agent, `seconds`
        lies among the runs that it rests on. Runs that were cut off, and those that run, count as longer than they took so far: where they
        are so many that the middle lies beyond everything seen, `seconds` is the longest run, and `interval` is null. With fewer,
        `interval` ends at the longest ok run at most, and `coverage` is less.

        `GET /stats/estimate/{task_type}`
        """
        return self._value(OPERATIONS["estimate_duration"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "estimated_seconds": estimated_seconds}, options)


class AsyncTimingOperations(AsyncCaller):
    _operations = OPERATIONS

    async def get_health(self, *, space: str | None = None, options: CallOptions | None = None) -> Health:
        """Is the service up, and can it read the database of the space?.

        `GET /health`
        """
        return await self._value(OPERATIONS["get_health"], {"space": space}, options)

    async def get_liveness(self, *, options: CallOptions | None = None) -> Liveness:
        """Does the process answer?.

        For the liveness probe of a container runtime. It says nothing about the data; restart a service that fails it.

        `GET /health/live`
        """
        return await self._value(OPERATIONS["get_liveness"], {}, options)

    async def get_readiness(self, *, options: CallOptions | None = None) -> Readiness:
        """May requests be sent here?.

        For load balancers and container runtimes. `degraded` means that the service cannot write and still answers what it can. 503 with Retry-After while the service is being stopped or cannot read its database. Before the data is loaded the port is closed.

        `GET /health/ready`
        """
        return await self._value(OPERATIONS["get_readiness"], {}, options)

    async def get_metrics(self, *, options: CallOptions | None = None) -> str:
        """Metrics in the Prometheus text format.

        `GET /metrics`
        """
        return await self._value(OPERATIONS["get_metrics"], {}, options)

    async def get_dashboard(self, *, space: str | None = None, options: CallOptions | None = None) -> str:
        """The dashboard, a page that loads nothing from outside.

        It shows the space that its address names, and the default one without.

        `GET /dashboard`
        """
        return await self._value(OPERATIONS["get_dashboard"], {"space": space}, options)

    def list_agents(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> AsyncPages[ListAgentsAnswer, str]:
        """Every agent that has recorded something, sorted.

        `GET /agents`
        """
        return self._pages(OPERATIONS["list_agents"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    def list_projects(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> AsyncPages[ListProjectsAnswer, str]:
        """Every project in which a task type has been named, sorted.

        Those of the agent that asks; `agent_id=*` lists those of all agents. A request in a project hears of that one.

        `GET /projects`
        """
        return self._pages(OPERATIONS["list_projects"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    async def get_now(self, *, options: CallOptions | None = None) -> GetNowAnswer:
        """The time, from one reading of the clock.

        `GET /clock/now`
        """
        return await self._value(OPERATIONS["get_now"], {}, options)

    async def get_elapsed(self, *, since: InstantInput, options: CallOptions | None = None) -> GetElapsedAnswer:
        """Seconds since an instant; negative when it lies in the future.

        `GET /clock/elapsed`
        """
        return await self._value(OPERATIONS["get_elapsed"], {"since": since}, options)

    async def start_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> StartStopwatchAnswer:
        """Start a stopwatch; starting it again resets it.

        An agent has at most 1,000 stopwatches. Each project has names of its own. To read, stop or delete one, that of the request's
        project is taken, else the newest of that name which a question in the project is about.

        `POST /stopwatch/{name}/start`
        """
        return await self._value(OPERATIONS["start_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    async def stop_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> StopStopwatchAnswer:
        """Stop a stopwatch; a second stop changes nothing.

        `POST /stopwatch/{name}/stop`
        """
        return await self._value(OPERATIONS["stop_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    async def get_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Stopwatch:
        """Read a stopwatch.

        `GET /stopwatch/{name}`
        """
        return await self._value(OPERATIONS["get_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    async def delete_stopwatch(self, *, name: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> DeleteStopwatchAnswer:
        """Delete a stopwatch.

        `DELETE /stopwatch/{name}`
        """
        return await self._value(OPERATIONS["delete_stopwatch"], {"name": name, "agent_id": agent_id, "project": project, "space": space}, options)

    async def list_stopwatches(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListStopwatchesAnswer:
        """The agent's stopwatches, oldest first.

        `GET /stopwatches`
        """
        return await self._value(OPERATIONS["list_stopwatches"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def list_events(self, *, event_type: Name | None = None, task_type: Name | None = None, correlation_id: Name | None = None, since: InstantInput | None = None, until: InstantInput | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> AsyncPages[ListEventsAnswer, Event]:
        """Events, newest first.

        `agent_id=*` lists those of all agents.

        `GET /events`
        """
        return self._pages(OPERATIONS["list_events"], {"event_type": event_type, "task_type": task_type, "correlation_id": correlation_id, "since": since, "until": until, "agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    async def record_event(self, *, event_type: Name, task_type: NullableName | None = None, metadata: Metadata | None = None, correlation_id: NullableName | None = None, timestamp: ToldInstant | None = None, project: ProjectInput | None = None, options: CallOptions | None = None) -> RecordEventAnswer:
        """Record an event.

        An event of type `task_start` or `task_end` with a `correlation_id` and a `task_type` pairs exactly as
        `/events/task-start` and `/events/task-end` do; `task` and `replayed` are then in the answer.

        `POST /events`
        """
        return await self._value(OPERATIONS["record_event"], {"event_type": event_type, "task_type": task_type, "metadata": metadata, "correlation_id": correlation_id, "timestamp": timestamp, "project": project}, options)

    async def start_task(self, *, task_type: Name, metadata: Metadata | None = None, estimated_seconds: float | None = None, correlation_id: NullableName | None = None, timestamp: ToldInstant | None = None, project: ProjectInput | None = None, options: CallOptions | None = None) -> StartTaskAnswer:
        """A task starts.

        Keep the `correlation_id` of the answer and send it with the end. With an own id the call may be repeated
        safely: the same start again answers as the first time with `replayed: true`; an id that is in use for
        another task, or with another `timestamp`, is 409. Another session makes no other start.

        `POST /events/task-start`
        """
        return await self._value(OPERATIONS["start_task"], {"task_type": task_type, "metadata": metadata, "estimated_seconds": estimated_seconds, "correlation_id": correlation_id, "timestamp": timestamp, "project": project}, options)

    async def end_task(self, *, task_type: Name, correlation_id: NullableName | None = None, outcome: Outcome | None = None, metadata: Metadata | None = None, timestamp: ToldInstant | None = None, project: ProjectInput | None = None, options: CallOptions | None = None) -> EndTaskAnswer:
        """A task ends.

        With the id of an active task it ends, and its duration counts once, for the agent that started it. The same
        end again is answered with the first result and `replayed: true`, and `metadata` that it brings is not kept; an
        `outcome` or `timestamp` other than that of the first end is 409 (`already_ended`). Another `task_type` than at the start: 409; an unknown id: 404. Without
        an id the agent's only active task of that type ends; none: 404, with `correlation_ids` where there are abandoned
        ones, which an end with their id still closes; several: 409 with `correlation_ids`. A `timestamp` before the start is 422.

        `POST /events/task-end`
        """
        return await self._value(OPERATIONS["end_task"], {"task_type": task_type, "correlation_id": correlation_id, "outcome": outcome, "metadata": metadata, "timestamp": timestamp, "project": project}, options)

    async def list_active_tasks(self, *, task_type: Name | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListActiveTasksAnswer:
        """Start events of running tasks with their elapsed time, newest first.

        `agent_id=*` lists those of all agents. At most the newest 1,000, and fewer when they carry much metadata;
        `/tasks?state=active` has all of them, in pages. A task that was imported without its start event is listed
        under its correlation id.

        `GET /events/active`
        """
        return await self._value(OPERATIONS["list_active_tasks"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space}, options)

    def stream_events(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, last_event_id: str | None = None, options: CallOptions | None = None) -> AsyncIterator[ServerEvent]:
        """Live changes as server-sent events.

        Every message carries an `id` to resume from (`Last-Event-ID`, or `last_event_id` in the query for a first
        connection). `event: timing` carries `{event, task|null}` and is sent again on resuming; `event: stopwatch` carries `{stopwatch}` or `{deleted, agent_id, project}`;
        `event: tasks` carries `{abandoned: Task[]}`; `event: reset` says that more was missed than is sent again, and
        that everything is to be read anew. A comment every 15 s keeps the connection open. `agent_id=*` streams all agents.

        `GET /events/stream`
        """
        return self._events(OPERATIONS["stream_events"], {"agent_id": agent_id, "project": project, "space": space, "last_event_id": last_event_id}, options)

    async def get_event(self, *, event_id: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetEventAnswer:
        """One event.

        `GET /events/{event_id}`
        """
        return await self._value(OPERATIONS["get_event"], {"event_id": event_id, "agent_id": agent_id, "project": project, "space": space}, options)

    def list_tasks(self, *, task_type: Name | None = None, state: Literal["active", "ended", "abandoned"] | None = None, outcome: Outcome | None = None, since: InstantInput | None = None, until: InstantInput | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> AsyncPages[ListTasksAnswer, Task]:
        """Tasks, newest start first.

        `agent_id=*` lists those of all agents. `since` and `until` speak of the start.

        `GET /tasks`
        """
        return self._pages(OPERATIONS["list_tasks"], {"task_type": task_type, "state": state, "outcome": outcome, "since": since, "until": until, "agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    async def get_task(self, *, correlation_id: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetTaskAnswer:
        """One task.

        `GET /tasks/{correlation_id}`
        """
        return await self._value(OPERATIONS["get_task"], {"correlation_id": correlation_id, "agent_id": agent_id, "project": project, "space": space}, options)

    async def list_summaries(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListSummariesAnswer:
        """Duration summaries of all task types, sorted by type.

        `agent_id=*` pools all agents. Types without a task that ended ok have no summary and stand in `without_ok`.

        `GET /stats/durations`
        """
        return await self._value(OPERATIONS["list_summaries"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def get_summary(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, since: InstantInput | None = None, outcome: Outcome | None = None, options: CallOptions | None = None) -> GetSummaryAnswer:
        """How long tasks of this type take.

        Over tasks that ended with `outcome` (default ok). Running, timed-out and cancelled tasks count as
        right-censored in the percentiles (Kaplan-Meier); `since` keeps the tasks that started at or after it.
        `agent_id=*` pools all agents.

        `GET /stats/durations/{task_type}`
        """
        return await self._value(OPERATIONS["get_summary"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "since": since, "outcome": outcome}, options)

    async def list_task_types(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListTaskTypesAnswer:
        """Every task type that has been named, sorted.

        `agent_id=*` lists those of all agents.

        `GET /stats/task-types`
        """
        return await self._value(OPERATIONS["list_task_types"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def recommend_timeout(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, percentile: float | None = None, safety_margin: float | None = None, options: CallOptions | None = None) -> RecommendTimeoutAnswer:
        """A timeout from history.

        `GET /stats/recommend-timeout/{task_type}`
        """
        return await self._value(OPERATIONS["recommend_timeout"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "percentile": percentile, "safety_margin": safety_margin}, options)

    async def check_timeout(self, *, task_type: Name, elapsed_seconds: float, timeout_seconds: float, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> CheckTimeoutAnswer:
        """Will a running task make its timeout?.

        `GET /stats/check-timeout/{task_type}`
        """
        return await self._value(OPERATIONS["check_timeout"], {"task_type": task_type, "elapsed_seconds": elapsed_seconds, "timeout_seconds": timeout_seconds, "agent_id": agent_id, "project": project, "space": space}, options)

    async def compare_approaches(self, *, approaches: list[CompareApproachesApproachesItem], project: ProjectInput | None = None, options: CallOptions | None = None) -> Comparison:
        """Which way of doing a job is fastest?.

        Steps run one after the other. 10,000 seeded Monte Carlo draws over history; the same question over the same
        history gives the same answer. A step that several approaches have takes as long in each of them. Runs that were cut off
        count as longer than they took.

        `POST /stats/compare-approaches`
        """
        return await self._value(OPERATIONS["compare_approaches"], {"approaches": approaches, "project": project}, options)

    async def get_distribution(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetDistributionAnswer:
        """Histogram and survival curve of a task type.

        `agent_id=*` pools all agents.

        `GET /stats/distribution/{task_type}`
        """
        return await self._value(OPERATIONS["get_distribution"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space}, options)

    async def get_trend(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, options: CallOptions | None = None) -> GetTrendAnswer:
        """Durations over time, and whether they have changed.

        The newest `limit` tasks that ended ok, oldest first. The newer half is compared with the older half; where the newest runs are
        unlike those before, as for estimates, the runs since then with those before them, or with the whole history where the newest
        `limit` tasks are alike. While five tasks of the type or more have just begun, those of that time are not compared: only the
        short ones of them have ended.
        `agent_id=*` pools all agents.

        `GET /stats/trend/{task_type}`
        """
        return await self._value(OPERATIONS["get_trend"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "limit": limit}, options)

    async def get_time_spent(self, *, group_by: TimeSpentBy | None = None, then_by: TimeSpentBy | None = None, task_type: Name | None = None, since: InstantInput | None = None, until: InstantInput | None = None, time_zone: str | None = None, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetTimeSpentAnswer:
        """Where did the time go?.

        What the tasks took between `since` and `until`, in all and in groups: by `group_by`, and within it by `then_by`. A task that
        crosses one of the two, or a midnight where days are asked for, counts on each side with the part that lies there. One that runs
        counts up to now. An abandoned one counts with its start and without any time, because nobody knows when it ended: `abandoned_at`
        of a task says when the service gave it up.

        `spent_seconds` adds everything up: tasks that ran side by side, and a tool call within an exchange, count twice.
        `busy_seconds` counts each moment once.

        Days come in order, all else with the most time first. There are at most 5,000 groups, and at most 400 days by day; more is 422.
        `agent_id=*` is about all agents.

        `GET /stats/time-spent`
        """
        return await self._value(OPERATIONS["get_time_spent"], {"group_by": group_by, "then_by": then_by, "task_type": task_type, "since": since, "until": until, "time_zone": time_zone, "agent_id": agent_id, "project": project, "space": space}, options)

    def export_data(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> AsyncIterator[dict[str, Any]]:
        """Events, tasks and stopwatches as NDJSON.

        `agent_id=*` exports all agents. One JSON object a line, with `kind`.

        `GET /export`
        """
        return self._lines(OPERATIONS["export_data"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def import_data(self, lines: Iterable[Line] | AsyncIterable[Line], *, options: CallOptions | None = None) -> ImportReport:
        """Take in what /export gave.

        NDJSON of any length; a line has at most 256 KiB and is an ImportedEvent, an ImportedTask or an ImportedStopwatch.
        Idempotent: what is known already counts as a duplicate and stays
        as it is; a task that runs here, or was abandoned, takes the end of its ended form. Each line is taken in whole or rejected
        with a reason. Rejected is as well a task whose correlation id is known for another agent, project, task type or start,
        or with another end or outcome: one of the two is wrong. So is a new stopwatch of an agent that has 1,000. Agents and
        projects are those of the lines; in a project, a line without one becomes one of it, and a line of another one is rejected.
        Instants lie between 1970 and a day from now.

        `POST /import`
        """
        return await self._send_lines(OPERATIONS["import_data"], lines, {}, options)

    async def receive_hook(self, *, host: Literal["claude-code", "codex", "vscode", "gemini", "cursor", "copilot-cli", "opencode", "cline"], options: CallOptions | None = None, **fields: Any) -> dict[str, Any]:
        """Take an event from the hook of a coding agent.

        The body is what the host gives its hooks, as it is; the answer is in the form that the host reads. A prompt
        is answered with a temporal line: what time it is, how long ago the message before it came, and how long this agent's
        commands take. Each call of a tool becomes a task under what it runs (`npm test`, `tool:Read`), with its outcome, and
        each exchange from a prompt to its reply a task of the type `exchange`. Nothing of what is said or of what a tool wrote is kept.

        A payload that the service does not understand is answered with `{}` too, and every host goes on; the log and
        `agent_faculties_hook_calls_total` report it. The same event again changes nothing. The user may write `#skip` into a
        prompt to get no line.

        `POST /hooks/{host}`
        """
        return await self._value(OPERATIONS["receive_hook"], {"host": host, **fields}, options)

    async def list_hooks(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ListHooksAnswer:
        """The last calls of hooks, the latest first.

        At most 20 calls since the start, of the agent that asks; without anything that was said. `agent_id=*` lists those of all
        agents, which behind a gateway is for administrators.

        `GET /hooks`
        """
        return await self._value(OPERATIONS["list_hooks"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def receive_traces(self, *, resourceSpans: list[dict[str, Any]] | None = None, options: CallOptions | None = None, **fields: Any) -> ReceiveTracesAnswer:
        """Take spans of OpenTelemetry as tasks.

        OTLP over HTTP, as JSON, at most 2 MiB and 10,000 spans (with their scopes and resources) a request. Spans of tools, models and agents (the semantic
        conventions for generative AI, OpenInference, the AI SDK, Claude Code) become tasks that have ended: `tool:Read`,
        `chat claude-opus-5`, `invoke_agent planner`. Other spans are left out. A span is known by its trace id and span id: sent
        again, it changes nothing. A span that cannot be read is refused by itself, and `partialSuccess` says why.

        All spans belong to the agent that the request names (`agent_id`, `X-Agent-ID`); where it names none, each to the one in
        its attribute `gen_ai.agent.name`, that of its resource, or its `service.name`. Of the attributes only names are kept.

        `POST /v1/traces`
        """
        return await self._value(OPERATIONS["receive_traces"], {"resourceSpans": resourceSpans, **fields}, options)

    async def get_prompt(self, *, mode: Literal["mcp", "tools", "rest"] | None = None, options: CallOptions | None = None) -> str:
        """Instructions for the system prompt of a model.

        How to work with this service and what there is to call, by the names that the model knows: those of MCP, those of functions that a program offers (packages/adapters), or requests that the model makes itself.

        `GET /prompt`
        """
        return await self._value(OPERATIONS["get_prompt"], {"mode": mode}, options)

    async def estimate_duration(self, *, task_type: Name, agent_id: str | None = None, project: str | None = None, space: str | None = None, estimated_seconds: float | None = None, options: CallOptions | None = None) -> EstimateDurationAnswer:
        """How long will it take, also when nobody has done it yet?.

        From the history of the type: that of this agent, else that of all agents. A type of which none ended ok is estimated from
        types whose names share words with it (from all types where none does), or from `estimated_seconds` and how this agent's
        estimates compare with what came of them, whichever was nearer the truth for the types that are known; `seconds` is then no
        less than the longest run of the type itself that runs, was cancelled or timed out. Where no estimate has come out yet and no
        name shares a word, it is `estimated_seconds` as it was sent.

        `interval` holds the share `coverage` of runs that end ok: as they came out for the types that are known, each told from the
        others. With few types it is wide and promises less; with fewer than two it is null. Without an estimate of the agent, `seconds`
        lies among the runs that it rests on. Runs that were cut off, and those that run, count as longer than they took so far: where they
        are so many that the middle lies beyond everything seen, `seconds` is the longest run, and `interval` is null. With fewer,
        `interval` ends at the longest ok run at most, and `coverage` is less.

        `GET /stats/estimate/{task_type}`
        """
        return await self._value(OPERATIONS["estimate_duration"], {"task_type": task_type, "agent_id": agent_id, "project": project, "space": space, "estimated_seconds": estimated_seconds}, options)
