import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { repairDatabase } from '../../../src/storage/repair/database-repair.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { DatabaseOpenError } from '../../../src/storage/sqlite/database-file.ts';
import { SqliteEventStore } from '../../../src/storage/sqlite/event-store.ts';
import { SqliteSamples } from '../../../src/storage/sqlite/samples.ts';
import { SqliteStopwatchStore } from '../../../src/storage/sqlite/stopwatch-store.ts';
import { lastEndSequence, SqliteTaskStore } from '../../../src/storage/sqlite/task-store.ts';
import { everyName } from '../store-contract/every-name.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const ROWS = 400;

let directory: string;
let path: string;

/** A database as the version before projects left it. */
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timing-migration-'));
  path = join(directory, 'timing.db');
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', MIGRATIONS), 'utf8')) as {
    entries: { when: number; tag: string }[];
  };
  const [first] = entries as [{ when: number; tag: string }];
  const client = new Sqlite(path);
  client.pragma(`application_id = ${0x54494d45}`);
  client.exec(readFileSync(new URL(`${first.tag}.sql`, MIGRATIONS), 'utf8'));
  client.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  client.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('first', first.when);
  const event = client.prepare(
    "INSERT INTO events (id, agent_id, event_type, task_type, timestamp_us, metadata, correlation_id) VALUES (?, 'ann', 'task_start', 'build', ?, '{}', ?)",
  );
  const task = client.prepare(
    `INSERT INTO tasks (correlation_id, agent_id, task_type, state, outcome, started_us, ended_us, duration_us, end_sequence)
     VALUES (?, 'ann', 'build', 'ended', 'ok', ?, ?, 1000000, ?)`,
  );
  for (let index = 1; index <= ROWS; index++) {
    event.run(`e${index}`, index, `c${index}`);
    task.run(`c${index}`, index, index + 1_000_000, index);
  }
  client.exec(`INSERT INTO agents VALUES ('ann');
    INSERT INTO task_types VALUES ('ann', 'build');
    INSERT INTO stopwatches (agent_id, name, started_us) VALUES ('ann', 'tea', 5);`);
  client.close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const storesOf = (database: ReturnType<typeof openDatabase>) => {
  const { db } = database;
  const samples = new SqliteSamples(db, { lastEndSequence: lastEndSequence(db) });
  const [events, tasks] = [new SqliteEventStore(db), new SqliteTaskStore(db, samples)];
  return { samples, events, tasks, stopwatches: new SqliteStopwatchStore(db), close: () => database.close() };
};

describe('a database of before projects', () => {
  test('is opened, and what it holds is of no project, so every project sees it', async () => {
    const stores = storesOf(openDatabase({ path, synchronous: 'normal' }));
    for (const project of ['shop', null]) {
      const whose = { agentId: 'ann', project };
      expect((await stores.samples.sample(whose, 'build')).ended.ok.sorted.size).toBe(ROWS);
      expect(await stores.events.taskTypes(whose)).toEqual(['build']);
      expect((await stores.tasks.list(whose, { limit: 1, after: null })).items).toMatchObject([{ project: null }]);
      expect((await stores.events.list(whose, { limit: 1, after: null })).items).toMatchObject([{ project: null }]);
      expect(await stores.stopwatches.list({ agentId: 'ann', project })).toMatchObject([
        { name: 'tea', project: null },
      ]);
    }
    expect(await everyName((page) => stores.events.projects({ agentId: null, project: null }, page))).toEqual([]);
    stores.close();
  });

  test('that is damaged later gives back its old rows and its new ones', async () => {
    const stores = storesOf(openDatabase({ path, synchronous: 'normal' }));
    const event = { id: 'new', agentId: 'ann', eventType: 'deploy', taskType: 'sell', timestampMs: 9, metadata: null };
    await stores.events.record({ ...event, project: 'shop', correlationId: null });
    const watch = { agentId: 'ann', name: 'tea', project: 'shop', startedMs: 1, stoppedMs: null };
    expect(await stores.stopwatches.start(watch, 9)).toBe('started');
    stores.close();
    const bytes = readFileSync(path);
    // Reserved bytes of the head: only the page sums know of them.
    bytes[80] = 1;
    writeFileSync(path, bytes);
    expect(() => openDatabase({ path, synchronous: 'normal' })).toThrow(DatabaseOpenError);
    expect(repairDatabase(path, 'now')).toMatchObject({
      rescued: { events: ROWS + 1, tasks: ROWS, stopwatches: 2, agents: 1, task_types: 2 },
      lost: [],
    });
    const repaired = storesOf(openDatabase({ path, synchronous: 'normal' }));
    expect(await everyName((page) => repaired.events.projects({ agentId: null, project: null }, page))).toEqual([
      'shop',
    ]);
    expect(await repaired.events.taskTypes({ agentId: 'ann', project: 'blog' })).toEqual(['build']);
    expect(await repaired.events.find('new')).toMatchObject({ project: 'shop', taskType: 'sell' });
    expect(await repaired.tasks.find('c7')).toMatchObject({ project: null, durationSeconds: 1 });
    const watches = await repaired.stopwatches.list({ agentId: 'ann', project: null });
    expect(watches.map(({ project }) => project)).toEqual([null, 'shop']);
    repaired.close();
  });
});
