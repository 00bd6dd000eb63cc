import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasPostgres } from '@agent-faculties/testing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Checkpoints } from '../../../../src/persistence/postgres/checkpoint/checkpoints.ts';
import { ChangeLog, LOG_START } from '../../../../src/persistence/postgres/log/change-log.ts';
import { scratchFolder } from '../../../scratch-folder.ts';
import { sharedDatabases } from '../shared-databases.ts';

const MIB = 1024 ** 2;
const { path: scratch, removeScratch } = scratchFolder();
afterAll(removeScratch);

(hasPostgres() ? describe : describe.skip)('the checkpoints of a space', () => {
  const { database, newSpace } = sharedDatabases();
  /** Bytes without a pattern, the same in each run. */
  const noise = (bytes: number, seed: string) => {
    const blocks = Array.from({ length: bytes / 64 }, (_, n) => createHash('sha512').update(`${seed}${n}`).digest());
    return Buffer.concat(blocks);
  };
  /** What tells files apart, because comparing large ones takes long. */
  const sumsOf = (files: Readonly<Record<string, Buffer>>) =>
    Object.fromEntries(
      Object.entries(files).map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]),
    );
  const folderOf = async (name: string, files: Readonly<Record<string, Buffer>>) => {
    const folder = join(scratch, name);
    await mkdir(folder);
    for (const [file, bytes] of Object.entries(files)) await writeFile(join(folder, file), bytes);
    return folder;
  };
  /** A space with so many changes. */
  const written = async (changes: number) => {
    const { postgres, newToken } = database();
    const space = newSpace();
    const token = newToken();
    const lines = Array.from({ length: changes }, () => '{}');
    await new ChangeLog({ postgres, space }).append(lines, { after: LOG_START, token });
    const checkpoints = () => new Checkpoints({ postgres, space });
    const at = (sequence: number) => ({ position: { sequence, token }, savedAtMs: 1_000 + sequence });
    const partsOf = async () => {
      // Where the row lies changes when it is moved, where its bytes lie does not: this is when they were written.
      const text = `SELECT id, file, part, made_at::text AS made, sha256(body) = sha256 AS is_sound
        FROM memory.checkpoint WHERE space = $1 ORDER BY file, part`;
      type Row = { id: string; file: string; part: number; made: string; is_sound: boolean };
      return (await postgres.query<Row>({ text, values: [space] })).rows;
    };
    const readBack = async () => {
      const names = new Set((await partsOf()).map(({ file }) => file));
      return await checkpoints().reading(async (files) => {
        const read: Record<string, Buffer> = {};
        for (const name of names) {
          const parts: Buffer[] = [];
          for await (const part of files?.read(name) ?? []) parts.push(part);
          read[name] = Buffer.concat(parts);
        }
        const checkpoint = files && { position: files.position, savedAtMs: files.savedAtMs };
        return { checkpoint, files: sumsOf(read) };
      });
    };
    return { space, checkpoints, at, partsOf, readBack };
  };

  test('share the parts that did not change, and each is what was written', async () => {
    const { checkpoints, at, partsOf, readBack } = await written(3);
    const { newToken } = database();
    const bytes = noise(8 * MIB, 'one');
    const other = noise(MIB, 'other');
    await checkpoints().write(await folderOf('a', { vectors: bytes, words: other }), at(1), newToken());
    const before = await partsOf();
    // A piece is gone, the first file has another name, and there is a new one.
    const shorter = Buffer.concat([bytes.subarray(0, 4 * MIB), bytes.subarray(4 * MIB + 64)]);
    const files = { rows: shorter, words: other, more: noise(64, 'more') };
    const id = newToken();
    expect(await checkpoints().write(await folderOf('b', files), at(2), id)).toBe(shorter.length + other.length + 64);
    const after = await partsOf();
    expect(new Set(after.map((part) => part.id))).toEqual(new Set([id]));
    expect(after.every((part) => part.is_sound)).toBe(true);
    const kept = new Set(before.map(({ made }) => made));
    const anew = after.filter(({ made }) => !kept.has(made));
    expect(anew.map(({ file }) => file).sort()[0]).toBe('more');
    expect(anew.length).toBeLessThanOrEqual(4);
    expect(after.length).toBeGreaterThan(8);
    expect(await readBack()).toEqual({ checkpoint: at(2), files: sumsOf(files) });
  });

  test('keep the same part twice where a file holds it twice', async () => {
    const { checkpoints, at, readBack } = await written(2);
    const { newToken } = database();
    const files = { rows: Buffer.alloc(6 * MIB), words: Buffer.alloc(2 * MIB) };
    await checkpoints().write(await folderOf('d', files), at(1), newToken());
    const longer = { rows: Buffer.alloc(10 * MIB), words: Buffer.alloc(4 * MIB) };
    await checkpoints().write(await folderOf('e', longer), at(2), newToken());
    expect(await readBack()).toEqual({ checkpoint: at(2), files: sumsOf(longer) });
  });

  test('leave nothing of one that was not finished', async () => {
    const { space, checkpoints, at, partsOf } = await written(2);
    const { postgres, newToken } = database();
    await checkpoints().write(await folderOf('i', { words: noise(64, 'first') }), at(1), newToken());
    const text =
      "INSERT INTO memory.checkpoint (space, id, file, part, body) VALUES ($1, $2, 'words', 0, 'Nightshade')";
    await postgres.query({ text, values: [space, newToken()] });
    const id = newToken();
    await checkpoints().write(await folderOf('j', { words: noise(64, 'second') }), at(2), id);
    expect((await partsOf()).map((part) => part.id)).toEqual([id]);
  });

  test('of another history leave everything as it is', async () => {
    const { space, checkpoints, at, partsOf, readBack } = await written(3);
    const { postgres, newToken } = database();
    const id = newToken();
    const files = { words: noise(64, 'ours') };
    await checkpoints().write(await folderOf('k', files), at(1), id);
    const { position, savedAtMs } = at(2);
    const other = { position: { ...position, token: newToken() }, savedAtMs };
    await checkpoints().write(await folderOf('l', { words: noise(64, 'theirs') }), other, newToken());
    expect((await partsOf()).map((part) => part.id)).toEqual([id]);
    expect(await readBack()).toEqual({ checkpoint: at(1), files: sumsOf(files) });
    const lines = await postgres.query({
      text: 'SELECT seq::int FROM memory.change WHERE space = $1',
      values: [space],
    });
    expect(lines.rows).toEqual([{ seq: 2 }, { seq: 3 }]);
  });

  test('written by several at once: the latest stays, whole', async () => {
    const { checkpoints, at, partsOf, readBack } = await written(6);
    const { newToken } = database();
    const bytes = noise(4 * MIB, 'many');
    const filesAt = (sequence: number) => ({ rows: bytes, words: noise(64 * sequence, String(sequence)) });
    await checkpoints().write(await folderOf('g-1', filesAt(1)), at(1), newToken());
    await Promise.all(
      [2, 3, 4, 5, 6].map(async (sequence) => {
        await checkpoints().write(await folderOf(`g-${sequence}`, filesAt(sequence)), at(sequence), newToken());
      }),
    );
    expect(await readBack()).toEqual({ checkpoint: at(6), files: sumsOf(filesAt(6)) });
    expect(new Set((await partsOf()).map(({ id }) => id)).size).toBe(1);
  });
});
