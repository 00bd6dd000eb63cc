import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NearShares } from '../../../src/search/lexical/near-shares.ts';
import { NearWords } from '../../../src/search/lexical/near-words.ts';

const ASKED = ['instrument', 'pet', 'book', 'unheard'];
const NEAR = ['violin', 'dog', 'novel', 'read', 'music', 'anim', 'walrus'];
const TERMS = [...ASKED, ...NEAR];
const NONE = -1;
const numberOf = (term: string) => TERMS.indexOf(term);
const word = (term: string, idf: number) => ({ term, number: numberOf(term), idf });
/** With numbers of other texts around them. */
const stretch = (terms: readonly string[]) => ({
  numbers: Int32Array.from([...NEAR, ...terms, ...NEAR], numberOf),
  from: NEAR.length,
  until: NEAR.length + terms.length,
});

function shareOf(asked: readonly ReturnType<typeof word>[], text: readonly string[]): number {
  const shares = new NearShares(numberOf);
  shares.ask(asked);
  const share = shares.shareIn(stretch(text));
  expect(share).toBeLessThanOrEqual(shares.most);
  return share;
}

/** By definition: each asked word that does not stand in the text itself by its nearest one there. */
function naive(asked: readonly ReturnType<typeof word>[], text: readonly string[]): number {
  const worth = (term: string) => {
    if (text.includes(term)) return 0;
    const worths = [0];
    NearWords.common().each(term, (near, cosine) => {
      if (text.includes(near)) worths.push((cosine - 0.3) / 0.7);
    });
    return Math.max(...worths);
  };
  const sum = asked.reduce((total, { term, idf }) => total + idf * worth(term), 0);
  return sum / asked.reduce((total, { idf }) => total + idf, 0);
}

describe('near shares', () => {
  test('are by definition', () => {
    const idf = fc.double({ min: 0.1, max: 9, noNaN: true });
    const asked = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...ASKED), idf), { minLength: 1, selector: ([term]) => term })
      .map((pairs) => pairs.map(([term, value]) => word(term, value)));
    let found = 0;
    fc.assert(
      fc.property(asked, fc.array(fc.constantFrom(...TERMS), { maxLength: 6 }), (words, text) => {
        const expected = naive(words, text);
        if (expected > 0) found++;
        expect(shareOf(words, text)).toBeCloseTo(expected, 10);
      }),
      { seed: 1_300_062_103, numRuns: 300 },
    );
    expect(found).toBeGreaterThan(100);
  });

  test('forget the words that were asked before', () => {
    const shares = new NearShares(numberOf);
    shares.ask([word('instrument', 1)]);
    shares.ask([word('pet', 1)]);
    expect(shares.shareIn(stretch(['violin']))).toBe(0);
    expect(shares.shareIn(stretch(['dog']))).toBeGreaterThan(0.5);
  });

  test('are 0 where nothing, only unknown words or too many words are asked', () => {
    const many = Array.from({ length: 13 }, () => word('instrument', 1));
    expect(shareOf([], ['violin'])).toBe(0);
    expect(shareOf([{ term: 'walrusq', number: NONE, idf: 2 }], ['violin'])).toBe(0);
    expect(shareOf(many, ['violin'])).toBe(0);
    expect(shareOf(many.slice(1), ['violin'])).toBeGreaterThan(0);
  });
});
