import { describe, expect, test } from '@jest/globals';
import type { ModelKind } from '../../../../src/domain/embedding/text-embedding.ts';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { asShownMentions, mentionLifts } from '../../../../src/domain/recall/ranking/mention-lifts.ts';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';
import type { TimePeriod } from '../../../../src/domain/text/times/time-period.ts';

const CHECK_UP = 'Check-up with Mr Sandhu on Thursday.';
const PLAIN = 'Mr Sandhu has a new chair.';
const OF_CHANGE = "Sandhu's receptionist rang. Moved to 3 December.";

const NAMED = { index: 1, isNamed: true, words: 0 };

/** @param mention of the first text */
const mentionsOf = (
  texts: readonly string[],
  scores: readonly number[],
  { mention = NAMED, words = 9, period = null as TimePeriod | null, model = 'contextual' as ModelKind } = {},
) => {
  const candidates = texts.map(
    (gist) => ({ evidence: { words }, stored: { memory: { gist, content: gist } } }) as Candidate,
  );
  const laterMentions = (candidate: Candidate) => (candidate === candidates[0] ? [mention] : []);
  return mentionLifts({ period }, { candidates, laterMentions }, { scores, model });
};

describe('a later mention of the best answer', () => {
  test.each([
    [PLAIN, NAMED, 0.3],
    [OF_CHANGE, NAMED, 0.5],
    [PLAIN, { index: 1, isNamed: false, words: 1 }, 0],
    [PLAIN, { index: 1, isNamed: false, words: 2 }, 0.18],
    [OF_CHANGE, { index: 1, isNamed: false, words: 1 }, 0.3],
  ])('%j, by %j, comes up by %d of the way', (text, mention, share) => {
    const { lifts } = mentionsOf([CHECK_UP, text, 'The lift is late.'], [1.4, 0.4, 0.4], { mention });
    expect(Array.from(lifts)).toEqual([0, expect.closeTo(share), 0]);
  });

  test.each(['static', 'none'] as const)(
    'comes up half as far, and by its name alone, with the model kind %s',
    (model) => {
      const liftOf = (mention: typeof NAMED) => mentionsOf([CHECK_UP, OF_CHANGE], [1, 0], { model, mention }).lifts[1];
      expect(liftOf(NAMED)).toBeCloseTo(0.3);
      expect(liftOf({ index: 1, isNamed: false, words: 3 })).toBe(0);
    },
  );

  test('gains nothing where it is long, another answer is the best, or a past time is asked for', () => {
    const period = { from: 0, until: 1 } as TimePeriod;
    expect(Array.from(mentionsOf([CHECK_UP, OF_CHANGE], [1, 0], { period }).lifts)).toEqual([0, 0]);
    expect(Array.from(mentionsOf([CHECK_UP, OF_CHANGE], [1, 0], { words: 61 }).lifts)).toEqual([0, 0]);
    expect(Array.from(mentionsOf([CHECK_UP, OF_CHANGE, PLAIN], [1, 0, 2]).lifts)).toEqual([0, 0, 0]);
    expect(mentionsOf([], [])).toEqual({ lifts: new Float64Array(), best: null, takenUp: new Map() });
  });

  test.each<readonly [string, Relevance, Relevance, Relevance]>([
    [OF_CHANGE, 'high', 'low', 'medium'],
    [OF_CHANGE, 'medium', 'high', 'high'],
    [OF_CHANGE, 'low', 'low', 'low'],
    [PLAIN, 'high', 'low', 'low'],
  ])('%j beside an answer of %s relevance is %s by itself, and %s then', (text, best, own, expected) => {
    const judged = asShownMentions(mentionsOf([CHECK_UP, text], [1, 0]), (index) => (index === 0 ? best : own));
    expect([0, 1].map(judged)).toEqual([best, expected]);
  });
});
