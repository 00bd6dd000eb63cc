# Generated from apps/memory-service/openapi.yaml; do not edit.
# ruff: noqa
from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from ._answers import AsyncPages, Line, Pages, ServerEvent
from ._async_calls import AsyncCaller
from ._calls_gen import Caller
from ._request import CallOptions, Null, Operation

Name: TypeAlias = str
MemoryId: TypeAlias = str
Identity: TypeAlias = "str | None"
Scope: TypeAlias = Literal["TEAM", "SHARED", "PRIVATE"]
Kind: TypeAlias = Literal["episodic", "semantic"]
Role: TypeAlias = Literal["user", "assistant", "system"]
Source: TypeAlias = Literal["user", "assistant", "tool", "import"]
Relevance: TypeAlias = Literal["high", "medium", "low"]
Instant: TypeAlias = str
InstantInput: TypeAlias = str
DayInput: TypeAlias = str
Day: TypeAlias = str
Tags: TypeAlias = list["Name"]
Importance: TypeAlias = float
Metadata: TypeAlias = dict[str, Any]
Query: TypeAlias = str
TopK: TypeAlias = int
class MessageFields(TypedDict):
    role: NotRequired[Role]
    content: NotRequired[str]
    name: NotRequired[str | None]
    source: NotRequired[Source]
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    scope: NotRequired[Scope]
    tags: NotRequired[Tags]
    importance: NotRequired[Importance]
    timestamp: NotRequired[InstantInput]
    valid_from: NotRequired[ValidFromInput]
    valid_until: NotRequired[ValidUntilInput]
    expires_at: NotRequired[ExpiresAtInput]
    supersedes: NotRequired[list[str]]
    metadata: NotRequired[Metadata]
    contradiction_wait_ms: NotRequired[int]
    idempotency_key: NotRequired[Name]


ValidFromInput: TypeAlias = "InstantInput | None"
ValidUntilInput: TypeAlias = "InstantInput | None"
ExpiresAtInput: TypeAlias = "InstantInput | None"
class Message(TypedDict):
    role: NotRequired[Role]
    content: str
    name: NotRequired[str | None]
    source: NotRequired[Source]
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    scope: NotRequired[Scope]
    tags: NotRequired[Tags]
    importance: NotRequired[Importance]
    timestamp: NotRequired[InstantInput]
    valid_from: NotRequired[ValidFromInput]
    valid_until: NotRequired[ValidUntilInput]
    expires_at: NotRequired[ExpiresAtInput]
    supersedes: NotRequired[list[str]]
    metadata: NotRequired[Metadata]
    contradiction_wait_ms: NotRequired[int]
    idempotency_key: NotRequired[Name]


class MessageAndRecall(TypedDict):
    role: NotRequired[Role]
    content: str
    name: NotRequired[str | None]
    source: NotRequired[Source]
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    scope: NotRequired[Scope]
    tags: NotRequired[Tags]
    importance: NotRequired[Importance]
    timestamp: NotRequired[InstantInput]
    valid_from: NotRequired[ValidFromInput]
    valid_until: NotRequired[ValidUntilInput]
    expires_at: NotRequired[ExpiresAtInput]
    supersedes: NotRequired[list[str]]
    metadata: NotRequired[Metadata]
    contradiction_wait_ms: NotRequired[int]
    idempotency_key: NotRequired[Name]
    top_k: NotRequired[TopK]
    query: NotRequired[Query]
    max_context_chars: NotRequired[MaxContextChars]
    max_context_tokens: NotRequired[MaxContextTokens]
    context_style: NotRequired[ContextStyle]
    explain: NotRequired[bool]
    min_trust: NotRequired[MinTrust]
    as_of: NotRequired[AsOf]


MaxContextChars: TypeAlias = int
MaxContextTokens: TypeAlias = int
ContextStyle: TypeAlias = Literal["lines", "compact", "json"]
MinTrust: TypeAlias = Source
AsOf: TypeAlias = InstantInput
AuthorIds: TypeAlias = list["Name"]
class Recall(TypedDict):
    query: Query
    top_k: NotRequired[TopK]
    min_score: NotRequired[float]
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    agent_ids: NotRequired[AuthorIds]
    kinds: NotRequired[list[Kind]]
    tags: NotRequired[Tags]
    scope: NotRequired[Scope]
    min_trust: NotRequired[MinTrust]
    since: NotRequired[InstantInput]
    until: NotRequired[InstantInput]
    as_of: NotRequired[AsOf]
    now: NotRequired[InstantInput]
    explain: NotRequired[bool]
    strengthen: NotRequired[bool]
    max_context_chars: NotRequired[MaxContextChars]
    max_context_tokens: NotRequired[MaxContextTokens]
    context_style: NotRequired[ContextStyle]


class Invalidation(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    reason: str
    at: NotRequired[InstantInput]


class MemoryChange(TypedDict):
    gist: NotRequired[str]
    tags: NotRequired[Tags]
    importance: NotRequired[Importance]
    scope: NotRequired[Scope]
    metadata: NotRequired[Metadata]
    valid_from: NotRequired[ValidFromInput]
    valid_until: NotRequired[ValidUntilInput]
    expires_at: NotRequired[ExpiresAtInput]
    superseded_by: NotRequired[None]


class Memory(TypedDict):
    id: str
    gist: str
    content: str
    tags: list[str]
    importance: Importance
    agent_id: str
    session_id: str | None
    scope: Scope
    project: str | None
    kind: Kind
    role: Literal["user", "assistant", "system"] | None
    name: str | None
    source: Source
    entities: list[MemoryEntitiesItem]
    created_at: Instant
    updated_at: Instant
    last_recalled_at: str | None
    recall_count: int
    strength: float
    sources: list[str]
    consolidated_into: str | None
    superseded_by: str | None
    supersession: Act | None
    valid_from: str | None
    valid_until: str | None
    invalidation: Act | None
    expires_at: str | None
    metadata: dict[str, Any]


class MemoryEntitiesItem(TypedDict):
    name: str
    type: str


class Act(TypedDict):
    agent_id: str
    at: Instant
    reason: str


class Absence(TypedDict):
    memory_id: str
    recalled: bool
    place: int | None
    unmet: list[Literal["agent_ids", "kinds", "tags", "scope", "min_trust", "since", "until", "as_of"]]
    told_by: str | None
    score: float | None
    least_score: float | None
    relevance: Relevance | None
    why: NotRequired[Why]
    explanation: str


class Why(TypedDict):
    vector: float
    lexical: float
    entity: float
    circumstance: float
    crowding: float
    update: float
    recency: float
    importance: float
    priming: float
    limit: float


class Agenda(TypedDict):
    time_zone: str
    first_day: Day
    last_day: Day
    days: list[AgendaDaysItem]
    months: list[AgendaMonthsItem]


class AgendaDaysItem(TypedDict):
    day: Day
    total: int
    memories: list[AgendaEntry]


class AgendaEntry(TypedDict):
    id: str
    text: str
    first_day: Day
    last_day: Day
    recurring: bool
    called_off: bool
    agent_id: str
    name: str | None
    role: Role | None
    source: Source
    scope: Scope
    project: str | None
    created_at: Instant


class AgendaMonthsItem(TypedDict):
    month: str
    total: int
    memories: list[AgendaEntry]


class Timeline(TypedDict):
    since: Instant
    until: Instant
    as_of: Instant
    total: int
    lanes: list[TimelineLanesItem]
    sessions: list[TimelineSessionsItem]
    sessions_total: int
    points: None | list[TimelinePointsItem]


class TimelineLanesItem(TypedDict):
    agent_id: str
    kind: Kind
    counts: list[int]
    held: list[int]


class TimelineSessionsItem(TypedDict):
    agent_id: str
    session_id: str
    first_at: Instant
    last_at: Instant
    count: int


class TimelinePointsItem(TypedDict):
    id: str
    agent_id: str
    session_id: str | None
    kind: Kind
    created_at: Instant
    held: bool
    gist: str


class Summary(TypedDict):
    total: int
    superseded: int
    ended: int
    never_recalled: int
    strength: list[int]
    most_recalled: list[Memory]


class Relations(TypedDict):
    sources: list[Memory]
    derived: list[Memory]
    supersedes: list[Memory]
    said_before: list[Memory]
    said_after: list[Memory]
    contradictions: list[Contradiction]
    recalled_by: list[RelationsRecalledByItem]


class Contradiction(TypedDict):
    id: str
    score: float
    confidence: Literal["high", "medium"]
    reason: Literal["negation", "antonym", "number", "date", "version", "name", "exclusive_choice", "preference", "state"]
    explanation: str
    topic: str
    state: ContradictionState
    decision: None | ContradictionDecision
    opinion: None | ContradictionOpinion
    found_at: Instant
    a: Claim
    b: Claim


ContradictionState: TypeAlias = Literal["open", "resolved", "dismissed"]
class ContradictionDecision(TypedDict):
    winner: str | None
    agent_id: str
    decided_at: Instant
    note: str | None


class ContradictionOpinion(TypedDict):
    says: OpinionSays
    judge: str
    agent_id: str
    at: Instant
    note: str | None


OpinionSays: TypeAlias = Literal["contradiction", "compatible"]
class Claim(TypedDict):
    memory_id: str
    agent_id: str
    scope: Scope
    project: str | None
    session_id: str | None
    role: Role | None
    name: str | None
    gist: str
    created_at: Instant
    clash: list[str]


class RelationsRecalledByItem(TypedDict):
    agent_id: str
    at: Instant


class Merge(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    memories: list[Any]
    embedding_model: NotRequired[str]
    vectors: NotRequired[list[list[str] | None]]
    dry_run: NotRequired[bool]


class MemoryRecord(TypedDict):
    id: MemoryId
    content: str
    gist: NotRequired[str]
    gist_edited: NotRequired[bool]
    tags: NotRequired[list[Name] | None]
    importance: NotRequired[Importance]
    agent_id: NotRequired[Name | None]
    session_id: NotRequired[Name | None]
    scope: NotRequired[Scope]
    project: NotRequired[Name | None]
    kind: NotRequired[Kind]
    role: NotRequired[Literal["user", "assistant", "system"] | None]
    name: NotRequired[Name | None]
    source: NotRequired[Source]
    entities: NotRequired[list[Entity]]
    created_at: InstantInput
    updated_at: NotRequired[InstantInput]
    last_recalled_at: NotRequired[InstantInput | None]
    recall_count: NotRequired[int]
    stability_days: NotRequired[float]
    sources: NotRequired[list[MemoryId] | None]
    consolidated_into: NotRequired[MemoryId | None]
    superseded_by: NotRequired[MemoryId | None]
    supersession: NotRequired[ActRecord | None]
    valid_from: NotRequired[InstantInput | None]
    valid_until: NotRequired[InstantInput | None]
    invalidation: NotRequired[ActRecord | None]
    expires_at: NotRequired[InstantInput | None]
    metadata: NotRequired[Metadata | None]
    embedding_model: NotRequired[Any]
    vectors: NotRequired[Any]


class Entity(TypedDict):
    name: str
    type: Literal["person", "project", "place", "organisation", "identifier", "version", "url", "email", "tag", "other"]


class ActRecord(TypedDict):
    agent_id: Name
    at: InstantInput
    reason: str


class MergeReport(TypedDict):
    received: int
    added: int
    updated: int
    duplicates: int
    rejected_count: int
    rejected: list[MergeReportRejectedItem]
    without_vectors: int
    dry_run: bool


class MergeReportRejectedItem(TypedDict):
    index: int
    reason: str


class ContradictionRequest(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    threshold: NotRequired[float]
    agent_ids: NotRequired[list[Name]]
    include_same_agent: NotRequired[bool]
    states: NotRequired[list[ContradictionState]]
    limit: NotRequired[int]
    wait_ms: NotRequired[int]


class Verdict(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    winner: NotRequired[str]
    dismiss: NotRequired[Literal[True]]
    reopen: NotRequired[Literal[True]]
    note: NotRequired[str]


class Contradictions(TypedDict):
    contradictions: list[Contradiction]
    total: int
    compared: int
    pending: int
    threshold: float


class RecalledMemory(TypedDict):
    id: str
    gist: str
    content: str
    tags: list[str]
    importance: Importance
    agent_id: str
    session_id: str | None
    scope: Scope
    project: str | None
    kind: Kind
    role: Literal["user", "assistant", "system"] | None
    name: str | None
    source: Source
    entities: list[RecalledMemoryEntitiesItem]
    created_at: Instant
    updated_at: Instant
    last_recalled_at: str | None
    recall_count: int
    strength: float
    sources: list[str]
    consolidated_into: str | None
    superseded_by: str | None
    supersession: Act | None
    valid_from: str | None
    valid_until: str | None
    invalidation: Act | None
    expires_at: str | None
    metadata: dict[str, Any]
    score: float
    relevance: Relevance
    contradictions: OpenContradictions
    why: NotRequired[Why]


class RecalledMemoryEntitiesItem(TypedDict):
    name: str
    type: str


OpenContradictions: TypeAlias = list["OpenContradictionsItem"]
class OpenContradictionsItem(TypedDict):
    id: str
    score: float
    explanation: str
    other: OpenContradictionsItemOther


class OpenContradictionsItemOther(TypedDict):
    id: str
    agent_id: str
    name: str | None
    gist: str
    created_at: Instant


WorkingMemory: TypeAlias = list["WorkingMemoryItem"]
class WorkingMemoryItem(TypedDict):
    id: str
    gist: str
    agent_id: str
    role: str | None
    name: str | None
    created_at: Instant


AlreadySuperseded: TypeAlias = list["AlreadySupersededItem"]
class AlreadySupersededItem(TypedDict):
    id: str
    by: AlreadySupersededItemBy


class AlreadySupersededItemBy(TypedDict):
    id: str
    agent_id: str
    name: str | None
    gist: str
    created_at: Instant


class Ingested(TypedDict):
    contradictions: OpenContradictions
    memory: Memory | None
    duplicate: bool
    not_taken: NotRequired[list[str]]
    already_superseded: NotRequired[AlreadySuperseded]
    redacted: NotRequired[Redacted]


Redacted: TypeAlias = list["RedactedItem"]
class RedactedItem(TypedDict):
    type: str
    count: int


class Recalled(TypedDict):
    memories: list[RecalledMemory]
    context: str
    working_memory: WorkingMemory
    took_ms: float
    redacted: NotRequired[Redacted]


class Counts(TypedDict):
    episodic: int
    semantic: int
    total: int
    private: int


class AgentCounts(TypedDict):
    episodic: int
    semantic: int
    total: int
    private: int
    last_active_at: Instant


class ConsolidateOptions(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    dry_run: NotRequired[bool]
    deduplicate: NotRequired[bool]
    cluster: NotRequired[bool]
    prune: NotRequired[bool]
    prune_after_days: NotRequired[int]
    prune_importance: NotRequired[float]
    prune_strength: NotRequired[float]
    keep_per_agent: NotRequired[int]


class ConsolidationRun(TypedDict):
    started_at: Instant
    dry_run: bool
    step: Literal["planning", "applying", "contradictions"]


class ConsolidationState(TypedDict):
    running: ConsolidationRun | None
    next_run_at: str | None
    last_report: ConsolidationReport | None


class ConsolidationReport(TypedDict):
    run_id: str | None
    dry_run: bool
    started_at: Instant
    took_ms: float
    stopped: bool
    problem: str | None
    changed: bool
    undone: bool
    examined: int
    clusters: int
    semantic_created: int
    semantic_rebuilt: int
    semantic_removed: int
    deduplicated: int
    pruned: int
    prune_skipped: str | None
    contradictions: int | None
    skipped: int
    ids: NotRequired[ConsolidationReportIds]


class ConsolidationReportIds(TypedDict):
    semantic_created: list[ReportedCluster]
    semantic_rebuilt: list[ReportedCluster]
    semantic_removed: list[str]
    deduplicated: list[ConsolidationReportIdsDeduplicatedItem]
    pruned: list[str]
    contradictions: list[str]
    skipped: list[str]


class ReportedCluster(TypedDict):
    id: str | None
    sources: list[str]
    gist: NotRequired[str]


class ConsolidationReportIdsDeduplicatedItem(TypedDict):
    id: str
    absorbed: list[str]


class EndOfDayReport(TypedDict):
    started_at: Instant
    took_ms: float
    failed: list[EndOfDayStep]
    steps: list[EndOfDayReportStepsItem]
    consolidation: ConsolidationReport | None
    expired: int
    saved: EndOfDayReportSaved | None


EndOfDayStep: TypeAlias = Literal["consolidate", "maintain", "save"]
class EndOfDayReportStepsItem(TypedDict):
    step: EndOfDayStep
    took_ms: float
    skipped: str | None
    problem: str | None


class EndOfDayReportSaved(TypedDict):
    took_ms: float


class PrunedMemory(TypedDict):
    memory: Memory
    pruned_at: Instant
    kept_until: Instant


class RestoreOptions(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    session_id: NotRequired[Identity]
    ids: NotRequired[list[str]]


class Liveness(TypedDict):
    status: Literal["ok"]


class Readiness(TypedDict):
    status: Literal["ready", "degraded"]
    reasons: list[ReadinessReasonsItem]


class ReadinessReasonsItem(TypedDict):
    code: Literal["storage_unavailable", "not_ready"]
    detail: str


class Health(TypedDict):
    status: Literal["ok"]
    version: str
    uptime_seconds: float
    memories: int
    vectors: int
    embedding: HealthEmbedding
    contradictions: HealthContradictions
    persistence: HealthPersistence
    consolidation: ConsolidationState
    webhooks: HealthWebhooks


class HealthEmbedding(TypedDict):
    model: str | None
    dimension: int
    ready: bool
    pending: int


class HealthContradictions(TypedDict):
    model: str | None
    ready: bool
    pending: int


class HealthPersistence(TypedDict):
    data_dir: str | None
    vectors_in: Literal["memory", "database"]
    refusal: str | None


class HealthWebhooks(TypedDict):
    configured: int
    failing: int
    gone: int


class JsonRpc(TypedDict):
    jsonrpc: NotRequired[str]
    method: NotRequired[str]


class MemoryVersion(TypedDict):
    version: str | None
    at: Instant
    by: str | None
    operation: Literal["edit", "resolve", "supersede", "invalidate", "merge", "delete", "absorb", "set_apart", "derive", "remove", "prune", "restore", "revert", "undo"]
    reason: str | None
    run_id: str | None
    changed: list[str]
    before: Memory | None
    after: Memory | None


class Revert(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    version: str
    reason: NotRequired[str]


class UndoOptions(TypedDict):
    agent_id: NotRequired[Identity]
    project: NotRequired[Identity]
    ids: NotRequired[list[str]]


class UndoneConsolidation(TypedDict):
    run_id: str
    set_apart: list[str]
    removed: list[str]
    put_back: list[str]
    restored: list[str]
    not_undone: list[UndoneConsolidationNotUndoneItem]


class UndoneConsolidationNotUndoneItem(TypedDict):
    id: str
    operation: Literal["absorb", "derive", "remove", "prune"]
    reason: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: NotRequired[str]
    errors: NotRequired[list[ProblemErrorsItem]]


class ProblemErrorsItem(TypedDict):
    where: str
    message: str


class IngestAndRecallAnswer(TypedDict):
    contradictions: OpenContradictions
    memory: Memory | None
    duplicate: bool
    not_taken: NotRequired[list[str]]
    already_superseded: NotRequired[AlreadySuperseded]
    redacted: NotRequired[Redacted]
    memories: list[RecalledMemory]
    context: str
    working_memory: WorkingMemory
    took_ms: float


class GetWorkingMemoryAnswer(TypedDict):
    working_memory: WorkingMemory


class GetMemoryAnswer(TypedDict):
    memory: Memory
    redacted: NotRequired[Redacted]


class UpdateMemoryAnswer(TypedDict):
    memory: Memory
    redacted: NotRequired[Redacted]


class DeleteMemoryAnswer(TypedDict):
    deleted: str


class InvalidateMemoryAnswer(TypedDict):
    memory: Memory
    redacted: NotRequired[Redacted]


class ListMemoriesAnswer(TypedDict):
    memories: list[Memory]
    total: int
    next_cursor: str | None


class GetMemoriesAnswer(TypedDict):
    memories: list[Memory]
    not_found: list[str]


class DeleteAgentMemoriesAnswer(TypedDict):
    deleted: int


class SaveAnswer(TypedDict):
    saved: Literal[True]
    memories: int
    took_ms: float


class ConsolidateAnswer(TypedDict):
    report: ConsolidationReport


class EndOfDayAnswer(TypedDict):
    report: EndOfDayReport


class ListPrunedAnswer(TypedDict):
    pruned: list[PrunedMemory]
    total: int
    next_cursor: str | None


class RestorePrunedAnswer(TypedDict):
    restored: list[str]
    not_found: list[str]
    without_key: list[str]


class GetStatsAnswer(TypedDict):
    agent_id: str
    agents: dict[str, AgentCounts]
    projects: dict[str, int]
    totals: Counts


class MergeAnswer(TypedDict):
    report: MergeReport
    redacted: NotRequired[Redacted]


class ListDoubtfulAnswer(TypedDict):
    pairs: list[Contradiction]
    total: int


class JudgeContradictionAnswer(TypedDict):
    contradiction: Contradiction
    redacted: NotRequired[Redacted]


class ResolveContradictionAnswer(TypedDict):
    contradiction: Contradiction
    redacted: NotRequired[Redacted]


class ListHooksAnswer(TypedDict):
    hooks: list[ListHooksAnswerHooksItem]


class ListHooksAnswerHooksItem(TypedDict):
    agent_id: str | None
    host: str
    event: Literal["prompt", "reply", "tool_started", "tool_ended", "session_started", "session_ended", "other"]
    result: Literal["context", "recorded", "ignored", "refused"]
    at: Instant
    took_ms: float


class GetMemoryHistoryAnswer(TypedDict):
    id: str
    kept_days: float
    versions: list[MemoryVersion]


class RevertMemoryAnswer(TypedDict):
    memory: Memory
    redacted: NotRequired[Redacted]



OPERATIONS: dict[str, Operation] = {
    "ingest": Operation("POST", "/ingest", body=True, key="idempotency_key"),
    "recall": Operation("POST", "/recall", body=True, repeatable=True),
    "ingest_and_recall": Operation("POST", "/ingest_and_recall", body=True, key="idempotency_key"),
    "get_working_memory": Operation("GET", "/working_memory"),
    "get_memory": Operation("GET", "/memory/{id}"),
    "update_memory": Operation("PUT", "/memory/{id}", body=True, headers={"if_match": "If-Match"}, repeatable=True),
    "delete_memory": Operation("DELETE", "/memory/{id}", headers={"if_match": "If-Match"}),
    "invalidate_memory": Operation("POST", "/memory/{id}/invalidate", body=True, headers={"if_match": "If-Match"}, repeatable=True),
    "list_memories": Operation("GET", "/memories", pages="memories"),
    "get_memories": Operation("POST", "/memories/get", body=True, repeatable=True),
    "get_agenda": Operation("GET", "/memories/agenda"),
    "get_timeline": Operation("GET", "/memories/timeline"),
    "get_summary": Operation("GET", "/memories/summary"),
    "get_relations": Operation("GET", "/memory/{id}/relations"),
    "explain_absence": Operation("POST", "/memory/{id}/why_not", body=True, repeatable=True),
    "delete_agent_memories": Operation("DELETE", "/memories/agent/{agent_id}"),
    "save": Operation("POST", "/save", repeatable=True),
    "get_consolidation": Operation("GET", "/consolidate"),
    "consolidate": Operation("POST", "/consolidate", body=True),
    "end_of_day": Operation("POST", "/end_of_day", body=True),
    "list_pruned": Operation("GET", "/pruned", pages="pruned"),
    "restore_pruned": Operation("POST", "/pruned/restore", body=True),
    "get_stats": Operation("GET", "/stats"),
    "merge": Operation("POST", "/merge", body=True, takes_lines=True, repeatable=True),
    "list_contradictions": Operation("POST", "/contradictions", body=True, repeatable=True),
    "list_doubtful": Operation("GET", "/contradictions/doubtful"),
    "judge_contradiction": Operation("POST", "/contradictions/{id}/judge", body=True, repeatable=True),
    "resolve_contradiction": Operation("POST", "/contradictions/{id}/resolve", body=True, repeatable=True),
    "export_memories": Operation("GET", "/export", answers="lines"),
    "get_health": Operation("GET", "/health"),
    "get_liveness": Operation("GET", "/health/live"),
    "get_readiness": Operation("GET", "/health/ready"),
    "get_dashboard": Operation("GET", "/dashboard", answers="text"),
    "get_metrics": Operation("GET", "/metrics", answers="text"),
    "get_open_api": Operation("GET", "/openapi.json"),
    "get_docs": Operation("GET", "/docs", answers="text"),
    "receive_hook": Operation("POST", "/hooks/{host}", body=True),
    "list_hooks": Operation("GET", "/hooks"),
    "get_prompt": Operation("GET", "/prompt", answers="text"),
    "get_memory_history": Operation("GET", "/memory/{id}/history"),
    "revert_memory": Operation("POST", "/memory/{id}/revert", body=True, headers={"if_match": "If-Match"}, repeatable=True),
    "undo_consolidation": Operation("POST", "/consolidate/{run_id}/undo", body=True, repeatable=True),
    "stream_events": Operation("GET", "/events/stream", answers="events"),
}


class MemoryOperations(Caller):
    _operations = OPERATIONS

    def ingest(self, *, content: str, role: Role | None = None, name: str | None = None, source: Source | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, scope: Scope | None = None, tags: Tags | None = None, importance: Importance | None = None, timestamp: InstantInput | None = None, valid_from: ValidFromInput | None = None, valid_until: ValidUntilInput | None = None, expires_at: ExpiresAtInput | None = None, supersedes: list[str] | None = None, metadata: Metadata | None = None, contradiction_wait_ms: int | None = None, idempotency_key: Name | None = None, options: CallOptions | None = None) -> Ingested:
        """Store a message.

        Answered once it is on disk (with a data directory). The same words by the same agent in the same session and scope
        within a day strengthen the memory that is there instead of adding one, and bring it the tags and the keys of metadata that it
        lacks and a higher importance; `not_taken` names what it says otherwise. The same words are another memory where the one
        that is there has ended, or holds at other times than they say.

        A message under a known `idempotency_key` adds nothing: the answer is the memory of the key. 409 names the fields in which
        the message differs from the first one; session and `timestamp` may. The key of a message whose words are known already leads
        to the memory that has them, of the last 100 such keys of a memory. A key is free again once its memory is deleted: the
        same request then stores another one.

        A `context` of this service that comes back in the content, whole, quoted or in part, is left out. Of a message that is
        nothing else nothing is stored: `memory` is null and `duplicate` true.

        `POST /ingest`
        """
        return self._value(OPERATIONS["ingest"], {"content": content, "role": role, "name": name, "source": source, "agent_id": agent_id, "project": project, "session_id": session_id, "scope": scope, "tags": tags, "importance": importance, "timestamp": timestamp, "valid_from": valid_from, "valid_until": valid_until, "expires_at": expires_at, "supersedes": supersedes, "metadata": metadata, "contradiction_wait_ms": contradiction_wait_ms, "idempotency_key": idempotency_key}, options)

    def recall(self, *, query: Query, top_k: TopK | None = None, min_score: float | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, agent_ids: AuthorIds | None = None, kinds: list[Kind] | None = None, tags: Tags | None = None, scope: Scope | None = None, min_trust: MinTrust | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: AsOf | None = None, now: InstantInput | None = None, explain: bool | None = None, strengthen: bool | None = None, max_context_chars: MaxContextChars | None = None, max_context_tokens: MaxContextTokens | None = None, context_style: ContextStyle | None = None, options: CallOptions | None = None) -> Recalled:
        """Recall what matters for a query, best first.

        Words, vectors and entities each propose memories; all are scored together with what was said around them. A query that asks
        for the last session ("Where did we leave off?") or for what is new is answered by what was told last, newest first.
        `context` is ready to be put before a prompt. It holds the memories of high or medium relevance. It is empty where
        nothing relevant is known.

        `POST /recall`
        """
        return self._value(OPERATIONS["recall"], {"query": query, "top_k": top_k, "min_score": min_score, "agent_id": agent_id, "project": project, "session_id": session_id, "agent_ids": agent_ids, "kinds": kinds, "tags": tags, "scope": scope, "min_trust": min_trust, "since": since, "until": until, "as_of": as_of, "now": now, "explain": explain, "strengthen": strengthen, "max_context_chars": max_context_chars, "max_context_tokens": max_context_tokens, "context_style": context_style}, options)

    def ingest_and_recall(self, *, content: str, role: Role | None = None, name: str | None = None, source: Source | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, scope: Scope | None = None, tags: Tags | None = None, importance: Importance | None = None, timestamp: InstantInput | None = None, valid_from: ValidFromInput | None = None, valid_until: ValidUntilInput | None = None, expires_at: ExpiresAtInput | None = None, supersedes: list[str] | None = None, metadata: Metadata | None = None, contradiction_wait_ms: int | None = None, idempotency_key: Name | None = None, top_k: TopK | None = None, query: Query | None = None, max_context_chars: MaxContextChars | None = None, max_context_tokens: MaxContextTokens | None = None, context_style: ContextStyle | None = None, explain: bool | None = None, min_trust: MinTrust | None = None, as_of: AsOf | None = None, options: CallOptions | None = None) -> IngestAndRecallAnswer:
        """Store a message and recall what matters for it, in one request.

        The message just stored is never among `memories`.

        `POST /ingest_and_recall`
        """
        return self._value(OPERATIONS["ingest_and_recall"], {"content": content, "role": role, "name": name, "source": source, "agent_id": agent_id, "project": project, "session_id": session_id, "scope": scope, "tags": tags, "importance": importance, "timestamp": timestamp, "valid_from": valid_from, "valid_until": valid_until, "expires_at": expires_at, "supersedes": supersedes, "metadata": metadata, "contradiction_wait_ms": contradiction_wait_ms, "idempotency_key": idempotency_key, "top_k": top_k, "query": query, "max_context_chars": max_context_chars, "max_context_tokens": max_context_tokens, "context_style": context_style, "explain": explain, "min_trust": min_trust, "as_of": as_of}, options)

    def get_working_memory(self, *, agent_id: str | None = None, session_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetWorkingMemoryAnswer:
        """The last items of the caller's session, oldest first.

        `GET /working_memory`
        """
        return self._value(OPERATIONS["get_working_memory"], {"agent_id": agent_id, "session_id": session_id, "project": project, "space": space}, options)

    def get_memory(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetMemoryAnswer:
        """One memory.

        The header ETag names its version, for If-Match.

        `GET /memory/{id}`
        """
        return self._value(OPERATIONS["get_memory"], {"id": id, "agent_id": agent_id, "project": project, "space": space}, options)

    def update_memory(self, *, id: str, gist: str | None = None, tags: Tags | None = None, importance: Importance | None = None, scope: Scope | None = None, metadata: Metadata | None = None, valid_from: ValidFromInput | Null | None = None, valid_until: ValidUntilInput | Null | None = None, expires_at: ExpiresAtInput | Null | None = None, superseded_by: Null | None = None, if_match: str | None = None, options: CallOptions | None = None) -> UpdateMemoryAnswer:
        """Change a memory.

        At least one field. A new gist is searchable when the answer comes; it ends a supersession of this memory, because nobody
        has weighed the new words, and leaves in place what this memory supersedes. Only the agent that created a memory may change its scope. `superseded_by: null` takes a
        supersession back, and opens the contradiction again in which it was decided.
        With If-Match nothing is changed unless the memory is still the one that was read; a 412 has `current`, the memory as it
        is, and `etag`, for the next If-Match.

        `PUT /memory/{id}`
        """
        return self._value(OPERATIONS["update_memory"], {"id": id, "gist": gist, "tags": tags, "importance": importance, "scope": scope, "metadata": metadata, "valid_from": valid_from, "valid_until": valid_until, "expires_at": expires_at, "superseded_by": superseded_by, "if_match": if_match}, options)

    def delete_memory(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, erase: bool | None = None, if_match: str | None = None, options: CallOptions | None = None) -> DeleteMemoryAnswer:
        """Delete a memory.

        It is in no answer from now on. The history keeps its last version for `--history-days`, so that POST
        /memory/{id}/revert brings it back. With `erase=true` nothing of it is left on the disk when the answer comes, nor in a
        backup that is made later; of one that is deleted already, the history and the archive are erased. If-Match is as in PUT.

        `DELETE /memory/{id}`
        """
        return self._value(OPERATIONS["delete_memory"], {"id": id, "agent_id": agent_id, "project": project, "space": space, "erase": erase, "if_match": if_match}, options)

    def invalidate_memory(self, *, id: str, reason: str, agent_id: Identity | None = None, project: Identity | None = None, at: InstantInput | None = None, if_match: str | None = None, options: CallOptions | None = None) -> InvalidateMemoryAnswer:
        """Say that a memory no longer holds, and why.

        The memory stays stored. It gets `valid_until` and `invalidation`, ranks behind what holds, and is in no open
        contradiction any more. Whoever may change the memory may do this. The same request again changes nothing. PUT with
        `valid_until: null` takes it back. With If-Match nothing is changed unless the memory is still the one that was read.

        `POST /memory/{id}/invalidate`
        """
        return self._value(OPERATIONS["invalidate_memory"], {"id": id, "reason": reason, "agent_id": agent_id, "project": project, "at": at, "if_match": if_match}, options)

    def list_memories(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, kind: Kind | None = None, scope: Scope | None = None, tag: Name | None = None, session_id: Name | None = None, q: str | None = None, recalled: bool | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: InstantInput | None = None, options: CallOptions | None = None) -> Pages[ListMemoriesAnswer, Memory]:
        """Memories, newest first.

        `agent_id` lists the memories of that agent. The caller is then the agent in the header X-Agent-ID; without the header
        it is the agent that is listed. Pages neither skip nor repeat a memory while others are written.

        `GET /memories`
        """
        return self._pages(OPERATIONS["list_memories"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor, "kind": kind, "scope": scope, "tag": tag, "session_id": session_id, "q": q, "recalled": recalled, "since": since, "until": until, "as_of": as_of}, options)

    def get_memories(self, *, ids: list[str], agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, options: CallOptions | None = None) -> GetMemoriesAnswer:
        """Several memories by their ids, in this order.

        For the ids of a compact context. `not_found` names ids of no memory that the caller may see.

        `POST /memories/get`
        """
        return self._value(OPERATIONS["get_memories"], {"ids": ids, "agent_id": agent_id, "project": project, "session_id": session_id}, options)

    def get_agenda(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, from_: DayInput | None = None, to: DayInput | None = None, days: int | None = None, limit: int | None = None, scope: Scope | None = None, tag: Name | None = None, session_id: Name | None = None, as_of: InstantInput | None = None, options: CallOptions | None = None) -> Agenda:
        """What is on on which day.

        The memories that name the days from `from` to `to`, whenever and however they were said ("tomorrow", "on 3 December",
        "every Thursday"), of what the caller may see. Days are those of the service's time zone, which `TZ` sets; those that nothing
        names are left out, and months that are named as a whole stand apart. What has been superseded or has ended by `as_of` (else now) is left out, as is what only
        asks and what was derived from other memories; a memory with `valid_from` or `valid_until` is on no day outside of them,
        and what happens each week or month on none before it was said or that its words except ("Tuesdays except 1 December"). Each day and month has its newest memories, at most
        `limit`, and says how many there are; first what names the day itself, then what happens each week or month. A quarter
        that is named as a whole stands at each of its months, behind what names the month.

        As in `GET /memories`, `agent_id` asks for the memories of that agent, and the caller is the agent in the header X-Agent-ID.

        `GET /memories/agenda`
        """
        return self._value(OPERATIONS["get_agenda"], {"agent_id": agent_id, "project": project, "space": space, "from": from_, "to": to, "days": days, "limit": limit, "scope": scope, "tag": tag, "session_id": session_id, "as_of": as_of}, options)

    def get_timeline(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: InstantInput | None = None, buckets: int | None = None, options: CallOptions | None = None) -> Timeline:
        """When what was said, by agent and kind.

        Counts by equal spans of time, and the sessions in them, of what the caller may see: for pictures. `held` counts those
        that hold at `as_of` (else now): said by then, not ended, and not superseded by then. An answer may be 5 s old where
        nothing was stored meanwhile.

        `GET /memories/timeline`
        """
        return self._value(OPERATIONS["get_timeline"], {"agent_id": agent_id, "project": project, "space": space, "since": since, "until": until, "as_of": as_of, "buckets": buckets}, options)

    def get_summary(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Summary:
        """How fresh the memories are, and which are recalled most.

        Of what the caller may see. An answer may be 5 s old where nothing was stored meanwhile.

        `GET /memories/summary`
        """
        return self._value(OPERATIONS["get_summary"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def get_relations(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Relations:
        """What a memory comes from and led to, and what was said around it.

        As far as the caller may see it. Of each list at most 50, of what was said around it 5 on each side.

        `GET /memory/{id}/relations`
        """
        return self._value(OPERATIONS["get_relations"], {"id": id, "agent_id": agent_id, "project": project, "space": space}, options)

    def explain_absence(self, *, id: str, query: Query, top_k: TopK | None = None, min_score: float | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, agent_ids: AuthorIds | None = None, kinds: list[Kind] | None = None, tags: Tags | None = None, scope: Scope | None = None, min_trust: MinTrust | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: AsOf | None = None, options: CallOptions | None = None) -> Absence:
        """What keeps a memory out of a recall.

        Recalls as the request says, leaves no trace, and tells where the memory would come, which conditions leave it out, and
        what speaks for it. 404 where there is no such memory that the caller may see.

        `POST /memory/{id}/why_not`
        """
        return self._value(OPERATIONS["explain_absence"], {"id": id, "query": query, "top_k": top_k, "min_score": min_score, "agent_id": agent_id, "project": project, "session_id": session_id, "agent_ids": agent_ids, "kinds": kinds, "tags": tags, "scope": scope, "min_trust": min_trust, "since": since, "until": until, "as_of": as_of}, options)

    def delete_agent_memories(self, *, agent_id: str, project: str | None = None, space: str | None = None, erase: bool | None = None, options: CallOptions | None = None) -> DeleteAgentMemoriesAnswer:
        """Delete every memory of an agent that the caller may see.

        PRIVATE memories are deleted only if their own agent asks. The caller is `agent_id` in the query or X-Agent-ID, else the
        agent in the path.

        `DELETE /memories/agent/{agent_id}`
        """
        return self._value(OPERATIONS["delete_agent_memories"], {"agent_id": agent_id, "project": project, "space": space, "erase": erase}, options)

    def save(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> SaveAnswer:
        """Write everything to the data directory.

        `POST /save`
        """
        return self._value(OPERATIONS["save"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def get_consolidation(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ConsolidationState:
        """Whether consolidation runs, when it will, and what the last run did.

        `GET /consolidate`
        """
        return self._value(OPERATIONS["get_consolidation"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def consolidate(self, *, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, dry_run: bool | None = None, deduplicate: bool | None = None, cluster: bool | None = None, prune: bool | None = None, prune_after_days: int | None = None, prune_importance: float | None = None, prune_strength: float | None = None, keep_per_agent: int | None = None, options: CallOptions | None = None) -> ConsolidateAnswer:
        """Tidy the store.

        Memories that say the same become one, each cluster gets a semantic memory, and old memories of little importance go to
        an archive. A run looks at the whole store and never combines memories that different agents may see; the report shows
        what the caller may see. A second run right after it changes nothing. 409 while a run is under way; 503 with the
        `report` of what was done, where the disk refuses in the middle.

        `POST /consolidate`
        """
        return self._value(OPERATIONS["consolidate"], {"agent_id": agent_id, "project": project, "session_id": session_id, "dry_run": dry_run, "deduplicate": deduplicate, "cluster": cluster, "prune": prune, "prune_after_days": prune_after_days, "prune_importance": prune_importance, "prune_strength": prune_strength, "keep_per_agent": keep_per_agent}, options)

    def end_of_day(self, *, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, dry_run: bool | None = None, deduplicate: bool | None = None, cluster: bool | None = None, prune: bool | None = None, prune_after_days: int | None = None, prune_importance: float | None = None, prune_strength: float | None = None, keep_per_agent: int | None = None, options: CallOptions | None = None) -> EndOfDayAnswer:
        """Consolidate, maintain and save, in this order.

        The step `maintain` deletes what has expired and what was pruned 30 days ago, and makes the vector index anew. The
        answer names a step that failed; the other steps are done all the same. 409 while a consolidation is running.

        `POST /end_of_day`
        """
        return self._value(OPERATIONS["end_of_day"], {"agent_id": agent_id, "project": project, "session_id": session_id, "dry_run": dry_run, "deduplicate": deduplicate, "cluster": cluster, "prune": prune, "prune_after_days": prune_after_days, "prune_importance": prune_importance, "prune_strength": prune_strength, "keep_per_agent": keep_per_agent}, options)

    def list_pruned(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> Pages[ListPrunedAnswer, PrunedMemory]:
        """What was pruned in the last 30 days and the caller may see, the latest first.

        `GET /pruned`
        """
        return self._pages(OPERATIONS["list_pruned"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    def restore_pruned(self, *, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, ids: list[str] | None = None, options: CallOptions | None = None) -> RestorePrunedAnswer:
        """Bring pruned memories back, under their ids.

        Each counts as recalled now, so that the next run does not prune it again. `not_found` names the ids that are not in the
        archive, or that the caller may not see; the others are restored. 409 where there is no room for all of them; then none
        is restored. The successors of these that were pruned too come back with them. One whose successor is gone is superseded by
        what had superseded that one, as far as the history knows.

        `POST /pruned/restore`
        """
        return self._value(OPERATIONS["restore_pruned"], {"agent_id": agent_id, "project": project, "session_id": session_id, "ids": ids}, options)

    def get_stats(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetStatsAnswer:
        """How many memories each agent has, as far as the caller may see them.

        `GET /stats`
        """
        return self._value(OPERATIONS["get_stats"], {"agent_id": agent_id, "project": project, "space": space}, options)

    def merge(self, *, memories: list[Any], agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, embedding_model: str | None = None, vectors: list[list[str] | None] | None = None, dry_run: bool | None = None, options: CallOptions | None = None) -> MergeAnswer:
        """Take in the memories of another store.

        What /export gives can be sent as it is: `application/x-ndjson`, a memory a line, as many as there are; a line has at
        most 4 MiB. A JSON body is bounded by the server's body limit. Each record is taken in whole or not at all, and is on
        disk when the answer comes (with a data directory). To send the same again changes nothing, so a request that broke off
        is sent again whole.

        - Ids are kept. Of two records of one id the one with the later `updated_at` stays; recall counts and strength become
          the higher of the two. The same words of the same agent and speaker in the same session and scope within a day under
          another id are a duplicate.
        - A memory never changes its agent: a record whose id belongs to another agent here is rejected. A `PRIVATE` record is
          taken from its own agent only. Identity in `metadata` means nothing.
        - A record belongs to the project that it names, to none where it says null, and else to that of the request. Where the
          request names a project, a record of another one, or of none, is rejected: to take in several projects, name none in the
          request.
        - A record with a `superseded_by` that names a record rejected in the same request is taken in, superseded by what that one
          was superseded by, or by nothing.
        - A `consolidated_into` stays only where the memory that it names is there after the request, and all who see the one see the
          other.
        - A memory that was deleted here does not come back (the last 100,000 deleted ids are remembered).
        - Secrets are masked as in /ingest, and what was made of a text that held one is made anew. With `--redact block` the
          record is rejected.
        - A semantic memory with `sources` is rejected, unless it is known: consolidation derives it again from those.
        - Vectors of this server's model are used when they fit; others are made again in the background (`without_vectors`
          counts them, /health shows how many wait).

        `dry_run` says what would happen and changes nothing.

        `POST /merge`
        """
        return self._value(OPERATIONS["merge"], {"memories": memories, "agent_id": agent_id, "project": project, "session_id": session_id, "embedding_model": embedding_model, "vectors": vectors, "dry_run": dry_run}, options)

    def list_contradictions(self, *, agent_id: Identity | None = None, project: Identity | None = None, threshold: float | None = None, agent_ids: list[Name] | None = None, include_same_agent: bool | None = None, states: list[ContradictionState] | None = None, limit: int | None = None, wait_ms: int | None = None, options: CallOptions | None = None) -> Contradictions:
        """What agents and people disagree about, most certain first.

        Compares what is new first, for at most `wait_ms`, 20 seconds by default: `pending` tells how many memories still wait then (their
        comparison goes on in the background). The answer has the contradictions whose memories the caller may both see. A
        PRIVATE memory is compared with memories of its own agent only. A score below 0.3 is no finding, whatever the threshold.

        `POST /contradictions`
        """
        return self._value(OPERATIONS["list_contradictions"], {"agent_id": agent_id, "project": project, "threshold": threshold, "agent_ids": agent_ids, "include_same_agent": include_same_agent, "states": states, "limit": limit, "wait_ms": wait_ms}, options)

    def list_doubtful(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, include_same_agent: bool | None = None, options: CallOptions | None = None) -> ListDoubtfulAnswer:
        """Pairs that may be contradictions, for a judge to say.

        Pairs with a score from 0.3 to 0.6 that nobody has said anything about, the most likely ones first. Hand `a` and `b` to a
        person or to a language model of yours, and what they say to POST /contradictions/{id}/judge. This service asks no model.

        `GET /contradictions/doubtful`
        """
        return self._value(OPERATIONS["list_doubtful"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "include_same_agent": include_same_agent}, options)

    def judge_contradiction(self, *, id: str, says: OpinionSays, judge: Name, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, note: str | None = None, options: CallOptions | None = None) -> JudgeContradictionAnswer:
        """Hand in what a judge says about a doubtful pair.

        `contradiction` makes the pair count as 0.6, so that lists and recalls show it; `score` stays what the comparison found.
        `compatible` takes it off the doubtful
        ones. It decides nothing: the pair stays open, and shows who said what. A later opinion replaces an earlier one. 409 where
        the pair is not doubtful.

        `POST /contradictions/{id}/judge`
        """
        return self._value(OPERATIONS["judge_contradiction"], {"id": id, "says": says, "judge": judge, "agent_id": agent_id, "project": project, "session_id": session_id, "note": note}, options)

    def resolve_contradiction(self, *, id: str, agent_id: Identity | None = None, project: Identity | None = None, winner: str | None = None, dismiss: Literal[True] | None = None, reopen: Literal[True] | None = None, note: str | None = None, options: CallOptions | None = None) -> ResolveContradictionAnswer:
        """Say which memory holds, that both may stand, or that it is open again.

        With `winner`, the other memory gets `superseded_by` and ranks behind it from now on; it stays stored. With `dismiss`
        the pair is not reported again unless one of its gists changes. `reopen` takes either back, and a later decision
        replaces an earlier one. Every agent that may see both memories may decide.

        `POST /contradictions/{id}/resolve`
        """
        return self._value(OPERATIONS["resolve_contradiction"], {"id": id, "agent_id": agent_id, "project": project, "winner": winner, "dismiss": dismiss, "reopen": reopen, "note": note}, options)

    def export_memories(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, vectors: bool | None = None, options: CallOptions | None = None) -> Iterator[dict[str, Any]]:
        """Every memory that the caller may see, one JSON object a line, oldest first.

        Each line is a Memory with `gist_edited` and `stability_days`, and with `vectors=true` its `vectors` and their
        `embedding_model`. POST /merge takes it in.

        `GET /export`
        """
        return self._lines(OPERATIONS["export_memories"], {"agent_id": agent_id, "project": project, "space": space, "vectors": vectors}, options)

    def get_health(self, *, space: str | None = None, options: CallOptions | None = None) -> Health:
        """Is the service up and ready?.

        503 while the embedding model is not ready; words and entities are still served then.

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

        For load balancers and container runtimes. `degraded` means that the service cannot store memories, or has no vectors for now, and still answers what it can. 503 with Retry-After while the service is being stopped. Before the data is loaded the port is closed.

        `GET /health/ready`
        """
        return self._value(OPERATIONS["get_readiness"], {}, options)

    def get_dashboard(self, *, space: str | None = None, options: CallOptions | None = None) -> str:
        """The dashboard, a page that loads nothing from outside.

        It shows the space that its address names, and the default one without.

        `GET /dashboard`
        """
        return self._value(OPERATIONS["get_dashboard"], {"space": space}, options)

    def get_metrics(self, *, options: CallOptions | None = None) -> str:
        """Metrics in the Prometheus text format.

        For operators alone, because they count PRIVATE memories too. The gateway does not serve them.

        `GET /metrics`
        """
        return self._value(OPERATIONS["get_metrics"], {}, options)

    def get_open_api(self, *, options: CallOptions | None = None) -> dict[str, Any]:
        """This contract as JSON.

        `GET /openapi.json`
        """
        return self._value(OPERATIONS["get_open_api"], {}, options)

    def get_docs(self, *, options: CallOptions | None = None) -> str:
        """This contract as a page; needs no network.

        `GET /docs`
        """
        return self._value(OPERATIONS["get_docs"], {}, options)

    def receive_hook(self, *, host: Literal["claude-code", "codex", "vscode", "gemini", "cursor", "copilot-cli", "opencode", "cline"], options: CallOptions | None = None, **fields: Any) -> dict[str, Any]:
        """Take an event from the hook of a coding agent.

        The body is what the host gives its hooks, as it is; the answer is in the form that the host reads. A prompt
        is stored and answered with the context that is relevant to it, else with `{}`; a reply is stored. Everything else is
        answered with `{}`.

        A payload that the service does not understand is answered with `{}` too, and every host goes on; the log and
        `agent_faculties_hook_calls_total` report it. The same event again changes nothing. The user may write marks into a
        prompt: `#skip` stores neither the prompt nor its reply and recalls nothing; `#remember` makes the prompt important.

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

    def get_prompt(self, *, mode: Literal["mcp", "tools", "rest"] | None = None, options: CallOptions | None = None) -> str:
        """Instructions for the system prompt of a model.

        How to work with this service and what there is to call, by the names that the model knows: those of MCP, those of functions that a program offers (packages/adapters), or requests that the model makes itself.

        `GET /prompt`
        """
        return self._value(OPERATIONS["get_prompt"], {"mode": mode}, options)

    def get_memory_history(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetMemoryHistoryAnswer:
        """What was done to a memory, latest first.

        Who changed it, when and why, and what it was before and after, for the last `kept_days`. The memory may be deleted,
        pruned or one with another. A change is shown to who sees the memory as it was, as it became, and as it is; the words of
        a derived memory also only while every source of it is there. Merges of this id, and what follows by itself from a change
        of another memory, are told by what they left.

        `GET /memory/{id}/history`
        """
        return self._value(OPERATIONS["get_memory_history"], {"id": id, "agent_id": agent_id, "project": project, "space": space}, options)

    def revert_memory(self, *, id: str, version: str, agent_id: Identity | None = None, project: Identity | None = None, reason: str | None = None, if_match: str | None = None, options: CallOptions | None = None) -> RevertMemoryAnswer:
        """Make a memory what it was in a version.

        `version` is one of its history. A memory that was deleted or pruned comes back under its id. The revert is a change like any
        other, and can be reverted. The id, the agent and the idempotency key stay; only the agent that created it may change its
        scope by this. 409 `cannot_revert` says why it cannot be, such as that it has become one with another memory. If-Match is as
        in PUT.

        `POST /memory/{id}/revert`
        """
        return self._value(OPERATIONS["revert_memory"], {"id": id, "version": version, "agent_id": agent_id, "project": project, "reason": reason, "if_match": if_match}, options)

    def undo_consolidation(self, *, run_id: str, agent_id: Identity | None = None, project: Identity | None = None, ids: list[str] | None = None, options: CallOptions | None = None) -> UndoneConsolidation:
        """Take a consolidation back.

        What it made one is separate again, what it derived is gone or what it was, what it pruned is there: each memory that the
        caller may see, where nobody has changed it since. `not_undone` says what stays, and why. A second time changes nothing.
        The next run does not make the same memories one, but may derive and prune anew. 409 while a consolidation is running.
        With `ids`, it takes back only what the run did to these memories.

        `POST /consolidate/{run_id}/undo`
        """
        return self._value(OPERATIONS["undo_consolidation"], {"run_id": run_id, "agent_id": agent_id, "project": project, "ids": ids}, options)

    def stream_events(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, last_event_id: str | None = None, options: CallOptions | None = None) -> Iterator[ServerEvent]:
        """What changes, as server-sent events.

        `event` is what happened. `added`, `edited`, `superseded`, `invalidated`, `deleted` carry `{at, by, operation, memory_id,
        agent_id, project, scope}`, and `superseded` also `superseded_by`; `contradiction` carries `{at, by, contradiction_id, what,
        memory_ids}` with `what` one of `found`, `doubtful` (worth asking somebody), `judged`, `resolved`, `dismissed`, `reopened`;
        `consolidation` carries `{at, run_id, outcome}` when one has finished (`done`, `stopped`, `failed`). `by` is the agent that
        did it, null for the service. `operation` is as in the history, or `erase`, or `expire`; null where a message was stored or
        it follows from another change. No event has words of a memory.

        A caller is told of what it may see: a memory that it may not see any more is `deleted` for it. An event is sent when the
        change is on disk. Every message carries an `id` to resume from (`Last-Event-ID`, or `last_event_id` in the query for a
        first connection); the ids have no order. At least the last 2,000 events since somebody first listened are sent again.
        `event: reset` says that more was missed, or that the service started anew, and that everything is to be read anew. A
        comment every 15 s keeps the connection open. 503 where 1,000 streams are open.

        `GET /events/stream`
        """
        return self._events(OPERATIONS["stream_events"], {"agent_id": agent_id, "project": project, "space": space, "last_event_id": last_event_id}, options)


class AsyncMemoryOperations(AsyncCaller):
    _operations = OPERATIONS

    async def ingest(self, *, content: str, role: Role | None = None, name: str | None = None, source: Source | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, scope: Scope | None = None, tags: Tags | None = None, importance: Importance | None = None, timestamp: InstantInput | None = None, valid_from: ValidFromInput | None = None, valid_until: ValidUntilInput | None = None, expires_at: ExpiresAtInput | None = None, supersedes: list[str] | None = None, metadata: Metadata | None = None, contradiction_wait_ms: int | None = None, idempotency_key: Name | None = None, options: CallOptions | None = None) -> Ingested:
        """Store a message.

        Answered once it is on disk (with a data directory). The same words by the same agent in the same session and scope
        within a day strengthen the memory that is there instead of adding one, and bring it the tags and the keys of metadata that it
        lacks and a higher importance; `not_taken` names what it says otherwise. The same words are another memory where the one
        that is there has ended, or holds at other times than they say.

        A message under a known `idempotency_key` adds nothing: the answer is the memory of the key. 409 names the fields in which
        the message differs from the first one; session and `timestamp` may. The key of a message whose words are known already leads
        to the memory that has them, of the last 100 such keys of a memory. A key is free again once its memory is deleted: the
        same request then stores another one.

        A `context` of this service that comes back in the content, whole, quoted or in part, is left out. Of a message that is
        nothing else nothing is stored: `memory` is null and `duplicate` true.

        `POST /ingest`
        """
        return await self._value(OPERATIONS["ingest"], {"content": content, "role": role, "name": name, "source": source, "agent_id": agent_id, "project": project, "session_id": session_id, "scope": scope, "tags": tags, "importance": importance, "timestamp": timestamp, "valid_from": valid_from, "valid_until": valid_until, "expires_at": expires_at, "supersedes": supersedes, "metadata": metadata, "contradiction_wait_ms": contradiction_wait_ms, "idempotency_key": idempotency_key}, options)

    async def recall(self, *, query: Query, top_k: TopK | None = None, min_score: float | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, agent_ids: AuthorIds | None = None, kinds: list[Kind] | None = None, tags: Tags | None = None, scope: Scope | None = None, min_trust: MinTrust | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: AsOf | None = None, now: InstantInput | None = None, explain: bool | None = None, strengthen: bool | None = None, max_context_chars: MaxContextChars | None = None, max_context_tokens: MaxContextTokens | None = None, context_style: ContextStyle | None = None, options: CallOptions | None = None) -> Recalled:
        """Recall what matters for a query, best first.

        Words, vectors and entities each propose memories; all are scored together with what was said around them. A query that asks
        for the last session ("Where did we leave off?") or for what is new is answered by what was told last, newest first.
        `context` is ready to be put before a prompt. It holds the memories of high or medium relevance. It is empty where
        nothing relevant is known.

        `POST /recall`
        """
        return await self._value(OPERATIONS["recall"], {"query": query, "top_k": top_k, "min_score": min_score, "agent_id": agent_id, "project": project, "session_id": session_id, "agent_ids": agent_ids, "kinds": kinds, "tags": tags, "scope": scope, "min_trust": min_trust, "since": since, "until": until, "as_of": as_of, "now": now, "explain": explain, "strengthen": strengthen, "max_context_chars": max_context_chars, "max_context_tokens": max_context_tokens, "context_style": context_style}, options)

    async def ingest_and_recall(self, *, content: str, role: Role | None = None, name: str | None = None, source: Source | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, scope: Scope | None = None, tags: Tags | None = None, importance: Importance | None = None, timestamp: InstantInput | None = None, valid_from: ValidFromInput | None = None, valid_until: ValidUntilInput | None = None, expires_at: ExpiresAtInput | None = None, supersedes: list[str] | None = None, metadata: Metadata | None = None, contradiction_wait_ms: int | None = None, idempotency_key: Name | None = None, top_k: TopK | None = None, query: Query | None = None, max_context_chars: MaxContextChars | None = None, max_context_tokens: MaxContextTokens | None = None, context_style: ContextStyle | None = None, explain: bool | None = None, min_trust: MinTrust | None = None, as_of: AsOf | None = None, options: CallOptions | None = None) -> IngestAndRecallAnswer:
        """Store a message and recall what matters for it, in one request.

        The message just stored is never among `memories`.

        `POST /ingest_and_recall`
        """
        return await self._value(OPERATIONS["ingest_and_recall"], {"content": content, "role": role, "name": name, "source": source, "agent_id": agent_id, "project": project, "session_id": session_id, "scope": scope, "tags": tags, "importance": importance, "timestamp": timestamp, "valid_from": valid_from, "valid_until": valid_until, "expires_at": expires_at, "supersedes": supersedes, "metadata": metadata, "contradiction_wait_ms": contradiction_wait_ms, "idempotency_key": idempotency_key, "top_k": top_k, "query": query, "max_context_chars": max_context_chars, "max_context_tokens": max_context_tokens, "context_style": context_style, "explain": explain, "min_trust": min_trust, "as_of": as_of}, options)

    async def get_working_memory(self, *, agent_id: str | None = None, session_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetWorkingMemoryAnswer:
        """The last items of the caller's session, oldest first.

        `GET /working_memory`
        """
        return await self._value(OPERATIONS["get_working_memory"], {"agent_id": agent_id, "session_id": session_id, "project": project, "space": space}, options)

    async def get_memory(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetMemoryAnswer:
        """One memory.

        The header ETag names its version, for If-Match.

        `GET /memory/{id}`
        """
        return await self._value(OPERATIONS["get_memory"], {"id": id, "agent_id": agent_id, "project": project, "space": space}, options)

    async def update_memory(self, *, id: str, gist: str | None = None, tags: Tags | None = None, importance: Importance | None = None, scope: Scope | None = None, metadata: Metadata | None = None, valid_from: ValidFromInput | Null | None = None, valid_until: ValidUntilInput | Null | None = None, expires_at: ExpiresAtInput | Null | None = None, superseded_by: Null | None = None, if_match: str | None = None, options: CallOptions | None = None) -> UpdateMemoryAnswer:
        """Change a memory.

        At least one field. A new gist is searchable when the answer comes; it ends a supersession of this memory, because nobody
        has weighed the new words, and leaves in place what this memory supersedes. Only the agent that created a memory may change its scope. `superseded_by: null` takes a
        supersession back, and opens the contradiction again in which it was decided.
        With If-Match nothing is changed unless the memory is still the one that was read; a 412 has `current`, the memory as it
        is, and `etag`, for the next If-Match.

        `PUT /memory/{id}`
        """
        return await self._value(OPERATIONS["update_memory"], {"id": id, "gist": gist, "tags": tags, "importance": importance, "scope": scope, "metadata": metadata, "valid_from": valid_from, "valid_until": valid_until, "expires_at": expires_at, "superseded_by": superseded_by, "if_match": if_match}, options)

    async def delete_memory(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, erase: bool | None = None, if_match: str | None = None, options: CallOptions | None = None) -> DeleteMemoryAnswer:
        """Delete a memory.

        It is in no answer from now on. The history keeps its last version for `--history-days`, so that POST
        /memory/{id}/revert brings it back. With `erase=true` nothing of it is left on the disk when the answer comes, nor in a
        backup that is made later; of one that is deleted already, the history and the archive are erased. If-Match is as in PUT.

        `DELETE /memory/{id}`
        """
        return await self._value(OPERATIONS["delete_memory"], {"id": id, "agent_id": agent_id, "project": project, "space": space, "erase": erase, "if_match": if_match}, options)

    async def invalidate_memory(self, *, id: str, reason: str, agent_id: Identity | None = None, project: Identity | None = None, at: InstantInput | None = None, if_match: str | None = None, options: CallOptions | None = None) -> InvalidateMemoryAnswer:
        """Say that a memory no longer holds, and why.

        The memory stays stored. It gets `valid_until` and `invalidation`, ranks behind what holds, and is in no open
        contradiction any more. Whoever may change the memory may do this. The same request again changes nothing. PUT with
        `valid_until: null` takes it back. With If-Match nothing is changed unless the memory is still the one that was read.

        `POST /memory/{id}/invalidate`
        """
        return await self._value(OPERATIONS["invalidate_memory"], {"id": id, "reason": reason, "agent_id": agent_id, "project": project, "at": at, "if_match": if_match}, options)

    def list_memories(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, kind: Kind | None = None, scope: Scope | None = None, tag: Name | None = None, session_id: Name | None = None, q: str | None = None, recalled: bool | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: InstantInput | None = None, options: CallOptions | None = None) -> AsyncPages[ListMemoriesAnswer, Memory]:
        """Memories, newest first.

        `agent_id` lists the memories of that agent. The caller is then the agent in the header X-Agent-ID; without the header
        it is the agent that is listed. Pages neither skip nor repeat a memory while others are written.

        `GET /memories`
        """
        return self._pages(OPERATIONS["list_memories"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor, "kind": kind, "scope": scope, "tag": tag, "session_id": session_id, "q": q, "recalled": recalled, "since": since, "until": until, "as_of": as_of}, options)

    async def get_memories(self, *, ids: list[str], agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, options: CallOptions | None = None) -> GetMemoriesAnswer:
        """Several memories by their ids, in this order.

        For the ids of a compact context. `not_found` names ids of no memory that the caller may see.

        `POST /memories/get`
        """
        return await self._value(OPERATIONS["get_memories"], {"ids": ids, "agent_id": agent_id, "project": project, "session_id": session_id}, options)

    async def get_agenda(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, from_: DayInput | None = None, to: DayInput | None = None, days: int | None = None, limit: int | None = None, scope: Scope | None = None, tag: Name | None = None, session_id: Name | None = None, as_of: InstantInput | None = None, options: CallOptions | None = None) -> Agenda:
        """What is on on which day.

        The memories that name the days from `from` to `to`, whenever and however they were said ("tomorrow", "on 3 December",
        "every Thursday"), of what the caller may see. Days are those of the service's time zone, which `TZ` sets; those that nothing
        names are left out, and months that are named as a whole stand apart. What has been superseded or has ended by `as_of` (else now) is left out, as is what only
        asks and what was derived from other memories; a memory with `valid_from` or `valid_until` is on no day outside of them,
        and what happens each week or month on none before it was said or that its words except ("Tuesdays except 1 December"). Each day and month has its newest memories, at most
        `limit`, and says how many there are; first what names the day itself, then what happens each week or month. A quarter
        that is named as a whole stands at each of its months, behind what names the month.

        As in `GET /memories`, `agent_id` asks for the memories of that agent, and the caller is the agent in the header X-Agent-ID.

        `GET /memories/agenda`
        """
        return await self._value(OPERATIONS["get_agenda"], {"agent_id": agent_id, "project": project, "space": space, "from": from_, "to": to, "days": days, "limit": limit, "scope": scope, "tag": tag, "session_id": session_id, "as_of": as_of}, options)

    async def get_timeline(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: InstantInput | None = None, buckets: int | None = None, options: CallOptions | None = None) -> Timeline:
        """When what was said, by agent and kind.

        Counts by equal spans of time, and the sessions in them, of what the caller may see: for pictures. `held` counts those
        that hold at `as_of` (else now): said by then, not ended, and not superseded by then. An answer may be 5 s old where
        nothing was stored meanwhile.

        `GET /memories/timeline`
        """
        return await self._value(OPERATIONS["get_timeline"], {"agent_id": agent_id, "project": project, "space": space, "since": since, "until": until, "as_of": as_of, "buckets": buckets}, options)

    async def get_summary(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Summary:
        """How fresh the memories are, and which are recalled most.

        Of what the caller may see. An answer may be 5 s old where nothing was stored meanwhile.

        `GET /memories/summary`
        """
        return await self._value(OPERATIONS["get_summary"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def get_relations(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> Relations:
        """What a memory comes from and led to, and what was said around it.

        As far as the caller may see it. Of each list at most 50, of what was said around it 5 on each side.

        `GET /memory/{id}/relations`
        """
        return await self._value(OPERATIONS["get_relations"], {"id": id, "agent_id": agent_id, "project": project, "space": space}, options)

    async def explain_absence(self, *, id: str, query: Query, top_k: TopK | None = None, min_score: float | None = None, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, agent_ids: AuthorIds | None = None, kinds: list[Kind] | None = None, tags: Tags | None = None, scope: Scope | None = None, min_trust: MinTrust | None = None, since: InstantInput | None = None, until: InstantInput | None = None, as_of: AsOf | None = None, options: CallOptions | None = None) -> Absence:
        """What keeps a memory out of a recall.

        Recalls as the request says, leaves no trace, and tells where the memory would come, which conditions leave it out, and
        what speaks for it. 404 where there is no such memory that the caller may see.

        `POST /memory/{id}/why_not`
        """
        return await self._value(OPERATIONS["explain_absence"], {"id": id, "query": query, "top_k": top_k, "min_score": min_score, "agent_id": agent_id, "project": project, "session_id": session_id, "agent_ids": agent_ids, "kinds": kinds, "tags": tags, "scope": scope, "min_trust": min_trust, "since": since, "until": until, "as_of": as_of}, options)

    async def delete_agent_memories(self, *, agent_id: str, project: str | None = None, space: str | None = None, erase: bool | None = None, options: CallOptions | None = None) -> DeleteAgentMemoriesAnswer:
        """Delete every memory of an agent that the caller may see.

        PRIVATE memories are deleted only if their own agent asks. The caller is `agent_id` in the query or X-Agent-ID, else the
        agent in the path.

        `DELETE /memories/agent/{agent_id}`
        """
        return await self._value(OPERATIONS["delete_agent_memories"], {"agent_id": agent_id, "project": project, "space": space, "erase": erase}, options)

    async def save(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> SaveAnswer:
        """Write everything to the data directory.

        `POST /save`
        """
        return await self._value(OPERATIONS["save"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def get_consolidation(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> ConsolidationState:
        """Whether consolidation runs, when it will, and what the last run did.

        `GET /consolidate`
        """
        return await self._value(OPERATIONS["get_consolidation"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def consolidate(self, *, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, dry_run: bool | None = None, deduplicate: bool | None = None, cluster: bool | None = None, prune: bool | None = None, prune_after_days: int | None = None, prune_importance: float | None = None, prune_strength: float | None = None, keep_per_agent: int | None = None, options: CallOptions | None = None) -> ConsolidateAnswer:
        """Tidy the store.

        Memories that say the same become one, each cluster gets a semantic memory, and old memories of little importance go to
        an archive. A run looks at the whole store and never combines memories that different agents may see; the report shows
        what the caller may see. A second run right after it changes nothing. 409 while a run is under way; 503 with the
        `report` of what was done, where the disk refuses in the middle.

        `POST /consolidate`
        """
        return await self._value(OPERATIONS["consolidate"], {"agent_id": agent_id, "project": project, "session_id": session_id, "dry_run": dry_run, "deduplicate": deduplicate, "cluster": cluster, "prune": prune, "prune_after_days": prune_after_days, "prune_importance": prune_importance, "prune_strength": prune_strength, "keep_per_agent": keep_per_agent}, options)

    async def end_of_day(self, *, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, dry_run: bool | None = None, deduplicate: bool | None = None, cluster: bool | None = None, prune: bool | None = None, prune_after_days: int | None = None, prune_importance: float | None = None, prune_strength: float | None = None, keep_per_agent: int | None = None, options: CallOptions | None = None) -> EndOfDayAnswer:
        """Consolidate, maintain and save, in this order.

        The step `maintain` deletes what has expired and what was pruned 30 days ago, and makes the vector index anew. The
        answer names a step that failed; the other steps are done all the same. 409 while a consolidation is running.

        `POST /end_of_day`
        """
        return await self._value(OPERATIONS["end_of_day"], {"agent_id": agent_id, "project": project, "session_id": session_id, "dry_run": dry_run, "deduplicate": deduplicate, "cluster": cluster, "prune": prune, "prune_after_days": prune_after_days, "prune_importance": prune_importance, "prune_strength": prune_strength, "keep_per_agent": keep_per_agent}, options)

    def list_pruned(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, cursor: str | None = None, options: CallOptions | None = None) -> AsyncPages[ListPrunedAnswer, PrunedMemory]:
        """What was pruned in the last 30 days and the caller may see, the latest first.

        `GET /pruned`
        """
        return self._pages(OPERATIONS["list_pruned"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "cursor": cursor}, options)

    async def restore_pruned(self, *, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, ids: list[str] | None = None, options: CallOptions | None = None) -> RestorePrunedAnswer:
        """Bring pruned memories back, under their ids.

        Each counts as recalled now, so that the next run does not prune it again. `not_found` names the ids that are not in the
        archive, or that the caller may not see; the others are restored. 409 where there is no room for all of them; then none
        is restored. The successors of these that were pruned too come back with them. One whose successor is gone is superseded by
        what had superseded that one, as far as the history knows.

        `POST /pruned/restore`
        """
        return await self._value(OPERATIONS["restore_pruned"], {"agent_id": agent_id, "project": project, "session_id": session_id, "ids": ids}, options)

    async def get_stats(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetStatsAnswer:
        """How many memories each agent has, as far as the caller may see them.

        `GET /stats`
        """
        return await self._value(OPERATIONS["get_stats"], {"agent_id": agent_id, "project": project, "space": space}, options)

    async def merge(self, *, memories: list[Any], agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, embedding_model: str | None = None, vectors: list[list[str] | None] | None = None, dry_run: bool | None = None, options: CallOptions | None = None) -> MergeAnswer:
        """Take in the memories of another store.

        What /export gives can be sent as it is: `application/x-ndjson`, a memory a line, as many as there are; a line has at
        most 4 MiB. A JSON body is bounded by the server's body limit. Each record is taken in whole or not at all, and is on
        disk when the answer comes (with a data directory). To send the same again changes nothing, so a request that broke off
        is sent again whole.

        - Ids are kept. Of two records of one id the one with the later `updated_at` stays; recall counts and strength become
          the higher of the two. The same words of the same agent and speaker in the same session and scope within a day under
          another id are a duplicate.
        - A memory never changes its agent: a record whose id belongs to another agent here is rejected. A `PRIVATE` record is
          taken from its own agent only. Identity in `metadata` means nothing.
        - A record belongs to the project that it names, to none where it says null, and else to that of the request. Where the
          request names a project, a record of another one, or of none, is rejected: to take in several projects, name none in the
          request.
        - A record with a `superseded_by` that names a record rejected in the same request is taken in, superseded by what that one
          was superseded by, or by nothing.
        - A `consolidated_into` stays only where the memory that it names is there after the request, and all who see the one see the
          other.
        - A memory that was deleted here does not come back (the last 100,000 deleted ids are remembered).
        - Secrets are masked as in /ingest, and what was made of a text that held one is made anew. With `--redact block` the
          record is rejected.
        - A semantic memory with `sources` is rejected, unless it is known: consolidation derives it again from those.
        - Vectors of this server's model are used when they fit; others are made again in the background (`without_vectors`
          counts them, /health shows how many wait).

        `dry_run` says what would happen and changes nothing.

        `POST /merge`
        """
        return await self._value(OPERATIONS["merge"], {"memories": memories, "agent_id": agent_id, "project": project, "session_id": session_id, "embedding_model": embedding_model, "vectors": vectors, "dry_run": dry_run}, options)

    async def list_contradictions(self, *, agent_id: Identity | None = None, project: Identity | None = None, threshold: float | None = None, agent_ids: list[Name] | None = None, include_same_agent: bool | None = None, states: list[ContradictionState] | None = None, limit: int | None = None, wait_ms: int | None = None, options: CallOptions | None = None) -> Contradictions:
        """What agents and people disagree about, most certain first.

        Compares what is new first, for at most `wait_ms`, 20 seconds by default: `pending` tells how many memories still wait then (their
        comparison goes on in the background). The answer has the contradictions whose memories the caller may both see. A
        PRIVATE memory is compared with memories of its own agent only. A score below 0.3 is no finding, whatever the threshold.

        `POST /contradictions`
        """
        return await self._value(OPERATIONS["list_contradictions"], {"agent_id": agent_id, "project": project, "threshold": threshold, "agent_ids": agent_ids, "include_same_agent": include_same_agent, "states": states, "limit": limit, "wait_ms": wait_ms}, options)

    async def list_doubtful(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, limit: int | None = None, include_same_agent: bool | None = None, options: CallOptions | None = None) -> ListDoubtfulAnswer:
        """Pairs that may be contradictions, for a judge to say.

        Pairs with a score from 0.3 to 0.6 that nobody has said anything about, the most likely ones first. Hand `a` and `b` to a
        person or to a language model of yours, and what they say to POST /contradictions/{id}/judge. This service asks no model.

        `GET /contradictions/doubtful`
        """
        return await self._value(OPERATIONS["list_doubtful"], {"agent_id": agent_id, "project": project, "space": space, "limit": limit, "include_same_agent": include_same_agent}, options)

    async def judge_contradiction(self, *, id: str, says: OpinionSays, judge: Name, agent_id: Identity | None = None, project: Identity | None = None, session_id: Identity | None = None, note: str | None = None, options: CallOptions | None = None) -> JudgeContradictionAnswer:
        """Hand in what a judge says about a doubtful pair.

        `contradiction` makes the pair count as 0.6, so that lists and recalls show it; `score` stays what the comparison found.
        `compatible` takes it off the doubtful
        ones. It decides nothing: the pair stays open, and shows who said what. A later opinion replaces an earlier one. 409 where
        the pair is not doubtful.

        `POST /contradictions/{id}/judge`
        """
        return await self._value(OPERATIONS["judge_contradiction"], {"id": id, "says": says, "judge": judge, "agent_id": agent_id, "project": project, "session_id": session_id, "note": note}, options)

    async def resolve_contradiction(self, *, id: str, agent_id: Identity | None = None, project: Identity | None = None, winner: str | None = None, dismiss: Literal[True] | None = None, reopen: Literal[True] | None = None, note: str | None = None, options: CallOptions | None = None) -> ResolveContradictionAnswer:
        """Say which memory holds, that both may stand, or that it is open again.

        With `winner`, the other memory gets `superseded_by` and ranks behind it from now on; it stays stored. With `dismiss`
        the pair is not reported again unless one of its gists changes. `reopen` takes either back, and a later decision
        replaces an earlier one. Every agent that may see both memories may decide.

        `POST /contradictions/{id}/resolve`
        """
        return await self._value(OPERATIONS["resolve_contradiction"], {"id": id, "agent_id": agent_id, "project": project, "winner": winner, "dismiss": dismiss, "reopen": reopen, "note": note}, options)

    def export_memories(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, vectors: bool | None = None, options: CallOptions | None = None) -> AsyncIterator[dict[str, Any]]:
        """Every memory that the caller may see, one JSON object a line, oldest first.

        Each line is a Memory with `gist_edited` and `stability_days`, and with `vectors=true` its `vectors` and their
        `embedding_model`. POST /merge takes it in.

        `GET /export`
        """
        return self._lines(OPERATIONS["export_memories"], {"agent_id": agent_id, "project": project, "space": space, "vectors": vectors}, options)

    async def get_health(self, *, space: str | None = None, options: CallOptions | None = None) -> Health:
        """Is the service up and ready?.

        503 while the embedding model is not ready; words and entities are still served then.

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

        For load balancers and container runtimes. `degraded` means that the service cannot store memories, or has no vectors for now, and still answers what it can. 503 with Retry-After while the service is being stopped. Before the data is loaded the port is closed.

        `GET /health/ready`
        """
        return await self._value(OPERATIONS["get_readiness"], {}, options)

    async def get_dashboard(self, *, space: str | None = None, options: CallOptions | None = None) -> str:
        """The dashboard, a page that loads nothing from outside.

        It shows the space that its address names, and the default one without.

        `GET /dashboard`
        """
        return await self._value(OPERATIONS["get_dashboard"], {"space": space}, options)

    async def get_metrics(self, *, options: CallOptions | None = None) -> str:
        """Metrics in the Prometheus text format.

        For operators alone, because they count PRIVATE memories too. The gateway does not serve them.

        `GET /metrics`
        """
        return await self._value(OPERATIONS["get_metrics"], {}, options)

    async def get_open_api(self, *, options: CallOptions | None = None) -> dict[str, Any]:
        """This contract as JSON.

        `GET /openapi.json`
        """
        return await self._value(OPERATIONS["get_open_api"], {}, options)

    async def get_docs(self, *, options: CallOptions | None = None) -> str:
        """This contract as a page; needs no network.

        `GET /docs`
        """
        return await self._value(OPERATIONS["get_docs"], {}, options)

    async def receive_hook(self, *, host: Literal["claude-code", "codex", "vscode", "gemini", "cursor", "copilot-cli", "opencode", "cline"], options: CallOptions | None = None, **fields: Any) -> dict[str, Any]:
        """Take an event from the hook of a coding agent.

        The body is what the host gives its hooks, as it is; the answer is in the form that the host reads. A prompt
        is stored and answered with the context that is relevant to it, else with `{}`; a reply is stored. Everything else is
        answered with `{}`.

        A payload that the service does not understand is answered with `{}` too, and every host goes on; the log and
        `agent_faculties_hook_calls_total` report it. The same event again changes nothing. The user may write marks into a
        prompt: `#skip` stores neither the prompt nor its reply and recalls nothing; `#remember` makes the prompt important.

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

    async def get_prompt(self, *, mode: Literal["mcp", "tools", "rest"] | None = None, options: CallOptions | None = None) -> str:
        """Instructions for the system prompt of a model.

        How to work with this service and what there is to call, by the names that the model knows: those of MCP, those of functions that a program offers (packages/adapters), or requests that the model makes itself.

        `GET /prompt`
        """
        return await self._value(OPERATIONS["get_prompt"], {"mode": mode}, options)

    async def get_memory_history(self, *, id: str, agent_id: str | None = None, project: str | None = None, space: str | None = None, options: CallOptions | None = None) -> GetMemoryHistoryAnswer:
        """What was done to a memory, latest first.

        Who changed it, when and why, and what it was before and after, for the last `kept_days`. The memory may be deleted,
        pruned or one with another. A change is shown to who sees the memory as it was, as it became, and as it is; the words of
        a derived memory also only while every source of it is there. Merges of this id, and what follows by itself from a change
        of another memory, are told by what they left.

        `GET /memory/{id}/history`
        """
        return await self._value(OPERATIONS["get_memory_history"], {"id": id, "agent_id": agent_id, "project": project, "space": space}, options)

    async def revert_memory(self, *, id: str, version: str, agent_id: Identity | None = None, project: Identity | None = None, reason: str | None = None, if_match: str | None = None, options: CallOptions | None = None) -> RevertMemoryAnswer:
        """Make a memory what it was in a version.

        `version` is one of its history. A memory that was deleted or pruned comes back under its id. The revert is a change like any
        other, and can be reverted. The id, the agent and the idempotency key stay; only the agent that created it may change its
        scope by this. 409 `cannot_revert` says why it cannot be, such as that it has become one with another memory. If-Match is as
        in PUT.

        `POST /memory/{id}/revert`
        """
        return await self._value(OPERATIONS["revert_memory"], {"id": id, "version": version, "agent_id": agent_id, "project": project, "reason": reason, "if_match": if_match}, options)

    async def undo_consolidation(self, *, run_id: str, agent_id: Identity | None = None, project: Identity | None = None, ids: list[str] | None = None, options: CallOptions | None = None) -> UndoneConsolidation:
        """Take a consolidation back.

        What it made one is separate again, what it derived is gone or what it was, what it pruned is there: each memory that the
        caller may see, where nobody has changed it since. `not_undone` says what stays, and why. A second time changes nothing.
        The next run does not make the same memories one, but may derive and prune anew. 409 while a consolidation is running.
        With `ids`, it takes back only what the run did to these memories.

        `POST /consolidate/{run_id}/undo`
        """
        return await self._value(OPERATIONS["undo_consolidation"], {"run_id": run_id, "agent_id": agent_id, "project": project, "ids": ids}, options)

    def stream_events(self, *, agent_id: str | None = None, project: str | None = None, space: str | None = None, last_event_id: str | None = None, options: CallOptions | None = None) -> AsyncIterator[ServerEvent]:
        """What changes, as server-sent events.

        `event` is what happened. `added`, `edited`, `superseded`, `invalidated`, `deleted` carry `{at, by, operation, memory_id,
        agent_id, project, scope}`, and `superseded` also `superseded_by`; `contradiction` carries `{at, by, contradiction_id, what,
        memory_ids}` with `what` one of `found`, `doubtful` (worth asking somebody), `judged`, `resolved`, `dismissed`, `reopened`;
        `consolidation` carries `{at, run_id, outcome}` when one has finished (`done`, `stopped`, `failed`). `by` is the agent that
        did it, null for the service. `operation` is as in the history, or `erase`, or `expire`; null where a message was stored or
        it follows from another change. No event has words of a memory.

        A caller is told of what it may see: a memory that it may not see any more is `deleted` for it. An event is sent when the
        change is on disk. Every message carries an `id` to resume from (`Last-Event-ID`, or `last_event_id` in the query for a
        first connection); the ids have no order. At least the last 2,000 events since somebody first listened are sent again.
        `event: reset` says that more was missed, or that the service started anew, and that everything is to be read anew. A
        comment every 15 s keeps the connection open. 503 where 1,000 streams are open.

        `GET /events/stream`
        """
        return self._events(OPERATIONS["stream_events"], {"agent_id": agent_id, "project": project, "space": space, "last_event_id": last_event_id}, options)
