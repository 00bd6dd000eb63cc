import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { CheckpointThread } from '../../../src/storage/page-sums/checkpoint-thread.ts';
import { examine } from '../../../src/storage/page-sums/examine.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite/database.ts';
import { transactions } from '../../../src/storage/sqlite/faults.ts';

/** The worker out of its source, which Node does not read by itself. */
const WORKER = module(
  `import { register } from '${pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api')).href.replace('.cjs', '.mjs')}';
  register();
  await import('${new URL('../../../src/storage/page-sums/checkpoint-worker.ts', import.meta.url)}');`,
);

function module(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

let directory: string;
let path: string;
let thread: CheckpointThread;
/** Of the checkpoints so far, in order: each resolves in the turn in which the database was told. */
let checkpoints: Promise<void>[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timing-checkpoints-'));
  path = join(directory, 'timing.db');
  use(new CheckpointThread(WORKER));
});
afterEach(async () => {
  await thread.stop();
  rmSync(directory, { recursive: true, force: true });
});

function use(one: CheckpointThread): void {
  thread = one;
  checkpoints = [];
  const run = thread.run.bind(thread);
  jest.spyOn(thread, 'run').mockImplementation((job, answered) => {
    const { promise, resolve } = withResolvers();
    checkpoints.push(promise);
    return run(job, (reply) => {
      answered(reply);
      resolve();
    });
  });
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const open = () => openDatabase({ path, synchronous: 'normal', checkpointThread: thread });

let written = 0;
/** One transaction each. */
function write({ db }: Database, count: number, metadata = 'x'.repeat(500)): void {
  const insert = db.$client.prepare(
    "INSERT INTO events (id, agent_id, event_type, timestamp_us, metadata) VALUES (hex(randomblob(16)), 'ann', 'note', ?, ?)",
  );
  const inTransaction = transactions(db);
  for (let index = 0; index < count; index++) inTransaction(() => insert.run(++written, metadata));
}

/** Writes until a checkpoint has begun. */
function writeUntil(database: Database, count: number): void {
  while (checkpoints.length < count) write(database, 20);
}

const rowsOf = ({ db }: Pick<Database, 'db'>) => db.$client.prepare('SELECT * FROM events ORDER BY sequence').all();

/** What a kill -9 would leave now. */
function killed(name: string): string {
  mkdirSync(join(directory, name));
  for (const suffix of ['', '-wal', '.sums']) copyFileSync(path + suffix, join(directory, name, `timing.db${suffix}`));
  return join(directory, name, 'timing.db');
}

test('another thread moves the log, while this one writes on and moves nothing', async () => {
  const database = open();
  const pragma = jest.spyOn(database.db.$client, 'pragma');
  writeUntil(database, 1);
  // The other thread works meanwhile.
  write(database, 150);
  await checkpoints.at(-1);
  const copy = killed('killed');
  expect(examine(copy).damage).toBeNull();
  const after = openDatabase({ path: copy, synchronous: 'normal' });
  expect(rowsOf(after)).toEqual(rowsOf(database));
  after.close();
  expect(pragma).not.toHaveBeenCalled();
  expect(statSync(path).size).toBeGreaterThan(500 * 500);
  database.close();
  expect(statSync(`${path}-wal`).size).toBe(0);
  expect(examine(path).damage).toBeNull();
});

test('nothing is moved that has no page sum yet', async () => {
  const database = open();
  for (let round = 1; round <= 12; round++) {
    writeUntil(database, round);
    // Some of these come between the page sums and the checkpoint, and nothing comes after them.
    write(database, 20 * round);
    await checkpoints.at(-1);
    // The log begins anew with this, where all of it was moved: what was in it stands in the file alone.
    write(database, 1);
    expect(examine(killed(`round-${round}`)).damage).toBeNull();
  }
  database.close();
});

test('a log that is written to all the time is moved to its end, and begins anew', async () => {
  const database = open();
  // About 25,000 frames in all.
  for (const until = written + 4_500; written < until; ) {
    write(database, 150);
    await checkpoints.at(-1);
  }
  expect(checkpoints.length).toBeGreaterThan(3);
  expect(database.sizes().log).toBeLessThan(17_000 * 4_120);
  database.close();
});

test('a stop waits for it, and then leaves an empty log', async () => {
  const database = open();
  // Reading TypeScript, the other thread starts only while this one waits.
  writeUntil(database, 1);
  await checkpoints.at(-1);
  writeUntil(database, 2);
  const rows = rowsOf(database);
  database.close();
  expect(statSync(`${path}-wal`).size).toBe(0);
  const again = open();
  expect(rowsOf(again)).toEqual(rows);
  again.close();
});

test('after a write that finds no room the log is moved, as soon as there is some, and begins anew', () => {
  const database = open();
  write(database, 50);
  const { $client: client } = database.db;
  const pages = client.pragma('page_count', { simple: true }) as number;
  const setMost = (count: number) => client.pragma(`max_page_count = ${count}`);
  const before = statSync(path).size;
  setMost(pages);
  const pragma = jest.spyOn(client, 'pragma').mockImplementationOnce(() => {
    throw new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL');
  });
  expect(() => write(database, 50)).toThrow('The disk is full');
  expect(pragma).toHaveBeenCalledTimes(1);
  expect(statSync(path).size).toBe(before);
  setMost(2 * pages);
  write(database, 1);
  expect(statSync(path).size).toBeGreaterThan(before);
  expect(examine(killed('killed')).damage).toBeNull();
  const { log } = database.sizes();
  write(database, 10);
  expect(database.sizes().log).toBe(log);
  expect(checkpoints).toHaveLength(0);
  database.close();
});

test('damage that it finds in the log stops all writes, and is not moved into the file', async () => {
  const database = open();
  write(database, 1, 'y'.repeat(12_000));
  // In a page of nothing but a long value, which no later write touches.
  const log = openSync(`${path}-wal`, 'r+');
  writeSync(log, 'x', readFileSync(`${path}-wal`).indexOf('y'.repeat(4_000)));
  closeSync(log);
  const before = readFileSync(path);
  writeUntil(database, 1);
  await checkpoints.at(-1);
  expect(database.damage()?.code).toBe('database_damaged');
  expect(() => write(database, 1)).toThrow('damaged');
  expect(readFileSync(path).equals(before)).toBe(true);
  database.close();
});

test('where the thread ends, the log is moved here', async () => {
  use(new CheckpointThread(module('throw new Error("gone")')));
  const database = open();
  const before = statSync(path).size;
  writeUntil(database, 1);
  await checkpoints.at(-1);
  expect(statSync(path).size).toBeGreaterThan(before);
  expect(database.damage()).toBeNull();
  database.close();
});
