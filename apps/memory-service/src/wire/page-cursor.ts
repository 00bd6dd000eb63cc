import { pageCursor } from '@agent-faculties/service-kit';
import type { ListPosition } from '../domain/memory/memory-store.ts';

export const { formatCursor, parseCursor } = pageCursor<ListPosition>({
  pattern: /^(\d{1,16})\.([\w-]{1,64})$/,
  partsOf: ({ createdAt, id }) => [createdAt, id],
  positionOf: (createdAt, id) => ({ createdAt: Number(createdAt), id: id as string }),
});
