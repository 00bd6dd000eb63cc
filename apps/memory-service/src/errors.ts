import type { ProblemKind } from '@agent-faculties/service-kit';

/** The codes of this service that are more precise than the common ones of service-kit; docs/errors.md lists both. */
export const MEMORY_PROBLEM_CODES = {
  unknown_memory: {
    status: 404,
    title: 'Not found',
    meaning:
      'No memory has this id, or the caller may not see it. Take an id from an answer of ingest, recall or a list.',
  },
  no_memories_of_agent: {
    status: 404,
    title: 'Not found',
    meaning: 'The agent has no memories that the caller may see. GET /stats lists the agents that have.',
  },
  not_the_creator: {
    status: 403,
    title: 'Forbidden',
    meaning:
      'Only the agent that created a memory may change its scope; behind a gateway only it or an administrator may supersede it. Ask as one of those.',
  },
  other_project: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The memory belongs to another project, which shares it. Change it in that project.',
  },
  unknown_contradiction: {
    status: 404,
    title: 'Not found',
    meaning:
      'No contradiction has this id, one of its memories has changed or gone, or the caller does not see both. Take an id from an answer of POST /contradictions.',
  },
  private_winner: {
    status: 409,
    title: 'Conflict',
    meaning:
      'A PRIVATE memory cannot supersede one that others see. Make it TEAM, edit the other one, or dismiss the contradiction.',
  },
  not_doubtful: {
    status: 409,
    title: 'Conflict',
    meaning:
      'The pair is a contradiction already, or somebody has decided. Resolve it, or take an id from GET /contradictions/doubtful.',
  },
  project_winner: {
    status: 409,
    title: 'Conflict',
    meaning:
      'A memory is not seen in every project that sees what it is to supersede. Make it SHARED, or dismiss the contradiction.',
  },
  unknown_version: {
    status: 404,
    title: 'Not found',
    meaning:
      'The memory has no version of this name that the caller may see, or it is no longer kept. Take one from GET /memory/{id}/history.',
  },
  unknown_run: {
    status: 404,
    title: 'Not found',
    meaning:
      'No consolidation has this id, it changed nothing that the caller may see, or longer ago than --history-days. GET /consolidate names the last one.',
  },
  cannot_revert: {
    status: 409,
    title: 'Conflict',
    meaning:
      'The memory cannot become what it was: it has become one with another, its sources have changed, or its idempotency key is taken. The detail says which.',
  },
  superseded_in_a_circle: {
    status: 409,
    title: 'Conflict',
    meaning:
      'The memory was itself superseded, in the end by the one that it is to supersede. Take that back first, or reopen its contradiction.',
  },
  changed_meanwhile: {
    status: 409,
    title: 'Conflict',
    meaning: 'A memory was changed or deleted while the request was decided. Read it and decide again.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Conflict',
    meaning:
      'The agent has sent another message under this idempotency key: other words, another scope, other tags; the detail names the fields. Use a new key for a new message.',
  },
  memory_limit_reached: {
    status: 409,
    title: 'Conflict',
    meaning: 'The server holds as many memories as it may. Delete some, or raise --max-memories.',
  },
  consolidation_running: {
    status: 409,
    title: 'Conflict',
    meaning: 'A consolidation is running; the answer says since when. GET /consolidate says when it has ended.',
  },
  consolidation_incomplete: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'A consolidation ended early, mostly because the disk is full. Its work so far is kept and is in `report`. Mend what the detail names and run it again: it continues.',
  },
  scope_of_sources: {
    status: 409,
    title: 'Conflict',
    meaning: 'A semantic memory has the scope of its sources. Change theirs, and it is derived again from the others.',
  },
  validity_of_sources: {
    status: 409,
    title: 'Conflict',
    meaning:
      'A semantic memory holds as long as its sources do. Change theirs, and it is derived again from the others.',
  },
  no_data_directory: {
    status: 409,
    title: 'Conflict',
    meaning: 'The server keeps nothing on disk. Start it with --data-dir to save.',
  },
  erasure_incomplete: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'The memory is deleted, but the disk refused the files without it. POST /save once that is mended takes its words off the disk.',
  },
  embedding_busy: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The embedding model has too many texts waiting. Send it again in a moment.',
  },
  not_ready: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The embedding model is starting again. Recall works by words and entities meanwhile; retry in a moment.',
  },
} as const satisfies Record<string, ProblemKind>;
