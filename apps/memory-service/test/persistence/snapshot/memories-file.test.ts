import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { withCheck } from '../../../src/persistence/files/checked-line.ts';
import { readMemories, readMemoriesHeader, writeMemories } from '../../../src/persistence/snapshot/memories-file.ts';
import { readingVersion } from '../../../src/search/lexical/text-reading.ts';
import type { SnapshotRecord } from '../../../src/store/records/snapshot-records.ts';
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

/** Makes a line as the format describes it, without the code: a check is 16 digits of the SHA-256 of the rest of the line. */
function documented(members: readonly string[]): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const checks = members.map((member) => sha256(member).slice(0, 16));
  const lines = members.map((member, index) => `{"check":"${checks[index]}",${member}`);
  const [header, ...memories] = lines as [string, ...string[]];
  const whole = `${header}\n${memories.join(',\n')}\n`;
  return `${whole}],"count":${memories.length},"check":"${sha256(checks.join(''))}","sha256":"${sha256(whole)}"}\n`;
}

const HEADER_MEMBERS = `"format":4,"generation":7,"saved_at":"2026-11-21T09:30:00.000Z","sequence":12,"vectors":{"model":"pair@1","dimension":2,"rows":3,"sha256":"${'1'.repeat(64)}"},"entities":{"sha256":"${'0'.repeat(64)}"},"readings":"${readingVersion()}","deleted":["gone"],"memories":[`;
const MEMORY_MEMBERS = [
  '"id":"m1","gist":"We ship on Friday.","gist_edited":false,"tags":["release"],"importance":0.4,"agent_id":"ann","session_id":null,"scope":"PRIVATE","kind":"episodic","role":"user","name":null,"source":"user","entities":[{"name":"Kestrel","type":"project"}],"created_at":"2026-11-20T09:30:00.000Z","updated_at":"2026-11-20T09:30:00.000Z","sources":[],"consolidated_into":null,"superseded_by":null,"metadata":{"n":1},"idempotency_key":null,"strength":{"last_recalled_at":null,"recall_count":0,"stability_days":3.5},"vectors":[0,2],"reading":[1,4,"ship","friday",0]}',
  '"id":"m2","gist":"Short.","content":"Long.","gist_edited":true,"tags":[],"importance":0,"agent_id":"bob","session_id":"s","scope":"TEAM","kind":"episodic","role":null,"name":"Dana","source":"import","entities":[],"created_at":"2026-11-20T09:30:00.000Z","updated_at":"2026-11-20T09:31:00.001Z","sources":[],"consolidated_into":null,"superseded_by":"m1","metadata":{},"idempotency_key":"k","strength":{"last_recalled_at":"2026-11-21T00:00:00.000Z","recall_count":2,"stability_days":1},"vectors":[2,1],"comparison":{"by":"rules"},"reading":[0,1,1]}',
];

describe('memories.json', () => {
  test('is read and written as its format says, byte by byte', async () => {
    const text = documented([HEADER_MEMBERS, ...MEMORY_MEMBERS]);
    writeFileSync(path, text);
    const found: SnapshotRecord[] = [];
    const damages: string[] = [];
    await readMemories(path, {
      header: async () => {},
      memory: (one) => void found.push(one),
      damage: (what) => void damages.push(what),
    });
    expect(damages).toEqual([]);
    const saidAt = Date.UTC(2026, 10, 20, 9, 30);
    expect(found).toMatchObject([
      {
        memory: { id: 'm1', content: 'We ship on Friday.', scope: 'PRIVATE', createdAt: saidAt, updatedAt: saidAt },
        strength: { lastRecalledAt: null, recallCount: 0, stabilityDays: 3.5 },
        rows: { first: 0, count: 2 },
        reading: { flags: 1, words: 4, terms: ['ship', 'friday', 'ship'] },
      },
      {
        memory: { id: 'm2', content: 'Long.', supersededBy: 'm1', updatedAt: saidAt + 60_001 },
        strength: { lastRecalledAt: Date.UTC(2026, 10, 21), recallCount: 2 },
        rows: { first: 2, count: 1 },
        comparison: { by: 'rules', found: [] },
        reading: { flags: 0, words: 1, terms: ['friday'] },
      },
    ]);
    const header = await readMemoriesHeader(path);
    expect(header).toMatchObject({
      generation: 7,
      savedAt: '2026-11-21T09:30:00.000Z',
      sequence: 12,
      vectors: { model: 'pair@1', dimension: 2, rows: 3, sha256: '1'.repeat(64) },
      deleted: ['gone'],
    });
    // Rows of the matrix that a running process has; in the file they are numbered in order.
    const rows = [
      { first: 40, count: 2 },
      { first: 7, count: 1 },
    ];
    const { bytes } = await writeMemories(
      path,
      header as NonNullable<typeof header>,
      found.map((one, index) => ({ ...one, rows: rows[index] as (typeof rows)[number] })),
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(bytes).toBe(Buffer.byteLength(text));
  });

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
      .replace('"format":4', '"format":1')
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
