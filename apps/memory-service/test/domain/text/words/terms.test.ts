import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { distinctTermsInSteps, termsInSteps, termsOf } from '../../../../src/domain/text/words/terms.ts';

describe('terms', () => {
  test.each([
    // Porter's own examples of the English endings.
    ['caresses ponies relational hopping', ['caress', 'poni', 'relat', 'hop']],
    ["When did Caroline's mother go there? I don't know, we'll see", ['mother', 'go', 'know', 'see'], 'carolin'],
    ['Straße ÉCOLE naïve Crème brûlée', ['straße', 'ecol', 'naiv', 'creme', 'brule']],
    ['Ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['🎉 party 👍🏽', ['🎉', 'parti', '👍']],
    ['Thurs, 21 Nov; Jan sat', [...termsOf('Thursday 21 November'), 'jan', 'sat']],
  ])('of %s', (text, expected, also = '') => {
    const terms = termsOf(text);
    expect(terms).toEqual(expect.arrayContaining([...expected, ...(also ? [also] : [])]));
    expect(terms).not.toContain('did');
    expect(terms).not.toContain("don't");
  });

  test.each([
    ['getUserId', ['getuserid', 'user', 'id']],
    ['foo-bar', ['foo-bar', 'foo', 'bar']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['snake_case_name', ['snake_case_name', 'snake', 'case', 'name']],
    ['src/app/main.ts', ['src/app/main.ts', 'src', 'app', 'main', 'ts']],
    ['v1.2.3', ['v1.2.3']],
    ['#123', ['#123', '123']],
    ['ann@example.org', ['ann@example.org', 'ann', 'exampl', 'org']],
  ])('find the identifier %s whole and by part', (identifier, expected) => {
    expect(termsOf(`see ${identifier}, please`)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ['我喜欢猫和狗', '猫'],
    ['我喜欢猫和狗', '喜欢'],
    ['日本語テスト', 'テスト'],
    ['ภาษาไทยง่าย', 'ไทย'],
    ['안녕하세요세계', '세계'],
  ])('find in %s, which has no blanks, its word %s', (text, word) => {
    expect(termsOf(text)).toEqual(expect.arrayContaining(termsOf(word)));
  });

  test('of any text do not depend on what was read before, and stay short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const terms = termsOf(text);
        expect(termsOf(text)).toEqual(terms);
        for (const term of terms) {
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(66);
        }
      }),
    );
  });

  test('do not depend on how a letter is composed or written large', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('é', 'Ö', 'ñ', 'a', 'Z', 'ж', ' '), { maxLength: 40 }), (letters) => {
        const text = letters.join('');
        expect(termsOf(text.normalize('NFD').toLowerCase())).toEqual(termsOf(text.normalize('NFC').toLowerCase()));
      }),
    );
  });

  test.each([
    ['letters', 'a'.repeat(200_000), 1],
    ['Chinese letters', '猫'.repeat(200_000), 30_000],
    ['marks', `a${'\u0301'.repeat(199_999)}`, 1],
    ['ligatures', '\ufdfa'.repeat(200_000), 30_000],
    ['joints', '-./'.repeat(66_666), 0],
    ['parts', 'aB-'.repeat(66_666), 30_000],
  ])('of 200,000 %s without a blank are bounded', (_, text, most) => {
    expect(termsOf(text).length).toBeLessThanOrEqual(most);
  });

  test.each([
    ['Chinese letters', '猫'.repeat(30_100), '猫 tail'],
    ['forms that become eighteen letters', '\ufdfa'.repeat(30_100), '\ufdfa tail'],
    ['words', 'word '.repeat(30_100), 'tail'],
  ])('of %s are read up to the bound and no further', (_name, head, tail) => {
    const terms = termsOf(`${head} ${tail}`);
    expect(terms.length).toBeLessThanOrEqual(30_001);
    expect(terms).not.toContain('tail');
  });
});

describe('a long text', () => {
  /** Pieces that no word spans, so that the terms of the whole are the terms of the pieces. */
  const word = fc.oneof(
    fc.constantFrom(
      'Ann',
      "don't",
      'foo-bar/v1.2',
      '#12',
      '@ann',
      'snake_case',
      'é',
      'e\u0301',
      '猫と狗',
      '👍🏽',
      '…',
      '„',
      '𐐀b',
      '\ufdfa',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\p{M}\u200c\u200d]/gu, '')),
  );
  const blank = fc.constantFrom(' ', '\n', ', ', ' – ');
  const pieces = fc.array(fc.tuple(word, blank), { minLength: 1, maxLength: 60 });

  test('has the terms of its words, wherever it is cut', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 12_000 }), (some, repeats) => {
        const ofOne = some.flatMap(([one]) => termsOf(one));
        const length = some.reduce((sum, [one, between]) => sum + one.length + between.length, 0);
        // Below 30,000, the most terms of a text.
        const times = Math.min(repeats, Math.ceil(60_000 / length), Math.floor(30_000 / (ofOne.length + 1)));
        const text = some
          .map((piece) => piece.join(''))
          .join('')
          .repeat(times);
        expect(termsOf(text)).toEqual(Array.from({ length: times }, () => ofOne).flat());
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['a word of 40,000 characters', 'ab/'.repeat(13_333), ['ab']],
    ['a name in the middle of such', `${'x '.repeat(8_190)}foo-bar${' y'.repeat(8_190)}`, ['foo-bar', 'foo', 'bar']],
    ['emoji', '👍'.repeat(20_000), ['👍']],
  ])('that holds %s is read across the cuts', (_, text, expected) => {
    expect([...new Set(termsOf(text))]).toEqual(expect.arrayContaining(expected));
    expect(termsOf(text)).not.toContain('foo-ba');
  });

  test('is read a bounded part at a time', () => {
    const steps = termsInSteps('the '.repeat(50_000));
    let count = 1;
    while (!steps.next().done) count++;
    // 200,000 characters in stretches of at most 16,384.
    expect(count).toBeGreaterThanOrEqual(13);
  });

  test('gives its first distinct terms without being read to its end', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ');
    const steps = distinctTermsInSteps(text, { most: 3 });
    expect(steps.next()).toEqual({ done: true, value: termsOf(text).slice(0, 3) });
  });
});
