import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { misfitPenalties } from '../../../../src/domain/recall/ranking/misfit-penalties.ts';

const ASKED = {
  from: 10,
  until: 20,
  ofAnyYear: false,
  isAhead: false,
  isOfSpeaker: false,
  isOfTalk: false,
  saidBy: null,
  isBeside: false,
};

test('a memory loses more than words can give where it does not fit, and less where it was said later', () => {
  const at = (createdAt: number) =>
    ({ evidence: { createdAt, namesDay: false, role: null, speaker: 0 } }) as unknown as Candidate;
  const [before = 0, then, later = 0] = misfitPenalties({ circumstance: ASKED }, [at(9), at(15), at(20)]);
  expect(then).toBe(0);
  expect(later).toBeLessThan(-0.9);
  expect(before).toBeLessThan(later - 5);
  expect(misfitPenalties({ circumstance: null }, [at(9)])).toEqual([0]);
});
