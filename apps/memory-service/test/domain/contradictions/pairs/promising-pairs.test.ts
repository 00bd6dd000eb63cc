import { atOnce } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mostPromising, promisingPairs } from '../../../../src/domain/contradictions/pairs/promising-pairs.ts';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const WORDS =
  'the pool of Ann Bob opens closes at 7:00 9:30 never not open closed red big small . , and has 12 40 lifts if maybe'.split(
    ' ',
  );
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 }).map((words) => words.join(' '));
const memories = fc.array(
  fc.record({
    first: text.map((said) => statementsOf(said, { role: 'user', agentId: 'ann' })),
    second: text.map((said) => statementsOf(said, { role: 'user', agentId: 'bob' })),
    cosine: fc.constantFrom(0, 0.4, 0.5, 0.7, 0.9),
  }),
  { maxLength: 8 },
);

test('the most promising pairs are the first of all pairs, read whole and put in order', () => {
  fc.assert(
    fc.property(memories, fc.integer({ min: 1, max: 3 }), (pairs, most) => {
      const all = pairs.map(({ first, second, cosine }, of) => ({ of, pairs: promisingPairs(first, second, cosine) }));
      const readable = all.filter(({ pairs }) => pairs.length > 0);
      const inOrder = readable.sort((x, y) => (y.pairs[0]?.promise ?? 0) - (x.pairs[0]?.promise ?? 0));
      const found = atOnce(
        mostPromising(
          pairs.map((pair, of) => ({ ...pair, of })),
          most,
        ),
      );
      expect(found.map(({ of, pairs }) => ({ of, pairs }))).toEqual(inOrder.slice(0, most));
    }),
  );
});

test.each([
  [
    'a short statement shares its subject',
    'The offsite is in Porto.',
    'This offsite will be near Valencia.',
    0.5,
    true,
  ],
  ['short ones share what they count in', 'Two euros then.', 'The late fee is 3 euros.', 0.5, false],
  ['short ones share a verb of any subject', 'I can take one.', 'Deployment took four hours.', 0.5, false],
  ['short ones share nothing', 'The offsite is in Porto.', 'This meeting will be near Valencia.', 0.5, false],
  [
    'long ones share one word',
    'The offsite in Porto begins with a breakfast beside our harbour hotel.',
    'This offsite costs nobody a penny in trains, taxis and evening drinks.',
    0.5,
    false,
  ],
  [
    'short claims of long messages do',
    `The offsite is in Porto. ${'We talked on and on. '.repeat(20)}`,
    `This offsite will be near Valencia. ${'Nobody cared at all. '.repeat(20)}`,
    0.5,
    false,
  ],
  ['both name one incident', 'INC-3040 is resolved.', 'Status of incident 3040: investigating.', 0.55, true],
  ['two incidents are named', 'INC-3040 is resolved.', 'Status of incident 3041: investigating.', 0.55, false],
])('where %s: %j, %j at %p may speak of one thing: %p', (_, a, b, cosine, expected) => {
  const [first, second] = [a, b].map((said) => statementsOf(said, { role: null })) as [Statement[], Statement[]];
  expect(promisingPairs(first, second, cosine).length > 0).toBe(expected);
});
