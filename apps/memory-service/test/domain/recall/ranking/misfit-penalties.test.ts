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

const NOW = { isPast: false };

test('a memory loses more than words can give where it does not fit, and less where it was said later', () => {
  const at = (createdAt: number) =>
    ({
      evidence: { createdAt, namesDay: false, role: null, speaker: 0 },
      stored: { memory: { supersededBy: null } },
    }) as unknown as Candidate;
  const [before = 0, then, later = 0] = misfitPenalties({ circumstance: ASKED }, [at(9), at(15), at(20)], NOW);
  expect(then).toBe(0);
  expect(later).toBeLessThan(-0.9);
  expect(before).toBeLessThan(later - 5);
  expect(misfitPenalties({ circumstance: null }, [at(9)], NOW)).toEqual([0]);
});

test('of a time ahead what is superseded stands behind what holds, and of a past time, or as it was then, it does not', () => {
  const naming = (supersededBy: string | null) =>
    ({ evidence: { createdAt: 5, namesDay: true }, stored: { memory: { supersededBy } } }) as unknown as Candidate;
  const ahead = { ...ASKED, isAhead: true };
  const [holds, superseded = 0] = misfitPenalties({ circumstance: ahead }, [naming(null), naming('b')], NOW);
  expect(holds).toBe(0);
  expect(superseded).toBeLessThan(-0.9);
  expect(misfitPenalties({ circumstance: ahead }, [naming('b')], { isPast: true })).toEqual([0]);
  const then = {
    ...naming('b'),
    evidence: { createdAt: 15, namesDay: false, role: null, speaker: 0 },
  } as unknown as Candidate;
  expect(misfitPenalties({ circumstance: ASKED }, [then], NOW)).toEqual([0]);
});
