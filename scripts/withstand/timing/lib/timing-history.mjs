// A timing database whose every write is known: what its rows were after each of them.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../lib/seeded-random.mjs';
import { requester, SqliteDatabase, startTiming } from './timing-service.mjs';

export const TABLES = ['events', 'tasks', 'stopwatches'];
const AGENTS = ['ann', 'bob', 'eve'];
const TASK_TYPES = ['build', 'test', 'deploy'];

/** Rows by table and sequence, after each write. */
class History {
  /** table -> sequence -> [{ write, row }] */
  #versions = new Map(TABLES.map((table) => [table, new Map()]));
  writes = 0;

  /** Notes what the last write changed. */
  note(db) {
    this.writes++;
    for (const table of TABLES) {
      for (const [sequence, row] of rowsOf(db, table)) {
        const versions = this.#versions.get(table).get(sequence) ?? [];
        if (versions.at(-1)?.row !== row) {
          this.#versions.get(table).set(sequence, [...versions, { write: this.writes, row }]);
        }
      }
    }
  }

  /** The rows of a table after this many writes. */
  after(writes, table) {
    const rows = new Map();
    for (const [sequence, versions] of this.#versions.get(table)) {
      const version = versions.findLast(({ write }) => write <= writes);
      if (version) rows.set(sequence, version.row);
    }
    return rows;
  }
}

/** Sequence -> the row as text. */
export function rowsOf(db, table) {
  const rows = db.prepare(`SELECT * FROM ${table} ORDER BY sequence`).all();
  return new Map(rows.map((row) => [row.sequence, JSON.stringify(row)]));
}

/**
 * Writes `tasks` tasks with all that belongs to them, in three lives of the service, and leaves copies of the files: `old` after
 * the first life, `killed` after the last write, `stopped` after a clean stop. Nothing in a database is ever deleted here.
 */
export async function writeKnownHistory(scratch, tasks) {
  const folders = Object.fromEntries(['live', 'old', 'killed', 'stopped'].map((name) => [name, join(scratch, name)]));
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const dbPath = join(folders.live, 'timing.db');
  const history = new History();
  const random = seededRandom(tasks);

  await oneLife(dbPath, history, random, { from: 0, to: Math.floor(tasks / 3) });
  copyDatabase(folders.live, folders.old);
  const exported = await oneLife(dbPath, history, random, { from: Math.floor(tasks / 3), to: tasks });
  copyDatabase(folders.live, folders.killed);
  const last = await startTiming(dbPath);
  await last.stop();
  copyDatabase(folders.live, folders.stopped);
  return { folders, history, exported };
}

/** From the start of a service to its kill -9. @returns what it exports last */
async function oneLife(dbPath, history, random, { from, to }) {
  const service = await startTiming(dbPath);
  const client = requester(service.url);
  const db = new SqliteDatabase(dbPath, { readonly: true });
  const pick = (list) => list[Math.floor(random() * list.length)];
  const write = async (path, body, agentId) => {
    const answer = await client.post(path, body, { agentId });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    history.note(db);
  };
  for (let number = from; number < to; number++) {
    const agentId = pick(AGENTS);
    const task = { task_type: pick(TASK_TYPES), correlation_id: `task-${number}` };
    // Now and then more than fits into a page.
    const text = 'x'.repeat(Math.floor(random() ** 4 * 12_000));
    await write('/events/task-start', { ...task, metadata: { number, text } }, agentId);
    if (random() < 0.9) await write('/events/task-end', { ...task, outcome: 'ok' }, agentId);
    if (random() < 0.1) await write(`/stopwatch/watch-${number}/start`, undefined, agentId);
  }
  const exported = await exportOf(service.url);
  client.close();
  await service.kill();
  db.close();
  return exported;
}

/** All that a service says it holds. */
export async function exportOf(url) {
  const client = requester(url);
  const { status, text } = await client.get('/export?agent_id=*');
  client.close();
  return status === 200 ? text.split('\n').map(withoutAge).join('\n') : `${status} ${text}`;
}

/** A running task or stopwatch grows older from one export to the next; the durations of ended ones stand elsewhere. */
function withoutAge(line) {
  return line.replace(/"elapsed_seconds":[\d.]+,?/, '');
}

export function copyDatabase(from, to) {
  for (const suffix of ['', '-wal', '.sums']) {
    const name = `timing.db${suffix}`;
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}
