import type { JsonSchema } from '@agent-faculties/mcp-kit';

export const TASK_TYPE = 'The kind of work, always in the same words: "npm test", "tool:search", "write a report".';
export const PROJECT_ASKED = 'Of this project and of none; * of all; that of the connection unless given.';

/** Most running tasks in an answer. */
export const TOLD_TASKS = 20;

export const OF: JsonSchema = {
  type: ['string', 'null'],
  enum: ['this agent', 'all agents', null],
  description: 'Whose history this is; null where nobody has any',
};

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}
