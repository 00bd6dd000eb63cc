import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../../src/domain/contradictions/pairs/judge.ts';
import { statementPair } from '../../../../src/domain/contradictions/pairs/statement-pair.ts';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const read = (text: string, agentId: string) => statementsOf(text, { role: null, agentId })[0] as Statement;

/** What clashes where the older of two statements is the first; null where the model's probability makes no finding. */
function clashOf(older: string, newer: string, probability: number): string | null {
  const pair = statementPair(read(older, 'ann'), read(newer, 'bob'), { cosine: 0.7 });
  const { score, clash } = judge(pair, probability);
  return score >= 0.6 ? `${clash.a.join(' ')} | ${clash.b.join(' ')}` : null;
}

describe('what has ended and still lasts', () => {
  test.each([
    ['Olga sold the boat.', 'Olga still has the boat.', 'sold | still'],
    ['Dr. Lee left the clinic.', 'Dr. Lee still works at the clinic.', 'left | still works'],
    ['The contract is signed.', 'The contract is still waiting for Ann.', 'signed | still waiting'],
    ['Ann signed the contract.', 'Ann has yet to sign the contract.', 'signed | yet'],
    ['The parcel has arrived.', 'We are still waiting for the parcel.', 'arrived | still waiting'],
  ])('contradicts: %j, %j', (ended, lasting, clash) => {
    expect(clashOf(ended, lasting, 0.35)).toBe(clash);
  });

  test.each([
    ['of two things', 'Olga sold the boat.', 'Milo still has the house.'],
    ['of something near', 'The tree was cut down.', 'The stump of the tree still stands.'],
    ['of another step', 'The order has been shipped.', 'The order is still unpaid.'],
    ['of a step that comes later', 'The request was merged.', 'The request is still not deployed.'],
    ['of what is only talked of', 'Olga sold the boat.', 'Olga still talks about the boat.'],
    ['of a time that is over', 'Olga sold the boat.', 'In May Olga was still on the boat.'],
    ['where it is denied', 'Olga has not sold the boat.', 'Olga still has the boat.'],
    ['where it ended since', 'Olga still has the boat.', 'Olga sold the boat.'],
    ['where it was closed since', 'The ticket is still open.', 'The ticket is closed.'],
  ])('may both be so %s', (_, older, newer) => {
    expect(clashOf(older, newer, 0.35)).toBeNull();
  });
});

describe('who leaves', () => {
  test.each([
    ['Kenji leaves at the end of November.', 'Kenji is on call in December.', 'November | December'],
    ["Rita's last day is 3 March.", 'Rita leads the training on 9 March.', '3 March | 9 March'],
    ['The intern’s last day: 12 June', 'The intern presents the results on 20 June.', '12 June | 20 June'],
    ['Tom retires on 30 November.', 'Tom covers the night shift in January.', '30 November | January'],
  ])('does not work later: %j, %j', (leaving, working, clash) => {
    expect(clashOf(leaving, working, 0.04)).toBe(clash);
    expect(clashOf(working, leaving, 0.04)).toBe(clash.split(' | ').reverse().join(' | '));
  });

  test.each([
    ['before that day', 'Kenji leaves at the end of November.', 'Kenji is on call in October.'],
    ['on that day', "Rita's last day is 3 March.", 'Rita leads the training on 3 March.'],
    ['in the month of that day', "Rita's last day is 3 March.", 'Rita leads the training in March.'],
    ['as somebody else', 'Kenji leaves at the end of November.', 'Keiko is on call in December.'],
    ['where it is a journey', 'Kenji leaves on 3 March for his holiday.', 'Kenji leads the training on 9 March.'],
    ['where it is no work', "Rita's last day is 3 March.", "Rita's party is on 9 March."],
    ['as a thing', 'The train leaves on 3 March.', 'The train runs on 9 March.'],
  ])('may work %s', (_, leaving, working) => {
    expect(clashOf(leaving, working, 0.04)).toBeNull();
  });
});
