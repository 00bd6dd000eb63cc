import { expect, test } from '@jest/globals';
import { isOfOtherThing } from '../../../../src/domain/recall/replacement/other-thing.ts';
import { readStatement } from '../../../../src/domain/recall/replacement/read-statement.ts';
import { withParts } from '../../../../src/domain/text/words/parts-of-words.ts';
import { type Word, wordsOf } from '../../../../src/domain/text/words/words.ts';

const isOther = (asked: string, older: string, newer: string) => {
  const question = wordsOf(asked);
  const stemsOf = (words: readonly Word[]) => words.flatMap(({ isContent, stem }) => (isContent ? stem : []));
  const subject = new Set(stemsOf(question));
  const subjectParts = new Set([...subject, ...stemsOf(withParts(question))]);
  return isOfOtherThing(
    { question, subject, subjectParts },
    { older: readStatement(older), newer: readStatement(newer) },
  );
};

test.each([
  ['When does the bus to Osaka leave?', 'The bus to Osaka leaves at nine.', 'The bus to Kyoto now leaves at ten.'],
  ["Who is the cat's vet?", 'The vet for the cat is Dr Halloran.', 'Our new vet for our horses is Dr Quist.'],
  ['What is the rent of the studio?', 'The rent of the studio is 620.', 'The rent of the garage went up to 95.'],
  ['How much is invoice 204?', 'Invoice 204 is over 1,250 euros.', 'Invoice 207 came, over 980 euros.'],
  ['How many cores has server 2?', 'Server 2 has 15 cores.', 'Server 56 has 2 cores.'],
  ['What is the answer to question 2?', 'Question 2: the answer is 15.', 'Question 56: the answer is 2.'],
  ['Which user lives in city 51?', 'User 93 lives in city 51.', 'User 51 lives in city 32.'],
  // The same is said of somebody else, in the same words or not.
  ["When is Ann's birthday?", "Ann's birthday is on 1 June.", "Lars's birthday falls on 16 June."],
  ['How much does Bob earn?', 'Bob earns 177 euros an hour.', 'Ann earns 640 euros an hour now.'],
  ['Who does Ann report to?', 'Ann reports to Dave.', 'Yusuf reports to Ann.'],
  [
    'When is billing deployed?',
    'Deploys of billing happen every Monday.',
    'Deploys of search now happen every Friday.',
  ],
  ['Where does Ann live?', 'Ann lives in Paris.', 'Dave has moved to Paris.'],
  // Records of programs, by the parts of identifiers and by their keys.
  ['How big is the auth pool?', 'AUTH_POOL_SIZE=230', 'SEARCH_POOL_SIZE=900'],
  ['How big is the auth pool?', 'AUTH_POOL_SIZE=230', 'AUTH_MAX_RETRIES=9'],
  ['How big is the auth pool?', 'AUTH_POOL_SIZE=230', 'SEARCH_INDEX_OLD_POOL_SIZE=9'],
  ['What colour has SHOP-101?', 'SHOP-101 = blue', 'SHOP-102 = red'],
  ['What is the time zone of u-ana?', 'user.u-ana.timezone = Europe/Lisbon', 'user.u-cho.timezone = America/Lima'],
  ['Who leads project-hera?', '[project-hera] lead: Ann', '[project-zeus] lead: Bob'],
  ['What is Hera written in?', '[project-hera] language: Go', '[project-hera] deadline: 2027-06-28'],
  ['How many seats does Pied have?', 'customer: Pied | seats: 115', 'customer: Acme | seats: 222'],
])('asks "%s", which a statement about another thing does not tell', (asked, older, newer) => {
  expect(isOther(asked, older, newer)).toBe(true);
});

test.each([
  // It names what is asked for.
  ["Who is the cat's vet?", 'The vet for the cat is Dr Halloran.', 'The vet for the horses has the cat now too.'],
  ['How much is invoice 204?', 'Invoice 204 is over 1,250 euros.', 'Invoice 207 replaces 204, over 980 euros.'],
  ['Where does Ann live?', 'Ann lives in Paris.', 'She has moved to Oslo.'],
  ['What is the rent of the flat?', 'Rent for the flat: 500.', 'Rent goes up to 550 in May.'],
  // What is shorter may be the value.
  ['Which wood for the garden house?', 'Hill: garden house, larch.', 'Hill: spruce, larch is too dear.'],
  // The question names another one.
  ['Where does Bo live?', 'Ann lives with Bo in Rome.', 'Dave has moved to Rome.'],
  ['Does Paris have a tutor?', 'Ann lives in Paris.', 'Dave has moved to Paris.'],
  // Long statements have many words in common by chance.
  [
    'How much does Bob earn?',
    `Bob earns 17 euros an hour, ${'and that is what we know of it, '.repeat(3)}so far.`,
    `Ann earns 20 euros an hour, ${'and that is what we know of it, '.repeat(3)}so far.`,
  ],
  // So has an identifier of many parts.
  ['What has Ann?', `ann/${'a/'.repeat(200)}b`, `bob/${'a/'.repeat(200)}b`],
  // The question asks for none of the two.
  ['Who is our vet?', 'The vet for the cat is Dr Halloran.', 'The vet for the horses is Dr Quist.'],
  ['How much is the invoice?', 'Invoice 204 is over 1,250 euros.', 'Invoice 207 came, over 980 euros.'],
  // Records of the same thing, and prose behind a heading.
  ['How big is the auth pool?', 'AUTH_POOL_SIZE=230', 'AUTH_POOL_SIZE=900'],
  ['Who leads project-hera?', '[project-hera] lead: Ann', '[project-hera] new lead: Bob'],
  ['What is the rent?', 'Rent: 800', 'New: rent of 850'],
  ['When is the meeting with Ann?', 'Meeting with Ann: Tuesday', 'Meeting now: Wednesday'],
  ['At what dpi are plates scanned?', 'Status of plates: 20 are done at 400 dpi.', 'Decision: it is 600 dpi, agreed.'],
  ['What is the rent of the flat?', 'Rent of the flat: 800', 'Mr Hill: it is 850 from May on'],
  // It names no thing of the kind.
  ['What is the rent of the studio?', 'The rent of the studio is 620.', 'Rent goes up to 650, of the new year on.'],
  ['What is the rent of the studio?', 'The rent of the studio is 620.', 'The rent of the month is 650.'],
  ['What is the deposit for the hall?', 'The deposit for the hall is 150.', 'Deposit: 200 euros for the cleaning too.'],
  ['Is the review on December 3?', 'The review is on December 3.', 'The review has moved to December 10.'],
  ['How much is invoice 204?', 'Invoice 204 is over 1,250 euros.', 'The invoice is over 980 euros now.'],
])('asks "%s", which the newer statement may tell', (asked, older, newer) => {
  expect(isOther(asked, older, newer)).toBe(false);
});
