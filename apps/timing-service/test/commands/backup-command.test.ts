import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandCall, recordCommand } from '@agent-faculties/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { BACKUP_COMMANDS } from '../../src/commands/backup-command.ts';
import type { StoredSpace } from '../../src/domain/space.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite/database.ts';
import { spacePath } from '../../src/storage/sqlite/space-files.ts';
import { SqliteEngine } from '../../src/storage/sqlite/sqlite-engine.ts';

let directory: string;
let path: string;
let service: Database | null;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timing-backup-'));
  path = join(directory, 'timing.db');
  service = null;
});
afterEach(() => {
  service?.close();
  rmSync(directory, { recursive: true, force: true });
});

function start(): Sqlite.Database {
  service = openDatabase({ path, synchronous: 'normal' });
  return service.db.$client;
}

function insertEvents(database: Sqlite.Database, count: number): void {
  const insert = database.prepare(
    "INSERT INTO events (id, agent_id, event_type, timestamp_us) VALUES (hex(randomblob(16)), 'ann', 'note', ?)",
  );
  for (let index = 0; index < count; index++) insert.run(index);
}

function command(
  name: 'backup' | 'restore',
  { flags = ['--db-path', path], ...call }: Omit<CommandCall, 'argv'> & { readonly flags?: readonly string[] } = {},
) {
  const env = { TIMING_PORT: '8080', TIMING_RETENTION_DAYS: '30' };
  return recordCommand(BACKUP_COMMANDS[name], { ...call, env, argv: flags });
}

describe('a backup', () => {
  test('holds everything that was committed before it, in the log too, and nothing half done, while the service writes', async () => {
    const database = start();
    insertEvents(database, 5_000);
    let during = 0;
    const { code, err, bytes } = await command('backup', {
      onChunk: () => {
        insertEvents(database, 1);
        during += 1;
      },
    });
    expect(code).toBe(0);
    expect(err).toBe(
      `timing-service backup: 5,000 events and 0 tasks, ${bytes.length.toLocaleString('en')} bytes, checked.\n`,
    );
    expect(during).toBeGreaterThan(1);
    const copy = join(directory, 'copy.db');
    writeFileSync(copy, bytes);
    const opened = new Sqlite(copy);
    expect(opened.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(opened.prepare('SELECT count(*) FROM events').pluck().get()).toBe(5_000);
    opened.close();
    expect(readdirSync(directory).filter((name) => name.includes('.backup'))).toEqual(['timing.db.backup.lock']);
  });

  test('takes the place of one that was cut short', async () => {
    start();
    writeFileSync(`${path}.backup`, 'half a file');
    expect((await command('backup')).code).toBe(0);
  });

  test('waits for no other one, but says that it is at work', async () => {
    start();
    const lock = new Sqlite(`${path}.backup.lock`);
    lock.exec('BEGIN EXCLUSIVE');
    const second = await command('backup');
    lock.close();
    expect(second).toMatchObject({
      code: 1,
      err: expect.stringMatching(/another backup of .* is at work: wait for it/),
    });
  });

  test('is refused where there is no database, and where a terminal would get the bytes', async () => {
    expect(await command('backup')).toMatchObject({
      code: 1,
      err: expect.stringContaining('name the database with --db-path'),
    });
    expect(await command('backup', { isTerminal: true })).toMatchObject({
      code: 2,
      err: expect.stringContaining('timing-service backup > timing-backup.db'),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('ends with a sentence when whoever reads it has gone', async () => {
    insertEvents(start(), 10);
    const gone = command('backup', {
      onChunk: () => {
        throw new Error('write EPIPE');
      },
    });
    expect(await gone).toMatchObject({ code: 1, err: expect.stringContaining('EPIPE') });
    expect(readdirSync(directory)).not.toContain('timing.db.backup');
  });
});

describe('a restore', () => {
  async function backUp(events: number): Promise<Buffer> {
    insertEvents(start(), events);
    const { bytes } = await command('backup');
    service?.close();
    service = null;
    rmSync(directory, { recursive: true });
    directory = mkdtempSync(join(tmpdir(), 'timing-restore-'));
    path = join(directory, 'timing.db');
    return bytes;
  }

  test('makes a database that the service starts on', async () => {
    const bytes = await backUp(20);
    expect(await command('restore', { input: [bytes.subarray(0, 1000), bytes.subarray(1000)] })).toMatchObject({
      code: 0,
      err: expect.stringContaining('20 events and 0 tasks'),
    });
    expect(start().prepare('SELECT count(*) FROM events').pluck().get()).toBe(20);
  });

  test('makes the folder in which there was no database yet, as on a new machine', async () => {
    const bytes = await backUp(10);
    const fresh = join(directory, 'new', 'machine', 'timing.db');
    const restored = await command('restore', { flags: ['--db-path', fresh], input: [bytes] });
    expect([restored.code, restored.err]).toEqual([0, expect.stringMatching(/^timing-service restore: 10 events/)]);
  });

  test('leaves nothing of a backup that is cut short, damaged, empty or of something else', async () => {
    const bytes = await backUp(2_000);
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, 8_192, 12_288);
    const other = join(directory, 'other.db');
    const database = new Sqlite(other);
    database.exec('CREATE TABLE notes (text)');
    database.close();
    const inputs = {
      short: bytes.subarray(0, bytes.length / 2),
      damaged,
      empty: Buffer.alloc(0),
      text: Buffer.from('{}'),
    };
    for (const input of [...Object.values(inputs), readFileSync(other)]) {
      const said = await command('restore', { input: [input] });
      expect(said.code).toBe(1);
      expect(said.err).toMatch(/^timing-service restore: .+[^\n]\n$/);
      expect(readdirSync(directory)).toEqual(['other.db']);
      expect(said.err).toMatch(/is damaged|is not a backup|of another program/);
      expect(said.err).toMatch(/nothing was changed/i);
      expect(said.err).not.toContain(directory);
    }
  });

  test('of a newer version names that version, and not a file that is gone', async () => {
    await backUp(1);
    start().exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)");
    service?.close();
    service = null;
    const bytes = readFileSync(path);
    path = join(directory, 'restored.db');
    const said = await command('restore', { input: [bytes] });
    expect(said.err).toBe(
      'timing-service restore: This backup was made by a newer version of timing-service: restore it with that version. Nothing was changed.\n',
    );
    expect(readdirSync(directory).filter((name) => name.startsWith('restored'))).toEqual([]);
  });

  test('overwrites no database, and not the log of one either', async () => {
    const bytes = await backUp(1);
    for (const name of ['timing.db', 'timing.db-wal']) {
      writeFileSync(join(directory, name), 'mine');
      const said = await command('restore', { input: [bytes] });
      expect(said).toMatchObject({ code: 1, err: expect.stringContaining('a restore overwrites nothing') });
      expect(readFileSync(join(directory, name), 'utf8')).toBe('mine');
      rmSync(join(directory, name));
    }
  });

  test('is refused while a service has the database', async () => {
    const bytes = await backUp(1);
    start();
    expect(await command('restore', { input: [bytes] })).toMatchObject({
      code: 1,
      err: expect.stringContaining('stop it first'),
    });
  });
});

describe('with spaces', () => {
  const sizes = { default: 3, shop: 5, 'team-b': 7 };

  /** Makes the spaces, and leaves them in use. */
  async function fill(): Promise<() => void> {
    const spaces = new SqliteEngine({ path, synchronous: 'normal' });
    insertEvents(spaces.database.db.$client, sizes.default);
    const others: StoredSpace[] = [];
    for (const name of ['shop', 'team-b'] as const) {
      others.push(await spaces.open(name));
      const file = new Sqlite(spacePath(path, name));
      insertEvents(file, sizes[name]);
      file.close();
    }
    return () => {
      for (const space of [...others, spaces.home]) space.close();
    };
  }

  async function backUp(): Promise<Buffer> {
    const close = await fill();
    const { code, err, bytes } = await command('backup');
    expect([code, err]).toEqual([0, expect.stringContaining('15 events and 0 tasks in 3 spaces')]);
    close();
    rmSync(directory, { recursive: true });
    directory = mkdtempSync(join(tmpdir(), 'timing-restore-'));
    path = join(directory, 'timing.db');
    return bytes;
  }

  test('a backup is an archive of all of them, and a restore makes them all', async () => {
    const bytes = await backUp();
    const parts = [bytes.subarray(0, 4), bytes.subarray(4, 700), bytes.subarray(700)];
    expect(await command('restore', { input: parts })).toMatchObject({
      code: 0,
      err: expect.stringContaining('15 events and 0 tasks in 3 spaces'),
    });
    for (const [name, events] of Object.entries(sizes)) {
      const file = openDatabase({ path: spacePath(path, name), synchronous: 'normal' });
      expect(file.db.$client.prepare('SELECT count(*) FROM events').pluck().get()).toBe(events);
      file.close();
    }
    expect(readdirSync(directory).filter((name) => name.includes('restore'))).toEqual([]);
  });

  test('one that is damaged is named, and the backup has all others', async () => {
    const close = await fill();
    close();
    writeFileSync(spacePath(path, 'odd'), 'no database'.repeat(100));
    const { code, err, bytes } = await command('backup');
    expect([code, err]).toEqual([1, expect.stringContaining(`${spacePath(path, 'odd')} is damaged`)]);
    expect(err).toContain('complete without that');
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    expect(await command('restore', { input: [bytes] })).toMatchObject({
      code: 0,
      err: expect.stringContaining('15 events and 0 tasks in 3 spaces'),
    });
  });

  test('nothing is left of an archive that is cut short, damaged or of something else', async () => {
    const bytes = await backUp();
    const half = bytes.subarray(0, Math.floor(bytes.length / 2 / 512) * 512);
    const withoutManifest = bytes.subarray(0, bytes.indexOf('backup.json'));
    const renamed = Buffer.from(bytes);
    renamed.write('default.dB');
    const flipped = Buffer.from(bytes);
    flipped.fill(0xff, 512 + 8_192, 512 + 12_288);
    for (const input of [half, withoutManifest, renamed, flipped]) {
      const said = await command('restore', { input: [input] });
      expect(said.code).toBe(1);
      expect(said.err).toMatch(/^timing-service restore: .+[^\n]\n$/);
      expect(readdirSync(directory)).toEqual([]);
    }
  });
});
