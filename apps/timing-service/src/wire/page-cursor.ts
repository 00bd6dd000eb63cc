import { pageCursor } from '@agent-faculties/service-kit';
import type { ListPosition } from '../domain/page.ts';

export const { formatCursor, parseCursor } = pageCursor<ListPosition>({
  pattern: /^(-?\d{1,17})\.(\d{1,15})$/,
  partsOf: ({ timeUs, sequence }) => [timeUs, sequence],
  positionOf: (timeUs, sequence) => ({ timeUs: Number(timeUs), sequence: Number(sequence) }),
});

/** Of a sorted list of names. Encoded once more, because a name may hold what no cursor does. */
export const { formatCursor: formatNameCursor, parseCursor: parseNameCursor } = pageCursor<string>({
  pattern: /^([\w-]{1,700})$/,
  partsOf: (name) => [Buffer.from(name).toString('base64url')],
  positionOf: (name = '') => Buffer.from(name, 'base64url').toString(),
});
