import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTar, TAR_END, TarError, tarHeader, tarPadding } from '../../src/files/tar-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tar-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Files = readonly { readonly name: string; readonly content: Buffer }[];

function archiveOf(files: Files): Buffer {
  const blocks = files.flatMap(({ name, content: { byteLength: size }, content }) => [
    tarHeader({ name, size, modifiedMs: 1_795_253_400_123 }),
    content,
    tarPadding(size),
  ]);
  return Buffer.concat([...blocks, TAR_END]);
}

async function filesOf(archive: Uint8Array, chunkBytes = archive.byteLength): Promise<Files> {
  const chunks = (async function* () {
    for (let at = 0; at < archive.byteLength; at += chunkBytes) yield archive.subarray(at, at + chunkBytes);
  })();
  const files: { name: string; content: Buffer }[] = [];
  for await (const { name, content } of readTar(chunks)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files.push({ name, content: Buffer.concat(chunks) });
  }
  return files;
}

const SAMPLE: Files = [
  { name: 'memories.json', content: Buffer.from('[]\n') },
  { name: 'empty', content: Buffer.alloc(0) },
  { name: 'pruned/2026-11-21.ndjson', content: Buffer.alloc(512, 'x') },
  { name: 'faiss.index', content: Buffer.alloc(70_001, 7) },
];

describe('an archive', () => {
  test('is one that tar lists and unpacks, with time and rights', () => {
    const path = join(folder, 'a.tar');
    writeFileSync(path, archiveOf(SAMPLE));
    const listed = execFileSync('tar', ['--utc', '--numeric-owner', '-tvf', path], { encoding: 'utf8' });
    expect(listed.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      '-rw------- 0/0 3 2026-11-21 09:30 memories.json',
      '-rw------- 0/0 0 2026-11-21 09:30 empty',
      '-rw------- 0/0 512 2026-11-21 09:30 pruned/2026-11-21.ndjson',
      '-rw------- 0/0 70001 2026-11-21 09:30 faiss.index',
      '',
    ]);
    execFileSync('tar', ['-xf', path, '-C', folder]);
    for (const { name, content } of SAMPLE) expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
  });

  test('may hold files of more than 8 GiB, as tar understands them', async () => {
    const path = join(folder, 'large.tar');
    const size = 9 * 1024 ** 3 + 5;
    writeFileSync(path, tarHeader({ name: 'faiss.index', size, modifiedMs: 0 }));
    // It ends too early, which tar says after the listing.
    const listed = execFileSync('sh', ['-c', `tar -tvf '${path}' 2>/dev/null || true`], { encoding: 'utf8' });
    expect(listed).toContain(` ${size} `);
    for await (const entry of readTar(one(readFileSync(path)))) {
      expect(entry.size).toBe(size);
      break;
    }
  });

  test('that tar wrote is read, in pieces of any length', async () => {
    for (const { name, content } of SAMPLE.filter(({ name }) => !name.includes('/')))
      writeFileSync(join(folder, name), content);
    const names = ['memories.json', 'empty', 'faiss.index'];
    const archive = execFileSync('tar', ['--format=ustar', '-cf', '-', '-C', folder, ...names], { maxBuffer: 1e7 });
    const expected = SAMPLE.filter(({ name }) => names.includes(name));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20_000 }), async (chunkBytes) => {
        expect(await filesOf(archive, chunkBytes)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('is refused when it was cut short, wherever, or has another byte in a header', async () => {
    const archive = archiveOf(SAMPLE);
    const whole = archive.byteLength - TAR_END.byteLength;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole }), async (length) => {
        await expect(filesOf(archive.subarray(0, length))).rejects.toThrow(TarError);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 511 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        fc.pre(at < 148 || at >= 156);
        const damaged = Buffer.from(archive);
        damaged[at] = (damaged[at] as number) ^ change;
        await expect(filesOf(damaged)).rejects.toThrow(TarError);
      }),
    );
  });
});

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
