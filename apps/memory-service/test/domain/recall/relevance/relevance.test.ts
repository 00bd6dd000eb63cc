import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Candidate, Evidence, Retrieved } from '../../../../src/domain/recall/evidence/evidence.ts';
import type { AskedKind } from '../../../../src/domain/recall/question/asked-kind.ts';
import { figuresOfRelevance, relevanceJudge } from '../../../../src/domain/recall/relevance/relevance.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const candidate = fc.record({ turn: share, window: share, cosine: share, mixedCosine: share, coherence: share });
const kinds = fc.constantFrom('contextual' as const, 'static' as const, 'none' as const);
const GRADES = ['low', 'medium', 'high'];

interface About {
  readonly asked: AskedKind;
  readonly contents: readonly string[];
  readonly hasMeaning: boolean;
  readonly isAboutStrangers: boolean;
  readonly leftOut: Retrieved['leftOut'];
  readonly telling: readonly string[];
}

/** The relevance of candidates; with these scores none of them is a promise by itself. @param answers their cosines as answers */
function judge(
  parts: readonly Partial<Evidence>[],
  model: 'contextual' | 'static' | 'none',
  scores = parts.map(() => 1.1),
  answers: readonly number[] | null = null,
  wordsTell = true,
  {
    asked = 'other',
    contents = [],
    hasMeaning = true,
    isAboutStrangers = false,
    leftOut = null,
    telling = ['deploy'],
  }: Partial<About> = {},
) {
  const evidence = parts.map((part) => ({ hasVector: true, ...part })) as readonly Evidence[];
  const candidates = evidence.map(
    (one, index) => ({ evidence: one, stored: { memory: { content: contents[index] ?? '' } } }) as Candidate,
  );
  const bestTurn = Math.max(0, ...evidence.map(({ turn }) => turn));
  const retrieved: Retrieved = {
    candidates,
    leftOut,
    bestTurn,
    speakerShare: 1,
    hasVectors: model !== 'none',
    laterMentions: () => [],
    likeness: () => 0,
    likenesses: () => new Float64Array(),
    cosineWith: (_, candidate) => answers?.[candidates.indexOf(candidate)] ?? 0,
  };
  const answerable = answers && Float32Array.of(1);
  const relevanceOf = relevanceJudge(
    {
      question: {
        hasMeaning,
        wordsTell,
        asked,
        ofKind: null,
        owesValue: asked !== 'other',
        asksState: false,
        asksWordsOf: false,
        text: '',
        names: [],
        saidBy: null,
        period: null,
        asksAhead: false,
        days: [],
        terms: telling,
        telling,
      },
      retrieved,
      isAboutStrangers,
      answerable,
    },
    scores,
    model,
  );
  return evidence.map((_, index) => relevanceOf(index));
}

describe('relevance', () => {
  test('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 10 }), kinds, (parts, model) => {
        expect(judge([...parts].reverse(), model).reverse()).toEqual(judge(parts, model));
      }),
    );
  });

  test('counts the highest figures of candidates that were left out', () => {
    const ten = fc.array(candidate, { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(ten, candidate, kinds, (parts, one, model) => {
        const other = { ...one, turn: 0 };
        const scores = [...parts.map(() => 1.1), 0];
        const all = judge([...parts, other], model, scores).slice(0, -1);
        const figures = figuresOfRelevance({ telling: ['deploy'] }, model).map((figure) =>
          Math.max(0, ...[...parts, other].map((part) => figure(part as Evidence))),
        );
        expect(judge(parts, model, scores.slice(0, -1), null, true, { leftOut: { score: 0, figures } })).toEqual(all);
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

  test('asks less of the meaning of a memory alone than in a thread that keeps to one topic, where the model is static', () => {
    const near = (coherence: number, cosine: number) => ({
      turn: 0,
      window: 0,
      cosine,
      mixedCosine: cosine,
      coherence,
    });
    const of = (coherence: number, cosine: number, telling = ['deploy']) =>
      judge([near(coherence, cosine)], 'static', [1.1], null, true, { telling })[0];
    expect([of(0, 0.44), of(0, 0.45)]).toEqual(['low', 'medium']);
    expect([of(0.5, 0.48), of(0.5, 0.49)]).toEqual(['low', 'medium']);
    expect([of(1, 0.59), of(1, 0.6)]).toEqual(['low', 'medium']);
    // "What was said in January?"
    expect(of(0, 0.59, [])).toBe('low');
  });

  test('is low without the words of a question that has no meaning to compare, however near it is', () => {
    const near = { turn: 0, window: 0.6, cosine: 0.9, mixedCosine: 0.9, coherence: 0 };
    const said = { ...near, turn: 0.8, cosine: 0.3, mixedCosine: 0.3 };
    const of = (hasMeaning: boolean) => judge([near, said], 'contextual', [1.6, 1.6], null, true, { hasMeaning });
    expect([of(true), of(false)]).toEqual([
      ['high', 'high'],
      ['low', 'high'],
    ]);
  });

  test('is low for a memory that says nothing, however near it is', () => {
    const near = { turn: 0, window: 0, cosine: 0.5, mixedCosine: 0.5, coherence: 0, words: 1, askedBeforeWords: 0 };
    const of = (content: string, before = 0) =>
      judge([{ ...near, askedBeforeWords: before }], 'contextual', [1.6], null, true, { contents: [content] });
    expect([of('ok'), of('Postgres'), of('yes', 5)]).toEqual([['low'], ['medium'], ['medium']]);
  });

  test('is medium for a high score, whatever it comes from', () => {
    const little = { turn: 0.1, window: 0.2, cosine: 0.3, mixedCosine: 0.3, coherence: 0 };
    expect(judge([little, little], 'contextual', [1.5, 1.49])).toEqual(['medium', 'low']);
  });

  test('counts the meaning beside the score where the store hardly knows the words', () => {
    const close = (window: number) => ({ turn: 0, window, cosine: 0.36, mixedCosine: 0.2, coherence: 0 });
    expect(judge([close(0)], 'contextual', [0])).toEqual(['medium']);
    expect(judge([close(0.03)], 'contextual', [0])).toEqual(['low']);
    expect(judge([{ ...close(0), cosine: 0.2 }], 'contextual', [1.49])).toEqual(['low']);
  });

  test('is not judged by scores that nobody has looked at', () => {
    const subject = { turn: 0.6, window: 0.6, cosine: 0.6, mixedCosine: 0.6, coherence: 0 };
    for (const model of ['static', 'none'] as const)
      expect(judge([subject], model, [0])).toEqual(judge([subject], model, [2]));
  });

  test('is that of an answer where the question has a vector for answers', () => {
    const told = { turn: 0.6, window: 0.6, cosine: 0.5, mixedCosine: 0.5, coherence: 0.5 };
    expect(judge([told], 'contextual')).toEqual(['high']);
    expect(judge([told], 'contextual', [1.1], [0.5])).toEqual(['high']);
    expect(judge([told], 'contextual', [1.1], [0.35])).toEqual(['medium']);
    expect(judge([told], 'contextual', [1.1], [0])).toEqual(['low']);
  });

  test('is low of all memories where none is near the vector for answers, whatever words they have', () => {
    const fit = { turn: 0.8, window: 0.8, cosine: 0.8, mixedCosine: 0.8, coherence: 1 };
    expect(judge([fit, fit], 'contextual', [3, 3], [0.1, 0.4])).toEqual(['low', 'low']);
    expect(judge([fit, fit], 'contextual', [3, 3], [0.1, 0.42])).toEqual(['high', 'high']);
    const unread = { ...fit, cosine: 0, mixedCosine: 0, hasVector: false };
    expect(judge([fit, unread], 'contextual', [3, 3], [0.1, 0])).toEqual(['medium', 'medium']);
  });

  test('is medium of a short memory with all words of the question, though none is near the vector for answers', () => {
    const fit = { turn: 0.8, window: 0.8, cosine: 0.8, mixedCosine: 0.8, coherence: 1, words: 6 };
    const parts = [{ ...fit, covers: true }, fit, { ...fit, covers: true, words: 26 }];
    const answers = [0.1, 0.1, 0.1];
    expect(judge(parts, 'contextual', [3, 3, 3], answers)).toEqual(['medium', 'low', 'low']);
    expect(judge(parts, 'contextual', [3, 3, 3], answers, false)).toEqual(['low', 'low', 'low']);
  });

  test('is medium of a long memory with all words of the question in one short passage', () => {
    const part = { turn: 0.8, window: 0.8, cosine: 0.8, mixedCosine: 0.8, coherence: 1, words: 40, covers: true };
    const changed = 'somebody changed the password of the robot.';
    const contents = [
      `It failed at night.\n- ${changed}\nWe see.`,
      'We had changed the robot. Password unknown. Nobody wept.',
      `Nobody had changed the robot. ${'Word word word word word. '.repeat(4)}Its password is safe.`,
      `${'word '.repeat(20)}${changed}`,
    ];
    const of = (asked: AskedKind) =>
      judge(Array(4).fill(part), 'contextual', Array(4).fill(3), Array(4).fill(0.1), true, {
        asked,
        contents,
        telling: ['chang', 'password', 'robot'],
      });
    expect(of('other')).toEqual(['medium', 'medium', 'low', 'low']);
    expect(of('number')).toEqual(['low', 'low', 'low', 'low']);
  });

  test('asks more of the vector for answers the nearer the question is to what speaks of its subject', () => {
    const about = (likeness: number, answer: number) => {
      const part = { turn: 0.8, window: 0.8, cosine: likeness, mixedCosine: likeness, coherence: 1 };
      return judge([part], 'contextual', [3], [answer]);
    };
    expect(about(0.3, 0.25)).toEqual(['low']);
    expect(about(0.3, 0.27)).not.toEqual(['low']);
    expect(about(0.9, 0.27)).toEqual(['low']);
    expect(about(0.9, 0.45)).not.toEqual(['low']);
  });

  test('is low of all memories where none is like the question itself: the store does not know its subject', () => {
    const of = (cosine: number) => {
      const part = { turn: 0.8, window: 0.8, cosine, mixedCosine: cosine, coherence: 1 };
      return judge([part], 'contextual', [3], [0.6]);
    };
    expect(of(0.26)).toEqual(['low']);
    expect(of(0.28)).not.toEqual(['low']);
  });

  test('asks 0.2 more of the vector for answers where the question is about strangers', () => {
    const parts = [{ turn: 1, window: 1, cosine: 0.5, mixedCosine: 0.5, coherence: 0, words: 40 }];
    const relevanceAt = (answer: number, isAboutStrangers: boolean) =>
      judge(parts, 'contextual', [1.1], [answer], false, { isAboutStrangers })[0];
    const least = 0.21 + 0.3 * 0.5 - 0.04;
    expect([relevanceAt(least + 0.01, false), relevanceAt(least + 0.19, true)]).toEqual([
      expect.not.stringMatching('low'),
      'low',
    ]);
    expect(relevanceAt(least + 0.21, true)).not.toBe('low');
  });

  test('asks more of the vector for answers where a value is asked for and the nearest memory tells none', () => {
    const part = { turn: 0.9, window: 0.5, cosine: 0.3, mixedCosine: 0.3, coherence: 1, words: 12, tellsTime: false };
    const least = 0.21 + 0.3 * 0.3 - 0.04;
    const of = (asked: AskedKind, content: string, cosine: number, tellsTime = false) =>
      judge([{ ...part, tellsTime }, part], 'contextual', [3, 3], [least + cosine, least - 0.01], false, {
        asked,
        contents: [content, 'The other lift is 12 m high.'],
      })[0];
    expect(of('number', 'The lift is in the yard.', 0.05)).toBe('low');
    expect(of('number', 'The lift is in the yard.', 0.07)).not.toBe('low');
    expect(of('number', 'The lift is 12 m high.', 0.01)).not.toBe('low');
    expect(of('number', 'The lift is free.', 0.01)).not.toBe('low');
    expect(of('number', 'The lift is 12 m high.', -0.01)).toBe('low');
    expect(of('other', 'The lift is in the yard.', 0.01)).not.toBe('low');
    expect(of('date', 'The lift comes next week.', 0.01, true)).not.toBe('low');
    expect(of('date', 'The lift comes.', 0.01, false)).toBe('low');
  });

  test('is no higher by a vector for answers where the memory has none to compare with it', () => {
    const unread = { turn: 0.65, window: 0.65, cosine: 0, mixedCosine: 0, coherence: 0, hasVector: false };
    expect(judge([unread], 'contextual')).toEqual(['low']);
    expect(judge([unread], 'contextual', [1.1], [0])).toEqual(['low']);
  });

  test('takes a change of its own meaning for a change of what is around it too', () => {
    const alike = (cosine: number, mixedCosine: number, answer: number) => {
      const part = { turn: 0.2, window: 0.2, cosine, mixedCosine, coherence: 1 };
      return judge([part], 'contextual', [1.1], [answer]);
    };
    expect(alike(0.5, 0.5, 0.34)).toEqual(alike(0.3, 0.3, 0.34));
    expect(alike(0.3, 0.6, 0.38)).toEqual(alike(0.5, 0.8, 0.38));
    expect(alike(0.4, 0.4, 0.38)).not.toEqual(alike(0.4, 0.1, 0.38));
  });
});
