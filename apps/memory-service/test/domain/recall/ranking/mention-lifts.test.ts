import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { asShownMentions, mentionLifts } from '../../../../src/domain/recall/ranking/mention-lifts.ts';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';

const CHECK_UP = 'Check-up with Mr Sandhu on Thursday.';
const PLAIN = 'Mr Sandhu has a new chair.';
const OF_CHANGE = "Sandhu's receptionist rang. Moved to 3 December.";

/** @param mentions of the first text */
const mentionsOf = (texts: readonly string[], scores: readonly number[], { mentions = [1], words = 9 } = {}) => {
  const candidates = texts.map(
    (gist) => ({ evidence: { words }, stored: { memory: { gist, content: gist } } }) as Candidate,
  );
  const laterMentions = (candidate: Candidate) => (candidate === candidates[0] ? mentions : []);
  return mentionLifts({ candidates, laterMentions }, scores);
};

describe('a later mention of the best answer', () => {
  test.each([
    [PLAIN, 0.3],
    [OF_CHANGE, 0.5],
  ])('%j comes up by its share of the way', (text, share) => {
    const { lifts } = mentionsOf([CHECK_UP, text, 'The lift is late.'], [1.4, 0.4, 0.4]);
    expect(Array.from(lifts)).toEqual([0, expect.closeTo(share), 0]);
  });

  test('gains nothing where it is long, or another answer is the best', () => {
    expect(Array.from(mentionsOf([CHECK_UP, OF_CHANGE], [1, 0], { words: 61 }).lifts)).toEqual([0, 0]);
    expect(Array.from(mentionsOf([CHECK_UP, OF_CHANGE, PLAIN], [1, 0, 2]).lifts)).toEqual([0, 0, 0]);
    expect(mentionsOf([], [])).toEqual({ lifts: new Float64Array(), best: null, ofChange: new Set() });
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
