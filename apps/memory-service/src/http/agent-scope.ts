import type { MayName } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';

/** Reads that may name all agents; everything else belongs to one. */
export const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set(['listMemories'] as const);

/**
 * Behind a gateway: in a list `agent_id` says whose memories are meant and not who asks. It shows nothing that the caller may
 * not see.
 */
export const mayReadOf: MayName = ({ operationId }) => ANY_AGENT_OPERATIONS.has(operationId as keyof operations);
