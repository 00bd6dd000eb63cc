import { BackupError } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';

/** What a backup holds. */
export interface DatabaseContents {
  readonly spaces: number;
  readonly events: number;
  readonly tasks: number;
  readonly bytes: number;
}

export const NOTHING: DatabaseContents = { spaces: 0, events: 0, tasks: 0, bytes: 0 };

export function added(one: DatabaseContents, other: DatabaseContents): DatabaseContents {
  return {
    spaces: one.spaces + other.spaces,
    events: one.events + other.events,
    tasks: one.tasks + other.tasks,
    bytes: one.bytes + other.bytes,
  };
}

/** @throws BackupError unless it is sound, and ours */
export function contentsOf(path: string): DatabaseContents {
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    const verdict = database.pragma('integrity_check', { simple: true }) as string;
    if (verdict !== 'ok') {
      throw new BackupError(`The copy is damaged (${verdict.replaceAll('\n', ' ')}): nothing was changed.`);
    }
    const ours = database.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('events', 'tasks')").pluck().get();
    if (ours !== 2) throw new BackupError('This is not a backup of timing-service: nothing was changed.');
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const pages = database.pragma('page_count', { simple: true }) as number;
    const bytes = pages * (database.pragma('page_size', { simple: true }) as number);
    return { spaces: 1, events: count('events'), tasks: count('tasks'), bytes };
  } finally {
    database.close();
  }
}
