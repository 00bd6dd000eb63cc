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
    meaning: 'Only the agent that created a memory may change its scope. Ask as that agent.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Conflict',
    meaning: 'The agent has sent other words under this idempotency key. Use a new key for a new message.',
  },
  memory_limit_reached: {
    status: 409,
    title: 'Conflict',
    meaning: 'The server holds as many memories as it may. Delete some, or raise --max-memories.',
  },
  no_data_directory: {
    status: 409,
    title: 'Conflict',
    meaning: 'The server keeps nothing on disk. Start it with --data-dir to save.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'The data directory cannot be written: the disk is full, read-only or failing. Nothing was changed; send it again once that is mended.',
  },
  embedding_busy: {
    status: 503,
    title: 'Unavailable',
    meaning: 'More texts wait for the embedding model than it can take. Send it again in a moment.',
  },
  not_ready: {
    status: 503,
    title: 'Unavailable',
    meaning:
      'The embedding model is being started again. Words and entities are served meanwhile; ask again in a moment.',
  },
} as const satisfies Record<string, ProblemKind>;
