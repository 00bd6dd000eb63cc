import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { examine } from '../page-sums/examine.ts';
import { sumsPath } from '../page-sums/sums-file.ts';
import { openDatabase } from '../sqlite/database.ts';
import { lockFile, lockPath, quickCheck, realName, repairedPath } from '../sqlite/database-file.ts';
import { type Db, transactions } from '../sqlite/faults.ts';
import { type KnownPages, openKnownPages } from './known-pages.ts';
import type { Value } from './record.ts';
import { type Lost, type NamedTable, type Rescued, type RescuedTable, rescue } from './rescue.ts';

/** What a repair did. */
export interface RepairReport {
  /** What was wrong. */
  readonly damage: string;
  /** Where the files lie that were damaged. */
  readonly kept: readonly string[];
  readonly rescued: Readonly<Record<RescuedTable, number>>;
  readonly lost: readonly Lost[];
  /** The file that lists what is lost, a line each; null where nothing is. */
  readonly lostList: string | null;
  readonly lostTransactions: number;
  /** What else there is to know. */
  readonly notes: readonly string[];
}

/** Why nothing was repaired, in words for the operator. */
export class RepairError extends Error {
  override readonly name = 'RepairError';
}

/** Rows of one transaction. */
const BATCH = 5_000;

/**
 * Replaces a damaged database, which no service has open, by a new one with every row that can be read, and reports what is lost.
 * The damaged files are copied to `*.damaged-<stamp>` first. Killed at any moment, it leaves the old files unchanged, or
 * a repair that the next run completes.
 * @param stamp tells the copies of one repair from those of another
 * @returns 'sound' where nothing was wrong and nothing was done, 'ended' where it ended one that was cut short
 * @throws RepairError
 */
export function repairDatabase(path: string, stamp: string): RepairReport | 'sound' | 'ended' {
  try {
    if (!existsSync(dirname(path))) throw notThere(path);
    const target = realName(path);
    const lock = lockFile(target);
    try {
      if (existsSync(repairedPath(target))) {
        takePlace(target);
        return 'ended';
      }
      const damage = damageOf(target);
      return damage === null ? 'sound' : rebuild(target, stamp, damage);
    } finally {
      // While it is still held: who opened it before is refused, and not given a lock that nobody else sees.
      if (!existsSync(target)) rmSync(lockPath(target), { force: true });
      lock.close();
    }
  } catch (error) {
    throw new RepairError((error as Error).message, { cause: error });
  }
}

const notThere = (path: string) => new Error(`${path} is not there: name the database with --db-path.`);

function damageOf(path: string): string | null {
  const { damage } = examine(path);
  if (damage !== null) return damage;
  if (!existsSync(path)) throw notThere(path);
  try {
    quickCheck(path);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function rebuild(path: string, stamp: string, damage: string): RepairReport {
  const present = ['', '-wal', '.sums'].map((suffix) => path + suffix).filter((file) => existsSync(file));
  const kept = present.map((file) => {
    const copy = `${file}.damaged-${stamp}`;
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    sync(copy);
    return copy;
  });
  sync(dirname(path));
  const pages = openKnownPages(path);
  try {
    const found = rescue(pages);
    const { counts, refused } = build(`${path}.repairing`, found);
    const lost = [...found.lost, ...refused];
    const lostList = lost.length > 0 ? `${path}.damaged-${stamp}.lost` : null;
    if (lostList) writeFileSync(lostList, lost.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    renameSync(sumsPath(`${path}.repairing`), sumsPath(repairedPath(path)));
    renameSync(`${path}.repairing`, repairedPath(path));
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}.repairing${suffix}`, { force: true });
    sync(dirname(path));
    takePlace(path);
    const { lostTransactions } = pages;
    return { damage, kept, rescued: counts, lost, lostList, lostTransactions, notes: notesOf(pages, found) };
  } finally {
    pages.close();
  }
}

function notesOf(pages: KnownPages, { mayHoldDeleted }: Rescued): string[] {
  const notes = [...pages.notes];
  if (pages.bad > 0) notes.push(`${pages.bad} of ${pages.count} pages could not be read.`);
  if (mayHoldDeleted) notes.push('Which pages were free is not known: rows that had been deleted may be back.');
  return notes;
}

/** Renames the new database last: until then a start is refused and a repair can be resumed. */
function takePlace(path: string): void {
  const repaired = repairedPath(path);
  for (const suffix of ['-wal', '-shm', '.sums']) rmSync(path + suffix, { force: true });
  if (existsSync(sumsPath(repaired))) renameSync(sumsPath(repaired), sumsPath(path));
  renameSync(repaired, path);
  sync(dirname(path));
}

/** Writes what was rescued into a new database. */
function build(path: string, { rows, lastSequences }: Rescued) {
  for (const suffix of ['', '-wal', '-shm', '.sums', '.lock']) rmSync(path + suffix, { force: true });
  const { db, close } = openDatabase({ path, synchronous: 'normal' });
  const refused: Lost[] = [];
  const counts = {} as Record<RescuedTable, number>;
  try {
    for (const [table, found] of rows) {
      const missing = insert(db, table, found);
      counts[table] = found.size - missing.length;
      if (isNamed(table))
        refused.push(...missing.map((sequence) => ({ table, sequence, name: nameIn(found, sequence) })));
    }
    transactions(db)(() => {
      db.$client.exec(`
        INSERT OR IGNORE INTO agents
          SELECT agent_id FROM events UNION SELECT agent_id FROM tasks UNION SELECT agent_id FROM stopwatches;
        INSERT OR IGNORE INTO task_types
          SELECT agent_id, task_type, project FROM events WHERE task_type IS NOT NULL
          UNION SELECT agent_id, task_type, project FROM tasks;
        DELETE FROM sqlite_sequence;`);
      const remember = db.$client.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
      for (const [table, last] of lastSequences) remember.run(table, last);
    });
  } finally {
    close();
    rmSync(`${path}.lock`, { force: true });
  }
  return { counts, refused };
}

/** @returns row ids that the schema refuses: values that are twice, or missing */
function insert(db: Db, table: RescuedTable, rows: ReadonlyMap<number, Value[]>): number[] {
  const columns = db.$client.pragma(`table_info(${table})`) as { name: string }[];
  const names = columns.map(({ name }) => name);
  const statement = db.$client.prepare(
    `INSERT OR IGNORE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`,
  );
  const inTransaction = transactions(db);
  const refused: number[] = [];
  const all = [...rows];
  for (let start = 0; start < all.length; start += BATCH) {
    inTransaction(() => {
      for (const [rowid, values] of all.slice(start, start + BATCH)) {
        const whole = names.map((name, index) => (name === 'sequence' ? rowid : (values[index] ?? absent(name))));
        if (statement.run(...whole).changes === 0) refused.push(rowid);
      }
    });
  }
  return refused;
}

/** Of a row that was written before its table had this column. */
function absent(column: string): Value {
  return column === 'project' ? '' : null;
}

function isNamed(table: RescuedTable): table is NamedTable {
  return table === 'events' || table === 'tasks' || table === 'stopwatches';
}

function nameIn(rows: ReadonlyMap<number, Value[]>, sequence: number): string {
  return String(rows.get(sequence)?.[1]);
}

/** Syncs a file or a folder. */
function sync(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
