import { expect, test } from '@jest/globals';

// What a browser loads: JavaScript without types of its own.
const FILE = new URL('../../dashboard/shared/format.js', import.meta.url).href;
const { formatDuration } = (await import(FILE)) as { formatDuration: (seconds: number | null) => string };

test.each([
  [0.001, '1 ms'],
  [0.35, '350 ms'],
  [12.34, '12.3 s'],
  [59.96, '1 min 00 s'],
  [245, '4 min 05 s'],
  [7800, '2 h 10 min'],
  [273_600, '3 d 04 h'],
  [null, '–'],
])('writes %p seconds as people read them', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
