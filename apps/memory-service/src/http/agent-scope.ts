import type { MayName } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';

/** The reads that may name all agents (`*`); every other operation names one. */
export const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set(['listMemories'] as const);

/**
 * Whether an operation may name another agent behind a gateway: in a list, `agent_id` says whose memories are listed and not
 * who asks. The list holds only what the caller may see.
 */
export const mayReadOf: MayName = ({ operationId }) => ANY_AGENT_OPERATIONS.has(operationId as keyof operations);
