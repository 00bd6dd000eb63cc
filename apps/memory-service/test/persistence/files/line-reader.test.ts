import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Line, readLines } from '../../../src/persistence/files/line-reader.ts';
import { scratchFolder } from '../../scratch-folder.ts';

/** Read at a time. */
const CHUNK_BYTES = 256 * 1024;

let path: string;
let removeScratch: () => void;
beforeAll(() => {
  const scratch = scratchFolder();
  path = join(scratch.path, 'lines');
  removeScratch = scratch.removeScratch;
});
afterAll(() => removeScratch());

async function linesOf(content: string) {
  writeFileSync(path, content);
  const lines: Line[] = [];
  for await (const batch of readLines(path)) {
    expect(batch.length).toBeGreaterThan(0);
    lines.push(...batch);
  }
  return lines.map(({ bytes, number, ended }) => ({ text: bytes.toString(), number, ended }));
}

/** The naive twin: splits the whole file. */
function naiveLinesOf(content: string) {
  const parts = content.split('\n');
  const rest = parts.pop() as string;
  const lines = parts.map((text, index) => ({ text, number: index + 1, ended: true }));
  return rest === '' ? lines : [...lines, { text: rest, number: lines.length + 1, ended: false }];
}

test.each([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['a line without an end', 'a\nb'],
  ['carriage returns, which belong to the line', 'a\r\nb\r\n'],
  ['characters of several bytes', '猫\n\u2028\nnaïve\n'],
])('%s', async (_what, content) => {
  expect(await linesOf(content)).toEqual(naiveLinesOf(content));
});

test('lines of any length, wherever a chunk ends', async () => {
  const length = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: CHUNK_BYTES - 3, max: CHUNK_BYTES + 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 6 }), fc.boolean(), async (lengths, hasEnd) => {
      const content = lengths.map((count, index) => String(index).repeat(count)).join('\n') + (hasEnd ? '\n' : '');
      expect(await linesOf(content)).toEqual(naiveLinesOf(content));
    }),
    { numRuns: 60 },
  );
});
