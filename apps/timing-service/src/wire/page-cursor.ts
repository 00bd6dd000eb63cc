import { pageCursor } from '@agent-faculties/service-kit';
import type { ListPosition } from '../domain/page.ts';

export const { formatCursor, parseCursor } = pageCursor<ListPosition>({
  pattern: /^(-?\d{1,17})\.(\d{1,15})$/,
  partsOf: ({ timeUs, sequence }) => [timeUs, sequence],
  positionOf: (timeUs, sequence) => ({ timeUs: Number(timeUs), sequence: Number(sequence) }),
});
