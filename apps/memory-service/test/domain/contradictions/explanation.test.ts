import { expect, test } from '@jest/globals';
import type { Reason } from '../../../src/domain/contradictions/clashes/clash.ts';
import type { Contradiction } from '../../../src/domain/contradictions/contradiction.ts';
import { explanationOf } from '../../../src/domain/contradictions/explanation.ts';
import { sampleMemory } from '../../sample-memory.ts';

const a = sampleMemory(1, { name: null, agentId: 'ann' });
const b = sampleMemory(2, { name: 'Dana', agentId: 'bob' });

function explained(reason: Reason, fields: Partial<Contradiction> = {}): string {
  const contradiction = { reason, topic: '', clash: { a: [], b: [] }, ...fields } as unknown as Contradiction;
  return explanationOf({ contradiction, a, b });
}

test('names the subject, who says what, and why both cannot be', () => {
  expect(explained('number', { topic: 'Sprig timeout', clash: { a: ['5 seconds'], b: ['30 secs'] } })).toBe(
    'About Sprig timeout: ann says “5 seconds”, Dana (told by bob) says “30 secs”; the numbers differ.',
  );
  expect(explained('antonym', { clash: { a: ['open', 'public'], b: ['closed'] } })).toBe(
    'Ann says “open”, “public”, Dana (told by bob) says “closed”; these words exclude each other.',
  );
});

test('quotes nobody where one side tells a story', () => {
  const clash = { a: ['arrived', 'morning', 'broken'], b: ['Helia'] };
  expect(explained('state', { topic: 'fire station panels', clash })).toBe(
    'About fire station panels: both cannot be so at once.',
  );
});

test('quotes nobody where only one side has words that clash', () => {
  expect(explained('negation', { topic: 'lift', clash: { a: [], b: ['no lift'] } })).toBe(
    'About lift: one denies what the other says.',
  );
});

test.each<[Reason, string]>([
  ['date', 'The times differ.'],
  ['version', 'The versions differ.'],
  ['name', 'The names differ.'],
  ['exclusive_choice', 'Only one of them can be chosen.'],
  ['preference', 'One likes what the other does not.'],
  ['state', 'Both cannot be so at once.'],
])('of a %s says: %s', (reason, sentence) => {
  expect(explained(reason)).toBe(sentence);
});
