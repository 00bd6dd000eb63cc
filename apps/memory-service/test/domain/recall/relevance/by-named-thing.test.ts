import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { byNamedThing } from '../../../../src/domain/recall/relevance/by-named-thing.ts';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';

const judged = (question: string, texts: readonly string[], relevance: Relevance = 'medium', owesValue = false) => {
  const candidates = texts.map((gist) => ({ stored: { memory: { gist, content: gist } } }) as Candidate);
  return texts.map((_, index) =>
    byNamedThing({ text: question, owesValue }, { candidates, judged: () => relevance })(index),
  );
};

test.each([
  ['Where is order 48466?', 'Order 48466 is in Gent.', 'Order 48213 is in Malmö.', 'low'],
  ['Where is order 48466?', 'Order 48466 is in Gent.', 'It was sent on Monday.', 'medium'],
  ['Where is order 48466?', 'Order 48466 is in Gent.', 'Order 48213 came with order #48466.', 'medium'],
  ['Where is order 48466?', 'Order 48466 is in Gent.', 'KB-392 is about orders.', 'medium'],
  ['Where is order 48466?', 'We send orders from Gent.', 'Order 48213 is in Malmö.', 'medium'],
  ['Who reviewed PR 311?', 'Ann reviewed PR 311.', 'Bob reviewed #312.', 'low'],
  ['What is KB-392 about?', 'KB-392 is about erasure.', 'KB-14 is about fonts.', 'low'],
  ['What is KB-392 about?', 'KB-392 is about erasure.', 'OM-14 is about fonts.', 'medium'],
  ['What is OM.1922.8 made of?', 'OM.1922.8 is of ivory.', 'OM.1904.12 is of oak.', 'low'],
  ['What happened in 2025?', 'In 2025 we moved.', 'In 2026 we stayed.', 'medium'],
  ['Who paid 899 euros?', 'Sven paid 899 euros.', 'Ann paid 42 euros.', 'medium'],
  ['Is the budget 15000 now?', 'The hall costs 15000.', 'The budget is 12000.', 'medium'],
  ['Who earns 61500 euros?', 'The van cost 61500 euros.', 'Ann earns 62500 euros.', 'medium'],
  ['Did it cost $61500?', 'The van cost $61500.', 'The boat cost $62500.', 'medium'],
  ['Did we order 30 chairs?', 'We had to order 30 tables.', 'We will order 25 chairs.', 'medium'],
  ['Did order #48466 arrive?', 'Order#48466 arrived.', 'Order #48213 arrived.', 'low'],
  ['What is new since v22.1.0?', 'We run v22.1.0.', 'v22.2.0 has a faster start.', 'medium'],
  ['Which ticket replaced T-104?', 'T-104 is closed.', 'T-120 is what we work on now.', 'medium'],
  ['What is in hex F7?', 'Hex F7 holds a tower.', 'Hex G2 holds a swamp.', 'medium'],
  ['Who comes at 10am?', 'Sven comes at 10am.', 'Ann comes at 11am.', 'medium'],
])('%j finds %j, and takes %j for %s', (question, named, other, relevance) => {
  expect(judged(question, [named, other])).toEqual(['medium', relevance]);
});

test.each([
  ['Where is order 48466?', 'Order 48466 is in Gent.', ['medium', 'low']],
  ['What did commit 41d0ae2 change?', '41d0ae2 moves the cache out of the request.', ['medium', 'low']],
  ['What is new since v22.1.0?', 'We run v22.1.0.', ['low', 'low']],
  ["What's in hex F7?", 'Hex F7 holds a tower.', ['medium', 'low']],
  ['What is with E18?', 'The machine says E18.', ['medium', 'low']],
  ['What is in v2?', 'We run v2.', ['low', 'low']],
  ['What is the FY26 budget for travel?', 'The FY26 hiring plan is with Dana.', ['low', 'low']],
  ['Who is the landlord of the ISO-27001 office?', 'The auditor of ISO-27001 likes tea.', ['low', 'low']],
  ['What costs 41000 euros?', 'The van costs 41000 euros.', ['low', 'low']],
])('%j is told by %j, however little they are alike', (question, named, relevances) => {
  expect(judged(question, [named, 'The shop is open.'], 'low')).toEqual(relevances);
  expect(judged(question, [named], 'high')).toEqual(['high']);
});

test('what names the thing need not tell the value that is asked for', () => {
  const named = ['K04 moved upstream.'];
  expect(judged('How much does K04 weigh?', named, 'low', true)).toEqual(['low']);
  expect(judged('How is K04?', named, 'low')).toEqual(['medium']);
});
