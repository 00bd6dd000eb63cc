import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { termsOf } from '../../../src/domain/text/terms.ts';

describe('terms', () => {
  test.each([
    // Porter's own examples of the English endings.
    ['caresses ponies relational hopping', ['caress', 'poni', 'relat', 'hop']],
    ["When did Caroline's mother go there? I don't know, we'll see", ['mother', 'go', 'know', 'see'], 'carolin'],
    ['Straße ÉCOLE naïve Crème brûlée', ['straße', 'ecol', 'naiv', 'creme', 'brule']],
    ['Ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['🎉 party 👍🏽', ['🎉', 'parti', '👍']],
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
