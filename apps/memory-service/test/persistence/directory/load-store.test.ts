import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withCheck } from '../../../src/persistence/files/checked-line.ts';
import { DataDirectoryError } from '../../../src/persistence/files/data-directory-error.ts';
import { lineBody, lineStart } from '../../../src/persistence/journal/journal-line.ts';
import type { Change } from '../../../src/store/changes/change.ts';
import { sampleMemory, sampleStrength, sampleVector } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { type Contents, MODEL, type OpenOptions, type OpenStore, openNaiveStore } from '../../store/naive-store.ts';

const SAVED_FILES = ['entities.json', 'faiss.index', 'memories.json', 'memories.packed'];

let scratch: string;
let removeScratch: () => void;
let path: string;
beforeEach(() => {
  ({ path: scratch, removeScratch } = scratchFolder());
  path = join(scratch, 'data');
});
afterEach(() => removeScratch());

const add = (number: number, changes = {}): Change => ({
  op: 'add',
  memory: sampleMemory(number, changes),
  vectors: Array.from({ length: number % 3 }, (_, chunk) => sampleVector(number * 10 + chunk)),
});
const update = (number: number, gist: string): Change => ({
  op: 'update',
  memory: sampleMemory(number, { gist }),
  vectors: [sampleVector(gist.length)],
});
const remove = (...numbers: number[]): Change => ({
  op: 'delete',
  ids: numbers.map((number) => sampleMemory(number).id),
});

/** Fills the folder; stops without a save. @returns what was acknowledged */
async function fill(changes: readonly (Change | 'save')[]): Promise<Contents> {
  const open = await openNaiveStore(path);
  for (const change of changes) await (change === 'save' ? open.save() : open.change(change));
  await open.close();
  return open.store.contents();
}

async function reopened(options?: OpenOptions): Promise<OpenStore> {
  const open = await openNaiveStore(path, options);
  await open.close();
  return open;
}

/** The names and bytes of the folder. */
function files(): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'latin1')]));
}

/** The start is refused with these words, and no byte has changed. */
async function expectRefused(words: RegExp, options?: OpenOptions): Promise<void> {
  const before = files();
  await expect(openNaiveStore(path, options)).rejects.toThrow(DataDirectoryError);
  await expect(openNaiveStore(path, options)).rejects.toThrow(words);
  expect(files()).toEqual(before);
}

const withoutVectors = (contents: Contents) =>
  Object.fromEntries(Object.entries(contents).map(([id, stored]) => [id, { ...stored, vectors: null }]));

describe('a store', () => {
  test('comes back from the three files as it was, in the same order', async () => {
    const first = await openNaiveStore(path);
    for (let number = 0; number < 50; number++) {
      await first.change({ ...add(number), strength: sampleStrength(number) } as Change);
    }
    await first.change(update(4, 'new'));
    await first.change(remove(7, 8));
    const report = await first.save();
    expect(report).toMatchObject({ memories: 48, sequence: 52 });
    await first.close();
    expect(readdirSync(path).sort()).toEqual(SAVED_FILES);
    expect(report.bytes).toBe(SAVED_FILES.reduce((sum, name) => sum + statSync(join(path, name)).size, 0));

    const second = await reopened();
    expect(second.store.contents()).toEqual(first.store.contents());
    expect([...second.store.records.keys()]).toEqual([...first.store.records.keys()]);
    expect(second.report).toMatchObject({ memories: 48, replayed: 0, vectorsLost: null, losses: [], saveSoon: false });
    expect(second.report.savedAtMs).toBe(Date.parse('2026-11-21T09:30:00Z'));
  });

  test('comes back from the journal alone, and from the journal on top of the files', async () => {
    const changes = [add(1), add(2), update(1, 'one'), remove(2), add(4)];
    const alone = await fill(changes);
    const first = await reopened();
    expect(first.store.contents()).toEqual(alone);
    expect(first.report).toMatchObject({ memories: 0, replayed: 5, savedAtMs: null });
    const both = await fill(['save', add(5), remove(1), update(4, 'four')]);
    const second = await reopened();
    expect(second.store.contents()).toEqual(both);
    expect(second.report).toMatchObject({ memories: 2, replayed: 3 });
  });

  test('is empty in a new folder', async () => {
    const { report, store } = await reopened();
    expect(store.contents()).toEqual({});
    expect(report).toMatchObject({ generation: 0, savedAtMs: null, replayed: 0, saveSoon: false, losses: [] });
    expect(readdirSync(path)).toEqual([]);
  });

  test('keeps texts of 200,000 characters, lone surrogates and names from JavaScript', async () => {
    const memory = sampleMemory(1, {
      content: '猫🐈\ud800\u2028\n"'.repeat(30_000),
      metadata: JSON.parse('{"__proto__":{"a":1},"constructor":"x"}') as Record<string, unknown>,
    });
    await fill([{ op: 'add', memory, vectors: [] }]);
    expect((await reopened()).store.records.get(memory.id)?.memory).toEqual(memory);
    await fill(['save']);
    const loaded = (await reopened()).store.records.get(memory.id)?.memory;
    expect(loaded).toEqual(memory);
    expect(Object.keys(loaded?.metadata ?? {})).toEqual(['__proto__', 'constructor']);
  });
});

describe('any sequence of changes, saves and crashes', () => {
  const command = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), number: fc.nat(9) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('update' as const), number: fc.nat(9) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), number: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('save' as const), number: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), number: fc.constant(0) }) },
  );

  test('leaves what the last whole change of the journal left', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 25 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (commands, share) => {
          path = join(scratch, `run-${run++}`);
          let open = await openNaiveStore(path);
          // By the number of the change.
          const states = [open.store.contents()];
          for (const [step, { kind, number }] of commands.entries()) {
            if (kind === 'save') await open.save();
            else if (kind === 'restart') {
              await open.close();
              open = await openNaiveStore(path);
              expect(open.store.contents()).toEqual(states.at(-1));
            } else {
              const change = { add: add(number), update: update(number, `step ${step}`), delete: remove(number) }[kind];
              await open.change(change);
              states.push(open.store.contents());
            }
          }
          await open.close();
          const segments = readdirSync(path).filter((name) => /^journal-.*\.ndjson$/.test(name));
          const last = segments.sort((a, b) => Number(a.slice(8, -7)) - Number(b.slice(8, -7))).at(-1);
          let sequence = states.length - 1;
          if (last !== undefined) {
            const bytes = readFileSync(join(path, last));
            const length = Math.floor(share * bytes.length);
            truncateSync(join(path, last), length);
            // A mark is made once something is on disk.
            if (length === 0) rmSync(join(path, last.replace('.ndjson', '.begun')), { force: true });
            const wholeLines = bytes.subarray(0, length).filter((byte) => byte === 10).length;
            sequence = Number(last.slice(8, -7)) + wholeLines;
          }
          const found = await openNaiveStore(path);
          expect(found.store.contents()).toEqual(states[sequence]);
          await found.change(add(20));
          await found.close();
          expect((await reopened()).store.contents()).toEqual(found.store.contents());
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the end of the journal that a crash left', () => {
  test('is dropped with a warning, and the next change goes on after what is whole', async () => {
    const before = await fill([add(1), 'save', add(2)]);
    appendFileSync(join(path, 'journal-1.ndjson'), '{"check":"0123456789abcdef","sequence":3,"syn');
    const open = await openNaiveStore(path);
    expect(open.store.contents()).toEqual(before);
    expect(open.warnings).toEqual([
      expect.stringMatching(/stops in the middle of a line.*never answered.*it may have been$/),
    ]);
    expect(open.report.saveSoon).toBe(true);
    await open.change(add(3));
    await open.close();
    const again = await reopened();
    expect(again.store.contents()).toEqual(open.store.contents());
    expect(again.warnings).toEqual([]);
    await fill(['save']);
    expect(readdirSync(path).sort()).toEqual(SAVED_FILES);
  });

  test('may be a group of changes of which the first is torn: none of them was answered', async () => {
    const before = await fill([add(1)]);
    const line = (sequence: number, change: Record<string, unknown>) => {
      const body = lineBody(JSON.stringify(change));
      return Buffer.concat([lineStart(body, sequence, 1), body.bytes]);
    };
    const torn = line(2, { op: 'delete', ids: ['x'] }).fill(0, 20, 60);
    appendFileSync(
      join(path, 'journal-0.ndjson'),
      Buffer.concat([torn, line(3, { op: 'delete', ids: [sampleMemory(1).id] })]),
    );
    expect((await reopened()).store.contents()).toEqual(before);
  });
});

describe('damage', () => {
  test('in the middle of the journal stops the start, and a repair keeps the rest and the original', async () => {
    const before = await fill([add(0), 'save', add(1), add(2), add(3), remove(0)]);
    const name = 'journal-1.ndjson';
    const original = readFileSync(join(path, name), 'utf8');
    const lines = original.split('\n');
    lines[1] = (lines[1] as string).replace('Kestrel', 'Kestral');
    writeFileSync(join(path, name), lines.join('\n'));
    await expectRefused(/journal in .+ is damaged: journal-1\.ndjson, line 2: change 3 cannot be read.*--repair/);

    const repaired = await openNaiveStore(path, { repair: true });
    delete before[sampleMemory(2).id];
    expect(repaired.store.contents()).toEqual(before);
    expect(repaired.report.losses).toEqual(['journal-1.ndjson, line 2: change 3 cannot be read']);
    expect(repaired.report.saveSoon).toBe(true);
    await repaired.save();
    await repaired.close();
    expect(readFileSync(join(path, `${name}.damaged-2026-11-21T09-30-00-000Z`), 'utf8')).toBe(lines.join('\n'));
    expect((await reopened()).store.contents()).toEqual(before);
  });

  test('that takes a whole segment out of the journal stops the start', async () => {
    await fill([add(1), add(2)]);
    await fill([add(3)]);
    rmSync(join(path, 'journal-0.ndjson'));
    await expectRefused(/memories\.json: it is missing, though journal-2\.ndjson exists/);
  });

  test('that takes the journal away stops the start, also the next one, and a repair goes on without it', async () => {
    const saved = await fill([add(1), 'save']);
    await fill([add(2)]);
    rmSync(join(path, 'journal-1.ndjson'));
    await expectRefused(/journal-1\.ndjson: it is missing, with the changes that it held.*--repair/);
    const repaired = await openNaiveStore(path, { repair: true });
    expect(repaired.store.contents()).toEqual(saved);
    expect(repaired.report.losses).toHaveLength(1);
    await repaired.save();
    await repaired.close();
    expect((await reopened()).store.contents()).toEqual(saved);
  });

  test('that empties the journal stops the start, and a repair goes on without it', async () => {
    const saved = await fill([add(1), 'save']);
    await fill([add(2)]);
    truncateSync(join(path, 'journal-1.ndjson'), 0);
    await expectRefused(/journal-1\.ndjson: it is empty, though it held changes.*--repair/);
    const repaired = await openNaiveStore(path, { repair: true });
    expect(repaired.store.contents()).toEqual(saved);
    await repaired.save();
    await repaired.close();
    expect((await reopened()).store.contents()).toEqual(saved);
  });

  test('that cuts an older segment short stops the start', async () => {
    await fill([add(1), add(2)]);
    await fill([add(3)]);
    truncateSync(join(path, 'journal-0.ndjson'), 100);
    await expectRefused(/journal-0\.ndjson, line 1: changes 1 to 2 cannot be read/);
  });

  test('of memories.json stops the start, and a repair keeps the other lines, the journal and the original', async () => {
    const before = await fill([add(0), add(1), add(2), add(3), add(4), 'save', add(5), remove(4)]);
    const file = join(path, 'memories.json');
    const damaged = readFileSync(file, 'utf8').replace('Memory 2:', 'Memory 7:').replace('Memory 3:', 'Memory');
    writeFileSync(file, damaged);
    await expectRefused(/damaged \(memories\.json: lines 4 to 5 cannot be read\).*--repair.*Nothing was changed/);
    rmSync(join(path, 'memories.packed'));

    const repaired = await openNaiveStore(path, { repair: true });
    delete before[sampleMemory(2).id];
    delete before[sampleMemory(3).id];
    expect(repaired.store.contents()).toEqual(before);
    await repaired.save();
    await repaired.close();
    expect(readFileSync(`${file}.damaged-2026-11-21T09-30-00-000Z`, 'utf8')).toBe(damaged);
    expect((await reopened()).store.contents()).toEqual(before);
  });

  test('of the first line of memories.json costs the vectors and nothing else', async () => {
    const before = await fill([add(0), add(1), 'save', add(2), remove(0)]);
    const file = join(path, 'memories.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"generation":1', '"generation":2'));
    await expectRefused(/its first line cannot be read/);
    rmSync(join(path, 'memories.packed'));
    const repaired = await reopened({ repair: true });
    expect(repaired.report.vectorsLost).toMatch(/memories\.json does not say/);
    expect(withoutVectors(repaired.store.contents())).toEqual(withoutVectors(before));
  });

  test.each([
    ['a line', (text: string) => text.replace('Memory 2:', 'Memory 7:')],
    ['the first line', (text: string) => text.replace('"generation":1', '"generation":2')],
    ['the second half', (text: string) => text.slice(0, text.length / 2)],
    ['everything', () => ''],
    ['the file', null],
  ])('of memories.json (%s) costs nothing where memories.packed of the same save is sound', async (_, spoil) => {
    const before = await fill([add(0), add(1), add(2), 'save', add(5), remove(0)]);
    const file = join(path, 'memories.json');
    if (spoil) writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    else rmSync(file);
    const damaged = spoil && readFileSync(file, 'utf8');
    await expectRefused(/memories\.json: .*--repair.*Nothing was changed/);

    const repaired = await openNaiveStore(path, { repair: true });
    expect(repaired.store.contents()).toEqual(before);
    expect(repaired.report).toMatchObject({ losses: [], vectorsLost: null, saveSoon: true });
    expect(repaired.warnings).toEqual([expect.stringMatching(/memories\.packed of the same save is read/)]);
    await repaired.save();
    await repaired.close();
    const kept = readdirSync(path).filter((name) => name.includes('.damaged-'));
    expect(kept.includes('memories.json.damaged-2026-11-21T09-30-00-000Z')).toBe(spoil !== null);
    if (spoil) expect(readFileSync(`${file}.damaged-2026-11-21T09-30-00-000Z`, 'utf8')).toBe(damaged);
    expect(kept).toContain('memories.packed.damaged-2026-11-21T09-30-00-000Z');
    const after = await reopened();
    expect(after.store.contents()).toEqual(before);
    expect(after.report.saveSoon).toBe(false);
  });

  test.each([
    ['a line', (text: string) => text.replace('Memory 2:', 'Memory 7:'), 2],
    ['everything', () => '', 0],
  ])('of memories.json (%s) is not repaired by memories.packed of another save', async (_, spoil, left) => {
    await fill([add(1), 'save']);
    const stale = readFileSync(join(path, 'memories.packed'));
    await fill([add(2), add(3), 'save']);
    writeFileSync(join(path, 'memories.packed'), stale);
    const file = join(path, 'memories.json');
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    const repaired = await reopened({ repair: true });
    expect(repaired.store.records.size).toBe(left);
    expect(repaired.report.losses).toHaveLength(1);
  });

  test.each([
    ['is empty', () => ''],
    ['has lost its end', (text: string) => text.slice(0, -20)],
    ['has lost its last byte', (text: string) => text.slice(0, -1)],
    ['was formatted by somebody', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    ['has a memory twice', (text: string) => text.replace(/^(\{"check":"\w+","id"[^\n]*,)$/m, '$1\n$1')],
    ['has lost a memory', (text: string) => text.replace(/^\{"check":"\w+","id"[^\n]*,\n/m, '')],
    ['holds something else', () => '{"memories":[]}'],
  ])('is refused and not touched: memories.json %s', async (_, spoil) => {
    await fill([add(1), add(2), add(3), 'save']);
    const file = join(path, 'memories.json');
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    await expectRefused(/is damaged \(memories\.json: (it|line 5)/);
  });

  test('by the loss of memories.json is refused, not taken for an empty store', async () => {
    await fill([add(1), 'save']);
    renameSync(join(path, 'memories.json'), join(scratch, 'memories.json'));
    await expectRefused(/memories\.json: it is missing, though faiss\.index exists/);
  });

  test('of entities.json is mended from the memories', async () => {
    const before = await fill([add(1), add(2), 'save']);
    const original = readFileSync(join(path, 'entities.json'), 'utf8');
    for (const spoil of [
      () => rmSync(join(path, 'entities.json')),
      () => writeFileSync(join(path, 'entities.json'), '{}'),
    ]) {
      spoil();
      const { report, warnings, store } = await reopened();
      expect(warnings).toEqual([expect.stringMatching(/entities\.json is missing or was not saved/)]);
      expect(report.saveSoon).toBe(true);
      expect(store.contents()).toEqual(before);
    }
    await fill(['save']);
    expect(JSON.parse(readFileSync(join(path, 'entities.json'), 'utf8')).entities).toEqual(
      JSON.parse(original).entities,
    );
  });

  test('of memories.packed is mended from memories.json', async () => {
    const before = await fill([add(1), add(2), add(3), 'save']);
    const stale = readFileSync(join(path, 'memories.packed'));
    await fill([add(4), 'save']);
    const packed = readFileSync(join(path, 'memories.packed'));
    const after = (await reopened()).store.contents();
    expect(after).not.toEqual(before);
    const spoilt = [
      [/memories\.packed is missing/, () => rmSync(join(path, 'memories.packed'))],
      [/memories\.packed is damaged/, () => writeFileSync(join(path, 'memories.packed'), packed.subarray(0, -1))],
      [/memories\.packed was not saved with/, () => writeFileSync(join(path, 'memories.packed'), stale)],
    ] as const;
    for (const [why, spoil] of spoilt) {
      spoil();
      const { report, warnings, store } = await reopened();
      expect(warnings).toEqual([expect.stringMatching(why)]);
      expect(report.saveSoon).toBe(true);
      expect(store.contents()).toEqual(after);
    }
  });

  test('memories.packed of no save that memories.json knows of is not read', async () => {
    await fill([add(1), 'save']);
    const stale = readFileSync(join(path, 'memories.packed'));
    const after = await fill([add(2), 'save']);
    writeFileSync(join(path, 'memories.packed'), stale);
    // As an earlier version of the service writes it, which does not know of the other file.
    const lines = readFileSync(join(path, 'memories.json'), 'utf8').split('\n');
    writeFileSync(join(path, 'memories.json'), withoutPacked(lines));
    const { report, warnings, store } = await reopened();
    expect(warnings).toEqual([]);
    expect(report.saveSoon).toBe(false);
    expect(store.contents()).toEqual(after);
  });

  test('of one byte anywhere is refused, or mended without a loss; at the very end of the journal the last change may go', async () => {
    const open = await openNaiveStore(path);
    const states: Contents[] = [];
    for (const change of [add(1), add(2), add(4), 'save', update(2, 'two'), add(5), remove(1)] as const) {
      await (change === 'save' ? open.save() : open.change(change));
      states.push(open.store.contents());
    }
    await open.close();
    const [whole, withoutLast] = [states.at(-1) as Contents, states.at(-2) as Contents];
    const names = readdirSync(path).filter((name) => !name.endsWith('.begun'));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        async (name, share, flip) => {
          const copy = join(scratch, `copy-${run++}`);
          cpSync(path, copy, { recursive: true });
          const bytes = readFileSync(join(copy, name));
          const at = Math.floor(share * bytes.length);
          bytes[at] = (bytes[at] as number) ^ flip;
          writeFileSync(join(copy, name), bytes);
          const found = await openNaiveStore(copy).catch((error: unknown) => error);
          if (found instanceof Error) {
            expect(found).toBeInstanceOf(DataDirectoryError);
            expect(name).toMatch(/^memories\.json$|^journal/);
            return;
          }
          const { store, report, warnings, close } = found as OpenStore;
          await close();
          if (name === 'faiss.index') {
            expect(report.vectorsLost).toMatch(/faiss\.index/);
            expect(withoutVectors(store.contents())).toEqual(withoutVectors(whole));
          } else {
            expect([whole, withoutLast]).toContainEqual(store.contents());
            expect(warnings).toHaveLength(1);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('vectors', () => {
  const changes = [add(1), add(2), add(4), 'save'] as const;

  test.each<[string, () => unknown, RegExp]>([
    ['missing', () => rmSync(join(path, 'faiss.index')), /faiss\.index is missing/],
    ['cut short', () => truncateSync(join(path, 'faiss.index'), 60), /faiss\.index is damaged/],
    ['empty', () => truncateSync(join(path, 'faiss.index'), 0), /faiss\.index is damaged/],
    ['something else', () => writeFileSync(join(path, 'faiss.index'), 'x'.repeat(1_000)), /faiss\.index is damaged/],
  ])('are asked for again where faiss.index is %s', async (_, spoil, words) => {
    const before = await fill(changes);
    spoil();
    const { store, report } = await reopened();
    expect(report.vectorsLost).toMatch(words);
    expect(store.contents()).toEqual(withoutVectors(before));
  });

  test('of an older save are never taken for those of this one', async () => {
    await fill(changes);
    cpSync(join(path, 'faiss.index'), join(scratch, 'older'));
    // The same number of vectors, so that the size does not give it away.
    const before = await fill([
      update(1, 'another text'),
      update(2, 'x'),
      { ...update(2, ''), vectors: [sampleVector(1), sampleVector(2)] } as Change,
      'save',
    ]);
    expect(statSync(join(scratch, 'older')).size).toBe(statSync(join(path, 'faiss.index')).size);
    cpSync(join(scratch, 'older'), join(path, 'faiss.index'));
    const { store, report } = await reopened();
    expect(report.vectorsLost).toMatch(/was not saved with memories/);
    expect(store.contents()).toEqual(withoutVectors(before));
  });

  test.each([
    ['another model', { id: 'other', dimension: MODEL.dimension }],
    ['another dimension', { id: MODEL.id, dimension: 8 }],
  ])('of %s are left out, those in the journal too', async (_, model) => {
    const before = await fill([...changes, add(5)]);
    const { store, report } = await reopened({ model });
    expect(report.vectorsLost).toMatch(/come from the model test-model \(4 dimensions\)/);
    expect(store.contents()).toEqual(withoutVectors(before));
    expect(store.matrix.length).toBe(0);
  });

  test('are not missed without embeddings; a save without them has an index that FAISS can read', async () => {
    const before = await fill([...changes, add(5)]);
    const open = await openNaiveStore(path, { model: null });
    expect(open.report.vectorsLost).toBeNull();
    expect(open.store.contents()).toEqual(withoutVectors(before));
    await open.save();
    await open.close();
    expect(readFileSync(join(path, 'faiss.index')).toString('latin1', 0, 4)).toBe('IxFI');
    const again = await reopened();
    expect(again.report.vectorsLost).toMatch(/saved without vectors/);
    expect(again.store.contents()).toEqual(withoutVectors(before));
  });
});

describe('room for fewer vectors than there are', () => {
  test('costs those of the files, and the start goes on', async () => {
    const before = await fill([add(1), add(2), 'save']);
    const { store, report } = await reopened({ maximumRows: 2 });
    expect(report.vectorsLost).toMatch(/room for fewer of them/);
    expect(store.contents()).toEqual(withoutVectors(before));
    expect(store.matrix.length).toBe(0);
  });

  test('costs the later ones of the journal, and the start goes on', async () => {
    const before = await fill([add(1), add(2), add(4)]);
    const { store, report } = await reopened({ maximumRows: 3 });
    expect(report.vectorsLost).toMatch(/room for fewer of them/);
    const [first, second, third] = Object.keys(before) as [string, string, string];
    expect(store.contents()).toEqual({
      [first]: before[first],
      [second]: before[second],
      [third]: withoutVectors(before)[third],
    });
  });
});

describe('a newer version', () => {
  test('of memories.json is refused, in a repair too', async () => {
    await fill([add(1), 'save']);
    const file = join(path, 'memories.json');
    const [header, ...rest] = readFileSync(file, 'utf8').split('\n') as [string, ...string[]];
    const { line } = withCheck(header.replace(/"check":"\w+","format":4/, '"format":5'));
    writeFileSync(file, [line, ...rest].join('\n'));
    await expectRefused(/written by a newer version of memory-service \(format 5\): start that version/);
    await expectRefused(/newer version/, { repair: true });
  });

  test('that made a change of an unknown kind is refused, in a repair too', async () => {
    await fill([add(1)]);
    const body = lineBody(JSON.stringify({ op: 'entangle', ids: [] }));
    appendFileSync(join(path, 'journal-0.ndjson'), Buffer.concat([lineStart(body, 2, 1), body.bytes]));
    await expectRefused(
      /line 2 holds the change 'entangle', which this version.*does not know: start the newer version/,
    );
    await expectRefused(/entangle/, { repair: true });
  });
});

describe('the files', () => {
  test('are JSON as the documentation says', async () => {
    await fill([{ ...add(2), strength: sampleStrength(3) } as Change, add(1), 'save']);
    const memories = JSON.parse(readFileSync(join(path, 'memories.json'), 'utf8'));
    expect(memories).toMatchObject({
      format: 4,
      generation: 1,
      saved_at: '2026-11-21T09:30:00.000Z',
      sequence: 2,
      vectors: { model: 'test-model', dimension: 4, rows: 3 },
      count: 2,
    });
    expect(memories.memories[0]).toMatchObject({
      id: sampleMemory(2).id,
      agent_id: 'agent-2',
      created_at: '2025-10-09T08:53:22.000Z',
      entities: [
        { name: 'Kestrel', type: 'project' },
        { name: 'v2', type: 'version' },
      ],
      idempotency_key: 'key-2',
      strength: { last_recalled_at: '2025-10-09T08:55:00.003Z', recall_count: 1, stability_days: 1.375 },
      vectors: [0, 2],
    });
    expect(memories.memories[1].vectors).toEqual([2, 1]);
    expect(JSON.parse(readFileSync(join(path, 'entities.json'), 'utf8'))).toEqual({
      format: 1,
      generation: 1,
      entities: [
        { name: 'Kestrel', type: 'project', memory_ids: [sampleMemory(2).id, sampleMemory(1).id] },
        { name: 'v2', type: 'version', memory_ids: [sampleMemory(2).id] },
        { name: 'v1', type: 'version', memory_ids: [sampleMemory(1).id] },
      ],
    });
  });

  test('and the journal hold no word of what was deleted, after the next save', async () => {
    await fill([
      add(1, { content: 'a secret that goes' }),
      add(2),
      'save',
      add(3, { content: 'another secret' }),
      remove(1, 3),
      'save',
    ]);
    expect(Object.values(files()).join('')).not.toMatch(/secret/);
    expect(existsSync(join(path, 'memories.json'))).toBe(true);
  });
});

/** The lines of a memories.json as they would be if the save had made no memories.packed. */
function withoutPacked([header = '', ...others]: readonly string[]): string {
  const { line } = withCheck(`{${header.slice('{"check":"0123456789abcdef",'.length).replace(/"packed":"\w+",/, '')}`);
  const lines = [line, ...others.slice(0, -2)];
  const checks = createHash('sha256');
  for (const one of lines) checks.update(/"check":"(\w{16})"/.exec(one)?.[1] ?? '');
  const body = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}],"count":${lines.length - 1},"check":"${checks.digest('hex')}","sha256":"${sha256}"}\n`;
}
