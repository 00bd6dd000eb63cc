import type { Postgres } from '@agent-faculties/postgres-kit';

/** Older ones lose rows in a vacuum, or overflow in parallel builds of an index. */
const OLDEST = [0, 8, 4] as const;

export interface VectorExtension {
  /** Where the types of pgvector are, as an identifier; null: it is not there. */
  readonly schema: string | null;
  /** Why no table should be made with it, in words for the operator; null: one may. */
  readonly refusal: string | null;
}

/** Looks for pgvector in the database. */
export async function vectorExtension(postgres: Postgres): Promise<VectorExtension> {
  const { rows } = await postgres.query<{ version: string; schema: string }>({
    text: `SELECT extversion AS version, quote_ident(nspname) AS schema
      FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'`,
  });
  const [row] = rows;
  const oldest = OLDEST.join('.');
  const advice = `install pgvector ${oldest} or newer on its server`;
  if (!row) {
    const refusal = `The database ${postgres.name} has no extension 'vector': ${advice}, run CREATE EXTENSION vector and start the replicas anew.`;
    return { schema: null, refusal };
  }
  const { version, schema } = row;
  const refusal = isAtLeast(version, OLDEST)
    ? null
    : `The database ${postgres.name} has version ${version} of the extension 'vector': ${advice}, run ALTER EXTENSION vector UPDATE and start the replicas anew.`;
  return { schema, refusal };
}

/** Whether a version such as 0.8.10 is not older than another. */
export function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [place, least] of oldest.entries()) {
    const part = parts[place] || 0;
    if (part !== least) return part > least;
  }
  return true;
}
