import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import supertest from 'supertest';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { DatabaseOpenError, openError } from '../../../src/storage/sqlite/database-file.ts';
import { guarded, transactions } from '../../../src/storage/sqlite/faults.ts';
import { rowCounts, startTestService, type TestService } from '../../start-service.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timing-database-'));
  path = join(directory, 'timing.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () => openDatabase({ path, synchronous: 'normal' });

/** The files of the folder, except SQLite's log and its index, which hold nothing after a close. */
const filesThere = () => readdirSync(directory).filter((name) => !/-(wal|shm)$/.test(name));

/** Expects that the file is refused with these words, that none of its bytes has changed, and that no new file lies beside it. */
function expectRefused(words: RegExp): void {
  const before = readFileSync(path);
  const files = filesThere();
  expect(open).toThrow(DatabaseOpenError);
  expect(open).toThrow(words);
  expect(open).toThrow(path);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(filesThere()).toEqual(files);
}

describe('a database file', () => {
  test('is created, and opened again with the same content and no migration applied twice', () => {
    const first = open();
    first.db.$client.exec("INSERT INTO agents VALUES ('ann')");
    const count = () => first.db.$client.prepare('SELECT count(*) AS n FROM __drizzle_migrations').get();
    const applied = count();
    first.close();
    for (let again = 0; again < 2; again++) {
      const { db, close } = open();
      expect(db.$client.prepare('SELECT * FROM agents').all()).toEqual([{ agent_id: 'ann' }]);
      expect(db.$client.prepare('SELECT count(*) AS n FROM __drizzle_migrations').get()).toEqual(applied);
      expect(db.$client.pragma('integrity_check', { simple: true })).toBe('ok');
      close();
    }
  });

  test('takes nothing more when it was moved or deleted, because that would end with the process, and reads on', () => {
    const database = open();
    const write = () => transactions(database.db)(() => database.db.$client.exec("INSERT INTO agents VALUES ('ann')"));
    const agents = () => database.db.$client.prepare('SELECT count(*) AS n FROM agents').get();
    renameSync(path, `${path}.moved`);
    expect(write).toThrow('The database file was moved or deleted: nothing was written.');
    expect(agents()).toEqual({ n: 0 });
    expect(database.refusal()?.code).toBe('database_unavailable');
    writeFileSync(path, 'a backup that was put in its place');
    expect(write).toThrow('The database file was moved or deleted: nothing was written.');
    renameSync(`${path}.moved`, path);
    write();
    expect([agents(), database.refusal()]).toEqual([{ n: 1 }, null]);
    database.close();
  });

  test('takes nothing more when its log was deleted, and a close brings what it has into the file', () => {
    const database = open();
    const write = (name: string) =>
      transactions(database.db)(() => database.db.$client.exec(`INSERT INTO agents VALUES ('${name}')`));
    write('ann');
    rmSync(`${path}-wal`);
    expect(() => write('bob')).toThrow("The database's log (-wal) was moved or deleted: nothing was written.");
    expect(database.refusal()?.code).toBe('database_unavailable');
    database.close();
    const again = open();
    expect(again.db.$client.prepare('SELECT * FROM agents').all()).toEqual([{ agent_id: 'ann' }]);
    again.close();
  });

  test('leaves an empty log and room for its index after a close, so that the next start can read without making any', () => {
    const left = ['timing.db', 'timing.db-shm', 'timing.db-wal', 'timing.db.lock', 'timing.db.sums'];
    for (let again = 0; again < 2; again++) {
      open().close();
      expect(readdirSync(directory).sort()).toEqual(left);
      const { mode } = statSync(path);
      expect(statSync(`${path}-shm`)).toMatchObject({ size: 32_768, mode });
      expect(statSync(`${path}-wal`)).toMatchObject({ size: 0, mode });
    }
  });

  test('has a write-ahead log, and syncs as asked', () => {
    const normal = open();
    expect(normal.db.$client.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(normal.db.$client.pragma('synchronous', { simple: true })).toBe(1);
    normal.close();
    const full = openDatabase({ path, synchronous: 'full' });
    expect(full.db.$client.pragma('synchronous', { simple: true })).toBe(2);
    full.close();
  });

  test('that is open already is refused, and is free again after the close', () => {
    const first = open();
    expect(open).toThrow(DatabaseOpenError);
    expect(open).toThrow(/in use by another timing-service: stop that one, or choose another file with --db-path/);
    first.db.$client.exec("INSERT INTO agents VALUES ('still works')");
    first.close();
    open().close();
  });

  test('that is text is refused and not touched', () => {
    writeFileSync(path, 'Dear diary, this is certainly not a database.\n'.repeat(200));
    expectRefused(/is not a readable SQLite database .* It was not touched/);
  });

  test('that is short nonsense is refused and not touched', () => {
    writeFileSync(path, '{"a":1}');
    expectRefused(/is not a readable SQLite database/);
  });

  test('of another program is refused and not touched', () => {
    const foreign = new Sqlite(path);
    foreign.exec('CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES (1)');
    foreign.close();
    expectRefused(/is a database of another program: choose another file/);
  });

  test('of another program with tables of our names is refused and not touched', () => {
    const foreign = new Sqlite(path);
    foreign.exec('CREATE TABLE events (id TEXT); CREATE TABLE tasks (id TEXT)');
    foreign.close();
    expectRefused(/is a database of another program/);
  });

  test('of a newer version is refused and not touched', () => {
    const { db, close } = open();
    db.$client.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('from the future', 99999999999999)");
    close();
    expectRefused(/was written by a newer version of timing-service: start that version/);
  });

  test('of a newer version with a log that is not written back is refused and not touched', () => {
    const { db, close } = open();
    db.$client.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('from the future', 99999999999999)");
    const copy = join(directory, 'copy.db');
    for (const suffix of ['', '-wal']) writeFileSync(copy + suffix, readFileSync(path + suffix));
    close();
    path = copy;
    const log = readFileSync(`${path}-wal`);
    const before = readFileSync(path);
    expect(open).toThrow(/was written by a newer version of timing-service/);
    expect([readFileSync(path).equals(before), readFileSync(`${path}-wal`).equals(log)]).toEqual([true, true]);
  });

  test('that is cut in the middle is refused', () => {
    open().close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, 1_000));
    expectRefused(/timing\.db/);
  });

  test('in a folder that does not exist is made with it, for this user alone', () => {
    path = join(directory, 'missing', 'folder', 'timing.db');
    open().close();
    expect(statSync(join(directory, 'missing', 'folder')).mode & 0o777).toBe(0o700);
  });

  test.each(['file/folder', '/proc/folder'])('in a folder that cannot be made is refused: %s', (folder) => {
    writeFileSync(join(directory, 'file'), '');
    path = resolve(directory, folder, 'timing.db');
    expect(open).toThrow(/cannot be opened .*check that its folder exists and that this user may write there/);
  });

  test('is not blamed where the module of SQLite was made for another Node', () => {
    const reason = 'The module was compiled against a different version.\nPlease try re-compiling it.';
    const { message } = openError(path, Object.assign(new Error(reason), { code: 'ERR_DLOPEN_FAILED' }));
    expect(message).toMatch(/^SQLite's module does not load .*different version\.\): agent-faculties start/);
    expect(message).not.toContain('re-compiling');
  });

  test('that is a folder is refused', () => {
    path = directory;
    expect(open).toThrow(`${directory} is a folder: name a file in it, such as ${join(directory, 'timing.db')}.`);
  });

  test('is not needed: memory works, twice at a time', () => {
    const one = openDatabase({ path: ':memory:', synchronous: 'normal' });
    const two = openDatabase({ path: ':memory:', synchronous: 'normal' });
    one.check();
    two.check();
    one.close();
    two.close();
  });
});

describe('a database that cannot be written', () => {
  let service: TestService;
  beforeAll(async () => {
    service = startTestService();
    await supertest(service.app).post('/events/task-start').send({ task_type: 'open', correlation_id: 'open-1' });
    await supertest(service.app).post('/stopwatch/tea/start');
  });
  afterAll(() => service.close());

  const writes = (): [string, supertest.Test][] => {
    const { app } = service;
    const big = 'x'.repeat(60_000);
    return [
      ['event', supertest(app).post('/events').send({ event_type: 'x', metadata: big })],
      ['start', supertest(app).post('/events/task-start').send({ task_type: 'x', metadata: big })],
      ['end', supertest(app).post('/events/task-end').send({ task_type: 'open', metadata: big })],
    ];
  };
  const reads = ['/health', '/events', '/tasks', '/events/active', '/stopwatches', '/agents', '/stats/durations'];

  async function readiness(): Promise<[number, object]> {
    const { status, body } = await supertest(service.app).get('/health/ready');
    return [status, body];
  }

  async function expectReadsOnly(wanted: RegExp, extra: [string, supertest.Test][]): Promise<void> {
    const before = rowCounts(service);
    for (const [name, request] of [...writes(), ...extra]) {
      const answer = await request;
      expect([name, answer.status, answer.type]).toEqual([name, 503, 'application/problem+json']);
      expect(answer.body).toMatchObject({ code: 'database_unavailable', detail: expect.stringMatching(wanted) });
    }
    expect(rowCounts(service)).toEqual(before);
    for (const url of reads) expect([url, (await supertest(service.app).get(url)).status]).toEqual([url, 200]);
    expect((await supertest(service.app).get('/tasks/open-1')).body.task.state).toBe('active');
    expect((await supertest(service.app).get('/stats/durations/open')).status).toBe(404);
  }

  test('because the disk is full answers 503 to writes, goes on reading, and writes again once there is room', async () => {
    const { $client } = service.database.db;
    const used = $client.pragma('page_count', { simple: true });
    $client.pragma(`max_page_count = ${used}`);
    await expectReadsOnly(/disk is full: nothing was written/, []);
    const full = { code: 'database_unavailable', detail: expect.stringMatching(/disk is full/) };
    expect(await readiness()).toEqual([200, { status: 'degraded', reasons: [full] }]);
    $client.pragma('max_page_count = 1000000');
    expect((await supertest(service.app).post('/events').send({ event_type: 'room again' })).status).toBe(200);
    expect(await readiness()).toEqual([200, { status: 'ready', reasons: [] }]);
  });

  test('and cannot be read either makes the service not ready', async () => {
    const other = startTestService();
    truncateSync(other.path, 0);
    const answer = await supertest(other.app).get('/health/ready');
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'database_unavailable',
      '5',
    ]);
    other.close();
  });

  test('because it is read-only answers 503 to every write and goes on reading', async () => {
    const { $client } = service.database.db;
    $client.pragma('query_only = 1');
    const { app } = service;
    await expectReadsOnly(/read-only: nothing was written/, [
      ['stopwatch start', supertest(app).post('/stopwatch/new/start')],
      ['stopwatch stop', supertest(app).post('/stopwatch/tea/stop')],
      ['stopwatch delete', supertest(app).delete('/stopwatch/tea')],
      [
        'import',
        supertest(app)
          .post('/import')
          .type('application/x-ndjson')
          .send('{"kind":"event","id":"e","agent_id":"a","event_type":"x","timestamp":"2026-11-20T10:00:00Z"}\n'),
      ],
    ]);
    $client.pragma('query_only = 0');
    service.clock.advance(5_000);
    const ended = await supertest(service.app).post('/events/task-end').send({ task_type: 'open' });
    expect(ended.body.duration_seconds).toBe(5);
    expect((await supertest(service.app).get('/stats/durations/open')).body.summary.count).toBe(1);
  });
});

test('a fault that is not of the disk is told as SQLite tells it, without the values that Drizzle puts beside it', () => {
  const cause = Object.assign(new Error('constraint failed'), { name: 'SqliteError', code: 'SQLITE_CONSTRAINT' });
  const failing = () => {
    throw new Error('Failed query: insert into events\nparams: canary', { cause });
  };
  expect(() => guarded({} as never, failing)).toThrow(cause);
});
