import { expect, test } from '@jest/globals';
import { judge } from '../../../../src/domain/contradictions/pairs/judge.ts';
import { statementPair } from '../../../../src/domain/contradictions/pairs/statement-pair.ts';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const first = (text: string) => statementsOf(text, { role: null })[0] as Statement;

test.each([
  ['The loan for Hilda runs until 2034.', 'The loan for Hilda ends in 2031.', 'loan for Hilda'],
  [
    'The heat meters at the school are read by Ann.',
    'Bob read the heat meters of the school.',
    'heat meters at the school',
  ],
  ['The contract with Hollen ends in June.', 'The contract with Hollen ends in July.', 'contract, Hollen'],
  ['She is on holiday.', 'She is not on holiday.', ''],
  ['New members pay a joining fee of 50 euros.', 'The joining fee for members is 75 euros.', 'members, joining fee'],
  ['Our auditor is Mrs Berg.', 'Our auditor is Mr Falk.', 'auditor'],
  ['The bakery has paid.', 'The bakery has not paid.', 'bakery'],
  ['The permit of the mill. The owner waits.', 'The owner of the mill has a permit.', 'permit of the mill, owner'],
  [
    'The API limit is 100 requests per minute.',
    'The API limit is 60 requests per minute.',
    'API limit, requests per minute',
  ],
  ['In July.', 'In August.', ''],
])('%j and %j speak of: %s', (a, b, topic) => {
  expect(judge(statementPair(first(a), first(b)), 0.9).topic).toBe(topic);
});
