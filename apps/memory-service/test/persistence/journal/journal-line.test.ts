import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineBody, lineStart, readJournalLine } from '../../../src/persistence/journal/journal-line.ts';

/**
 * Its check is that of Python, with h = lambda s: hashlib.sha256(s.encode()).hexdigest()[:16]:
 * h('12 11 ' + h('"op":"delete","ids":["a"]}'))
 */
const LINE = '{"check":"54c6694f5ed75ccb","sequence":12,"synced":11,"op":"delete","ids":["a"]}';

test('a line holds its check, its number, the last synced number and the change', () => {
  const body = lineBody('{"op":"delete","ids":["a"]}');
  expect(body).toEqual({ bytes: Buffer.from('"op":"delete","ids":["a"]}\n'), check: 'd28ec67d86cf1e4d' });
  expect(`${lineStart(body, 12, 11)}${body.bytes}`).toBe(`${LINE}\n`);
  expect(readJournalLine(Buffer.from(LINE))).toEqual({ sequence: 12, synced: 11, wire: JSON.parse(LINE) });
});

test.each([
  ['another number', LINE.replace('12', '13')],
  ['another synced number', LINE.replace('11', '10')],
  [
    'digits that move from one number to the other',
    LINE.replace('"sequence":12,"synced":11', '"sequence":1,"synced":211'),
  ],
  ['another change', LINE.replace('["a"]', '["b"]')],
  ['a cut end', LINE.slice(0, -1)],
  ['a number of sixteen digits', LINE.replace('12', '1234567890123456')],
  ['another order', LINE.replace('"sequence":12,"synced":11', '"synced":11,"sequence":12')],
  ['nothing', ''],
])('a line with %s is none', (_what, line) => {
  expect(readJournalLine(Buffer.from(line))).toBeNull();
});

test('a change comes back from its line, whatever it holds', () => {
  const number = fc.integer({ min: 0, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      number,
      number,
      (change, sequence, synced) => {
        // Names that the line itself has come once.
        for (const name of ['check', 'sequence', 'synced', '__proto__']) delete change[name];
        change.op = 'any';
        const body = lineBody(JSON.stringify(change));
        const bytes = Buffer.concat([lineStart(body, sequence, synced), body.bytes.subarray(0, -1)]);
        const read = readJournalLine(bytes);
        expect(read).toMatchObject({ sequence, synced });
        expect(read?.wire).toMatchObject(JSON.parse(JSON.stringify(change)));
        expect(bytes.includes('\n')).toBe(false);
      },
    ),
  );
});
