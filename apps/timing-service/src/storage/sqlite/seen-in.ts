import { type Column, type SQL, sql } from 'drizzle-orm';

/** The condition of isSeenIn (domain/whose.ts), for a column with the project of a record. */
export function seenIn(column: Column, project: string | null): SQL | undefined {
  return project === null ? undefined : sql`${column} IN ('', ${project})`;
}

/** The same for a prepared statement, whose value `project` is null for all projects. */
export function seenInPlaceholder(column: Column): SQL {
  const project = sql.placeholder('project');
  return sql`(${project} IS NULL OR ${column} IN ('', ${project}))`;
}
