import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stemOf, wordsOf } from '../../../../src/domain/text/words/words.ts';

const texts = (text: string) => wordsOf(text).map((word) => word.text);
const names = (text: string) => wordsOf(text).flatMap((word) => (word.isName ? word.text : []));
const content = (text: string) => wordsOf(text).flatMap((word) => (word.isContent ? word.lower : []));

describe('the words of a text', () => {
  test.each([
    ['Ann met Bob.', ['Ann', 'met', 'Bob']],
    ['', []],
    ['… — !', []],
    // Signs between letters and digits hold a word together; signs around it do not.
    ['(v2.4.1), "INC-12"!', ['v2.4.1', 'INC-12']],
    ['ann@example.org wrote a/b, C++ too', ['ann@example.org', 'wrote', 'a/b', 'C', 'too']],
    ['from 7:30 to 9.15, 1,250 in all', ['from', '7:30', 'to', '9.15', '1,250', 'in', 'all']],
    ['$5.50 €3 £2 ¥1 and 12%', ['$5.50', '€3', '£2', '¥1', 'and', '12%']],
    ['€ 5, 5 €, 12 % and 24 °C, 7 % 2, a €', ['€ 5', '5 €', '12 %', 'and', '24 °C', '7', '2', 'a']],
    ["can't, won’t, rock'n'roll", ["can't", 'won’t', "rock'n'roll"]],
    // The owner without the sign of owning.
    ["Ann's, the dogs’ and Bob’s", ['Ann', 'the', 'dogs', 'and', 'Bob']],
    ['snake_case and _x', ['snake_case', 'and', 'x']],
    ['naïve café', ['naïve', 'cafe\u0301'.normalize('NFC')]],
    ['cafe\u0301', ['cafe\u0301']],
    ['東京 и Київ', ['東京', 'и', 'Київ']],
  ])('%j are %j', (text, words) => {
    expect(texts(text)).toEqual(words);
  });

  test('stand in order, where they say that they stand, and leave out no letter and no digit', () => {
    const piece = fc.constantFrom(..."aB9é猫 .,:;!?'’-_@$%\n/+".split(''), 'the ', "Ann's ", 'v2.1 ');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
        (text) => {
          let before = 0;
          let between = '';
          for (const { text: word, start, end } of wordsOf(text)) {
            expect(start).toBeGreaterThanOrEqual(before);
            expect(text.slice(start, end)).toBe(word);
            between += text.slice(before, start);
            before = end;
          }
          between += text.slice(before);
          expect(between.replaceAll(/['’]s/g, '')).not.toMatch(/[\p{L}\p{N}]/u);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('are names where a letter and a digit stand in them in either order', () => {
    const piece = fc.constantFrom('a', '7', '猫', '-', '.');
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 5, maxLength: 9 }).map((pieces) => `x ${pieces.join('')}qqqqq`),
        (text) => {
          for (const { text: word, isName } of wordsOf(text)) {
            expect(isName).toBe(/\p{L}.*\d|\d.*\p{L}/u.test(word));
          }
        },
      ),
      { seed: 61, numRuns: 300 },
    );
  });

  test('do not depend on what was read before, however much that was', () => {
    const text = "Ann's kettle boils 3 litres at 9:30pm, says INC-12.";
    const before = wordsOf(text);
    for (let number = 0; number < 25_000; number++) wordsOf(`word${number} ${'x'.repeat(50)}${number}`);
    expect(wordsOf(text)).toEqual(before);
  });
});

describe('a word begins a sentence', () => {
  const first = (text: string) => wordsOf(text).flatMap((word) => (word.startsSentence ? word.text : []));

  test.each([
    ['It rains. We swim! Do you? Yes', ['It', 'We', 'Do', 'Yes']],
    ['Note: rain; no swim', ['Note', 'rain', 'no']],
    ['He said "it rains." Then he left.', ['He', 'Then']],
    ['one\n\ntwo', ['one', 'two']],
    ['one\ntwo\r\nthree', ['one', 'two', 'three']],
    ['Buy:\n- milk\n* eggs\n# Later', ['Buy', 'milk', 'eggs', 'Later']],
    ['one\n(two)', ['one']],
    ['It rains, it pours', ['It']],
    // No blank after the stop: a version, an address.
    ['Postgres 16.2 at 7:30', ['Postgres']],
  ])('in %j: %j', (text, words) => {
    expect(first(text)).toEqual(words);
  });
});

describe('a word is a name', () => {
  test.each([
    ['We met Ann in Bonn.', ['Ann', 'Bonn']],
    // A capital at the start of a sentence says nothing.
    ['Ann met us. Bob did not.', []],
    ['On Monday in October I spoke English', []],
    ['We asked The Hague', ['Hague']],
    ['see INC-12, user_id, ann@example.org and v2', ['INC-12', 'user_id', 'ann@example.org', 'v2']],
    // Measures are values.
    ['at 5pm on the 3rd for 40ms at $60k or 12%', []],
  ])('in %j: %j', (text, found) => {
    expect(names(text)).toEqual(found);
  });
});

test.each([
  ['The kettle is on the table', ['kettle', 'table']],
  ["It doesn't open, we're sure, that's all", ['open']],
  ['He wont, they didn’t', []],
  ['7 new lanes at 5pm, 40ms, 12%', ['lanes']],
  ['INC-12 broke', ['inc-12', 'broke']],
])('%j is about %j', (text, subject) => {
  expect(content(text)).toEqual(subject);
});

/** Examples of each step in M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), 130-137. */
test.each(
  `caresses:caress ponies:poni cats:cat feed:feed agreed:agre plastered:plaster bled:bled motoring:motor sing:sing
  conflated:conflat troubled:troubl sized:size hopping:hop falling:fall hissing:hiss failing:fail filing:file happy:happi sky:sky
  relational:relat conditional:condit rational:ration digitizer:digit operator:oper feudalism:feudal hopefulness:hope
  formality:formal triplicate:triplic electrical:electr revival:reviv adjustment:adjust replacement:replac probate:probat rate:rate
  cease:ceas controlling:control rolling:roll`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
)('the stem of %s is %s', (word, stem) => {
  expect([stemOf(word), wordsOf(word)[0]?.stem]).toEqual([stem, stem]);
});

test.each([
  ['v2.4.1', 'v2.4.1'],
  ['as', 'as'],
  ['café', 'café'],
  ['inc-12', 'inc-12'],
  ['s'.repeat(33), 's'.repeat(33)],
])('%s has no ending to take off', (word, stem) => {
  expect(stemOf(word)).toBe(stem);
});
