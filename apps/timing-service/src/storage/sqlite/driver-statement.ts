import type SqliteDatabase from 'better-sqlite3';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './faults.ts';

/**
 * Statements that Drizzle writes and the driver runs: those of every start and end, for which Drizzle takes as long as SQLite does. Their
 * parameters have names.
 */

/** A parameter; the object that the statement is run with has it under this name. */
export const named = (name: string): SQL => sql.raw(`@${name}`);

/** A parameter for each of several columns of one row, under the name of the column. */
export function namedAll<Name extends string>(...names: readonly Name[]): Record<Name, SQL> {
  return Object.fromEntries(names.map((name) => [name, named(name)])) as Record<Name, SQL>;
}

/** All columns of a table, under the names that its rows have here. */
export function columnsByField(table: SQLiteTable): Record<string, SQL.Aliased> {
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(columns.map(([field, column]) => [field, sql`${column}`.as(field)]));
}

export type DriverStatement<Row> = Pick<SqliteDatabase.Statement<unknown[], Row>, 'get' | 'run'>;

/** @throws Error where a parameter has no name */
export function driverStatement<Row = unknown>(
  db: Db,
  query: { toSQL(): { readonly sql: string; readonly params: readonly unknown[] } },
): DriverStatement<Row> {
  const { sql: text, params } = query.toSQL();
  if (params.length > 0) throw new Error(`parameters without a name: ${text}`);
  return db.$client.prepare<unknown[], Row>(text);
}
