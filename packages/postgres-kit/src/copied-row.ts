import type pg from 'pg';

// The binary form of COPY (https://www.postgresql.org/docs/15/sql-copy.html): a signature, 4 bytes of flags, the length of an extension
// and that, then each row: how many fields it has, and of each its length (-1 for NULL) and its bytes. -1 fields are the end.
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FLAGS_BYTES = 4;
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
const END = -1;

/**
 * The first row of a query, in the form that the database sends it in: bytes as they are, which as text would be a third more or twice
 * as many, and strings of many megabytes for the garbage collector. The driver has no other way to bytes.
 * @param query takes no values: they are escaped in it @returns a field each, null for NULL; null where there is no row
 * @throws what the client throws
 */
export async function copiedRow(client: pg.ClientBase, query: string): Promise<readonly (Buffer | null)[] | null> {
  // Loaded late, because few services have a database.
  const { default: driver } = await import('pg');
  let first: Buffer | undefined;
  /** In place of the driver's own method, which drops what is copied. */
  class Copying extends driver.Query {
    handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
      // One for each row, and one for the end. A copy, as the driver writes into the same memory again.
      first ??= Buffer.from(chunk);
    }
  }
  await new Promise<void>((resolve, reject) => {
    const done = (error: Error | undefined) => (error ? reject(error) : resolve());
    client.query(new Copying(`COPY (${query}) TO STDOUT (FORMAT binary)`, done));
  });
  return first ? fieldsOf(first) : null;
}

function fieldsOf(bytes: Buffer): (Buffer | null)[] | null {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('The database sent no binary copy.');
  const extension = SIGNATURE.length + FLAGS_BYTES;
  let at = extension + LENGTH_BYTES + bytes.readInt32BE(extension);
  const count = at < bytes.length ? bytes.readInt16BE(at) : END;
  at += COUNT_BYTES;
  if (count === END) return null;
  return Array.from({ length: count }, () => {
    const length = bytes.readInt32BE(at);
    at += LENGTH_BYTES;
    if (length < 0) return null;
    const field = bytes.subarray(at, at + length);
    at += length;
    return field;
  });
}
