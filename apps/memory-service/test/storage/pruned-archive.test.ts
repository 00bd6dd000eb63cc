import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { PrunedFiles } from '../../src/storage/pruned-archive.ts';
import { sampleMemory, sampleStrength } from './sample-memory.ts';
import { scratchFolder } from './scratch-folder.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const kept = (number: number) => ({ memory: sampleMemory(number), strength: sampleStrength(number) });
const idsOf = (pruned: readonly { memory: { id: string } }[]) => pruned.map(({ memory }) => memory.id);

const scratch: ReturnType<typeof scratchFolder>[] = [];
const fresh = () => {
  const folder = scratchFolder();
  scratch.push(folder);
  return folder.path;
};
afterEach(() => {
  for (const { removeScratch } of scratch.splice(0)) removeScratch();
});

describe('the archive of the pruned', () => {
  test('gives back whole what it was given, after a restart too', async () => {
    const folder = fresh();
    const archive = await PrunedFiles.open(folder);
    await archive.keep([kept(1), kept(2)], NOON);
    const again = await PrunedFiles.open(folder);
    expect(await again.find(sampleMemory(2).id)).toEqual({ ...kept(2), prunedAt: NOON });
    expect(idsOf(await again.all())).toEqual(idsOf([kept(2), kept(1)]));
    expect(readdirSync(join(folder, 'pruned'))).toEqual(['2026-11-21.ndjson']);
  });

  test('a line that a crash cut short harms no other', async () => {
    const folder = fresh();
    await (await PrunedFiles.open(folder)).keep([kept(1)], NOON);
    const path = join(folder, 'pruned', '2026-11-21.ndjson');
    appendFileSync(path, readFileSync(path, 'utf8').slice(1, 200));
    const archive = await PrunedFiles.open(folder);
    await archive.keep([kept(2)], NOON);
    expect(idsOf(await archive.all())).toEqual(idsOf([kept(2), kept(1)]));
  });

  test('what is removed leaves the disk, and the rest stays', async () => {
    const folder = fresh();
    const archive = await PrunedFiles.open(folder);
    await archive.keep([kept(1), kept(2)], NOON);
    const { id } = sampleMemory(1);
    expect(await archive.remove([id, 'none'])).toEqual([id]);
    expect(readFileSync(join(folder, 'pruned', '2026-11-21.ndjson'), 'utf8')).not.toContain(sampleMemory(1).gist);
    expect(await archive.find(id)).toBeNull();
    await archive.remove([sampleMemory(2).id]);
    expect(readdirSync(join(folder, 'pruned'))).toEqual([]);
  });

  test('expires what was pruned before a moment, to the millisecond', async () => {
    const archive = await PrunedFiles.open(fresh());
    await archive.keep([kept(1)], NOON - DAY_MS);
    await archive.keep([kept(2)], NOON - 1);
    await archive.keep([kept(3)], NOON);
    expect(await archive.expire(NOON)).toBe(2);
    expect(idsOf(await archive.all())).toEqual([sampleMemory(3).id]);
  });
});
