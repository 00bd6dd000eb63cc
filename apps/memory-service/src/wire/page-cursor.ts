import { InvalidInputError } from '@agent-faculties/service-kit';
import type { ListPosition } from '../domain/memory/memory-store.ts';

const CURSOR = /^(\d{1,16})\.([\w-]{1,64})$/;

/** The cursor is opaque to clients, so that its content may change. */
export function formatCursor(position: ListPosition | null): string | null {
  return position && Buffer.from(`${position.createdAt}.${position.id}`).toString('base64url');
}

/** @throws InvalidInputError for a text that is no cursor of this service */
export function parseCursor(cursor: string | undefined): ListPosition | null {
  if (cursor === undefined) return null;
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!match?.[1] || !match[2]) {
    const message = 'is not a cursor of this server: send next_cursor of the page before, or leave it out';
    throw new InvalidInputError(`query/cursor ${message}.`, { faults: [{ where: 'query/cursor', message }] });
  }
  return { createdAt: Number(match[1]), id: match[2] };
}
