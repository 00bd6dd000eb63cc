import { openEmbedder } from '@agent-faculties/embeddings';
import { describe, expect, test } from '@jest/globals';
import { termsOf } from '../../../src/domain/text/words/terms.ts';
import { NearWords } from '../../../src/search/lexical/near-words.ts';

function nearTo(word: string): { term: string; cosine: number }[] {
  const near: { term: string; cosine: number }[] = [];
  NearWords.common().each(termsOf(word)[0] as string, (term, cosine) => near.push({ term, cosine }));
  return near;
}

describe('near words', () => {
  test.each([
    ['instruments', 'violin'],
    ['pets', 'dog'],
    ['cities', 'town'],
    ['cost', 'price'],
  ])('of "%s" have "%s" among them', (word, near) => {
    expect(nearTo(word).map(({ term }) => term)).toContain(termsOf(near)[0]);
  });

  test('come the nearest first, at most 32, none of them the word itself, and none for a word that is not common', () => {
    for (const word of ['instrument', 'book', 'monday']) {
      const near = nearTo(word);
      const cosines = near.map(({ cosine }) => cosine);
      expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
      expect(near.length).toBeGreaterThan(0);
      expect(near.length).toBeLessThanOrEqual(32);
      expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.29);
      expect(near.map(({ term }) => term)).not.toContain(word);
    }
    expect(nearTo('walrusq')).toEqual([]);
  });

  test('are as near as the vectors of the model are', async () => {
    const embedder = await openEmbedder({ model: 'fast', offline: true });
    try {
      for (const [word, near] of [
        ['dog', 'cat'],
        ['car', 'vehicle'],
      ] as const) {
        const [a, b] = (await embedder.embed([word, near])) as [Float32Array, Float32Array];
        const cosine = a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
        expect(nearTo(word).find(({ term }) => term === termsOf(near)[0])?.cosine).toBeCloseTo(cosine, 2);
      }
    } finally {
      await embedder.close();
    }
  });
});
