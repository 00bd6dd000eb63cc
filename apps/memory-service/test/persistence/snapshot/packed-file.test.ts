import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { plainTags } from '../../../src/domain/memory/plain-tags.ts';
import { PackedWriter } from '../../../src/persistence/files/packed-bytes.ts';
import { readMemories, writeMemories } from '../../../src/persistence/snapshot/memories-file.ts';
import { openPacked, openPackedParts, writePacked } from '../../../src/persistence/snapshot/packed-file.ts';
import { RecordPacker } from '../../../src/persistence/snapshot/record-packer.ts';
import { readingVersion } from '../../../src/search/lexical/text-reading.ts';
import type { SnapshotRecord } from '../../../src/store/records/snapshot-records.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';

let folder: string;
let path: string;
let removeScratch: () => void;
beforeEach(() => {
  const scratch = scratchFolder();
  folder = scratch.path;
  path = join(folder, 'memories.packed');
  removeScratch = scratch.removeScratch;
});
afterEach(() => removeScratch());

const HEADER = {
  generation: 3,
  savedAt: '2026-11-21T09:30:00.000Z',
  sequence: 4,
  vectors: { model: 'some', dimension: 4, rows: 9, sha256: '1'.repeat(64) },
  entities: { sha256: '0'.repeat(64) },
  versions: null,
  deleted: ['gone', 'gone too'],
};

/** Texts of every width, halves of surrogate pairs among them, and long ones. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud83d', 'half \udc00 a pair', '', '\u0000', 'naïve', '猫', 'x'.repeat(70_000)),
);
const name = fc.oneof(fc.constantFrom('ann', 'bob', 'kestrel'), text);
const instant = fc.integer({ min: -8_000_000_000_000, max: 8_000_000_000_000 });
const act = fc.record({ agentId: name, at: instant, reason: text });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, value);
const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });
const id = fc.oneof(
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 32, maxLength: 32 }).map((digits) => digits.join('')),
  fc.uuid(),
  text,
);
const metadata = fc.oneof(fc.constant({}), fc.dictionary(fc.stringMatching(/^\w{1,9}$/), fc.jsonValue()).map(asJson));

function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const plain = fc
  .record({
    id,
    gist: text,
    other: maybe(text),
    gistEdited: fc.boolean(),
    tags: few(name).map((tags) => [...plainTags(tags)]),
    importance: fc.double({ min: 0, max: 1, noNaN: true }),
    agentId: name,
    sessionId: maybe(name),
    scope: fc.constantFrom('TEAM', 'SHARED', 'PRIVATE'),
    project: maybe(name),
    kind: fc.constantFrom('episodic', 'semantic'),
    role: fc.constantFrom(null, 'user', 'assistant', 'system'),
    name: maybe(name),
    source: fc.constantFrom('user', 'assistant', 'tool', 'import'),
    entities: few(fc.record({ name, type: fc.constantFrom('person', 'project', 'other') })),
    createdAt: instant,
    updatedAt: instant,
    consolidatedInto: maybe(id),
    supersededBy: maybe(id),
    metadata,
    idempotencyKey: maybe(name),
  })
  .map(({ other, ...fields }) => ({ ...fields, content: other ?? fields.gist }));
const rare = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constant({
      sources: [],
      supersession: null,
      validFrom: null,
      validUntil: null,
      invalidation: null,
      expiresAt: null,
    }),
  },
  fc.record(
    {
      sources: few(id),
      supersession: maybe(act),
      validFrom: maybe(instant),
      validUntil: maybe(instant),
      invalidation: maybe(act),
      expiresAt: maybe(instant),
      tellings: few(fc.record({ key: name, said: fc.constant({ content: 'x1' }) })),
    },
    { requiredKeys: ['sources', 'supersession', 'validFrom', 'validUntil', 'invalidation', 'expiresAt'] },
  ),
);
const strength = fc.record(
  {
    lastRecalledAt: maybe(instant),
    recallCount: fc.oneof(fc.nat(300), fc.nat(Number.MAX_SAFE_INTEGER)),
    stabilityDays: fc.double({ min: 0, max: 1e6, noNaN: true }),
    recalledBy: few(fc.record({ agentId: name, at: instant })),
  },
  { requiredKeys: ['lastRecalledAt', 'recallCount', 'stabilityDays'] },
);
const record = fc.record({
  memory: fc.tuple(plain, rare).map(([one, other]) => ({ ...one, ...other }) as Memory),
  strength,
  vectors: fc.nat(3),
  comparison: fc.oneof(fc.constant(undefined), fc.record({ by: name, found: fc.constant([]) })),
  reading: fc.option(fc.record({ terms: few(name), flags: fc.nat(3), words: fc.nat(100_000) }), { nil: undefined }),
});

/** As a save captures them: rows are numbered in the order of the memories. */
const records = fc.array(record, { maxLength: 12 }).map((all) => {
  let first = 0;
  return all.map(({ vectors, ...one }): SnapshotRecord => {
    const rows = vectors === 0 ? null : { first, count: vectors };
    first += vectors;
    return { ...one, rows };
  });
});

/** Only what stands for something: where the terms come from is nothing of that. */
function told({ memory, strength: of, rows, comparison, reading }: SnapshotRecord) {
  const { terms, flags, words } = reading ?? {};
  return { memory, strength: of, rows, comparison, reading: reading && { terms, flags, words } };
}

async function unpacked(): Promise<{ header: unknown; records: unknown[] } | string> {
  const packed = await openPacked(path);
  if (typeof packed === 'string') return packed;
  const all: unknown[] = [];
  for await (const some of packed.read()) all.push(...some.map(told));
  return { header: packed.header, records: all };
}

async function unlined(): Promise<unknown[]> {
  const all: unknown[] = [];
  await readMemories(join(folder, 'memories.json'), {
    header: async () => {},
    memory: (one) => void all.push(told(one)),
    damage: (what) => {
      throw new Error(what);
    },
  });
  return all;
}

test('what is read is what was written, and what memories.json holds', async () => {
  await fc.assert(
    fc.asyncProperty(records, async (all) => {
      await writePacked(path, HEADER, all);
      await writeMemories(join(folder, 'memories.json'), HEADER, all);
      const read = await unpacked();
      expect(read).toMatchObject({ header: HEADER });
      expect((read as { records: unknown[] }).records).toEqual(all.map(told));
      expect((read as { records: unknown[] }).records).toEqual(await unlined());
    }),
    { numRuns: 150 },
  );
});

test('tags that an earlier version kept with accents of their own are read as they are kept now', async () => {
  const [apart, one] = ['cafe\u0301', 'caf\u00e9'];
  const old = (number: number, others: Partial<Memory>) => ({
    ...(SAMPLES[number] as SnapshotRecord),
    memory: sampleMemory(number, { tags: [apart, 'plain', one], ...others }),
  });
  const own = { tags: [apart], entities: [], importance: 0.5 };
  const all = [old(1, {}), old(2, { own, absorbed: [{ memory: sampleMemory(3), strength: sampleStrength(3) }] })];
  await writePacked(path, HEADER, all);
  await writeMemories(join(folder, 'memories.json'), HEADER, all);
  for (const records of [((await unpacked()) as { records: SnapshotRecord[] }).records, await unlined()]) {
    const [first, second] = (records as SnapshotRecord[]).map(({ memory }) => memory);
    expect([first?.tags, second?.tags, second?.own?.tags]).toEqual([[one, 'plain'], [one, 'plain'], [one]]);
  }
});

const SAMPLES = Array.from(
  { length: 3_000 },
  (_, number): SnapshotRecord => ({
    memory: sampleMemory(number, {
      absorbed: [{ memory: sampleMemory(number + 5_000), strength: sampleStrength(number) }],
      own: { tags: ['own'], entities: [], importance: 0.5 },
    }),
    strength: sampleStrength(number),
    rows: null,
    comparison: undefined,
    reading: undefined,
  }),
);

test('records of many blocks come back, what they absorbed included', async () => {
  await writePacked(path, HEADER, SAMPLES);
  const packed = await openPacked(path);
  if (typeof packed === 'string') throw new Error(packed);
  const blocks: number[] = [];
  const all: unknown[] = [];
  for await (const some of packed.read()) {
    blocks.push(some.length);
    all.push(...some.map(told));
  }
  expect(all).toEqual(SAMPLES);
  expect(Math.max(...blocks)).toBeLessThan(500);
});

test('records of one block come 200 at a time, each time in a turn of the event loop of its own', async () => {
  const strength = sampleStrength(0);
  const records = Array.from({ length: 250 }, (_, number) => ({ memory: sampleMemory(number), strength, rows: null }));
  await writePacked(path, HEADER, records);
  const packed = await openPacked(path);
  if (typeof packed === 'string') throw new Error(packed);
  const lengths: number[] = [];
  let turns = 0;
  let turnOfOthers = setImmediate(function count() {
    turns++;
    turnOfOthers = setImmediate(count);
  });
  const before: number[] = [];
  for await (const some of packed.read()) {
    before.push(turns);
    lengths.push(some.length);
  }
  clearImmediate(turnOfOthers);
  expect(lengths).toEqual([200, 50]);
  expect(new Set(before).size).toBe(2);
});

test('words that another version has read are read again', async () => {
  const reading = { terms: ['kestrel'], flags: 1, words: 3 };
  const [sample] = SAMPLES as [SnapshotRecord];
  await writePacked(path, HEADER, [{ ...sample, reading: reading as unknown as SnapshotRecord['reading'] }]);
  expect(await unpacked()).toMatchObject({ records: [{ reading }] });
  const bytes = readFileSync(path);
  bytes.write('0'.repeat(readingVersion().length), bytes.indexOf(readingVersion()));
  const content = bytes.subarray(0, bytes.length - 32);
  writeFileSync(path, Buffer.concat([content, createHash('sha256').update(content).digest()]));
  for (const read of [await unpacked(), await unpackedParts(partsOf(readFileSync(path), 1_000))]) {
    expect((read as { records: unknown[] }).records).toEqual([{ ...told(sample), reading: undefined }]);
  }
});

async function* partsOf(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

async function unpackedParts(parts: AsyncIterable<Buffer>): Promise<unknown> {
  const packed = await openPackedParts(parts);
  if (typeof packed === 'string') return packed;
  const all: unknown[] = [];
  for await (const some of packed.read()) all.push(...some.map(told));
  return { header: packed.header, records: all };
}

test('a file that comes in parts of any length is read as one that lies on the disk', async () => {
  await writePacked(path, HEADER, SAMPLES);
  const bytes = readFileSync(path);
  const whole = await unpacked();
  for (const length of [77_777, 131_072, 1_000_000, bytes.length]) {
    expect(await unpackedParts(partsOf(bytes, length))).toEqual(whole);
  }
  await writePacked(path, HEADER, SAMPLES.slice(0, 2));
  for (const length of [1, 7, 32, 33]) {
    expect(await unpackedParts(partsOf(readFileSync(path), length))).toEqual(await unpacked());
  }
});

test('parts that are not those of one file, a missing end and another version are told', async () => {
  await writePacked(path, HEADER, SAMPLES);
  const bytes = readFileSync(path);
  const middle = bytes.length / 2;
  const spoilt = Buffer.from(bytes);
  // In the id of a record.
  spoilt[bytes.indexOf(Buffer.from('absorbed'))] = 0x41;
  await expect(unpackedParts(partsOf(spoilt, 100_000))).rejects.toThrow('memories.packed is damaged');
  await expect(unpackedParts(partsOf(bytes.subarray(0, bytes.length - 32), 100_000))).rejects.toThrow('damaged');
  for (const length of [middle, bytes.length - 33, bytes.indexOf(Buffer.from('absorbed'))]) {
    await expect(unpackedParts(partsOf(bytes.subarray(0, length), 100_000))).rejects.toThrow('is damaged: restore');
  }
  for (const length of [5, 12, 13, 100]) {
    expect(await unpackedParts(partsOf(bytes.subarray(0, length), 100_000))).toBe('is damaged');
  }
  expect(await unpackedParts(partsOf(Buffer.from('MEMPACK9....'), 5))).toBe('was written by another version');
  expect(await unpackedParts(partsOf(Buffer.alloc(0), 5))).toBe('is damaged');
});

test('a byte that is another one, a missing end and another version are told', async () => {
  await writePacked(path, HEADER, SAMPLES.slice(0, 2));
  const sound = readFileSync(path);
  for (let at = 0; at < sound.length; at++) {
    const spoilt = Buffer.from(sound);
    spoilt[at] = (spoilt[at] as number) ^ 1;
    writeFileSync(path, spoilt);
    expect(await unpacked()).toMatch(/^(is damaged|was written by another version)$/);
  }
  for (const length of [0, 5, 11, 12, 40, sound.length - 1]) {
    writeFileSync(path, sound.subarray(0, length));
    expect(await unpacked()).toBe('is damaged');
  }
  writeFileSync(path, Buffer.concat([Buffer.from('MEMPACK9'), sound.subarray(8)]));
  expect(await unpacked()).toBe('was written by another version');
  expect(await openPacked(join(folder, 'nothing'))).toBe('is missing');
});

test('a record with a part that only a newer version knows is refused in words', async () => {
  await writePacked(path, HEADER, SAMPLES.slice(0, 1));
  const file = readFileSync(path);
  const record = 12 + file.readUInt32LE(8) + 8;
  file[record + 1] = (file[record + 1] as number) | 64;
  const body = file.subarray(0, -32);
  writeFileSync(path, Buffer.concat([body, createHash('sha256').update(body).digest()]));
  await expect(unpacked()).rejects.toThrow(
    'memories.packed was written by a newer version of memory-service: start that',
  );
});

test('a record is laid out as earlier versions read it', async () => {
  const writer = new PackedWriter();
  const packer = new RecordPacker();
  const reading = { terms: ['kestrel', 'friday'], flags: 1, words: 9 };
  for (const number of [1, 4]) {
    const memory = sampleMemory(number, {
      id: `0193a00000007000800000000000000${number}`,
      gist: `g${number}`,
      content: 'c',
      metadata: {},
      consolidatedInto: number === 4 ? 'semantic' : null,
      supersededBy: number === 4 ? 'other' : null,
    });
    packer.pack(writer, {
      memory,
      strength: sampleStrength(number),
      rows: { first: 0, count: 2 },
      comparison: { by: 'rules', found: [] },
      reading,
    });
  }
  const expected = [
    '0a3a0193a0000000700080000000000000010867310463009a9999999999b93f011c6167656e742d3101247365737369',
    '6f6e2d3100004202011c4b65737472656c011c70726f6a65637401087631011c76657273696f6e00803ecc829c794200',
    'c05dcc829c794200106ae4829c794201000000000000f23f01010c626f6200106ae4829c794203011472756c65730109',
    '02011c6b65737472656c0118667269646179da180193a000000070008000000000000004086734046302011c72656c65',
    '61736501196e61c3af76659a9999999999d93f0200000138416e6e2022746865206861776b224a020201087630050000',
    'facc829c7942004019cd829c7942146b65792d34146f746865722073656d616e74696300000000000000f83f03070109',
    '020203',
  ].join('');
  expect(writer.take().toString('hex')).toBe(expected);
});
