import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError } from '@agent-faculties/service-kit';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { PrunedFiles } from '../../../src/persistence/archive/pruned-files.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { directoryOf, scratchFolder } from '../../scratch-folder.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const stored = (number: number) => ({ memory: sampleMemory(number), strength: sampleStrength(number) });
const idOf = (number: number) => sampleMemory(number).id;
const idsIn = async (archive: PrunedFiles) => (await archive.entries()).map(({ id }) => id);
const wordsIn = (folder: string) =>
  readdirSync(join(folder, 'pruned'))
    .map((name) => readFileSync(join(folder, 'pruned', name), 'utf8'))
    .join('');
const fault = (syscall: string) =>
  Object.assign(new Error('EIO: the disk says no'), { code: 'EIO', syscall, errno: -5 });

/** Of every file handle. */
async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(tmpdir(), 'r');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

const scratch: ReturnType<typeof scratchFolder>[] = [];
const fresh = () => {
  const folder = scratchFolder();
  scratch.push(folder);
  return folder.path;
};
afterEach(() => {
  jest.restoreAllMocks();
  for (const { removeScratch } of scratch.splice(0)) removeScratch();
});

/** A line of the archive. Its check comes from Python: hashlib.sha256(the rest of the line).hexdigest()[:16]. */
const LINE =
  '{"check":"17f9605f0d629f5e","pruned_at":"2026-11-21T12:00:00.000Z","memory":{"id":"0193a000-0000-7000-8000-000000000001","gist":"We ship on Friday.","gist_edited":false,"tags":["release"],"importance":0.4,"agent_id":"ann","session_id":null,"scope":"PRIVATE","kind":"episodic","role":"user","name":null,"source":"user","entities":[{"name":"Kestrel","type":"project"}],"created_at":"2026-11-20T09:30:00.000Z","updated_at":"2026-11-20T09:30:00.000Z","sources":[],"consolidated_into":null,"superseded_by":null,"metadata":{"n":1},"idempotency_key":null},"strength":{"last_recalled_at":null,"recall_count":2,"stability_days":3.5}}';

describe('the archive of the pruned', () => {
  test('is lines of JSON, read and written byte by byte', async () => {
    const [from, to] = [fresh(), fresh()];
    mkdirSync(join(from, 'pruned'));
    writeFileSync(join(from, 'pruned', '2026-11-21.ndjson'), `${LINE}\n`);
    const read = await (await PrunedFiles.open(directoryOf(from))).read(['0193a000-0000-7000-8000-000000000001']);
    expect(read).toMatchObject([
      {
        prunedAt: NOON,
        memory: { gist: 'We ship on Friday.', content: 'We ship on Friday.', agentId: 'ann', scope: 'PRIVATE' },
        strength: { lastRecalledAt: null, recallCount: 2, stabilityDays: 3.5 },
      },
    ]);
    const [{ memory, strength }] = read as [(typeof read)[number]];
    await (await PrunedFiles.open(directoryOf(to))).keep([{ memory, strength }], NOON);
    expect(wordsIn(to).trim()).toBe(LINE);
  });

  test('a line that a crash cut short harms no other', async () => {
    const folder = fresh();
    await (await PrunedFiles.open(directoryOf(folder))).keep([stored(1)], NOON);
    const path = join(folder, 'pruned', '2026-11-21.ndjson');
    appendFileSync(path, readFileSync(path, 'utf8').slice(1, 200));
    const archive = await PrunedFiles.open(directoryOf(folder));
    await archive.keep([stored(2)], NOON);
    expect(await idsIn(archive)).toEqual([idOf(2), idOf(1)]);
  });

  test('what is removed leaves the disk, and the rest stays', async () => {
    const folder = fresh();
    const archive = await PrunedFiles.open(directoryOf(folder));
    await archive.keep([stored(1), stored(2)], NOON);
    const { id } = sampleMemory(1);
    expect(await archive.remove([id, 'none'])).toEqual([id]);
    expect(wordsIn(folder)).not.toContain(sampleMemory(1).gist);
    expect(await archive.find(id)).toBeNull();
    await archive.remove([sampleMemory(2).id]);
    expect(readdirSync(join(folder, 'pruned'))).toEqual([]);
  });

  test('of what could not be written whole nothing is there, now or after a restart', async () => {
    const folder = fresh();
    const archive = await PrunedFiles.open(directoryOf(folder));
    await archive.keep([stored(1)], NOON);
    jest.spyOn(await handlePrototype(), 'sync').mockRejectedValueOnce(fault('fsync'));
    await expect(archive.keep([stored(2)], NOON)).rejects.toThrow(UnavailableError);
    expect(await idsIn(archive)).toEqual([idOf(1)]);
    expect(await idsIn(await PrunedFiles.open(directoryOf(folder)))).toEqual([idOf(1)]);
  });

  test('what could neither be written nor taken back can be removed all the same', async () => {
    const folder = fresh();
    const archive = await PrunedFiles.open(directoryOf(folder));
    await archive.keep([stored(2)], NOON);
    const prototype = await handlePrototype();
    jest.spyOn(prototype, 'sync').mockRejectedValueOnce(fault('fsync'));
    jest.spyOn(prototype, 'truncate').mockRejectedValueOnce(fault('ftruncate'));
    await expect(archive.keep([stored(1)], NOON)).rejects.toThrow(UnavailableError);
    expect(wordsIn(folder)).toContain(sampleMemory(1).gist);
    expect(await archive.remove([idOf(1)])).toEqual([idOf(1)]);
    expect(wordsIn(folder)).not.toContain(sampleMemory(1).gist);
  });

  test('what was pruned on two days is there once, as it was last, and leaves both files', async () => {
    const folder = fresh();
    const again = { ...stored(1), memory: sampleMemory(1, { tags: ['again'] }) };
    const archive = await PrunedFiles.open(directoryOf(folder));
    await archive.keep([stored(1)], NOON - DAY_MS);
    await archive.keep([again, stored(2)], NOON);
    expect(await idsIn(archive)).toEqual([idOf(2), idOf(1)]);
    expect(await archive.read([idOf(1)])).toEqual([{ ...again, prunedAt: NOON }]);
    expect(await archive.remove([idOf(1)])).toEqual([idOf(1)]);
    expect(wordsIn(folder)).not.toContain(sampleMemory(1).gist);
    expect(await idsIn(await PrunedFiles.open(directoryOf(folder)))).toEqual([idOf(2)]);
  });
});
