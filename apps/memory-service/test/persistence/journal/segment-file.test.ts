import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { removeSegments, SegmentFile } from '../../../src/persistence/journal/segment-file.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { eachFate, NOTHING_UNSYNCED, PowerCut } from '../power-cut.ts';

let scratch: string;
/** The folder of the segments. */
let path: string;
let removeScratch: () => void;
let prototype: FileHandle;
beforeEach(async () => {
  ({ path: scratch, removeScratch } = scratchFolder());
  path = join(scratch, 'data');
  mkdirSync(path);
  const handle = await open(path, 'r');
  prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(() => {
  jest.restoreAllMocks();
  removeScratch();
});

const names = () => readdirSync(path).sort();
const contents = (segment: SegmentFile) => readFileSync(segment.path, 'latin1');
const fault = (code: string) => Object.assign(new Error(code), { code });
type Write = (this: FileHandle, bytes: Uint8Array, from: number, length: number, at: number) => Promise<unknown>;

/** Each write takes at most so many bytes, as on a disk that is nearly full. */
function writeAtMost(most: number) {
  const write = prototype.write as unknown as Write;
  return jest.spyOn(prototype, 'write').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    const [bytes, from, length, at] = args as Parameters<Write>;
    return write.call(this, bytes, from, Math.min(length, most), at);
  } as never);
}

describe('a segment', () => {
  test('has the number of the change before it in its name, and replaces what a refused change left under it', async () => {
    writeFileSync(join(path, 'journal-7.ndjson'), 'left behind');
    const segment = await SegmentFile.create(path, 7);
    expect([segment.path, contents(segment), segment.bytes, segment.isSound]).toEqual([
      join(path, 'journal-7.ndjson'),
      '',
      0,
      true,
    ]);
    await segment.close();
  });

  test('gets its mark with the first bytes, not before', async () => {
    const segment = await SegmentFile.create(path, 0);
    expect(names()).toEqual(['journal-0.ndjson']);
    await segment.append(Buffer.from('a\n'));
    expect(names()).toEqual(['journal-0.begun', 'journal-0.ndjson']);
    expect(readFileSync(join(path, 'journal-0.begun'), 'utf8')).toBe('');
    await segment.close();
  });

  test('makes its mark once, because each append waits for it', async () => {
    const segment = await SegmentFile.create(path, 0);
    await segment.append(Buffer.from('a\n'));
    rmSync(join(path, 'journal-0.begun'));
    await segment.append(Buffer.from('b\n'));
    expect(names()).toEqual(['journal-0.ndjson']);
    await segment.close();
  });

  test('takes bytes without a mark, where the mark cannot be made', async () => {
    const segment = await SegmentFile.create(path, 0);
    mkdirSync(join(path, 'journal-0.begun'));
    await segment.append(Buffer.from('a\n'));
    expect([segment.bytes, segment.isSound]).toEqual([2, true]);
    await segment.close();
  });

  test('is not there where its name could not be synced', async () => {
    jest.spyOn(prototype, 'sync').mockRejectedValueOnce(fault('EIO'));
    await expect(SegmentFile.create(path, 0)).rejects.toThrow('EIO');
    expect(names()).toEqual([]);
  });

  test('is on the disk with its name and all that was appended, without any sync after that', async () => {
    const powerCut = await PowerCut.watch(path);
    try {
      const segment = await SegmentFile.create(path, 0);
      await segment.append(Buffer.from('one\n'));
      await segment.append(Buffer.from('two\n'));
      const found = join(scratch, 'found');
      powerCut.materialize(found, NOTHING_UNSYNCED);
      expect(readFileSync(join(found, 'journal-0.ndjson'), 'utf8')).toBe('one\ntwo\n');
      await segment.close();
    } finally {
      powerCut.stop();
    }
  });

  test('whose file somebody has deleted takes nothing more: it would end with the process', async () => {
    const segment = await SegmentFile.create(path, 0);
    await segment.append(Buffer.from('a\n'));
    rmSync(segment.path);
    await expect(segment.append(Buffer.from('b\n'))).rejects.toThrow('ENOENT');
    expect(segment.isSound).toBe(false);
    await segment.close();
  });

  test('whose file is another one takes nothing more: no start would read it', async () => {
    const segment = await SegmentFile.create(path, 0);
    await segment.append(Buffer.from('a\n'));
    // As by a folder that is moved away, with a copy in its place.
    renameSync(path, join(scratch, 'moved'));
    cpSync(join(scratch, 'moved'), path, { recursive: true });
    await expect(segment.append(Buffer.from('b\n'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect([segment.isSound, readFileSync(segment.path, 'utf8')]).toEqual([false, 'a\n']);
    await segment.close();
  });

  test('closes without a word, even twice', async () => {
    const segment = await SegmentFile.create(path, 0);
    await segment.close();
    await segment.close();
    await expect(segment.append(Buffer.from('a'))).rejects.toThrow();
  });
});

describe('any appends', () => {
  /** What the disk does with an append. */
  const fate = fc.constantFrom('taken', 'taken', 'taken', 'write fails', 'part is written', 'sync fails');
  const append = fc.record({ text: fc.string({ minLength: 1, maxLength: 12 }), fate });

  test('leave just those that were answered, however little a write takes and wherever it fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(append, { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), async (appends, most) => {
        const segment = await SegmentFile.create(path, 0);
        let answered = '';
        let isSound = true;
        for (const { text, fate } of appends) {
          const write = writeAtMost(most);
          if (fate === 'write fails') write.mockRejectedValueOnce(fault('ENOSPC') as never);
          if (fate === 'part is written') {
            const some = write.getMockImplementation() as unknown as Write;
            write.mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
              await some.apply(this, args as Parameters<Write>);
              throw fault('ENOSPC');
            } as never);
          }
          const datasync = jest.spyOn(prototype, 'datasync');
          if (fate === 'sync fails') datasync.mockRejectedValueOnce(fault('EIO'));
          const bytes = Buffer.from(text);
          const outcome = await segment.append(bytes).then(
            () => 'taken',
            (error: Error) => error.message,
          );
          expect(outcome).toBe({ taken: 'taken', 'sync fails': 'EIO' }[fate as string] ?? 'ENOSPC');
          if (fate === 'taken') answered += text;
          if (fate === 'sync fails') isSound = false;
          jest.restoreAllMocks();
          expect(readFileSync(segment.path, 'utf8')).toBe(answered);
          expect([segment.bytes, segment.isSound]).toEqual([Buffer.byteLength(answered), isSound]);
        }
        await segment.close();
      }),
      { numRuns: 100 },
    );
  });

  test.each(['truncate', 'datasync'] as const)(
    'make it unsound where bytes cannot be taken back: %s fails',
    async (step) => {
      const segment = await SegmentFile.create(path, 0);
      await segment.append(Buffer.from('one\n'));
      jest.spyOn(prototype, 'write').mockRejectedValueOnce(fault('ENOSPC') as never);
      jest.spyOn(prototype, step).mockRejectedValueOnce(fault('EIO'));
      await expect(segment.append(Buffer.from('two\n'))).rejects.toThrow('ENOSPC');
      expect([segment.bytes, segment.isSound]).toEqual([4, false]);
      await segment.close();
    },
  );
});

describe('the removal of segments', () => {
  const files = ['journal-0.ndjson', 'journal-0.begun', 'journal-4.ndjson', 'journal-4.begun'];
  beforeEach(() => {
    for (const name of files) writeFileSync(join(path, name), '');
  });
  const paths = (...after: number[]) => after.map((number) => join(path, `journal-${number}.ndjson`));

  test('takes their marks along, and leaves the others', async () => {
    await removeSegments(path, paths(0));
    expect(names()).toEqual(['journal-4.begun', 'journal-4.ndjson']);
  });

  test('does not mind one that is gone', async () => {
    await removeSegments(path, paths(9, 4));
    expect(names()).toEqual(['journal-0.begun', 'journal-0.ndjson']);
  });

  test('of none asks nothing of the disk', async () => {
    const sync = jest.spyOn(prototype, 'sync');
    await removeSegments(path, []);
    expect(sync).not.toHaveBeenCalled();
  });

  test('never leaves a mark without its segment, wherever the power goes', async () => {
    let steps = 0;
    const powerCut = await PowerCut.watch(path, async () => {
      for (const leftovers of eachFate(powerCut.unsyncedNames())) {
        const found = join(scratch, `found-${steps++}`);
        powerCut.materialize(found, leftovers);
        for (const name of readdirSync(found).filter((one) => one.endsWith('.begun'))) {
          expect(existsSync(join(found, name.replace('.begun', '.ndjson')))).toBe(true);
        }
      }
    });
    try {
      await removeSegments(path, paths(0, 4));
    } finally {
      powerCut.stop();
    }
    expect(steps).toBeGreaterThanOrEqual(4);
    const found = join(scratch, 'found');
    powerCut.materialize(found, NOTHING_UNSYNCED);
    expect(readdirSync(found)).toEqual([]);
  });
});
