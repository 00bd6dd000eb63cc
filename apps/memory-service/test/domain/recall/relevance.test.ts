import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Candidate, Evidence, Retrieved } from '../../../src/domain/recall/evidence.ts';
import { relevanceJudge } from '../../../src/domain/recall/relevance.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const candidate = fc.record({ turn: share, window: share, cosine: share, mixedCosine: share, coherence: share });
const kinds = fc.constantFrom('contextual' as const, 'static' as const, 'none' as const);
const GRADES = ['low', 'medium', 'high'];

function judge(parts: readonly Partial<Evidence>[], model: 'contextual' | 'static' | 'none') {
  const evidence = parts as readonly Evidence[];
  const candidates = evidence.map((one) => ({ evidence: one }) as Candidate);
  const bestTurn = Math.max(0, ...evidence.map(({ turn }) => turn));
  const retrieved: Retrieved = {
    candidates,
    bestTurn,
    speakerShare: 1,
    hasVectors: model !== 'none',
    likeness: () => 0,
  };
  return evidence.map(relevanceJudge(retrieved, model));
}

describe('relevance', () => {
  test('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 10 }), kinds, (parts, model) => {
        expect(judge([...parts].reverse(), model).reverse()).toEqual(judge(parts, model));
      }),
    );
  });

  test('is no lower for what brings more', () => {
    fc.assert(
      fc.property(candidate, share, kinds, (part, more, model) => {
        const better = {
          ...part,
          cosine: part.cosine + more,
          mixedCosine: part.mixedCosine + more,
          turn: part.turn + more,
        };
        const [worse, best] = judge([part, better], model).map((grade) => GRADES.indexOf(grade)) as [number, number];
        expect(best).toBeGreaterThanOrEqual(worse);
      }),
    );
  });

  test.each(['contextual', 'static', 'none'] as const)('of all is low where nothing fits, model %s', (model) => {
    const nothing = { turn: 0.05, window: 0.05, cosine: 0.2, mixedCosine: 0.2, coherence: 1 };
    expect(judge(Array(10).fill(nothing), model)).toEqual(Array(10).fill('low'));
  });

  test.each(['contextual', 'static', 'none'] as const)(
    'is high where all words and the meaning fit, model %s',
    (model) => {
      const fit = { turn: 0.8, window: 0.8, cosine: 0.8, mixedCosine: 0.8, coherence: 1 };
      expect(judge([fit], model)).toEqual(['high']);
    },
  );

  test('is medium for a paraphrase without a common word', () => {
    const paraphrase = { turn: 0, window: 0, cosine: 0.5, mixedCosine: 0.4, coherence: 0 };
    expect(judge([paraphrase], 'contextual')).toEqual(['medium']);
  });

  test('is medium for the closest in meaning where it stands apart from the rest', () => {
    const of = (cosine: number) => ({ turn: 0, window: 0, cosine, mixedCosine: 0.3, coherence: 0 });
    const rest = (cosine: number) => Array.from({ length: 30 }, () => of(cosine));
    expect(judge([of(0.41), ...rest(0.3)], 'contextual')[0]).toBe('medium');
    expect(judge([of(0.41), ...rest(0.33)], 'contextual')[0]).toBe('low');
    expect(judge([of(0.39), ...rest(0.2)], 'contextual')[0]).toBe('low');
    expect(judge([of(0.43), of(0.41), ...rest(0.3)], 'contextual')[1]).toBe('low');
  });
});
