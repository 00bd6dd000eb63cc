import { expect, test } from '@jest/globals';
import { markOf, missingSegments, segmentAfter, segmentsAmong } from '../../../src/persistence/files/file-names.ts';

const NAMES = [
  'memories.json',
  'journal-10.ndjson',
  'journal-9.ndjson',
  'journal-9.begun',
  'journal-0.ndjson.damaged-2026-11-21T09-30-00-000Z',
  'journal-.ndjson',
  'journal-x.ndjson',
  'journal-1234567890123456.ndjson',
  'journal-2.begun',
  'lock',
];

test('segments are in the order of their changes, whatever the order of their names', () => {
  expect(segmentsAmong('/data', NAMES)).toEqual([
    { path: '/data/journal-9.ndjson', after: 9 },
    { path: '/data/journal-10.ndjson', after: 10 },
  ]);
  expect(segmentAfter('/data', 12)).toEqual({ path: '/data/journal-12.ndjson', after: 12 });
});

test('a mark without its segment names the segment that is missing', () => {
  expect(markOf('/data/journal-9.ndjson')).toBe('/data/journal-9.begun');
  expect(missingSegments(NAMES)).toEqual(['journal-2.ndjson']);
  expect(missingSegments(['journal-9.ndjson', 'journal-9.begun'])).toEqual([]);
});
