import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { DataDirectoryError } from '../../../src/persistence/files/data-directory-error.ts';
import { segmentAfter } from '../../../src/persistence/files/file-names.ts';
import type { ReadChange } from '../../../src/persistence/journal/change-line.ts';
import { type Replay, replayJournal, syncedSize } from '../../../src/persistence/journal/journal-reader.ts';
import { scratchFolder } from '../../scratch-folder.ts';

let path: string;
let removeScratch: () => void;
beforeEach(() => {
  ({ path, removeScratch } = scratchFolder());
});
afterEach(() => {
  jest.restoreAllMocks();
  removeScratch();
});

const check = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A line as the documentation of the format gives it. The change with this number deletes the memory of this number. */
function lineOf(sequence: number, synced = sequence - 1, change: object = { op: 'delete', ids: [String(sequence)] }) {
  const body = JSON.stringify(change).slice(1);
  return `{"check":"${check(`${sequence} ${synced} ${check(body)}`)}","sequence":${sequence},"synced":${synced},${body}\n`;
}

const BROKEN = 'x'.repeat(40);
const UNREADABLE = `${BROKEN}\n`;

interface Read extends Replay {
  /** The numbers of the changes that were applied, in order. */
  readonly numbers: readonly number[];
}

/** Writes segments, by the number of the last change before them, and replays them. */
async function replay(
  segments: Readonly<Record<number, string | Buffer>>,
  {
    savedSequence = 0,
    keepReading = false,
    sync = false,
  }: { savedSequence?: number | null; keepReading?: boolean; sync?: boolean } = {},
): Promise<Read> {
  const numbers: number[] = [];
  const apply = (change: ReadChange) => {
    if (change.op === 'delete') numbers.push(...change.ids.map(Number));
  };
  const named = Object.entries(segments).map(([after, text]) => {
    const segment = segmentAfter(path, Number(after));
    writeFileSync(segment.path, text);
    return segment;
  });
  return { ...(await replayJournal({ segments: named, savedSequence, apply, keepReading, sync })), numbers };
}

const file = (after: number) => join(path, `journal-${after}.ndjson`);
const refusalOf = async (segments: Readonly<Record<number, string>>): Promise<string> => {
  const error = await replay(segments).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DataDirectoryError);
  return (error as Error).message;
};

describe('a sound journal', () => {
  test('is applied in order, over all segments, and measured', async () => {
    const [first, second] = [lineOf(1) + lineOf(2), lineOf(3)];
    expect(await replay({ 0: first, 2: second })).toEqual({
      sequence: 3,
      applied: 3,
      torn: null,
      losses: [],
      segments: [
        { path: file(0), bytes: first.length },
        { path: file(2), bytes: second.length },
      ],
      numbers: [1, 2, 3],
    });
  });

  test('without segments ends where the files end', async () => {
    const nothing = { applied: 0, torn: null, losses: [], segments: [], numbers: [] };
    expect(await replay({}, { savedSequence: 7 })).toEqual({ ...nothing, sequence: 7 });
    expect(await replay({}, { savedSequence: null })).toEqual({ ...nothing, sequence: 0 });
  });

  test('adds only what the saved files do not hold', async () => {
    const segments = { 0: lineOf(1) + lineOf(2) + lineOf(3) };
    const whole = { torn: null, losses: [] };
    const more = await replay(segments, { savedSequence: 2 });
    expect(more).toMatchObject({ ...whole, sequence: 3, applied: 1, numbers: [3] });
    const nothing = await replay(segments, { savedSequence: 5 });
    expect(nothing).toMatchObject({ ...whole, sequence: 5, applied: 0, numbers: [] });
  });

  test('begins with its first segment where nobody knows what the files hold', async () => {
    expect(await replay({ 4: lineOf(5) }, { savedSequence: null, keepReading: true })).toMatchObject({
      sequence: 5,
      losses: [],
      numbers: [5],
    });
  });

  test('may hold changes twice, written again after a refusal: each is applied once', async () => {
    const twice = lineOf(1) + lineOf(1) + lineOf(2) + lineOf(2);
    expect(await replay({ 0: twice })).toMatchObject({ numbers: [1, 2], torn: null, losses: [] });
  });

  test.each([true, false])('is synced before it is relied on, where that is asked for: %p', async (sync) => {
    const handle = await open(path, 'r');
    const spy = jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync');
    await handle.close();
    await replay({ 0: lineOf(1), 1: lineOf(2) }, { sync });
    expect(spy).toHaveBeenCalledTimes(sync ? 2 : 0);
  });
});

describe('the end that a crash leaves', () => {
  test.each([
    ['half a line', lineOf(2).slice(0, 50), { lines: 1, bytes: 50, isCut: true }],
    ['a whole line without its end', lineOf(2).slice(0, -1), { lines: 1, bytes: lineOf(2).length - 1, isCut: true }],
    ['a line of other bytes', UNREADABLE, { lines: 1, bytes: 40, isCut: false }],
    ['two of them, the second cut', UNREADABLE + BROKEN, { lines: 2, bytes: 80, isCut: true }],
    [
      'a later line of the same group',
      UNREADABLE + lineOf(3, 1),
      { lines: 2, bytes: 39 + lineOf(3, 1).length, isCut: false },
    ],
  ])('is dropped: %s', async (_, end, size) => {
    expect(await replay({ 0: lineOf(1) + end })).toMatchObject({
      sequence: 1,
      losses: [],
      numbers: [1],
      torn: { where: 'journal-0.ndjson, line 2', ...size },
    });
  });

  test('is the beginning where the first write was cut', async () => {
    expect(await replay({ 0: BROKEN })).toMatchObject({
      sequence: 0,
      torn: { where: 'journal-0.ndjson, line 1', lines: 1 },
    });
  });

  test('is of no account where the next segment continues before it', async () => {
    expect(await replay({ 0: lineOf(1) + BROKEN, 1: lineOf(2) })).toMatchObject({ torn: null, numbers: [1, 2] });
    // Lines that are whole, but were refused: the segment after them has other changes under their numbers.
    const refused = lineOf(2, 1, { op: 'delete', ids: ['99'] });
    expect(await replay({ 0: lineOf(1) + refused, 1: lineOf(2) })).toMatchObject({ sequence: 2, numbers: [1, 2] });
    expect(await replay({ 0: lineOf(1) + UNREADABLE + lineOf(3, 1), 1: lineOf(2) })).toMatchObject({
      torn: null,
      losses: [],
      numbers: [1, 2],
    });
  });
});

describe('a change that was answered and cannot be read', () => {
  const cases: readonly [string, Readonly<Record<number, string>>, { loss: string; numbers: number[] }][] = [
    [
      'a later line was written after it was synced',
      { 0: lineOf(1) + UNREADABLE + lineOf(3) },
      { loss: 'journal-0.ndjson, line 2: change 2 cannot be read', numbers: [1, 3] },
    ],
    [
      'several of them',
      { 0: UNREADABLE + UNREADABLE + lineOf(3) },
      { loss: 'journal-0.ndjson, line 1: changes 1 to 2 cannot be read', numbers: [3] },
    ],
    [
      'its line is gone',
      { 0: lineOf(1) + lineOf(3) },
      { loss: 'journal-0.ndjson, before line 2: change 2 cannot be read', numbers: [1, 3] },
    ],
    [
      'the next segment continues after it',
      { 0: lineOf(1) + UNREADABLE, 2: lineOf(3) },
      { loss: 'journal-0.ndjson, line 2: change 2 cannot be read', numbers: [1, 3] },
    ],
    [
      'the segments before are gone',
      { 2: lineOf(3) },
      { loss: 'journal-2.ndjson: changes 1 to 2 cannot be read', numbers: [3] },
    ],
  ];

  test.each(cases)('stops the start: %s', async (_, segments, { loss }) => {
    expect(await refusalOf(segments)).toBe(
      `The journal in ${path} is damaged: ${loss}, though that was answered. Restore the data directory from a backup, or start with --repair to keep what can be read. Nothing was changed.`,
    );
  });

  test.each(cases)('is left out by a repair, and the rest is kept: %s', async (_, segments, { loss, numbers }) => {
    expect(await replay(segments, { keepReading: true })).toMatchObject({
      sequence: 3,
      applied: numbers.length,
      losses: [loss],
      numbers,
      torn: null,
    });
  });
});

test('a repair takes the change that was answered, not the refused one with its number before it', async () => {
  const refused = lineOf(3, 2, { op: 'delete', ids: ['99'] });
  const segments = { 0: lineOf(1) + UNREADABLE + refused, 2: lineOf(3) };
  expect(await replay(segments, { keepReading: true })).toMatchObject({
    sequence: 3,
    losses: ['journal-0.ndjson, line 2: change 2 cannot be read'],
    numbers: [1, 3],
  });
});

describe('a change of a kind that only a newer version knows', () => {
  const newer = { 0: lineOf(1) + lineOf(2, 1, { op: 'entangle' }) };

  test('stops the start and says where it is, in a repair too', async () => {
    const words =
      "journal-0.ndjson, line 2 holds the change 'entangle', which this version of memory-service does not know: start the newer version that wrote it. Nothing was changed.";
    expect(await refusalOf(newer)).toBe(words);
    await expect(replay(newer, { keepReading: true })).rejects.toThrow(words);
  });

  test('a fault of the store is no word about the journal', async () => {
    writeFileSync(file(0), lineOf(1));
    const apply = () => {
      throw new RangeError('a fault of ours');
    };
    const options = { segments: [segmentAfter(path, 0)], savedSequence: 0, keepReading: true, sync: false };
    await expect(replayJournal({ ...options, apply })).rejects.toThrow(new RangeError('a fault of ours'));
  });
});

/**
 * A run of the service as a naive writer sees it: groups of changes that were synced one after the other, each group answered at
 * once. The disk fails at the last group: nothing of it was answered, and any beginning of its bytes may be there.
 */
const run = fc.record({
  groups: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
  refused: fc.integer({ min: 0, max: 3 }),
  left: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('any journal of several runs', () => {
  test('brings back each answered change once, and after them at most whole ones of the last, unanswered group', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
        const segments: Record<number, string> = {};
        let answered = 0;
        let unanswered: number[] = [];
        for (const { groups, refused, left } of runs) {
          let text = '';
          const after = answered;
          for (const size of groups) {
            const synced = answered;
            for (let change = 0; change < size; change++) text += lineOf(++answered, synced);
          }
          unanswered = Array.from({ length: refused }, (_, index) => answered + index + 1);
          const last = unanswered
            .map((number) => lineOf(number, answered, { op: 'delete', ids: [`${number}`] }))
            .join('');
          // A segment without any answered change is made anew by the next run.
          segments[after] = text + last.slice(0, Math.round(left * last.length));
        }
        const { numbers, losses } = await replay(segments);
        const all = Array.from({ length: answered }, (_, index) => index + 1);
        expect(numbers.slice(0, answered)).toEqual(all);
        expect(unanswered.slice(0, numbers.length - answered)).toEqual(numbers.slice(answered));
        expect(losses).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('with any byte of an answered change spoilt is refused, unless it may be an end that a crash has left', async () => {
    const lines = [lineOf(1), lineOf(2), lineOf(3), lineOf(4)];
    const whole = lines.join('');
    const lastStart = whole.length - (lines[3] as string).length;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] as number) ^ flip;
        const replayed = replay({ 0: bytes }).then(({ numbers }) => numbers);
        if (at >= lastStart) expect(await replayed).toEqual([1, 2, 3]);
        // Without the line end before it, the last line cannot say any more that the third one was synced.
        else if (at === lastStart - 1) expect(await replayed).toEqual([1, 2]);
        else await expect(replayed).rejects.toThrow(DataDirectoryError);
      }),
      {
        numRuns: 150,
        examples: [
          [whole.length - 1, 1],
          [lastStart - 1, 1],
          [lastStart - 2, 1],
          [0, 1],
        ],
      },
    );
  });
});

test('the size of a synced segment is that of the file', async () => {
  writeFileSync(file(0), 'äb');
  expect(await syncedSize(file(0))).toBe(3);
  expect(readFileSync(file(0), 'utf8')).toBe('äb');
});
