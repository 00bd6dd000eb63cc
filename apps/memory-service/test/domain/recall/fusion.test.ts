import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Evidence, Gathered } from '../../../src/domain/recall/evidence.ts';
import { fuse, scoreParts, shownScore, WEIGHTS } from '../../../src/domain/recall/fusion.ts';
import { readQuestion } from '../../../src/domain/recall/question.ts';

const NOW = Date.UTC(2026, 2, 18);
const DAY = 86_400_000;
const question = (text = 'walrus') => readQuestion(text, { speakers: { find: () => null }, now: NOW });

function evidence(fields: Partial<Evidence> = {}): Evidence {
  return {
    ordinal: 0,
    row: -1,
    turn: 0,
    window: 0,
    thread: 0,
    coherence: 1,
    cosine: 0,
    mixedCosine: 0,
    askedBeforeTurn: 0,
    askedBeforeCosine: 0,
    entity: 0,
    speaker: 0,
    isQuestion: false,
    tellsTime: false,
    words: 0,
    createdAt: NOW,
    ...fields,
  };
}

function gathered(candidates: readonly Evidence[], fields: Partial<Gathered> = {}): Gathered {
  return { candidates, bestTurn: 1, hasVectors: false, likeness: () => 0, ...fields };
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('fusion', () => {
  test('adds up to the formula of the measurements', () => {
    const one = evidence({
      turn: 0.5,
      window: 0.4,
      thread: 0.3,
      coherence: 0.5,
      cosine: 0.6,
      mixedCosine: 0.7,
      askedBeforeTurn: 0.2,
      askedBeforeCosine: 0.1,
      speaker: 1,
      isQuestion: true,
      words: 9,
    });
    const [score] = fuse(question(), gathered([one], { bestTurn: 0.0625 }), { ...WEIGHTS.contextual, crowding: 0 });
    const words = 1.1 * 0.5 + 1.5 * 0.45 + 0.65 * 0.4;
    const expected = 0.5 * words + 1.25 * 0.65 + 0.1 - 0.18 + 0.05 * Math.log(10) + 0.3 * 0.5 * 0.3;
    expect(score).toBeCloseTo(expected, 10);
  });

  test.each([
    ['on 10 March 2026', -8, 1],
    ['on 10 March 2026', -15, Math.exp(-7 / 7)],
    ['in February 2026', -40, 1],
    ['in February 2026', -12, 0.5],
    ['in February 2026', -2, 0],
    ['in February', -40, 1],
    ['in February', -40 - 365, 0.5],
    ['in February', -40 - 730, 0.5],
    ['in February', -100, 0],
    ['in 2025', -100, 1],
    ['in 2024', -100, 0],
  ])('of a question %s likes a memory %d days old by %d', (when, days, nearness) => {
    const about = { question: question(`what was ${when}`), gathered: gathered([]), weights: WEIGHTS.contextual };
    const { circumstance } = scoreParts(evidence({ createdAt: NOW + days * DAY }), about);
    expect(circumstance).toBeCloseTo(0.35 * nearness, 5);
  });

  test('never scores a memory lower for more evidence', () => {
    const fields = ['turn', 'window', 'thread', 'cosine', 'mixedCosine', 'entity'] as const;
    const some = fc.record({
      turn: share,
      window: share,
      thread: share,
      cosine: share,
      mixedCosine: share,
      coherence: share,
    });
    fc.assert(
      fc.property(
        some,
        fc.constantFrom(...fields),
        share,
        fc.constantFrom('contextual', 'static', 'none'),
        (base, field, more, model) => {
          const less = evidence(base);
          const better = { ...less, [field]: less[field] + more };
          const [a, b] = fuse(question(), gathered([less, better]), WEIGHTS[model]) as [number, number];
          expect(b).toBeGreaterThanOrEqual(a - 1e-12);
        },
      ),
    );
  });

  test('takes off what is said in a crowd, and as much on average from those beyond the best', () => {
    const candidates = Array.from({ length: 60 }, (_, ordinal) =>
      evidence({ ordinal, row: ordinal, turn: 1 - ordinal / 100 }),
    );
    const likeness = (a: Evidence, b: Evidence) => (a.ordinal < 20 && b.ordinal < 20 ? 0.9 : 0.1);
    const about = gathered(candidates, { hasVectors: true, likeness });
    const alone = fuse(question(), about, { ...WEIGHTS.contextual, crowding: 0 });
    const scores = fuse(question(), about, WEIGHTS.contextual);
    const taken = scores.map((score, index) => (alone[index] as number) - score);
    expect(taken[0]).toBeCloseTo(0.3 * 0.9, 10);
    expect(taken[49]).toBeCloseTo(0.3 * 0.1, 10);
    expect(taken[59]).toBeCloseTo((0.3 * (20 * 0.9 + 30 * 0.1)) / 50, 10);
  });

  test('shows a score between 0 and 1', () => {
    expect(shownScore(-1, WEIGHTS.none)).toBe(0);
    expect(shownScore(9, WEIGHTS.none)).toBe(1);
    expect(shownScore(1.45, WEIGHTS.none)).toBeCloseTo(0.5, 10);
  });
});
