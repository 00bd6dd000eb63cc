import { InvalidInputError } from '../problems/errors.ts';

export interface CursorForm<Position> {
  /** Of the parts of a position, joined by a dot; a group for each part. */
  readonly pattern: RegExp;
  readonly partsOf: (position: Position) => readonly (string | number)[];
  readonly positionOf: (...parts: readonly string[]) => Position;
}

export interface PageCursor<Position> {
  /** Null at the end of the list. */
  readonly formatCursor: (position: Position | null) => string | null;
  /** Null for the start of the list. @throws InvalidInputError for a text that is no cursor of this form */
  readonly parseCursor: (cursor: string | undefined) => Position | null;
}

/** The `cursor` of a list. It is opaque to clients, so that its content may change. */
export function pageCursor<Position>({ pattern, partsOf, positionOf }: CursorForm<Position>): PageCursor<Position> {
  return {
    formatCursor: (position) => position && Buffer.from(partsOf(position).join('.')).toString('base64url'),
    parseCursor: (cursor) => {
      if (cursor === undefined) return null;
      const bytes = Buffer.from(cursor, 'base64url');
      const match = pattern.exec(bytes.toString('latin1'));
      // The decoder leaves out what is no digit of base64, and a last digit that makes no byte.
      if (match && bytes.toString('base64url') === cursor) return positionOf(...match.slice(1));
      const message = 'is not a cursor of this service: send next_cursor of the page before, or leave it out';
      throw InvalidInputError.at('query/cursor', message);
    },
  };
}
