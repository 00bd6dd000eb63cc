import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Evidence, Weighing } from '../../src/domain/recall/evidence/evidence.ts';
import { promising } from '../../src/search/promising.ts';

interface Measured extends Pick<Evidence, 'turn' | 'window' | 'near'> {
  readonly at: number;
}

const share = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8);
/** Exact shares, and how much less of them there could be. */
const memory = fc.record({ turn: share, window: share, near: share, ofWindow: share, ofNear: share });
const limits = fc.record({ places: fc.integer({ min: 1, max: 12 }), margin: fc.constantFrom(0, 0.25, 1) });

const beside = { after: () => -1, mentioning: () => [] };

const exactOf = ({ turn, window, near }: { turn: number; window: number; near: number }, at: number): Measured => ({
  turn,
  window,
  near,
  at,
});
const weighing = (of: { places: number; margin: number }): Weighing => ({
  ...of,
  replied: 1,
  mentioned: 1,
  score: ({ turn, window, near }) => turn + 1.5 * window + near,
  figures: [({ window }) => window, ({ turn, near }) => near - turn],
});

describe('of candidates', () => {
  test('all that may be among the best are measured, and the others are known to score less', () => {
    let leftOut = 0;
    fc.assert(
      fc.property(fc.array(memory, { minLength: 1, maxLength: 60, size: 'max' }), limits, (memories, of) => {
        const { score, figures, places, margin } = weighing(of);
        const exact = memories.map(exactOf);
        const most = memories.map((one, at) => ({
          ...exactOf(one, at),
          window: one.window + one.ofWindow / 8,
          near: one.near + one.ofNear / 8,
        })) as unknown as Evidence[];
        const exactly = (at: number) => Object.assign(most[at] as Evidence, exact[at]);
        const found = promising(most, { exactly, ...beside }, weighing(of));
        const kept = (found.evidence as unknown as Measured[]).map(({ at }) => at);
        expect(found.evidence).toEqual(kept.map((at) => exact[at]));
        expect(kept).toEqual(kept.toSorted((a, b) => a - b));
        const scores = (exact as unknown as Evidence[]).map(score);
        const least = (scores.toSorted((a, b) => b - a)[Math.min(places, scores.length) - 1] as number) - margin;
        const others = [...exact.keys()].filter((at) => !kept.includes(at));
        leftOut += others.length;
        if (others.length === 0) return;
        for (const at of others) expect(scores[at]).toBeLessThanOrEqual(found.leftOut?.score ?? 0);
        expect(found.leftOut?.score).toBeLessThan(least);
        expect(found.leftOut?.figures).toEqual(
          figures.map((figure) => Math.max(0, ...(exact as unknown as Evidence[]).map(figure))),
        );
      }),
      { numRuns: 500 },
    );
    expect(leftOut).toBeGreaterThan(500);
  });

  test('all are measured where nothing says how they are weighed', () => {
    const one = { turn: 1 } as Evidence;
    expect(promising([one, one], { exactly: () => one, ...beside }, undefined)).toEqual({
      evidence: [one, one],
      leftOut: null,
    });
  });

  test('what follows the best in its thread is measured too', () => {
    const memories = [0, 1, 0, 0.9, 0, 0, 0, 0].map((turn, at) => ({ turn, window: 0, near: 0, at }));
    const most = memories as unknown as Evidence[];
    const after = (one: Evidence) => most.indexOf(one) + 1;
    const exactly = (at: number) => most[at] as Evidence;
    const found = promising(most, { ...beside, exactly, after }, { ...weighing({ places: 2, margin: 0 }), replied: 1 });
    expect(found.evidence).toEqual([1, 3, 2].map(exactly));
    expect(found.leftOut?.score).toBe(0);
  });

  test('what was said later of what the best names is measured too, once', () => {
    const memories = [0, 1, 0, 0.9, 0, 0, 0, 0].map((turn, at) => ({ turn, window: 0, near: 0, at }));
    const most = memories as unknown as Evidence[];
    const exactly = (at: number) => most[at] as Evidence;
    const mentioning = (one: Evidence) => (one === most[1] ? [6, 3, -1] : [0]);
    const found = promising(most, { ...beside, exactly, mentioning }, weighing({ places: 2, margin: 0 }));
    expect(found.evidence).toEqual([1, 3, 6].map(exactly));
  });
});
