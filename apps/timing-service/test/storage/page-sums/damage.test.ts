import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordCommand } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import supertest from 'supertest';
import { BACKUP_COMMANDS } from '../../../src/commands/backup-command.ts';
import { runRepairCommand } from '../../../src/commands/repair-command.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite/database.ts';
import { DatabaseOpenError } from '../../../src/storage/sqlite/database-file.ts';
import { transactions } from '../../../src/storage/sqlite/faults.ts';
import { startTestService } from '../../start-service.ts';

const PAGE = 4_096;
const FRAME = PAGE + 24;
const EVENTS = 1_500;
/** Written last, one transaction each. */
const LAST_EVENTS = 20;

/** killed: files with a log that is not in the database yet. stopped: files with an empty log. old: earlier files of the killed one. */
let templates: Record<'killed' | 'stopped' | 'old', string>;
let wanted: Map<number, string>;
let root: string;
let directory: string;
let path: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'timing-damage-'));
  const folder = (name: string) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  templates = { killed: folder('killed'), stopped: folder('stopped'), old: folder('old') };
  const live = join(folder('live'), 'timing.db');
  const database = openDatabase({ path: live, synchronous: 'normal' });
  write(database, EVENTS / 2);
  copy(join(root, 'live'), templates.old);
  write(database, EVENTS / 2);
  for (let last = 0; last < LAST_EVENTS; last++) write(database, 1);
  wanted = rowsOf(database.db.$client);
  // What lies on the disk at this moment is what a kill -9 leaves.
  copy(join(root, 'live'), templates.killed);
  database.close();
  copy(join(root, 'live'), templates.stopped);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timing-damaged-'));
  path = join(directory, 'timing.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write({ db }: Database, count: number): void {
  const insert = db.$client.prepare(
    "INSERT INTO events (id, agent_id, event_type, timestamp_us, metadata) VALUES (hex(randomblob(16)), 'ann', 'note', ?, ?)",
  );
  const inTransaction = transactions(db);
  for (let index = 0; index < count; index++) {
    // One in fifty does not fit into a page.
    const metadata = JSON.stringify('x'.repeat(index % 50 === 0 ? 9_000 : 100));
    inTransaction(() => insert.run(index, metadata));
  }
}

function copy(from: string, to: string): void {
  for (const name of ['timing.db', 'timing.db-wal', 'timing.db.sums']) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

function rowsOf(client: Sqlite.Database): Map<number, string> {
  const rows = client.prepare('SELECT * FROM events').all() as { sequence: number }[];
  return new Map(rows.map((row) => [row.sequence, JSON.stringify(row)]));
}

const open = () => openDatabase({ path, synchronous: 'normal' });
const use = (template: keyof typeof templates) => copy(templates[template], directory);

function edit(suffix: '' | '-wal' | '.sums', change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path + suffix);
  change(bytes);
  writeFileSync(path + suffix, bytes);
}

function flip(bytes: Buffer, at: number): void {
  bytes[at] = (bytes[at] as number) ^ 0x10;
}

function filesNow(): [string, string][] {
  // SQLite's index of the log holds nothing that the log does not.
  const names = readdirSync(directory).filter((name) => !/\.lock$|-shm$/.test(name));
  return names.sort().map((name) => [name, digestOf(join(directory, name))]);
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The frames since the log was restarted; older ones may follow them. */
function ownFrames(bytes: Buffer): number {
  let frames = 0;
  const salts = bytes.subarray(16, 24);
  for (let at = 32; bytes.subarray(at + 8, at + 16).equals(salts); at += FRAME) frames++;
  return frames;
}

function cutLastFrame(): void {
  truncateSync(`${path}-wal`, 32 + (ownFrames(readFileSync(`${path}-wal`)) - 1) * FRAME);
}

/** The start is refused with these words, says what to do, and leaves every byte as it was. */
function expectRefused(words: RegExp): void {
  const before = filesNow();
  expect(open).toThrow(DatabaseOpenError);
  expect(open).toThrow(words);
  expect(open).toThrow(/Restore a backup|restore a backup/);
  expect(open).toThrow('timing-service repair');
  expect(filesNow()).toEqual(before);
}

function repair(): { code: number; out: string; err: string } {
  const said = { code: -1, out: '', err: '' };
  said.code = runRepairCommand({
    version: '0.0.0-test',
    env: {},
    argv: ['--db-path', path],
    exit: () => {
      throw new Error('exit');
    },
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    nowMs: 1_795_253_400_123,
  });
  return said;
}

/** Checks that every row is as it was or listed as lost. @returns how many are lost */
function expectRescued({ lostWrites = 0 } = {}): number {
  const before = filesNow();
  const { code, out, err } = repair();
  expect([code, err]).toEqual([0, '']);
  expect(readdirSync(directory).filter((name) => name.includes('repairing'))).toEqual([]);
  for (const [name, bytes] of before) {
    const kept = join(directory, `${name}.damaged-20261121T093000Z`);
    expect(digestOf(kept)).toBe(bytes);
  }
  const list = join(directory, 'timing.db.damaged-20261121T093000Z.lost');
  const lost = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
  const entries = lost.map((line) => JSON.parse(line)) as { sequence: number; from: number; to: number | null }[];
  const isListed = (sequence: number) =>
    entries.some((entry) => entry.sequence === sequence || (entry.from <= sequence && sequence <= (entry.to ?? 1e9)));
  if (lostWrites > 0) expect(out).toContain(`Lost: the last ${lostWrites} write`);
  if (lostWrites === 0 && entries.length === 0) expect(out).toContain('Lost: nothing.');
  const database = open();
  const found = rowsOf(database.db.$client);
  expect(database.db.$client.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
  const last = wanted.size - lostWrites;
  for (const [sequence, row] of wanted) {
    if (sequence > last) expect(found.has(sequence)).toBe(false);
    else if (!isListed(sequence)) expect(found.get(sequence)).toBe(row);
  }
  for (const [sequence, row] of found) expect(row).toBe(wanted.get(sequence));
  return last - found.size;
}

function expectExact(): void {
  const database = open();
  expect(rowsOf(database.db.$client)).toEqual(wanted);
  database.close();
}

test.each(['killed', 'stopped'] as const)('a database that was %s opens with all that was written', (template) => {
  use(template);
  expect(statSync(`${path}-wal`).size > 0).toBe(template === 'killed');
  const database = open();
  expect(database.warnings).toEqual([]);
  expect(rowsOf(database.db.$client)).toEqual(wanted);
  database.close();
  expectExact();
});

describe('a database that is damaged is refused, and what is sound of it is rescued:', () => {
  const pages = () => readFileSync(path).length / PAGE;

  test.each(['killed', 'stopped'] as const)('any flipped byte, once %s', (template) => {
    // A page that the log has as well is never read from the file.
    const inLog = new Set<number>();
    use(template);
    if (template === 'killed') {
      const log = readFileSync(`${path}-wal`);
      for (let frame = 0; frame < ownFrames(log); frame++) inLog.add(log.readUInt32BE(32 + frame * FRAME));
    }
    for (let page = 1; page <= pages(); page += 19) {
      use(template);
      edit('', (bytes) => flip(bytes, (page - 1) * PAGE + ((page * 37) % PAGE)));
      if (inLog.has(page)) expect(open().close()).toBeUndefined();
      else expectRefused(new RegExp(`1 page of \\d+ \\(${page}\\) missing or not as written`));
    }
  });

  test('a page with rows', () => {
    use('stopped');
    const text = '"agent_id":"ann"';
    expect([...wanted.values()].every((row) => row.includes(text))).toBe(true);
    edit('', (bytes) => flip(bytes, bytes.lastIndexOf('ann')));
    expectRefused(/1 page of/);
    const lost = expectRescued();
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(60);
  });

  test('the page with the head and the schema', () => {
    use('stopped');
    edit('', (bytes) => bytes.fill(0, 0, PAGE));
    expectRefused(/1 page of|not a readable SQLite database/);
    expect(expectRescued()).toBe(0);
  });

  test('exchanged pages', () => {
    use('stopped');
    edit('', (bytes) => {
      const first = Buffer.from(bytes.subarray(40 * PAGE, 41 * PAGE));
      bytes.copy(bytes, 40 * PAGE, 60 * PAGE, 61 * PAGE);
      first.copy(bytes, 60 * PAGE);
    });
    expectRefused(/2 pages of \d+ \(41, 61\)/);
    expectRescued();
  });

  test.each([0.8, 0.3])('cut to a share of %d', (share) => {
    use('stopped');
    truncateSync(path, Math.floor(readFileSync(path).length * share));
    expectRefused(/pages of/);
    expect(expectRescued()).toBeGreaterThan(0);
  });

  test.each(['', 'emptied'])('gone beside its log %s', (emptied) => {
    use('killed');
    if (emptied) truncateSync(path, 0);
    else rmSync(path);
    expectRefused(/is (empty|not there), and what belongs to it is \(.*timing\.db-wal/);
    expectRescued();
  });

  test('gone, with nothing but its page sums left', () => {
    use('stopped');
    rmSync(path);
    expectRefused(/is not there, and what belongs to it is \(.*timing\.db\.sums\)/);
  });

  test('an earlier one beside the log of a later time', () => {
    use('killed');
    copyFileSync(join(templates.old, 'timing.db'), path);
    expectRefused(/pages? of/);
    expectRescued();
  });

  test('an earlier one with its page sums beside the log of a later time', () => {
    use('stopped');
    for (const suffix of ['-wal', '.sums']) copyFileSync(join(templates.old, `timing.db${suffix}`), path + suffix);
    expectRefused(/is damaged/);
  });
});

describe('a log that is damaged is refused, and what is sound of it is rescued:', () => {
  test('deleted', () => {
    use('killed');
    rmSync(`${path}-wal`);
    expectRefused(/its log ends too early, or is damaged: the last \d+ transactions are missing/);
    const transactions = Number(/the last (\d+)/.exec(messageOf(open))?.[1]);
    expectRescued({ lostWrites: transactions });
  });

  test('without its last transaction', () => {
    use('killed');
    cutLastFrame();
    expectRefused(/the last 1 transaction is missing/);
    expectRescued({ lostWrites: 1 });
  });

  test('with a flipped byte in a frame, and whole transactions behind it', () => {
    use('killed');
    const frames = ownFrames(readFileSync(`${path}-wal`));
    edit('-wal', (bytes) => flip(bytes, 32 + (frames - 30) * FRAME + 2_000));
    expectRefused(/its log ends too early, or is damaged/);
    const lost = Number(/the last (\d+)/.exec(messageOf(open))?.[1]);
    expect(lost).toBeGreaterThan(1);
    expectRescued({ lostWrites: lost });
  });

  test.each([0, 8, 16, 24])('with a flipped byte in its head, at %d', (at) => {
    use('killed');
    edit('-wal', (bytes) => flip(bytes, at));
    expectRefused(/is damaged/);
  });

  test('with a frame exchanged for one of an earlier time far behind it, which counts no write twice', () => {
    use('killed');
    edit('-wal', (bytes) => {
      const own = ownFrames(bytes);
      const total = Math.floor((bytes.length - 32) / FRAME);
      expect(total).toBeGreaterThan(own + 50);
      const [first, second] = [32 + (own - 20) * FRAME, 32 + (total - 1) * FRAME];
      const kept = Buffer.from(bytes.subarray(first, first + FRAME));
      bytes.copy(bytes, first, second, second + FRAME);
      kept.copy(bytes, second);
    });
    expectRefused(/its log ends too early, or is damaged/);
    const lost = Number(/the last (\d+)/.exec(messageOf(open))?.[1]);
    expectRescued({ lostWrites: lost });
  });

  test('of an earlier time beside a database that was stopped', () => {
    use('stopped');
    copyFileSync(join(templates.old, 'timing.db-wal'), `${path}-wal`);
    expectRefused(/the log beside it \(-wal\) is not its own, or of another time/);
    expect(expectRescued()).toBe(0);
  });
});

test('after a power cut the service starts without the end of the log, and says what is missing', () => {
  use('killed');
  cutLastFrame();
  // The machine was started again after the last commit.
  edit('.sums', (bytes) => flip(bytes, 24));
  const service = startTestService({ path });
  const said = expect.stringMatching(/After a power cut: .*the last 1 transaction is missing/);
  expect(service.lines).toEqual([expect.objectContaining({ level: 'warn', msg: said })]);
  expect(rowsOf(service.database.db.$client).size).toBe(wanted.size - 1);
  service.close();
});

test('a power cut explains no loss where every commit was synced', () => {
  openDatabase({ path, synchronous: 'full' }).close();
  const database = openDatabase({ path, synchronous: 'full' });
  write(database, 3);
  const killed = mkdtempSync(join(root, 'synced-'));
  copy(directory, killed);
  database.close();
  directory = killed;
  path = join(killed, 'timing.db');
  cutLastFrame();
  edit('.sums', (bytes) => flip(bytes, 24));
  expectRefused(/the last 1 transaction is missing/);
});

describe('page sums', () => {
  test('that are not there are made, and the log of the service says what cannot be known', () => {
    use('killed');
    rmSync(`${path}.sums`);
    const database = open();
    expect(database.warnings).toEqual([expect.stringMatching(/had no page sums beside it/)]);
    expect(rowsOf(database.db.$client)).toEqual(wanted);
    database.close();
    edit('', (bytes) => flip(bytes, 20 * PAGE));
    expectRefused(/1 page of/);
  });

  test.each([100, 1_500])('that are cut to %d bytes are refused', (bytes) => {
    use('stopped');
    truncateSync(`${path}.sums`, bytes);
    expectRefused(/timing\.db\.sums is/);
    expect(expectRescued()).toBe(0);
  });

  test('that another program made stale are told', () => {
    use('stopped');
    const other = new Sqlite(path);
    other.exec("UPDATE events SET agent_id = 'eve' WHERE sequence = 700");
    other.close();
    expectRefused(/pages? of/);
  });
});

describe('two names of one file', () => {
  test('a hard link is refused while the first process runs, and afterwards', () => {
    use('stopped');
    const first = open();
    const second = join(directory, 'second.db');
    linkSync(path, second);
    expect(() => openDatabase({ path: second, synchronous: 'normal' })).toThrow(
      /has another name \(a hard link\), under which a second process could open it: remove that name/,
    );
    expect(existsSync(`${second}-wal`)).toBe(false);
    first.close();
    rmSync(second);
    expectExact();
  });

  test('a symbolic link is refused while the first process runs', () => {
    use('stopped');
    const first = open();
    const second = join(directory, 'second.db');
    symlinkSync(path, second);
    expect(() => openDatabase({ path: second, synchronous: 'normal' })).toThrow(/is in use by another timing-service/);
    first.close();
  });
});

describe('a repair', () => {
  test('of a sound database changes nothing', () => {
    use('killed');
    const before = filesNow();
    expect(repair()).toMatchObject({ code: 0, out: `${path} is sound: nothing was changed.\n` });
    expect(filesNow()).toEqual(before);
  });

  test('of a database that a service has open is refused', () => {
    use('stopped');
    const database = open();
    expect(repair()).toMatchObject({ code: 1, err: expect.stringMatching(/in use by another timing-service/) });
    database.close();
  });

  test('of nothing is refused, and leaves nothing', () => {
    const refused = { code: 1, err: expect.stringMatching(/timing\.db is not there: name the database/) };
    expect(repair()).toMatchObject(refused);
    expect(readdirSync(directory)).toEqual([]);
    path = join(directory, 'no-such-folder', 'timing.db');
    expect(repair()).toMatchObject(refused);
  });

  test('that was cut short before the new database took its place is ended by the next one', () => {
    use('stopped');
    copyFileSync(path, `${path}.repaired`);
    edit('', (bytes) => flip(bytes, 20 * PAGE));
    expect(open).toThrow(/A repair of .* was cut short: run timing-service repair again/);
    expect(repair()).toMatchObject({ code: 0, out: expect.stringMatching(/the repair that was cut short is done/) });
    expectExact();
  });

  test('gives no number out again', () => {
    use('stopped');
    truncateSync(path, Math.floor(readFileSync(path).length * 0.8));
    repair();
    const { db, close } = open();
    write({ db } as Database, 1);
    const last = db.$client.prepare('SELECT max(sequence) FROM events').pluck().get();
    expect(last).toBe(wanted.size + 1);
    close();
  });
});

describe('a backup', () => {
  const backup = () => recordCommand(BACKUP_COMMANDS.backup, { argv: ['--db-path', path] });

  test('of a value that was changed behind the back of the service is refused, also while it runs', async () => {
    use('stopped');
    const database = open();
    expect((await backup()).code).toBe(0);
    edit('', (bytes) => flip(bytes, bytes.lastIndexOf('ann')));
    const { code, err, bytes } = await backup();
    expect([code, bytes.length]).toEqual([1, 0]);
    expect(err).toMatch(/is damaged: 1 page of .* It was not backed up. Restore a backup/);
    database.close();
  });
});

describe('a damage that comes to light while the service runs', () => {
  test('ends writes for good, makes it not ready, and is logged and counted once', async () => {
    use('stopped');
    const service = startTestService({ path });
    const { app, database } = service;
    expect((await supertest(app).get('/metrics')).text).toContain('timing_database_damaged 0');
    // Every page but the first: what is not in SQLite's memory cannot be read.
    edit('', (bytes) => bytes.fill(0xff, PAGE));
    database.db.$client.pragma('cache_size = 1');
    database.db.$client.pragma('shrink_memory');
    const read = await supertest(app).get('/events?agent_id=*');
    const problem = { code: 'database_damaged', detail: expect.stringMatching(/nothing is written .* repair/) };
    expect([read.status, read.body]).toEqual([503, expect.objectContaining(problem)]);
    const written = await supertest(app).post('/events').send({ event_type: 'x' });
    expect([written.status, written.body]).toEqual([503, expect.objectContaining(problem)]);
    const ready = await supertest(app).get('/health/ready');
    expect([ready.status, ready.body.code]).toEqual([503, 'database_damaged']);
    const metrics = (await supertest(app).get('/metrics')).text;
    expect(metrics).toContain('timing_database_damaged 1');
    expect(metrics).toContain('timing_storage_writable 0');
    const errors = service.lines.filter(({ level }) => level === 'error');
    expect(errors).toEqual([expect.objectContaining({ msg: expect.stringMatching(/database is damaged/) })]);
    const before = readFileSync(path);
    service.database.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('in the log is found before it is moved into the file', async () => {
    use('stopped');
    const service = startTestService({ path });
    const { app, database } = service;
    const insert = database.db.$client.prepare(
      "INSERT INTO events (id, agent_id, event_type, timestamp_us, metadata) VALUES (hex(randomblob(16)), 'a', 'b', 1, ?)",
    );
    const inTransaction = transactions(database.db);
    const insertLarge = (count: number) =>
      inTransaction(() => {
        for (let index = 0; index < count; index++) insert.run(JSON.stringify('x'.repeat(12_000)));
      });
    insertLarge(20);
    // In a page of nothing but a long value, which no later write touches.
    edit('-wal', (bytes) => flip(bytes, bytes.indexOf('x'.repeat(4_000))));
    const before = readFileSync(path);
    // As many as make a checkpoint.
    insertLarge(700);
    expect((await supertest(app).post('/events').send({ event_type: 'x' })).body.code).toBe('database_damaged');
    expect(readFileSync(path).equals(before)).toBe(true);
    database.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
