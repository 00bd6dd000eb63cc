import { InvalidInputError } from '@agent-faculties/service-kit';

/** A place in a list that is sorted newest first by (time, sequence). The entries below it are left to read. */
export interface Position {
  readonly timeUs: number;
  readonly sequence: number;
}

export interface PageRequest {
  readonly limit: number;
  readonly after: Position | null;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Where the next page starts; null at the end. */
  readonly next: Position | null;
}

/**
 * The opaque cursor of a position. A page holds what lies below it, so paging neither skips nor repeats what was there when
 * it began; new entries land above it, imported old ones where they belong.
 */
export function formatCursor(position: Position | null): string | null {
  return position && Buffer.from(`${position.timeUs}.${position.sequence}`).toString('base64url');
}

/** @throws InvalidInputError when the text is no cursor of ours */
export function parseCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const match = /^(-?\d{1,17})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!match) {
    const message = 'is not a cursor: send the next_cursor of the page before, unchanged';
    throw new InvalidInputError(`query/cursor ${message}.`, { faults: [{ where: 'query/cursor', message }] });
  }
  return { timeUs: Number(match[1]), sequence: Number(match[2]) };
}
