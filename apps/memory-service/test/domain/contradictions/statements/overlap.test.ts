import { describe, expect, test } from '@jest/globals';
import { overlapOf, unlikeTerms, unlikeWords } from '../../../../src/domain/contradictions/statements/overlap.ts';
import { phrasesAt, type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

const statement = (text: string, role: string | null = null) => statementsOf(text, { role })[0] as Statement;

describe('what two statements have in common', () => {
  test.each<[string, string, string[], number, boolean]>([
    ['The Alder pool opens.', 'Alder pool opens late.', ['alder', 'pool', 'open'], 1, true],
    ['The pool opens.', 'The shop opens.', ['open'], 0.5, false],
    ['The pool opens.', 'Nothing fits.', [], 0, false],
    ['of the', 'and so', [], 0, false],
  ])('%j and %j', (a, b, shared, share, isAnchored) => {
    expect(overlapOf(statement(a), statement(b))).toEqual({ shared, share, isAnchored });
  });

  test('two users that speak of themselves share that', () => {
    const overlap = overlapOf(statement('I swim.', 'user'), statement('I run.', 'user'));
    expect(overlap).toMatchObject({ shared: [], isAnchored: true });
    expect(overlap.share).toBeGreaterThan(0);
  });
});

test('the words that only one side has are counted, and those of a clash are not', () => {
  const [a, b] = [statement('The red rusty kettle leaks.'), statement('The kettle leaks at noon.')];
  expect(unlikeTerms(a, b)).toBe(2);
  expect(unlikeTerms(a, b, [1])).toBe(1);
  expect(phrasesAt(a, unlikeWords(a, b).a)).toEqual(['red rusty']);
});

test('numbers and codes that differ are compared before words, with what they number', () => {
  const [a, b] = [
    statement('The primary sensor is SN 4417, as calibrated.'),
    statement('The calibration sheet names SN 4471 as primary sensor.'),
  ];
  const { a: mine, b: theirs } = unlikeWords(a, b);
  expect([phrasesAt(a, mine), phrasesAt(b, theirs)]).toEqual([['SN 4417'], ['SN 4471']]);
  // One side alone has a number.
  const c = statement('The primary sensor is a spare.');
  expect(phrasesAt(a, unlikeWords(a, c).a)).toEqual(['SN', 'calibrated']);
});
