import { describe, expect, test } from '@jest/globals';
import { oppositesIn } from '../../../../src/domain/contradictions/statements/opposites.ts';
import { formsOf } from '../../../../src/domain/text/words/irregular-verbs.ts';
import { termsOf } from '../../../../src/domain/text/words/terms.ts';
import { stemOf, wordsOf } from '../../../../src/domain/text/words/words.ts';

describe('an irregular participle', () => {
  // Participles as dictionaries of English list them.
  test.each([
    ['kept', 'keep'],
    ['taught', 'teach'],
    ['written', 'writes'],
    ['chosen', 'choose'],
    ['arisen', 'arises'],
    ['withheld', 'withholding'],
  ])('%s has the stem of %s', (participle, form) => {
    expect(stemOf(participle)).toBe(stemOf(form));
  });

  test.each([
    ['took', 'take'],
    ['wrote', 'write'],
    ['broken', 'break'],
    ['left', 'leave'],
    ['sold', 'sell'],
  ])('%s has not that of %s: it says what was, or a state, or another thing', (past, form) => {
    expect(stemOf(past)).not.toBe(stemOf(form));
  });

  test('keeps its opposites', () => {
    const between = (a: string, b: string) => oppositesIn(wordsOf(a), wordsOf(b)).length;
    expect(between('The bridge was built in May.', 'The bridge is unbuilt.')).toBe(1);
    expect(between('Our team has won.', 'Our team has lost.')).toBe(1);
  });
});

describe('the forms of an irregular verb', () => {
  // As dictionaries of English list them.
  test.each([
    ['took', 'takes', true],
    ['taken', 'took', true],
    ['takes', 'taken', true],
    ['paid', 'paying', true],
    ['sold', 'sell', true],
    ['left', 'leave', false],
    ['took', 'give', false],
    ['walked', 'run', false],
  ])('%s is one with %s: %p', (form, other, expected) => {
    const [term = ''] = termsOf(other);
    expect(termsOf(form).flatMap(formsOf).includes(term)).toBe(expected);
  });
});
