import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnavailableError } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DurableJournal } from '../../../src/persistence/journal/durable-journal.ts';
import type { Change } from '../../../src/store/changes/change.ts';
import { createVolatileJournal, type Journal } from '../../../src/store/changes/journal.ts';
import { sampleMemory, sampleVector } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { MODEL, openNaiveStore } from '../../store/naive-store.ts';

let path: string;
let removeScratch: () => void;
let prototype: FileHandle;
beforeEach(async () => {
  ({ path, removeScratch } = scratchFolder());
  const handle = await openFile(path, 'r');
  prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(() => {
  jest.restoreAllMocks();
  removeScratch();
});

const newJournal = () =>
  new DurableJournal({ directory: path, sequence: 0, segments: [], model: MODEL, writable: async () => {} });
const add = (number: number): Change => ({ op: 'add', memory: sampleMemory(number), vectors: [sampleVector(number)] });
const fault = (code: string) =>
  Object.assign(new Error(`${code}: the disk says no`), { code, syscall: 'write', errno: -1 });
const segments = () => readdirSync(path).sort();

describe.each<[string, () => Journal]>([
  ['a journal', newJournal],
  ['a journal that keeps nothing', createVolatileJournal],
])('%s', (_, create) => {
  test('applies changes in the order of their appends and counts them', async () => {
    const journal = create();
    const applied: number[] = [];
    await Promise.all([1, 2, 3, 4, 5].map((number) => journal.append(add(number), () => applied.push(number))));
    expect(applied).toEqual([1, 2, 3, 4, 5]);
    expect(journal.sequence).toBe(5);
    await journal.close();
  });

  test('cuts between two changes', async () => {
    const journal = create();
    const applied: number[] = [];
    const append = (number: number) => journal.append(add(number), () => applied.push(number));
    const before = [append(1), append(2)];
    const cut = journal.cut(() => [...applied]);
    const after = append(3);
    expect(await cut).toMatchObject({ captured: [1, 2], sequence: 2 });
    await Promise.all([...before, after]);
    expect(applied).toEqual([1, 2, 3]);
    await (await cut).discard();
    await journal.close();
  });

  test('goes on after an apply that throws', async () => {
    const journal = create();
    const applied: number[] = [];
    const bad = journal.append(add(1), () => {
      throw new Error('a fault of ours');
    });
    const good = journal.append(add(2), () => applied.push(2));
    await expect(bad).rejects.toThrow('a fault of ours');
    await good;
    expect(applied).toEqual([2]);
    await journal.close();
  });
});

describe('a journal on disk', () => {
  test('takes no change that a start could not read, and goes on', async () => {
    const journal = newJournal();
    const applied: number[] = [];
    const metadata = { log: 'x'.repeat(17 * 1024 ** 2) };
    const long: Change = { op: 'add', memory: sampleMemory(1, { metadata }), vectors: [] };
    await expect(journal.append(long, () => applied.push(1))).rejects.toThrow(
      'nothing was changed. Change fewer memories at a time.',
    );
    await journal.append(add(2), () => applied.push(2));
    expect([applied, journal.sequence]).toEqual([[2], 1]);
    await journal.close();
  });

  test('makes no file before the first change, and has none after a save', async () => {
    const journal = newJournal();
    expect(segments()).toEqual([]);
    await journal.append(add(1), () => {});
    expect(segments()).toEqual(['journal-0.begun', 'journal-0.ndjson']);
    expect(journal.bytes).toBe(readFileSync(join(path, 'journal-0.ndjson')).byteLength);
    const { discard } = await journal.cut(() => null);
    await journal.append(add(2), () => {});
    expect(segments()).toEqual(['journal-0.begun', 'journal-0.ndjson', 'journal-1.begun', 'journal-1.ndjson']);
    await discard();
    expect(segments()).toEqual(['journal-1.begun', 'journal-1.ndjson']);
    expect(journal.bytes).toBe(readFileSync(join(path, 'journal-1.ndjson')).byteLength);
    await (await journal.cut(() => null)).discard();
    expect(segments()).toEqual([]);
    expect(journal.bytes).toBe(0);
    await journal.close();
  });

  test('calls apply when the line is written and synced, and resolves after that', async () => {
    const steps: string[] = [];
    const { datasync } = prototype;
    jest.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
      await datasync.call(this);
      steps.push('synced');
    });
    const journal = newJournal();
    const lines = () => readFileSync(join(path, 'journal-0.ndjson'), 'utf8').split('\n').length - 1;
    await journal.append(add(1), () => steps.push(`applied, ${lines()} line`)).then(() => steps.push('answered'));
    expect(steps).toEqual(['synced', 'applied, 1 line', 'answered']);
    await journal.close();
  });

  test('writes lines of JSON that say what happened', async () => {
    const journal = newJournal();
    await journal.append({ op: 'add', memory: sampleMemory(1), vectors: [Float32Array.of(1, 2, 3, 4)] }, () => {});
    await journal.append({ op: 'update', memory: sampleMemory(1, { gist: 'new' }) }, () => {});
    await journal.append({ op: 'delete', ids: ['a', 'b'] }, () => {});
    await journal.close();
    const lines = readFileSync(join(path, 'journal-0.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const check = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(lines).toEqual([
      {
        check,
        sequence: 1,
        synced: 0,
        op: 'add',
        memory: expect.objectContaining({ id: sampleMemory(1).id, agent_id: 'agent-1' }),
        // 1, 2, 3, 4 as little-endian float32.
        vectors: { model: 'test-model', dimension: 4, base64: 'AACAPwAAAEAAAEBAAACAQA==' },
      },
      { check, sequence: 2, synced: 1, op: 'update', memory: expect.objectContaining({ gist: 'new' }) },
      { check, sequence: 3, synced: 2, op: 'delete', ids: ['a', 'b'] },
    ]);
  });

  test('numbers the lines of a group one after the other, behind the last change that was synced before it', async () => {
    const journal = newJournal();
    // The first is a group by itself; while it is synced, the others gather.
    await Promise.all([1, 2, 3, 4].map((number) => journal.append(add(number), () => {})));
    await journal.append(add(5), () => {});
    await journal.close();
    const lines = readFileSync(join(path, 'journal-0.ndjson'), 'utf8').trim().split('\n');
    const numbers = lines.map((line) => JSON.parse(line)).map(({ sequence, synced }) => [sequence, synced]);
    expect(numbers).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 4],
    ]);
  });

  test('syncs many changes at once', async () => {
    const datasync = jest.spyOn(prototype, 'datasync');
    const journal = newJournal();
    await Promise.all(Array.from({ length: 200 }, (_, number) => journal.append(add(number), () => {})));
    // The first alone, then groups of at most 128.
    expect(datasync).toHaveBeenCalledTimes(1 + 2);
    await journal.close();
  });

  test('applies many changes in several turns of the event loop, so that others get theirs', async () => {
    const journal = newJournal();
    let turn = 0;
    const applied = new Map<number, number>();
    const nextTurn = () => {
      turn += 1;
      if (journal.sequence < 100) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    const note = () => void applied.set(turn, (applied.get(turn) ?? 0) + 1);
    await Promise.all(Array.from({ length: 100 }, (_, number) => journal.append(add(number), note)));
    expect(Math.max(...applied.values())).toBeLessThanOrEqual(16);
    await journal.close();
  });

  /** A change of about so many bytes. */
  const long = (number: number, bytes: number): Change => ({
    op: 'update',
    memory: sampleMemory(number, { metadata: { log: 'x'.repeat(bytes) } }),
  });

  test('syncs long changes in groups of about a MiB', async () => {
    const datasync = jest.spyOn(prototype, 'datasync');
    const journal = newJournal();
    // The first alone; of the others each two have more than a MiB, and so does one of 1.5 MiB.
    const bytes = [600, 600, 600, 600, 600, 1_536, 1].map((kib) => kib * 1024);
    await Promise.all(bytes.map((count, number) => journal.append(long(number, count), () => {})));
    expect(datasync).toHaveBeenCalledTimes(1 + 2 + 1 + 1);
    await journal.close();
  });

  test('applies a long change in a turn of its own, and short ones together', async () => {
    const journal = newJournal();
    let turn = 0;
    const turns: number[] = [];
    const nextTurn = () => {
      turn += 1;
      if (journal.sequence < 6) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    // The first is a group by itself; 130 KiB are more than a turn takes.
    const kib = [1, 1, 1, 130, 130, 1];
    await Promise.all(
      kib.map((count, number) => journal.append(long(number, count * 1024), () => void turns.push(turn))),
    );
    const [, second, third, fourth, fifth, sixth] = turns as [number, number, number, number, number, number];
    expect([third, fourth].every((one) => one === second)).toBe(true);
    expect(fifth).toBeGreaterThan(fourth);
    expect(sixth).toBeGreaterThan(fifth);
    await journal.close();
  });

  test('counts the segments that a start has read, until a save removes them', async () => {
    const old = join(path, 'journal-0.ndjson');
    appendFileSync(old, 'x'.repeat(100));
    const journal = new DurableJournal({
      directory: path,
      sequence: 7,
      segments: [{ path: old, bytes: 100 }],
      model: MODEL,
      writable: async () => {},
    });
    expect([journal.bytes, journal.sequence]).toEqual([100, 7]);
    await journal.append(add(1), () => {});
    expect(journal.bytes).toBe(100 + readFileSync(join(path, 'journal-7.ndjson')).byteLength);
    await (await journal.cut(() => null)).discard();
    expect([journal.bytes, segments()]).toEqual([0, []]);
    await journal.close();
  });

  test('writes nothing while the directory takes nothing, and goes on once it does', async () => {
    let refusal: UnavailableError | null = new UnavailableError('No lock yet.');
    const writable = async () => {
      if (refusal) throw refusal;
    };
    const journal = new DurableJournal({ directory: path, sequence: 0, segments: [], model: MODEL, writable });
    const applied: number[] = [];
    await expect(journal.append(add(1), () => applied.push(1))).rejects.toBe(refusal);
    expect([applied, segments(), journal.sequence]).toEqual([[], [], 0]);
    // The refusal is the one of the directory; the journal itself has refused nothing.
    expect(journal.refusal).toBeNull();
    refusal = null;
    await journal.append(add(2), () => applied.push(2));
    expect([applied, journal.sequence]).toEqual([[2], 1]);
    await journal.close();
  });

  test('says why the disk refused the last change, until it takes one', async () => {
    const journal = newJournal();
    expect(journal.refusal).toBeNull();
    jest.spyOn(prototype, 'write').mockRejectedValueOnce(fault('ENOSPC') as never);
    await expect(journal.append(add(1), () => {})).rejects.toThrow(UnavailableError);
    expect(journal.refusal).toMatch(/^The disk is full/);
    await journal.append(add(2), () => {});
    expect(journal.refusal).toBeNull();
    // A fault of this program says nothing about the disk.
    jest.spyOn(prototype, 'write').mockRejectedValueOnce(new RangeError('a fault of ours') as never);
    await expect(journal.append(add(3), () => {})).rejects.toThrow('a fault of ours');
    expect(journal.refusal).toBeNull();
    await journal.close();
  });

  test('writes what waits before it closes, and refuses what comes then', async () => {
    const journal = newJournal();
    const waiting = [1, 2, 3].map((number) => journal.append(add(number), () => {}));
    await journal.close();
    await Promise.all(waiting);
    const late = journal.append(add(4), () => {});
    await expect(late).rejects.toThrow(UnavailableError);
    await expect(late).rejects.toThrow('The service is stopping: nothing was changed.');
    await journal.close();
  });
});

function fillWith(file: string, size: number): never {
  for (;;) appendFileSync(file, Buffer.alloc(size));
}

describe('a disk that refuses', () => {
  /** @returns the contents that a start finds */
  async function found() {
    const open = await openNaiveStore(path);
    await open.close();
    expect(open.report.losses).toEqual([]);
    return open.store.contents();
  }

  test.each([
    ['ENOSPC', /The disk is full: nothing was changed. Make room/],
    ['EROFS', /The disk is read-only/],
    ['EIO', /cannot be written to: nothing was changed. Check the disk/],
  ])('writes, %s: nobody is answered, nothing is applied, and the next change works', async (code, words) => {
    const open = await openNaiveStore(path);
    await open.change(add(1));
    const before = open.store.contents();
    const { write } = prototype;
    jest.spyOn(prototype, 'write').mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
      // The disk takes a part of the bytes.
      const [bytes, , , position] = args as [Uint8Array, number, number, number];
      await (write as (...args: unknown[]) => Promise<unknown>).call(this, bytes, 0, 100, position);
      throw fault(code);
    } as never);
    const refused = await Promise.allSettled([open.change(add(2)), open.change(add(3))]);
    for (const { reason } of refused as PromiseRejectedResult[]) {
      if (reason === undefined) continue;
      expect(reason).toBeInstanceOf(UnavailableError);
      expect(reason).toMatchObject({ code: 'storage_unavailable', message: expect.stringMatching(words) });
    }
    expect(refused[0]?.status).toBe('rejected');
    expect(Object.keys(open.store.contents())).not.toContain(sampleMemory(2).id);
    expect(open.store.contents()).toMatchObject(before);
    await open.change(add(4));
    await open.close();
    expect(await found()).toEqual(open.store.contents());
  });

  test('to sync: what was refused does not come back, and another segment goes on', async () => {
    const open = await openNaiveStore(path);
    await open.change(add(1));
    jest.spyOn(prototype, 'datasync').mockRejectedValueOnce(fault('EIO'));
    await expect(open.change(add(2))).rejects.toThrow(UnavailableError);
    expect(readFileSync(join(path, 'journal-0.ndjson'), 'utf8').match(/\n/g)).toHaveLength(1);
    await open.change(add(3));
    await open.close();
    expect(segments()).toEqual(['journal-0.begun', 'journal-0.ndjson', 'journal-1.begun', 'journal-1.ndjson']);
    expect(await found()).toEqual(open.store.contents());
  });

  test('because the folder was emptied: all is refused that a start could not read, until a save', async () => {
    const open = await openNaiveStore(path);
    await open.change(add(1));
    for (const name of segments()) rmSync(join(path, name));
    for (const number of [2, 3])
      await expect(open.change(add(number))).rejects.toThrow('something else is in its place');
    expect(segments()).toEqual([]);
    await open.save();
    await open.change(add(4));
    await open.close();
    expect(await found()).toEqual(open.store.contents());
  });

  test('nothing while the segments of a save are being deleted', async () => {
    const journal = newJournal();
    await journal.append(add(1), () => {});
    const { discard } = await journal.cut(() => null);
    const { sync } = prototype;
    const applied: number[] = [];
    let syncs = 0;
    jest.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      // The second is that of the folder without the segment.
      if (++syncs === 2) await journal.append(add(2), () => applied.push(2));
      await sync.call(this);
    });
    await discard();
    expect(applied).toEqual([2]);
    await journal.close();
    expect(segments()).toEqual(['journal-1.begun', 'journal-1.ndjson']);
  });

  test('because a copy of the folder took its place: what is answered then is in the copy', async () => {
    const open = await openNaiveStore(path);
    await open.change(add(1));
    const copy = readFileSync(join(path, 'journal-0.ndjson'));
    rmSync(join(path, 'journal-0.ndjson'));
    writeFileSync(join(path, 'journal-0.ndjson'), copy);
    await expect(open.change(add(2))).rejects.toThrow(UnavailableError);
    await open.change(add(3));
    await open.close();
    expect(Object.keys(open.store.contents())).toContain(sampleMemory(3).id);
    expect(await found()).toEqual(open.store.contents());
  });

  test('to sync and to take back: what was refused does not come back once something else was answered', async () => {
    const open = await openNaiveStore(path);
    await open.change(add(1));
    jest.spyOn(prototype, 'datasync').mockRejectedValueOnce(fault('EIO'));
    jest.spyOn(prototype, 'truncate').mockRejectedValueOnce(fault('EIO'));
    await expect(open.change(add(2))).rejects.toThrow(UnavailableError);
    expect(readFileSync(join(path, 'journal-0.ndjson'), 'utf8').match(/\n/g)).toHaveLength(2);
    await open.change(add(3));
    await open.close();
    expect(await found()).toEqual(open.store.contents());
  });

  test('the very first change: the next one works', async () => {
    const open = await openNaiveStore(path);
    jest.spyOn(prototype, 'datasync').mockRejectedValueOnce(fault('EIO'));
    await expect(open.change(add(1))).rejects.toThrow(UnavailableError);
    await open.change(add(2));
    await open.close();
    expect(segments()).toEqual(['journal-0.begun', 'journal-0.ndjson']);
    expect(await found()).toEqual(open.store.contents());
  });

  test('the very first change, with a save under way: the save does not delete the segment that goes on', async () => {
    const open = await openNaiveStore(path);
    jest.spyOn(prototype, 'datasync').mockRejectedValueOnce(fault('EIO'));
    await expect(open.change(add(1))).rejects.toThrow(UnavailableError);
    const captured = open.nextCapture();
    const saved = open.save();
    await captured;
    await open.change(add(2));
    await saved;
    await open.close();
    expect(segments()).toContain('journal-0.ndjson');
    expect(await found()).toEqual(open.store.contents());
  });

  test('is really full: changes and saves answer so, nothing is lost, and all goes on once there is room', async () => {
    const disk = join(path, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      console.warn('not tried: mounting a small disk needs root on Linux');
      return;
    }
    try {
      const data = join(disk, 'data');
      const open = await openNaiveStore(data);
      for (let number = 0; number < 100; number++) await open.change(add(number));
      const ballast = join(disk, 'ballast');
      for (const size of [65_536, 4_096]) expect(() => fillWith(ballast, size)).toThrow(/ENOSPC/);
      let refusals = 0;
      for (let number = 100; number < 130; number++) {
        await open.change(add(number)).catch((error: unknown) => {
          refusals += 1;
          expect(error).toMatchObject({ code: 'storage_unavailable', message: expect.stringMatching(/disk is full/) });
        });
      }
      expect(refusals).toBeGreaterThan(10);
      const acknowledged = open.store.contents();
      await expect(open.save()).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(readdirSync(data).filter((name) => /\.(tmp|next)$/.test(name))).toEqual([]);
      rmSync(ballast);
      await open.change(add(200));
      await open.save();
      await open.change(add(201));
      await open.close();
      const again = await openNaiveStore(data);
      await again.close();
      expect(again.store.contents()).toEqual(open.store.contents());
      expect(again.store.contents()).toMatchObject(acknowledged);
    } finally {
      execFileSync('umount', ['--lazy', disk], { stdio: 'ignore' });
    }
  });
});
