import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { withCheck } from '../../../src/persistence/files/checked-line.ts';
import { readMemories, writeMemories } from '../../../src/persistence/snapshot/memories-file.ts';
import type { SnapshotRecord } from '../../../src/store/stored-memory.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';

let path: string;
let removeScratch: () => void;
beforeEach(() => {
  const scratch = scratchFolder();
  path = join(scratch.path, 'memories.json');
  removeScratch = scratch.removeScratch;
});
afterEach(() => removeScratch());

const HEADER = {
  generation: 1,
  savedAt: '2026-11-21T09:30:00.000Z',
  sequence: 4,
  vectors: null,
  entities: { sha256: '0'.repeat(64) },
  deleted: [],
};
const READINGS = [
  { terms: ['ant', 'bee', 'ant'], flags: 0, words: 3 },
  { terms: [], flags: 3, words: 0 },
  { terms: ['bee', '7', 'cow', 'ant'], flags: 1, words: 200_000 },
  { terms: ['cow'], flags: 2, words: 1 },
];
const stored = (number: number): SnapshotRecord => ({
  memory: sampleMemory(number),
  strength: sampleStrength(number),
  rows: null,
  reading: READINGS[number],
});

async function read() {
  const found: SnapshotRecord[] = [];
  const damages: string[] = [];
  await readMemories(path, {
    header: async () => {},
    memory: (one) => void found.push(one),
    damage: (what) => void damages.push(what),
  });
  return { damages, memories: found.map(({ memory }) => memory.id), readings: found.map(({ reading }) => reading) };
}

async function written(): Promise<string[]> {
  await writeMemories(
    path,
    HEADER,
    READINGS.map((_, number) => stored(number)),
  );
  return readFileSync(path, 'utf8').split('\n');
}
const rewrite = (lines: readonly string[]) => writeFileSync(path, lines.join('\n'));
const ids = READINGS.map((_, number) => sampleMemory(number).id);

describe('memories.json', () => {
  test('holds each term of the readings once, as text', async () => {
    const lines = (await written()).slice(1, 5).map((line) => JSON.parse(line.replace(/,$/, '')).reading);
    expect(lines).toEqual([
      [0, 3, 'ant', 'bee', 0],
      [3, 0],
      [1, 200_000, 1, '7', 'cow', 0],
      [2, 1, 3],
    ]);
    expect(await read()).toEqual({ damages: [], memories: ids, readings: READINGS });
  });

  test('of other rules of reading is read without its readings', async () => {
    const [header, ...rest] = (await written()) as [string, ...string[]];
    rewrite([
      withCheck(header.replace(/"check":"\w+",/, '').replace(/"readings":"\w+"/, '"readings":"x"')).line,
      ...rest,
    ]);
    const { memories, readings } = await read();
    expect(memories).toEqual(ids);
    expect(readings).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('of format 1, which had neither readings nor a check of the whole, is read', async () => {
    const plain = READINGS.map((_, number) => ({ ...stored(number), reading: undefined }));
    await writeMemories(path, HEADER, plain);
    const text = readFileSync(path, 'utf8').replace(/,"sha256":"\w+"\}\n$/, '}\n');
    const [header, ...rest] = text.split('\n') as [string, ...string[]];
    const old = header
      .replace(/"check":"\w+",/, '')
      .replace('"format":2', '"format":1')
      .replace(/"readings":"\w+",/, '');
    rewrite([withCheck(old).line, ...rest]);
    const { memories, damages } = await read();
    expect(memories).toEqual(ids);
    // The check of all lines was made with the other header.
    expect(damages).toEqual([expect.stringMatching(/its last line counts 4 memories/)]);
  });

  test('tells each changed byte, and leaves out the readings behind a line that cannot be read', async () => {
    const lines = await written();
    rewrite(lines.map((line, number) => (number === 2 ? line.replace('Friday', 'Monday') : line)));
    expect(await read()).toEqual({
      damages: ['line 3 cannot be read'],
      memories: [ids[0], ids[2], ids[3]],
      readings: [READINGS[0], undefined, undefined],
    });
  });

  test('whose footer has lost its check of the whole is still told from another', async () => {
    const lines = await written();
    const footer = (lines[5] as string).replace(/,"sha256":"\w+"/, '');
    rewrite([...lines.slice(0, 5), footer, '']);
    expect((await read()).damages).toEqual([]);
    rewrite([...lines.slice(0, 3), ...lines.slice(4, 5), footer, '']);
    expect((await read()).damages).toEqual([expect.stringMatching(/the file holds 3, or other ones/)]);
  });
});
