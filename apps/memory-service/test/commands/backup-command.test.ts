import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import { recordCommand } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { memoryBackupCommands } from '../../src/commands/backup-command.ts';
import { backUpDirectory } from '../../src/persistence/backup/back-up-directory.ts';
import { type OpenStore, openStore } from '../../src/persistence/open-store.ts';
import { sampleMemory, sampleStrength } from '../sample-memory.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { ask, closeFastEmbedder, START_MS, say, startTestService } from '../start-service.ts';
import { add, remove } from '../store/change-store.ts';

let scratch: string;
let removeScratch: () => void;
let data: string;
let opened: OpenStore[];
beforeEach(() => {
  ({ path: scratch, removeScratch } = scratchFolder());
  data = join(scratch, 'memory');
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  removeScratch();
});
afterAll(closeFastEmbedder);

async function open(dataDir: string): Promise<OpenStore> {
  const store = await openStore({
    dataDir,
    model: null,
    maxMemories: 100_000,
    repair: false,
    clock: new ManualClock(START_MS),
    log: createLog({ name: 'memory-service', level: 'silent' }),
    process: { pid: process.pid, hostname: 'test' },
  });
  opened.push(store);
  return store;
}

function command(
  name: 'backup' | 'restore',
  dataDir: string,
  { input = Buffer.alloc(0) as Uint8Array, isTerminal = false, pause = turn as () => Promise<unknown> } = {},
) {
  const commands = memoryBackupCommands({
    clock: new ManualClock(START_MS),
    process: { pid: process.pid, hostname: 'test' },
    pause: async () => void (await pause()),
  });
  const env = { MEMORY_DATA_DIR: dataDir, MEMORY_PORT: '7832' };
  return recordCommand(commands[name], { env, input: [input], isTerminal });
}

const idsIn = ({ indexes }: OpenStore) => [...indexes.capture()].map(({ memory }) => memory.id);
const idOf = (number: number) => sampleMemory(number).id;

describe('a backup', () => {
  test('has every space, each as it was at one moment, and a restore brings all of them back', async () => {
    const service = await startTestService({ dataDir: data });
    await say(service, 'ann', 'Said in the default space.');
    for (const space of ['team-a', 'team-b']) {
      for (const content of [`The first words of ${space}.`, `The second words of ${space}.`]) {
        await supertest(service.app).post('/ingest').set({ 'X-Agent-ID': 'ann', 'X-Space': space }).send({ content });
      }
      await supertest(service.app).post('/save').set('X-Space', 'team-a').expect(200);
    }
    // The journal of a space grows while the backup looks.
    let more = 0;
    const speaking = async () => {
      if (++more > 3) return;
      const body = { content: `More words ${more}.` };
      await supertest(service.app).post('/ingest').set({ 'X-Agent-ID': 'ann', 'X-Space': 'team-b' }).send(body);
    };
    const backup = await command('backup', data, { pause: speaking });
    expect([backup.code, backup.err]).toEqual([0, expect.stringContaining('files')]);
    await service.close();

    const restored = join(scratch, 'restored');
    const said = await command('restore', restored, { input: backup.bytes });
    expect([said.code, said.err]).toEqual([0, expect.stringMatching(/: 5 memories of /)]);
    for (const [folder, memories] of [
      ['', 1],
      ['spaces/team-a', 2],
      ['spaces/team-b', 2],
    ] as const) {
      expect((await open(join(restored, folder))).indexes.records.size).toBe(memories);
    }
  });

  test('with a damaged space is restored as it is, and the report names that space', async () => {
    const { store, persistence, close } = await open(data);
    await add(store, sampleMemory(1));
    await persistence.save();
    await close();
    opened = [];
    const odd = join('spaces', 'odd', 'memories.json');
    mkdirSync(join(data, 'spaces', 'odd'), { recursive: true });
    writeFileSync(join(data, odd), 'no memories');
    const backup = await command('backup', data);
    const restored = join(scratch, 'restored');
    const said = await command('restore', restored, { input: backup.bytes });
    expect([said.code, said.err]).toEqual([0, expect.stringMatching(/: 1 memories of .+\nThe space 'odd' is damaged/)]);
    expect(said.err).toContain(join(restored, 'spaces', 'odd'));
    expect(readFileSync(join(restored, odd), 'utf8')).toBe('no memories');

    writeFileSync(join(data, 'memories.json'), 'no memories');
    const worse = await command('backup', data);
    const refused = await command('restore', join(scratch, 'again'), { input: worse.bytes });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('memories.json')]);
  });

  test('leaves out a space that is removed while it is at work, because nothing was ever in it', async () => {
    const { store, persistence } = await open(data);
    await add(store, sampleMemory(1));
    await persistence.save();
    const folder = join(data, 'spaces', 'gone');
    mkdirSync(folder, { recursive: true });
    const removedAtFirstBytes = async () => rmSync(folder, { recursive: true, force: true });
    const options = { output: removedAtFirstBytes, version: '1.0.0', nowMs: START_MS, pause: async () => {} };
    const { files } = await backUpDirectory(data, options);
    expect(files).toBeGreaterThan(0);
    expect(readdirSync(join(data, 'spaces'))).toEqual([]);
  });

  test('holds what was acknowledged before it, of the files and of the journal, and is a plain tar', async () => {
    const service = await startTestService({ dataDir: data });
    await say(service, 'ann', 'The Kestrel release moved to Friday.');
    await service.opened.persistence.save();
    await say(service, 'ann', 'Dana wants the status on Monday.');
    // As FAISS is given vectors where TMPDIR is the data directory.
    const passing = join(data, 'memory-vectors-host-7-aB3dE6');
    mkdirSync(passing);
    writeFileSync(join(passing, 'rows.faiss'), 'values');
    const backup = await command('backup', data);
    expect(backup).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^memory-service backup: 6 files, [\d,]+ bytes\.\n$/),
    });
    await service.close();

    const restored = join(scratch, 'restored');
    const said = await command('restore', restored, { input: backup.bytes });
    expect(said).toMatchObject({
      code: 0,
      err: 'memory-service restore: 2 memories of 2026-11-21T09:30:00.123Z, 1 of their changes in the journal, checked.\n',
    });
    const again = await startTestService({ dataDir: restored });
    // The vectors are in the backup, so none has to be made again.
    for (const id of idsIn(again.opened)) expect(await again.opened.store.vectorsOf(id)).toHaveLength(1);
    expect((await ask(again, 'bob', 'When is the Kestrel release?')).memories[0]?.content).toContain('Friday');
    expect((await ask(again, 'bob', 'When does Dana want the status?')).memories[0]?.content).toContain('Monday');
    await again.close();

    writeFileSync(join(scratch, 'b.tar'), backup.bytes);
    const names = execFileSync('tar', ['-tf', join(scratch, 'b.tar')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(names).toEqual([
      'entities.json',
      'faiss.index',
      'journal-1.begun',
      'memories.json',
      'memories.packed',
      'journal-1.ndjson',
      'backup.json',
    ]);
  });

  test('at any moment of writing, saving, pruning and restoring is whole, and lacks nothing that was answered', async () => {
    const store = await open(data);
    const archive = store.archive as NonNullable<OpenStore['archive']>;
    let answered = 0;
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        await add(store.store, sampleMemory(answered + 1, { sources: [], supersededBy: null }));
        answered += 1;
      }
    };
    // A capture takes some hundred turns of the event loop, so most of them are disturbed.
    const rest = async () => {
      for (let turns = 0; turns < 300; turns++) await turn();
    };
    const save = async () => {
      while (!isOver) {
        await store.persistence.save();
        await rest();
      }
    };
    // The first memory moves to the archive and back; at each moment it is in one of the two.
    const memory = sampleMemory(0, { sources: [], supersededBy: null });
    const strength = sampleStrength(0);
    await add(store.store, memory, { strength });
    const move = async () => {
      while (!isOver) {
        await archive.keep([{ memory, strength }], START_MS);
        await remove(store.store, [memory.id]);
        await rest();
        await archive.take([memory.id], async () => {
          await add(store.store, memory, { strength });
        });
        await rest();
      }
    };
    const work = Promise.all([write(), save(), move()]);
    const backups: { bytes: Buffer; answered: number }[] = [];
    while (backups.length < 40) {
      const before = answered;
      const { code, err, bytes } = await command('backup', data);
      expect(`${code} ${err}`).toMatch(/^0 /);
      backups.push({ bytes, answered: before });
    }
    isOver = true;
    await work;
    for (const [index, { bytes, answered: expected }] of backups.entries()) {
      const restored = join(scratch, `restored-${index}`);
      expect(await command('restore', restored, { input: bytes })).toMatchObject({ code: 0 });
      const again = await open(restored);
      const ids = new Set([
        ...idsIn(again),
        ...(await (again.archive as typeof archive).entries()).map(({ id }) => id),
      ]);
      const missing = Array.from({ length: expected + 1 }, (_, number) => idOf(number)).filter((id) => !ids.has(id));
      expect(missing).toEqual([]);
      await again.close();
      opened.pop();
      rmSync(restored, { recursive: true });
    }
    expect(backups.at(-1)?.answered).toBeGreaterThan(backups[0]?.answered as number);
  });

  test('leaves out a line that is still being written', async () => {
    const store = await open(data);
    await add(store.store, sampleMemory(1));
    const journal = join(data, 'journal-0.ndjson');
    const whole = readFileSync(journal);
    for (const half of [whole.subarray(0, 100), Buffer.alloc(100_000, 'x')]) {
      writeFileSync(journal, Buffer.concat([whole, half]));
      const { bytes } = await command('backup', data);
      writeFileSync(join(scratch, 'b.tar'), bytes);
      const stored = execFileSync('tar', ['-xOf', join(scratch, 'b.tar'), 'journal-0.ndjson']);
      expect(stored.equals(whole)).toBe(true);
    }
    writeFileSync(journal, whole);
  });

  test('waits while a save renames its files, and gives up with a sentence', async () => {
    await add((await open(data)).store, sampleMemory(1));
    await opened.pop()?.close();
    const [from, to] = [join(data, 'memories.json'), join(data, 'memories.json.next')];
    renameSync(from, to);
    let pauses = 0;
    const settling = await command('backup', data, {
      pause: async () => {
        pauses += 1;
        if (pauses === 3) renameSync(to, from);
      },
    });
    expect(settling.code).toBe(0);
    expect(pauses).toBe(3);
    renameSync(from, to);
    expect(await command('backup', data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('let its service run'),
    });
  });

  test('of a service that was told nothing yet is one of no memories', async () => {
    await open(data);
    const { code, bytes } = await command('backup', data);
    expect(code).toBe(0);
    expect(await command('restore', join(scratch, 'r'), { input: bytes })).toMatchObject({
      code: 0,
      err: expect.stringContaining('0 memories'),
    });
  });

  test('is refused where nothing is, and where a terminal would get the bytes', async () => {
    mkdirSync(data);
    expect(await command('backup', data)).toMatchObject({ code: 1, err: expect.stringContaining('holds no memories') });
    expect(await command('backup', join(scratch, 'none'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not there: name the folder'),
    });
    expect(await command('backup', data, { isTerminal: true })).toMatchObject({
      code: 2,
      err: expect.stringContaining('memory-service backup > memory-backup.tar'),
    });
    expect(await command('backup', '')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--data-dir must be given'),
    });
  });
});

describe('a restore', () => {
  async function backUp(count: number): Promise<Buffer> {
    const store = await open(data);
    for (let number = 1; number <= count; number++) await add(store.store, sampleMemory(number, { sources: [] }));
    await store.persistence.save();
    return (await command('backup', data)).bytes;
  }

  test('leaves nothing of an archive that is cut short, damaged or of something else', async () => {
    const bytes = await backUp(50);
    const target = join(scratch, 'restored');
    const text = bytes.toString('latin1');
    const inMemories = text.indexOf('Memory 20:');
    const damaged = Buffer.from(bytes);
    damaged[inMemories] = 0x58;
    const withoutManifest = Buffer.concat([bytes.subarray(0, text.lastIndexOf('backup.json')), Buffer.alloc(1024)]);
    writeFileSync(join(scratch, 'notes'), 'notes');
    const foreign = execFileSync('tar', ['--format=ustar', '-cf', '-', '-C', scratch, 'notes']);
    const escaping = execFileSync('tar', ['--format=ustar', '-cPf', '-', '-C', data, '../notes']);
    const inputs = {
      'cut short': bytes.subarray(0, bytes.length / 2),
      'is damaged (memories.json)': damaged,
      'backup.json is missing': withoutManifest,
      'not a backup of memory-service, or it is cut short': foreign,
      'not a backup of memory-service (../notes)': escaping,
      'not a tar archive': Buffer.alloc(1024, 'x'),
      'ends too early': Buffer.alloc(0),
    };
    for (const [words, input] of Object.entries(inputs)) {
      const said = await command('restore', target, { input });
      expect(said).toMatchObject({ code: 1, err: expect.stringContaining(words) });
      expect(readdirSync(target)).toEqual([]);
      expect(readdirSync(scratch).sort()).toEqual(['memory', 'notes', 'restored']);
    }
  });

  test('of a newer format is refused', async () => {
    const bytes = await backUp(1);
    const newer = Buffer.from(bytes.toString('latin1').replace('"format": 1', '"format": 2'), 'latin1');
    expect(await command('restore', join(scratch, 'r'), { input: newer })).toMatchObject({
      code: 1,
      err: expect.stringContaining('made by a newer version (0.0.0-test)'),
    });
  });

  test('overwrites nothing, and takes no directory that a service has', async () => {
    const bytes = await backUp(1);
    expect(await command('restore', data, { input: bytes })).toMatchObject({
      code: 1,
      err: expect.stringContaining('in use'),
    });
    await opened.pop()?.close();
    const before = readdirSync(data);
    expect(await command('restore', data, { input: bytes })).toMatchObject({
      code: 1,
      err: expect.stringContaining('restore never overwrites anything'),
    });
    expect(readdirSync(data)).toEqual(before);
  });

  test('takes the place of one that was cut short', async () => {
    const bytes = await backUp(2);
    const target = join(scratch, 'restored');
    mkdirSync(`${target}.restore`);
    writeFileSync(join(`${target}.restore`, 'memories.json'), 'half');
    expect(await command('restore', target, { input: bytes })).toMatchObject({
      code: 0,
      err: expect.stringContaining('2 memories'),
    });
    expect(idsIn(await open(target))).toEqual([idOf(1), idOf(2)]);
  });
});
