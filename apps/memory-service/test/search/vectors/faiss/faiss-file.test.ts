import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import faiss from 'faiss-node';
import fc from 'fast-check';
import {
  DamagedIndexFileError,
  IndexDimensionError,
  readFlatIndex,
  takeFlatIndex,
  writeFlatIndex,
} from '../../../../src/search/vectors/faiss/faiss-file.ts';
import { VectorMatrix } from '../../../../src/search/vectors/vector-matrix.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faiss-file-'));
  path = join(directory, 'memory.faiss');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Rows of made-up values; no two are alike. */
function madeUpMatrix({ dimension, rows }: { dimension: number; rows: number }): VectorMatrix {
  const matrix = new VectorMatrix({ dimension });
  for (let row = 0; row < rows; row++) {
    matrix.append(Float32Array.from({ length: dimension }, (_, i) => Math.sin(row * 7919 + i * 104_729)));
  }
  return matrix;
}

/** What FAISS writes of an IndexFlatIP with these rows. */
function writtenByFaiss(matrix: VectorMatrix, rows: readonly number[]): Buffer {
  const index = new faiss.IndexFlatIP(matrix.dimension);
  for (const row of rows) index.add([...matrix.row(row)]);
  const theirs = join(directory, 'theirs.faiss');
  index.write(theirs);
  return readFileSync(theirs);
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a flat index file', () => {
  test('is byte for byte what FAISS writes of the same rows, whichever and however many they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc
          .integer({ min: 1, max: 60 })
          .chain((count) =>
            fc.record({ count: fc.constant(count), rows: fc.array(fc.integer({ min: 0, max: count - 1 })) }),
          ),
        async (dimension, { count, rows }) => {
          const matrix = madeUpMatrix({ dimension, rows: count });
          const { bytes, sha256: hash } = await writeFlatIndex(path, { matrix, rows });
          const ours = readFileSync(path);
          expect(ours.equals(writtenByFaiss(matrix, rows))).toBe(true);
          expect({ bytes, hash }).toEqual({ bytes: ours.length, hash: sha256(ours) });
        },
      ),
      { numRuns: 50 },
    );
  });

  test('of several chunks is what FAISS writes, and reads back the same', async () => {
    const matrix = madeUpMatrix({ dimension: 240, rows: 3000 });
    const rows = Int32Array.from({ length: 3000 }, (_, i) => i);
    const { sha256: written } = await writeFlatIndex(path, { matrix, rows });
    expect(readFileSync(path).equals(writtenByFaiss(matrix, [...rows]))).toBe(true);
    const copy = new VectorMatrix({ dimension: 240 });
    expect(await readFlatIndex(path, { matrix: copy })).toEqual({ dimension: 240, count: 3000, sha256: written });
    expect(Buffer.from(copy.row(0, 3000)).equals(Buffer.from(matrix.row(0, 3000)))).toBe(true);
  });

  test('that FAISS wrote is read into a matrix, behind what is there', async () => {
    const index = new faiss.IndexFlatIP(2);
    index.add([0.5, 1, -2, 4]);
    index.write(path);
    const matrix = new VectorMatrix({ dimension: 2 });
    matrix.append(Float32Array.of(9, 9));
    const expected = { dimension: 2, count: 2, sha256: sha256(readFileSync(path)) };
    expect(await readFlatIndex(path, { matrix })).toEqual(expected);
    expect([...matrix.row(0, 3)]).toEqual([9, 9, 0.5, 1, -2, 4]);
  });

  test('of no rows is one that FAISS opens', async () => {
    const matrix = new VectorMatrix({ dimension: 3 });
    await writeFlatIndex(path, { matrix, rows: [] });
    expect(faiss.IndexFlatIP.read(path).ntotal()).toBe(0);
    expect(await readFlatIndex(path, { matrix })).toMatchObject({ count: 0 });
  });

  test('that was cut, lengthened or has another header is refused before a row is taken', async () => {
    const matrix = madeUpMatrix({ dimension: 3, rows: 5 });
    await writeFlatIndex(path, { matrix, rows: [0, 1, 2, 3, 4] });
    const intact = readFileSync(path);
    const target = new VectorMatrix({ dimension: 3 });
    const expectDamaged = async (bytes: Uint8Array) => {
      writeFileSync(path, bytes);
      await expect(readFlatIndex(path, { matrix: target })).rejects.toThrow(DamagedIndexFileError);
    };
    for (let bytes = 0; bytes < intact.length; bytes++) await expectDamaged(intact.subarray(0, bytes));
    await expectDamaged(Buffer.concat([intact, Buffer.alloc(1)]));
    for (let at = 0; at < 45; at++) {
      const scrambled = Buffer.from(intact);
      scrambled[at] = (scrambled[at] as number) ^ 0x81;
      await expectDamaged(scrambled);
    }
    const flatL2 = new faiss.IndexFlatL2(3);
    flatL2.write(path);
    await expectDamaged(readFileSync(path));
    expect(target.length).toBe(0);
  });

  test('that comes in parts of any size is taken as it is read, and refused where it is cut, lengthened or has another header', async () => {
    const matrix = madeUpMatrix({ dimension: 3, rows: 5 });
    await writeFlatIndex(path, { matrix, rows: [0, 1, 2, 3, 4] });
    const intact = readFileSync(path);
    const values = [...matrix.row(0, 5)];
    const take = async (bytes: Buffer, partBytes: number) => {
      const into = new Float32Array(15);
      async function* parts() {
        for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
      }
      const taken = await takeFlatIndex(parts(), { dimension: 3, rows: 5, into: new Uint8Array(into.buffer) });
      return { ...taken, values: [...into] };
    };
    for (const partBytes of [1, 7, 44, 45, 46, 60, intact.length]) {
      expect(await take(intact, partBytes)).toEqual({ sha256: sha256(intact), values });
    }
    const damaged = [intact.subarray(0, -1), intact.subarray(0, 20), Buffer.alloc(0), Buffer.concat([intact, intact])];
    for (let at = 0; at < 45; at++) {
      const scrambled = Buffer.from(intact);
      scrambled[at] = (scrambled[at] as number) ^ 0x81;
      damaged.push(scrambled);
    }
    for (const bytes of damaged) await expect(take(bytes, 10)).rejects.toThrow(DamagedIndexFileError);
  });

  test('of another dimension is refused by name', async () => {
    await writeFlatIndex(path, { matrix: madeUpMatrix({ dimension: 4, rows: 2 }), rows: [0, 1] });
    await expect(readFlatIndex(path, { matrix: new VectorMatrix({ dimension: 3 }) })).rejects.toThrow(
      new IndexDimensionError(`${path} holds vectors of dimension 4, not 3`),
    );
  });

  test('that lost values but not its size gives itself away by its hash', async () => {
    const matrix = madeUpMatrix({ dimension: 3, rows: 5 });
    const { sha256: written, bytes } = await writeFlatIndex(path, { matrix, rows: [0, 1, 2, 3, 4] });
    truncateSync(path, bytes - 4);
    truncateSync(path, bytes); // zeros at the end, as after a power cut
    const { sha256: read } = await readFlatIndex(path, { matrix: new VectorMatrix({ dimension: 3 }) });
    expect(read).not.toBe(written);
  });

  test("is missing: the error is the file system's", async () => {
    await expect(readFlatIndex(path, { matrix: new VectorMatrix({ dimension: 3 }) })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(
      writeFlatIndex(join(directory, 'none', 'x'), { matrix: madeUpMatrix({ dimension: 3, rows: 1 }), rows: [0] }),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is written in pieces: timers run meanwhile', async () => {
    const matrix = new VectorMatrix({ dimension: 384 });
    const block = new Float32Array(384 * 1000).map((_, i) => i);
    for (let i = 0; i < 20; i++) matrix.append(block);
    let turns = 0;
    let isDone = false;
    const countTurns = () => {
      turns++;
      if (!isDone) setImmediate(countTurns);
    };
    countTurns();
    await writeFlatIndex(path, { matrix, rows: Int32Array.from({ length: 20_000 }, (_, i) => i) });
    isDone = true;
    expect(turns).toBeGreaterThan(20); // 31 MB in chunks of 1 MiB
  });
});
