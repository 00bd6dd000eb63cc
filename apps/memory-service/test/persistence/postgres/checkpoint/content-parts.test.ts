import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { contentParts } from '../../../../src/persistence/postgres/checkpoint/content-parts.ts';
import { scratchFolder } from '../../../scratch-folder.ts';

const KIB = 1024;
const { path: folder, removeScratch } = scratchFolder();
afterAll(removeScratch);

/** Bytes without a pattern, the same in each run. */
function noise(bytes: number, seed = ''): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, n) =>
    createHash('sha512').update(`${seed}${n}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

async function partsOf(bytes: Buffer): Promise<Buffer[]> {
  const file = join(folder, 'file');
  await writeFile(file, bytes);
  const parts: Buffer[] = [];
  for await (const part of contentParts(file)) parts.push(Buffer.from(part));
  return parts;
}

test.each([0, 1, 256 * KIB, 512 * KIB, 512 * KIB + 1, 3_000 * KIB])(
  'the parts of %i bytes are these bytes',
  async (length) => {
    const bytes = noise(length);
    const parts = await partsOf(bytes);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    for (const [at, { length: size }] of parts.entries()) {
      expect(size).toBeGreaterThan(at < parts.length - 1 ? 256 * KIB : 0);
      expect(size).toBeLessThanOrEqual(2_048 * KIB);
    }
  },
);

test('bytes without any change are cut at the largest size', async () => {
  const parts = await partsOf(Buffer.alloc(5_000 * KIB));
  expect(parts.map(({ length }) => length / KIB)).toEqual([2_048, 2_048, 904]);
});

test('what is taken out, put in or changed in the middle changes the parts around it alone', async () => {
  const bytes = noise(12_000 * KIB);
  const middle = 6_000 * KIB;
  const [start, end] = [bytes.subarray(0, middle), bytes.subarray(middle)];
  const before = (await partsOf(bytes)).map((part) => part.toString('base64'));
  expect(before.length).toBeGreaterThan(8);
  for (const changed of [
    Buffer.concat([start, end.subarray(1_536)]),
    Buffer.concat([start, noise(1_000, 'new'), end]),
    Buffer.concat([start, noise(100, 'other'), end.subarray(100)]),
  ]) {
    const after = (await partsOf(changed)).map((part) => part.toString('base64'));
    const known = new Set(before);
    expect(after.filter((part) => !known.has(part)).length).toBeLessThanOrEqual(3);
    expect(after[0]).toBe(before[0]);
    expect(after.at(-1)).toBe(before.at(-1));
  }
});
