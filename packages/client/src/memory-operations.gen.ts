// Generated from apps/memory-service/openapi.yaml; do not edit.

export const MEMORY_OPERATIONS = {
  /**
   * Store a message.
   *
   * Answered once it is on disk (with a data directory). The same words by the same agent in the same session and scope
   * within a day strengthen the memory that is there instead of adding one, and bring it the tags and the keys of metadata that it
   * lacks and a higher importance; `not_taken` names what it says otherwise. The same words are another memory where the one
   * that is there has ended, or holds at other times than they say.
   *
   * A message under a known `idempotency_key` adds nothing: the answer is the memory of the key. 409 names the fields in which
   * the message differs from the first one; session and `timestamp` may. The key of a message whose words are known already leads
   * to the memory that has them, of the last 100 such keys of a memory. A key is free again once its memory is deleted: the
   * same request then stores another one.
   *
   * A `context` of this service that comes back in the content, whole, quoted or in part, is left out. Of a message that is
   * nothing else nothing is stored: `memory` is null and `duplicate` true.
   *
   * `POST /ingest`
   */
  ingest: { method: 'POST', path: '/ingest', body: true, key: 'idempotency_key' },
  /**
   * Recall what matters for a query, best first.
   *
   * Words, vectors and entities each propose memories; all are scored together with what was said around them. A query that asks
   * for the last session ("Where did we leave off?") or for what is new is answered by what was told last, newest first.
   * `context` is ready to be put before a prompt. It holds the memories of high or medium relevance. It is empty where
   * nothing relevant is known.
   *
   * `POST /recall`
   */
  recall: { method: 'POST', path: '/recall', body: true, repeatable: true },
  /**
   * Store a message and recall what matters for it, in one request.
   *
   * The message just stored is never among `memories`.
   *
   * `POST /ingest_and_recall`
   */
  ingestAndRecall: { method: 'POST', path: '/ingest_and_recall', body: true, key: 'idempotency_key' },
  /**
   * The last items of the caller's session, oldest first.
   *
   * `GET /working_memory`
   */
  getWorkingMemory: { method: 'GET', path: '/working_memory' },
  /**
   * One memory.
   *
   * The header ETag names its version, for If-Match.
   *
   * `GET /memory/{id}`
   */
  getMemory: { method: 'GET', path: '/memory/{id}' },
  /**
   * Change a memory.
   *
   * At least one field. A new gist is searchable when the answer comes; it ends a supersession of this memory, because nobody
   * has weighed the new words, and leaves in place what this memory supersedes. Only the agent that created a memory may change its scope. `superseded_by: null` takes a
   * supersession back, and opens the contradiction again in which it was decided.
   * With If-Match nothing is changed unless the memory is still the one that was read; a 412 has `current`, the memory as it
   * is, and `etag`, for the next If-Match.
   *
   * `PUT /memory/{id}`
   */
  updateMemory: { method: 'PUT', path: '/memory/{id}', body: true, headers: ['If-Match'], repeatable: true },
  /**
   * Delete a memory.
   *
   * It is in no answer from now on. The history keeps its last version for `--history-days`, so that POST
   * /memory/{id}/revert brings it back. With `erase=true` nothing of it is left on the disk when the answer comes, nor in a
   * backup that is made later; of one that is deleted already, the history and the archive are erased. If-Match is as in PUT.
   *
   * `DELETE /memory/{id}`
   */
  deleteMemory: { method: 'DELETE', path: '/memory/{id}', headers: ['If-Match'] },
  /**
   * Say that a memory no longer holds, and why.
   *
   * The memory stays stored. It gets `valid_until` and `invalidation`, ranks behind what holds, and is in no open
   * contradiction any more. Whoever may change the memory may do this. The same request again changes nothing. PUT with
   * `valid_until: null` takes it back. With If-Match nothing is changed unless the memory is still the one that was read.
   *
   * `POST /memory/{id}/invalidate`
   */
  invalidateMemory: { method: 'POST', path: '/memory/{id}/invalidate', body: true, headers: ['If-Match'], repeatable: true },
  /**
   * Memories, newest first.
   *
   * `agent_id` lists the memories of that agent. The caller is then the agent in the header X-Agent-ID; without the header
   * it is the agent that is listed. Pages neither skip nor repeat a memory while others are written.
   *
   * `GET /memories`
   */
  listMemories: { method: 'GET', path: '/memories', pages: 'memories' },
  /**
   * Several memories by their ids, in this order.
   *
   * For the ids of a compact context. `not_found` names ids of no memory that the caller may see.
   *
   * `POST /memories/get`
   */
  getMemories: { method: 'POST', path: '/memories/get', body: true, repeatable: true },
  /**
   * What is on on which day.
   *
   * The memories that name the days from `from` to `to`, whenever and however they were said ("tomorrow", "on 3 December",
   * "every Thursday"), of what the caller may see. Days are those of the service's time zone, which `TZ` sets; those that nothing
   * names are left out, and months that are named as a whole stand apart. What has been superseded or has ended by `as_of` (else now) is left out, as is what only
   * asks and what was derived from other memories; a memory with `valid_from` or `valid_until` is on no day outside of them,
   * and what happens each week or month on none before it was said or that its words except ("Tuesdays except 1 December"). Each day and month has its newest memories, at most
   * `limit`, and says how many there are; first what names the day itself, then what happens each week or month. A quarter
   * that is named as a whole stands at each of its months, behind what names the month.
   *
   * As in `GET /memories`, `agent_id` asks for the memories of that agent, and the caller is the agent in the header X-Agent-ID.
   *
   * `GET /memories/agenda`
   */
  getAgenda: { method: 'GET', path: '/memories/agenda' },
  /**
   * When what was said, by agent and kind.
   *
   * Counts by equal spans of time, and the sessions in them, of what the caller may see: for pictures. `held` counts those
   * that hold at `as_of` (else now): said by then, not ended, and not superseded by then. An answer may be 5 s old where
   * nothing was stored meanwhile.
   *
   * `GET /memories/timeline`
   */
  getTimeline: { method: 'GET', path: '/memories/timeline' },
  /**
   * How fresh the memories are, and which are recalled most.
   *
   * Of what the caller may see. An answer may be 5 s old where nothing was stored meanwhile.
   *
   * `GET /memories/summary`
   */
  getSummary: { method: 'GET', path: '/memories/summary' },
  /**
   * What a memory comes from and led to, and what was said around it.
   *
   * As far as the caller may see it. Of each list at most 50, of what was said around it 5 on each side.
   *
   * `GET /memory/{id}/relations`
   */
  getRelations: { method: 'GET', path: '/memory/{id}/relations' },
  /**
   * What keeps a memory out of a recall.
   *
   * Recalls as the request says, leaves no trace, and tells where the memory would come, which conditions leave it out, and
   * what speaks for it. 404 where there is no such memory that the caller may see.
   *
   * `POST /memory/{id}/why_not`
   */
  explainAbsence: { method: 'POST', path: '/memory/{id}/why_not', body: true, repeatable: true },
  /**
   * Delete every memory of an agent that the caller may see.
   *
   * PRIVATE memories are deleted only if their own agent asks. The caller is `agent_id` in the query or X-Agent-ID, else the
   * agent in the path.
   *
   * `DELETE /memories/agent/{agent_id}`
   */
  deleteAgentMemories: { method: 'DELETE', path: '/memories/agent/{agent_id}' },
  /**
   * Write everything to the data directory.
   *
   * `POST /save`
   */
  save: { method: 'POST', path: '/save', repeatable: true },
  /**
   * Whether consolidation runs, when it will, and what the last run did.
   *
   * `GET /consolidate`
   */
  getConsolidation: { method: 'GET', path: '/consolidate' },
  /**
   * Tidy the store.
   *
   * Memories that say the same become one, each cluster gets a semantic memory, and old memories of little importance go to
   * an archive. A run looks at the whole store and never combines memories that different agents may see; the report shows
   * what the caller may see. A second run right after it changes nothing. 409 while a run is under way; 503 with the
   * `report` of what was done, where the disk refuses in the middle.
   *
   * `POST /consolidate`
   */
  consolidate: { method: 'POST', path: '/consolidate', body: true },
  /**
   * Consolidate, maintain and save, in this order.
   *
   * The step `maintain` deletes what has expired and what was pruned 30 days ago, and makes the vector index anew. The
   * answer names a step that failed; the other steps are done all the same. 409 while a consolidation is running.
   *
   * `POST /end_of_day`
   */
  endOfDay: { method: 'POST', path: '/end_of_day', body: true },
  /**
   * What was pruned in the last 30 days and the caller may see, the latest first.
   *
   * `GET /pruned`
   */
  listPruned: { method: 'GET', path: '/pruned', pages: 'pruned' },
  /**
   * Bring pruned memories back, under their ids.
   *
   * Each counts as recalled now, so that the next run does not prune it again. `not_found` names the ids that are not in the
   * archive, or that the caller may not see; the others are restored. 409 where there is no room for all of them; then none
   * is restored. The successors of these that were pruned too come back with them. One whose successor is gone is superseded by
   * what had superseded that one, as far as the history knows.
   *
   * `POST /pruned/restore`
   */
  restorePruned: { method: 'POST', path: '/pruned/restore', body: true },
  /**
   * How many memories each agent has, as far as the caller may see them.
   *
   * `GET /stats`
   */
  getStats: { method: 'GET', path: '/stats' },
  /**
   * Take in the memories of another store.
   *
   * What /export gives can be sent as it is: `application/x-ndjson`, a memory a line, as many as there are; a line has at
   * most 4 MiB. A JSON body is bounded by the server's body limit. Each record is taken in whole or not at all, and is on
   * disk when the answer comes (with a data directory). To send the same again changes nothing, so a request that broke off
   * is sent again whole.
   *
   * - Ids are kept. Of two records of one id the one with the later `updated_at` stays; recall counts and strength become
   *   the higher of the two. The same words of the same agent and speaker in the same session and scope within a day under
   *   another id are a duplicate.
   * - A memory never changes its agent: a record whose id belongs to another agent here is rejected. A `PRIVATE` record is
   *   taken from its own agent only. Identity in `metadata` means nothing.
   * - A record belongs to the project that it names, to none where it says null, and else to that of the request. Where the
   *   request names a project, a record of another one, or of none, is rejected: to take in several projects, name none in the
   *   request.
   * - A record with a `superseded_by` that names a record rejected in the same request is taken in, superseded by what that one
   *   was superseded by, or by nothing.
   * - A `consolidated_into` stays only where the memory that it names is there after the request, and all who see the one see the
   *   other.
   * - A memory that was deleted here does not come back (the last 100,000 deleted ids are remembered).
   * - Secrets are masked as in /ingest, and what was made of a text that held one is made anew. With `--redact block` the
   *   record is rejected.
   * - A semantic memory with `sources` is rejected, unless it is known: consolidation derives it again from those.
   * - Vectors of this server's model are used when they fit; others are made again in the background (`without_vectors`
   *   counts them, /health shows how many wait).
   *
   * `dry_run` says what would happen and changes nothing.
   *
   * `POST /merge`
   */
  merge: { method: 'POST', path: '/merge', body: true, takesLines: true, repeatable: true },
  /**
   * What agents and people disagree about, most certain first.
   *
   * Compares what is new first, for at most `wait_ms`, 20 seconds by default: `pending` tells how many memories still wait then (their
   * comparison goes on in the background). The answer has the contradictions whose memories the caller may both see. A
   * PRIVATE memory is compared with memories of its own agent only. A score below 0.3 is no finding, whatever the threshold.
   *
   * `POST /contradictions`
   */
  listContradictions: { method: 'POST', path: '/contradictions', body: true, repeatable: true },
  /**
   * Pairs that may be contradictions, for a judge to say.
   *
   * Pairs with a score from 0.3 to 0.6 that nobody has said anything about, the most likely ones first. Hand `a` and `b` to a
   * person or to a language model of yours, and what they say to POST /contradictions/{id}/judge. This service asks no model.
   *
   * `GET /contradictions/doubtful`
   */
  listDoubtful: { method: 'GET', path: '/contradictions/doubtful' },
  /**
   * Hand in what a judge says about a doubtful pair.
   *
   * `contradiction` makes the pair count as 0.6, so that lists and recalls show it; `score` stays what the comparison found.
   * `compatible` takes it off the doubtful
   * ones. It decides nothing: the pair stays open, and shows who said what. A later opinion replaces an earlier one. 409 where
   * the pair is not doubtful.
   *
   * `POST /contradictions/{id}/judge`
   */
  judgeContradiction: { method: 'POST', path: '/contradictions/{id}/judge', body: true, repeatable: true },
  /**
   * Say which memory holds, that both may stand, or that it is open again.
   *
   * With `winner`, the other memory gets `superseded_by` and ranks behind it from now on; it stays stored. With `dismiss`
   * the pair is not reported again unless one of its gists changes. `reopen` takes either back, and a later decision
   * replaces an earlier one. Every agent that may see both memories may decide.
   *
   * `POST /contradictions/{id}/resolve`
   */
  resolveContradiction: { method: 'POST', path: '/contradictions/{id}/resolve', body: true, repeatable: true },
  /**
   * Every memory that the caller may see, one JSON object a line, oldest first.
   *
   * Each line is a Memory with `gist_edited` and `stability_days`, and with `vectors=true` its `vectors` and their
   * `embedding_model`. POST /merge takes it in.
   *
   * `GET /export`
   */
  exportMemories: { method: 'GET', path: '/export', answers: 'lines' },
  /**
   * Is the service up and ready?.
   *
   * 503 while the embedding model is not ready; words and entities are still served then.
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
   * For load balancers and container runtimes. `degraded` means that the service cannot store memories, or has no vectors for now, and still answers what it can. 503 with Retry-After while the service is being stopped. Before the data is loaded the port is closed.
   *
   * `GET /health/ready`
   */
  getReadiness: { method: 'GET', path: '/health/ready' },
  /**
   * The dashboard, a page that loads nothing from outside.
   *
   * It shows the space that its address names, and the default one without.
   *
   * `GET /dashboard`
   */
  getDashboard: { method: 'GET', path: '/dashboard', answers: 'text' },
  /**
   * Metrics in the Prometheus text format.
   *
   * For operators alone, because they count PRIVATE memories too. The gateway does not serve them.
   *
   * `GET /metrics`
   */
  getMetrics: { method: 'GET', path: '/metrics', answers: 'text' },
  /**
   * This contract as JSON.
   *
   * `GET /openapi.json`
   */
  getOpenApi: { method: 'GET', path: '/openapi.json' },
  /**
   * This contract as a page; needs no network.
   *
   * `GET /docs`
   */
  getDocs: { method: 'GET', path: '/docs', answers: 'text' },
  /**
   * Take an event from the hook of a coding agent.
   *
   * The body is what the host gives its hooks, as it is; the answer is in the form that the host reads. A prompt
   * is stored and answered with the context that is relevant to it, else with `{}`; a reply is stored. Everything else is
   * answered with `{}`.
   *
   * A payload that the service does not understand is answered with `{}` too, and every host goes on; the log and
   * `agent_faculties_hook_calls_total` report it. The same event again changes nothing. The user may write marks into a
   * prompt: `#skip` stores neither the prompt nor its reply and recalls nothing; `#remember` makes the prompt important.
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
   * Instructions for the system prompt of a model.
   *
   * How to work with this service and what there is to call, by the names that the model knows: those of MCP, those of functions that a program offers (packages/adapters), or requests that the model makes itself.
   *
   * `GET /prompt`
   */
  getPrompt: { method: 'GET', path: '/prompt', answers: 'text' },
  /**
   * What was done to a memory, latest first.
   *
   * Who changed it, when and why, and what it was before and after, for the last `kept_days`. The memory may be deleted,
   * pruned or one with another. A change is shown to who sees the memory as it was, as it became, and as it is; the words of
   * a derived memory also only while every source of it is there. Merges of this id, and what follows by itself from a change
   * of another memory, are told by what they left.
   *
   * `GET /memory/{id}/history`
   */
  getMemoryHistory: { method: 'GET', path: '/memory/{id}/history' },
  /**
   * Make a memory what it was in a version.
   *
   * `version` is one of its history. A memory that was deleted or pruned comes back under its id. The revert is a change like any
   * other, and can be reverted. The id, the agent and the idempotency key stay; only the agent that created it may change its
   * scope by this. 409 `cannot_revert` says why it cannot be, such as that it has become one with another memory. If-Match is as
   * in PUT.
   *
   * `POST /memory/{id}/revert`
   */
  revertMemory: { method: 'POST', path: '/memory/{id}/revert', body: true, headers: ['If-Match'], repeatable: true },
  /**
   * Take a consolidation back.
   *
   * What it made one is separate again, what it derived is gone or what it was, what it pruned is there: each memory that the
   * caller may see, where nobody has changed it since. `not_undone` says what stays, and why. A second time changes nothing.
   * The next run does not make the same memories one, but may derive and prune anew. 409 while a consolidation is running.
   * With `ids`, it takes back only what the run did to these memories.
   *
   * `POST /consolidate/{run_id}/undo`
   */
  undoConsolidation: { method: 'POST', path: '/consolidate/{run_id}/undo', body: true, repeatable: true },
  /**
   * What changes, as server-sent events.
   *
   * `event` is what happened. `added`, `edited`, `superseded`, `invalidated`, `deleted` carry `{at, by, operation, memory_id,
   * agent_id, project, scope}`, and `superseded` also `superseded_by`; `contradiction` carries `{at, by, contradiction_id, what,
   * memory_ids}` with `what` one of `found`, `doubtful` (worth asking somebody), `judged`, `resolved`, `dismissed`, `reopened`;
   * `consolidation` carries `{at, run_id, outcome}` when one has finished (`done`, `stopped`, `failed`). `by` is the agent that
   * did it, null for the service. `operation` is as in the history, or `erase`, or `expire`; null where a message was stored or
   * it follows from another change. No event has words of a memory.
   *
   * A caller is told of what it may see: a memory that it may not see any more is `deleted` for it. An event is sent when the
   * change is on disk. Every message carries an `id` to resume from (`Last-Event-ID`, or `last_event_id` in the query for a
   * first connection); the ids have no order. At least the last 2,000 events since somebody first listened are sent again.
   * `event: reset` says that more was missed, or that the service started anew, and that everything is to be read anew. A
   * comment every 15 s keeps the connection open. 503 where 1,000 streams are open.
   *
   * `GET /events/stream`
   */
  streamEvents: { method: 'GET', path: '/events/stream', answers: 'events' },
} as const;
