import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataDirectory, openForReading } from '../../../src/persistence/directory/data-directory.ts';
import { FileLock } from '../../../src/persistence/directory/file-lock.ts';
import { type LockHolder, lockHolder } from '../../../src/persistence/directory/lock-holder.ts';
import { DataDirectoryError } from '../../../src/persistence/files/data-directory-error.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { canBeFull, fillForLock } from '../full-disk.ts';
import { killed, otherProcess } from './other-process.ts';

const SELF = { pid: process.pid, hostname: hostname() };
const clock = new ManualClock(1_760_000_000_000);

let scratch: string;
let removeScratch: () => void;
let path: string;
beforeEach(() => {
  ({ path: scratch, removeScratch } = scratchFolder());
  path = join(scratch, 'data');
});
afterEach(() => removeScratch());

const open = (at = path) => openDataDirectory({ path: at, process: SELF, clock });

describe('a data directory', () => {
  test('is made for its owner alone, holds nothing but a lock, and nothing after the release', async () => {
    path = join(scratch, 'a', 'b', 'data');
    const directory = await open();
    expect(directory.path).toBe(realpathSync(path));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(path)).toEqual(['lock']);
    await directory.release();
    expect(readdirSync(path)).toEqual([]);
  });

  test('that is held is refused with the process id of the holder, through a link too', async () => {
    const { child, says } = await otherProcess(path);
    expect(says).toBe('held');
    const link = join(scratch, 'link');
    symlinkSync(path, link);
    for (const at of [path, link]) {
      await expect(open(at)).rejects.toThrow(DataDirectoryError);
      await expect(open(at)).rejects.toThrow(
        `${realpathSync(path)} is in use by process ${child.pid}: stop that one, or choose another folder with --data-dir.`,
      );
    }
    expect(readdirSync(path)).toEqual(['lock']);
    child.stdin.end();
    await once(child, 'exit');
    await (await open()).release();
  });

  test('that is held here is refused to others and to this process itself', async () => {
    const directory = await open();
    expect((await otherProcess(path)).says).toMatch(`in use by process ${process.pid}`);
    await expect(open()).rejects.toThrow(`in use by process ${process.pid}`);
    await directory.release();
  });

  test('of a process that was killed is free', async () => {
    const { child } = await otherProcess(path);
    await killed(child);
    expect(existsSync(join(path, 'lock'))).toBe(true);
    const directory = await open();
    expect(JSON.parse(readFileSync(join(path, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect((await otherProcess(path)).says).toMatch(`in use by process ${process.pid}`);
    await directory.release();
  });

  test('that was left over goes to one of several processes that want it at once', async () => {
    const first = await otherProcess(path);
    await killed(first.child);
    const all = await Promise.all(Array.from({ length: 4 }, () => otherProcess(path)));
    const holders = all.filter(({ says }) => says === 'held');
    expect(holders).toHaveLength(1);
    const pid = JSON.parse(readFileSync(join(path, 'lock'), 'utf8')).pid;
    expect(pid).toBe(holders[0]?.child.pid);
    expect(readdirSync(path)).toEqual(['lock']);
  });

  test('that is no folder, or may not be written to, is refused with what to do', async () => {
    writeFileSync(path, '');
    await expect(open()).rejects.toThrow(/cannot be used as data directory .*check that it is a folder/);
    await expect(open(join(path, 'data'))).rejects.toThrow(/cannot be used as data directory/);
  });

  (existsSync('/proc/self') ? test : test.skip)(
    'under a folder that takes none is refused with what to do',
    async () => {
      for (const at of ['/proc/data', '/proc/a/data']) {
        await expect(open(at)).rejects.toThrow(`${at} cannot be used as data directory (ENOENT`);
      }
    },
  );
});

(canBeFull ? describe : describe.skip)('a data directory on a full disk', () => {
  const FULL = /The disk is full: nothing was changed. Make room/;
  const file = () => join(path, 'memories.json');
  let lost: string[];
  beforeEach(() => {
    lost = [];
    mkdirSync(path);
    writeFileSync(file(), 'saved');
  });
  const read = async () => {
    await fillForLock(path, SELF);
    return await openForReading({
      path,
      process: SELF,
      clock,
      onLost: ({ message }) => lost.push(message),
    });
  };
  /** A lock as kill -9 leaves it. */
  const leaveLock = async (changes: Partial<LockHolder> = { startTicks: 1 }) =>
    writeFileSync(join(path, 'lock'), JSON.stringify({ ...(await lockHolder(SELF)), ...changes }));

  test.each([
    ['was stopped', async () => {}],
    ['was killed', () => leaveLock()],
  ])('whose last process %s is read, and written to once there is room', async (_, leave) => {
    await leave();
    const before = readdirSync(path).sort();
    const directory = await read();
    expect(directory.refusal).toMatch(FULL);
    expect(
      readdirSync(path)
        .filter((name) => !/-\d+-\d+$/.test(name))
        .sort(),
    ).toEqual(before);
    await fillForLock(path, SELF);
    await expect(Promise.all([directory.writable(), directory.writable()])).rejects.toThrow(FULL);
    await expect(directory.writable()).resolves.toBeUndefined();
    expect(directory.refusal).toBeNull();
    expect(JSON.parse(readFileSync(join(path, 'lock'), 'utf8'))).toEqual(await lockHolder(SELF));
    expect((await otherProcess(path)).says).toMatch(`in use by process ${process.pid}`);
    await directory.release();
    expect(readdirSync(path)).not.toContain('lock');
    expect(lost).toEqual([]);
  });

  test('that a living process has is refused all the same', async () => {
    const { child } = await otherProcess(path);
    await expect(read()).rejects.toThrow(`in use by process ${child.pid}`);
  });

  test('that another process has taken since is never written to', async () => {
    const directory = await read();
    await fillForLock(path, SELF);
    await expect(directory.writable()).rejects.toThrow(FULL);
    const { child, says } = await otherProcess(path);
    expect(says).toBe('held');
    const inUse = `${realpathSync(path)} is in use by process ${child.pid}: stop that one, or choose another folder with --data-dir.`;
    await expect(directory.writable()).rejects.toThrow(inUse);
    await killed(child);
    // It may have written before it ended.
    await expect(directory.writable()).rejects.toThrow(inUse);
    await directory.release();
    expect(lost).toEqual([inUse]);
  });

  test.each([
    ['written', () => writeFileSync(file(), 'other')],
    [
      'replaced by one of the same length and time',
      () => {
        const { atime, mtime } = statSync(file());
        writeFileSync(`${file()}.tmp`, 'savee');
        utimesSync(`${file()}.tmp`, atime, mtime);
        renameSync(`${file()}.tmp`, file());
      },
    ],
    ['joined by a journal', () => writeFileSync(join(path, 'journal-0.ndjson'), '')],
    [
      'joined by what was pruned',
      () => {
        mkdirSync(join(path, 'pruned'));
        writeFileSync(join(path, 'pruned', '2026-11-21.ndjson'), '');
      },
    ],
  ])('whose file was %s by a process that has gone again is never written to', async (_, change) => {
    const directory = await read();
    change();
    await expect(directory.writable()).rejects.toThrow(/^Another process changed /);
    expect(lost).toHaveLength(1);
    expect(readdirSync(path)).not.toContain('lock');
    await directory.release();
  });

  test('is not opened by who has to write, who is told of the disk and not of rights', async () => {
    await fillForLock(path, SELF);
    const refused = open();
    await expect(refused).rejects.toThrow(/ENOSPC.*: the disk is full: make room, then start it again\.$/);
    await expect(refused).rejects.not.toThrow(/user/);
  });

  test('of a container that is gone is waited for once, not again at each try', async () => {
    await leaveLock({ pidNamespace: 'pid:[1]', pid: 1 });
    await fillForLock(path, SELF);
    let pauses = 0;
    const lock = await FileLock.of({
      path: join(path, 'lock'),
      process: SELF,
      clock,
      pause: async () => void pauses++,
    });
    await expect(lock.take()).rejects.toThrow('ENOSPC');
    await lock.take();
    await lock.release();
    expect(pauses).toBe(1);
  });
});

describe('a lock', () => {
  const lock = () => join(scratch, 'lock');
  /** Leaves the lock of this process with these fields changed. */
  async function leave(changes: Partial<LockHolder>): Promise<void> {
    writeFileSync(lock(), JSON.stringify({ ...(await lockHolder(SELF)), ...changes }));
  }
  const neverPause = async () => {
    throw new Error('there was nothing to wait for');
  };
  const lockWith = (pause: () => Promise<void>) => FileLock.of({ path: lock(), process: SELF, clock, pause });
  const take = async (pause: () => Promise<void> = neverPause): Promise<FileLock> => {
    const taken = await lockWith(pause);
    await taken.take();
    return taken;
  };

  test.each([
    ['the same process id of an earlier process', { startTicks: 1 }],
    ['a process before the machine was started anew', { bootId: 'an earlier one' }],
    // The largest that Linux gives is 2^22.
    ['a process id that nobody has', { pid: 2 ** 22 + 1 }],
  ])('of %s is taken over', async (_, changes) => {
    await leave(changes);
    const taken = await take();
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(await lockHolder(SELF));
    await taken.release();
    expect(existsSync(lock())).toBe(false);
  });

  test.each([
    ['another container', { pidNamespace: 'pid:[1]', pid: 1 }, 'process 1 on host'],
    ['another machine', { bootId: 'another', hostname: 'far', pid: 1 }, 'process 1 on host far'],
  ])('of %s is taken over when it stays silent, and respected when it beats', async (_, changes, words) => {
    await leave(changes);
    let beats = 0;
    await expect(
      take(async () => {
        beats += 1;
        writeFileSync(lock(), readFileSync(lock()));
      }),
    ).rejects.toThrow(words);
    expect(beats).toBe(1);
    await (await take(async () => {})).release();
  });

  test('that a power cut has emptied is taken over', async () => {
    writeFileSync(lock(), '');
    await (await take(async () => {})).release();
  });

  test('is taken over although somebody died while taking it over', async () => {
    await leave({ startTicks: 1 });
    writeFileSync(`${lock()}.takeover`, JSON.stringify({ ...(await lockHolder(SELF)), startTicks: 2 }));
    const taken = await take();
    expect(readdirSync(scratch)).toEqual(['lock']);
    await taken.release();
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('is not removed by a holder from whom it was taken', async () => {
    const taken = await take();
    await leave({ pid: 1 });
    await taken.release();
    expect(existsSync(lock())).toBe(true);
  });
});
