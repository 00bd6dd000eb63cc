import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * SQL of the statements of every start and end, for the driver itself: Drizzle takes as long to run a prepared statement as SQLite does
 * for a small one. Parameters have the names of the fields of a row.
 */

/** All columns of a table, under the names of the fields. */
export function selectFrom(table: SQLiteTable): string {
  const columns = Object.entries(getTableColumns(table)).map(([field, { name }]) => `${name} AS ${field}`);
  return `SELECT ${columns.join(', ')} FROM ${getTableName(table)}`;
}

/** The other columns get their defaults. */
export function insertInto<Table extends SQLiteTable>(
  table: Table,
  fields: readonly (keyof Table['$inferInsert'] & string)[],
): string {
  const columns = getTableColumns(table);
  const names = fields.map((field) => columns[field]?.name);
  return `INSERT INTO ${getTableName(table)} (${names.join(', ')}) VALUES (${fields.map((field) => `@${field}`).join(', ')})`;
}
