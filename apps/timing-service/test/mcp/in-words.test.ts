import { expect, test } from '@jest/globals';
import { usual } from '../../src/mcp/in-words.ts';

test('what is usual says of a p95 that nobody has seen the end of that it is at least so long', () => {
  const summary = { median_seconds: 38, p95_seconds: 71, count: 24 } as Parameters<typeof usual>[0];
  expect(usual(summary)).toBe('38 s mostly, p95 71 s (24 runs)');
  expect(usual({ ...summary, at_least: ['p95_seconds'] })).toBe('38 s mostly, p95 at least 71 s (24 runs)');
});
