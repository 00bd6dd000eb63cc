import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Candidate, Evidence, Retrieved } from '../../../../src/domain/recall/evidence/evidence.ts';
import { FUSION_WEIGHTS, fuse, scorer, shownScore } from '../../../../src/domain/recall/evidence/fusion.ts';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const NOW = Date.UTC(2026, 2, 18);
const DAY = 86_400_000;
const question = (text = 'walrus') => readQuestion(text, { speakers: NO_SPEAKERS, now: NOW });

function evidence(fields: Partial<Evidence> = {}): Evidence {
  return {
    hasVector: false,
    turn: 0,
    covers: false,
    coversWithBefore: false,
    window: 0,
    thread: 0,
    near: 0,
    coherence: 1,
    cosine: 0,
    mixedCosine: 0,
    askedBeforeTurn: 0,
    askedBeforeCosine: 0,
    askedBeforeWords: 0,
    saidBefore: null,
    saidAfter: null,
    entity: 0,
    speaker: 0,
    role: null,
    isQuestion: false,
    isNote: false,
    isOfUser: false,
    tellsTime: false,
    namesDay: false,
    words: 0,
    createdAt: NOW,
    ...fields,
  };
}

function retrieved(evidence: readonly Evidence[], fields: Partial<Retrieved> = {}): Retrieved {
  const candidates = evidence.map((one) => ({ evidence: one }) as Candidate);
  return {
    candidates,
    leftOut: null,
    bestTurn: 1,
    speakerShare: 1,
    hasVectors: false,
    laterMentions: () => [],
    likeness: () => 0,
    likenesses: () => new Float64Array(),
    cosineWith: () => 0,
    ...fields,
  };
}

/** With this cosine of each two candidates. */
function alike(likeness: (a: Candidate, b: Candidate) => number): Pick<Retrieved, 'likenesses'> {
  return {
    likenesses: (of) =>
      Float64Array.from(of.flatMap((a) => of.map((b) => (a === b ? Number.NEGATIVE_INFINITY : likeness(a, b))))),
  };
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('fusion', () => {
  test('adds up to the formula of the measurements', () => {
    const one = evidence({
      turn: 0.5,
      window: 0.4,
      thread: 0.3,
      near: 0.2,
      coherence: 0.5,
      cosine: 0.6,
      mixedCosine: 0.7,
      askedBeforeTurn: 0.2,
      askedBeforeCosine: 0.1,
      askedBeforeWords: 5,
      speaker: 1,
      isQuestion: true,
      words: 9,
    });
    const about = retrieved([one], { bestTurn: 0.0625, speakerShare: 0.25 });
    const [score] = fuse(question(), about, { ...FUSION_WEIGHTS.contextual, crowding: 0 }).scores;
    const words = 1.1 * 0.5 + 1.5 * 0.45 + 0.65 * 0.4;
    const foreign = 1 - 0.0625 / 0.1;
    const expected =
      0.5 * words +
      0.5 * 0.2 +
      1.25 * (0.65 + 0.6 * foreign * 0.6) +
      2 * 0.1 -
      0.18 +
      0.05 * Math.log(10) +
      0.3 * 0.5 * 0.3;
    expect(score).toBeCloseTo(expected, 10);
  });

  test('counts a memory more by itself, and less by its thread and what was asked before, where a list is asked for', () => {
    const about = retrieved([evidence({ turn: 0.4, thread: 0.5, askedBeforeTurn: 0.2, askedBeforeWords: 5 })]);
    const scoreOf = (text: string, model: keyof typeof FUSION_WEIGHTS) =>
      fuse(question(text), about, FUSION_WEIGHTS[model]).scores[0] as number;
    const difference = scoreOf('Which film was it?', 'contextual') - scoreOf('Which films were they?', 'contextual');
    expect(difference).toBeCloseTo((1.1 - 1.35) * 0.4 + (0.65 - 0.4) * 0.5 + (0.3 - 0.1) * 0.2, 10);
    expect(scoreOf('Which film was it?', 'none')).toBe(scoreOf('Which films were they?', 'none'));
  });

  test('counts meaning more where the store does not know the words of a question, unless there are many', () => {
    const meaning = (terms: number) => {
      const text = Array.from({ length: terms }, (_, n) => `walrus${n}`).join(' ');
      const about = retrieved([evidence({ cosine: 0.6, mixedCosine: 0.6 })], { bestTurn: 0 });
      const weights = FUSION_WEIGHTS.contextual;
      const [candidate] = about.candidates as [Candidate];
      return scorer({ question: question(text), retrieved: about, weights })(candidate.evidence).vector;
    };
    expect(meaning(12)).toBeCloseTo(1.25 * 1.6 * 0.6, 10);
    expect(meaning(13)).toBeCloseTo(1.25 * 0.6, 10);
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
    // A named month is the last one of that name, not a later one.
    ['in February', 330, 0],
    // A period includes its first moment and not its end. Only a month counts for ten more days after it.
    ['in February 2026', -45, 1],
    ['in February 2026', -17, 0.5],
    ['in February 2026', -7, 0.5],
    ['in February 2026', -6, 0],
    ['in February 2026', -50, 0],
    ['in the first week of March 2026', -17, 1],
    ['in the first week of March 2026', -3, Math.exp(-7 / 7)],
    ['in 2025', -100, 1],
    ['in 2025', -76, 0],
    ['in 2024', -100, 0],
  ])('of a question %s likes a memory %d days old by %d', (when, days, nearness) => {
    const about = {
      question: question(`what was ${when}`),
      retrieved: retrieved([]),
      weights: FUSION_WEIGHTS.contextual,
    };
    const { circumstance } = scorer(about)(evidence({ createdAt: NOW + days * DAY }));
    expect(circumstance).toBeCloseTo(0.7 * nearness, 5);
  });

  test('of a question that asks when likes a memory that tells a time', () => {
    const liking = (text: string, tellsTime: boolean) => alone(evidence({ tellsTime }), {}, text);
    expect(liking('when did the walrus move', true) - liking('when did the walrus move', false)).toBeCloseTo(0.13, 10);
    expect(liking('who moved the walrus', true) - liking('who moved the walrus', false)).toBe(0);
  });

  const alone = (one: Evidence, fields: Partial<Retrieved> = {}, text?: string) =>
    fuse(question(text), retrieved([one], fields), FUSION_WEIGHTS.none).scores[0] as number;

  test('likes a longer text up to 80 words, and a longer one less', () => {
    const of = (words: number) => alone(evidence({ words }));
    expect(of(80) - of(0)).toBeCloseTo(0.02 * Math.log(81), 10);
    expect(of(640) - of(80)).toBeCloseTo(-0.2 * Math.log(8), 10);
  });

  test('takes a long text that ends in a question for more than that', () => {
    expect(alone(evidence({ words: 40, isQuestion: true })) - alone(evidence({ words: 40 }))).toBeCloseTo(-0.1, 10);
    expect(alone(evidence({ words: 41, isQuestion: true }))).toBe(alone(evidence({ words: 41 })));
    const after = (askedBeforeWords: number) => alone(evidence({ askedBeforeTurn: 0.5, askedBeforeWords }));
    expect(after(40) - after(41)).toBeCloseTo(0.55 * 0.5, 10);
  });

  test.each([
    ['what did I say', 'user', 0.1],
    ['what did I say', 'assistant', -0.1],
    ['what did you suggest for my cat', 'assistant', 0.1],
    ['what did you suggest for my cat', 'user', -0.1],
    ['what did I say', 'system', 0],
    ['what did I say', null, 0],
    ['what was said', 'user', 0],
  ] as const)('of "%s" likes what the %s said by %d', (text, role, liking) => {
    expect(alone(evidence({ role }), {}, text)).toBeCloseTo(liking, 10);
    expect(alone(evidence({ role, isNote: true }), {}, text)).toBe(0);
  });

  test('takes what an assistant noted of its user for words of the user', () => {
    const of = (text: string) => alone(evidence({ role: 'assistant', isOfUser: true }), {}, text);
    expect(of('what did I say')).toBeCloseTo(0.1, 10);
    expect(of('what did you suggest for my cat')).toBeCloseTo(0.1, 10);
  });

  test.each([
    [1, 0],
    [0.5, 1],
    [0.25, 2],
    [0.125, 3],
    [0.001, 3],
  ])('of a speaker of %d of the memories makes %d bits', (speakerShare, bits) => {
    expect(alone(evidence({ speaker: 1 }), { speakerShare })).toBeCloseTo(0.05 * bits, 10);
    expect(alone(evidence({ speaker: -1 }), { speakerShare })).toBeCloseTo(-0.05 * bits, 10);
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
          const [a, b] = fuse(question(), retrieved([less, better]), FUSION_WEIGHTS[model]).scores as [number, number];
          expect(b).toBeGreaterThanOrEqual(a - 1e-12);
        },
      ),
    );
  });

  test('takes off what is said in a crowd, and as much on average from those beyond the best', () => {
    const candidates = Array.from({ length: 60 }, (_, place) => evidence({ hasVector: true, turn: 1 - place / 100 }));
    const isInCrowd = ({ evidence: { turn } }: Candidate) => turn > 0.805;
    const likeness = (a: Candidate, b: Candidate) => (isInCrowd(a) && isInCrowd(b) ? 0.9 : 0.1);
    const about = retrieved(candidates, { hasVectors: true, ...alike(likeness) });
    const alone = fuse(question(), about, { ...FUSION_WEIGHTS.contextual, crowding: 0 }).scores;
    const { scores, leftOut } = fuse(
      question(),
      { ...about, leftOut: { score: 1, figures: [] } },
      FUSION_WEIGHTS.contextual,
    );
    const taken = scores.map((score, index) => (alone[index] as number) - score);
    expect(taken[0]).toBeCloseTo(0.3 * 0.9, 10);
    expect(taken[49]).toBeCloseTo(0.3 * 0.1, 10);
    expect(taken[59]).toBeCloseTo((0.3 * (20 * 0.9 + 30 * 0.1)) / 50, 10);
    expect(leftOut).toBeCloseTo(1 - (taken[59] as number), 10);
  });

  test('counts meaning and crowds more the less the store knows the words, and nothing more from a tenth on', () => {
    const candidates = [evidence({ hasVector: true, cosine: 0.5, mixedCosine: 0.5 }), evidence({ hasVector: true })];
    const scoresAt = (bestTurn: number) =>
      fuse(
        question(),
        retrieved(candidates, { hasVectors: true, ...alike(() => 0.4), bestTurn }),
        FUSION_WEIGHTS.contextual,
      ).scores;
    expect(scoresAt(0)[0]).toBeCloseTo(1.25 * 0.5 * 1.6 - 0.3 * 0.4 * 1.9, 10);
    expect(scoresAt(0.1)[0]).toBeCloseTo(1.25 * 0.5 - 0.3 * 0.4, 10);
    expect(scoresAt(1)).toEqual(scoresAt(0.1));
  });

  test('takes nothing off for a crowd where nothing has a vector', () => {
    const candidates = [evidence({ turn: 1 }), evidence({ turn: 0.5 })];
    const about = retrieved(candidates, { hasVectors: false, ...alike(() => 0.9) });
    const [first] = fuse(question(), about, FUSION_WEIGHTS.contextual).scores;
    expect(first).toBeCloseTo(1.1 + 1.5 * 0 + 0.65 * 0, 10);
  });

  test('shows a score between 0 and 1', () => {
    expect(shownScore(-1, FUSION_WEIGHTS.none)).toBe(0);
    expect(shownScore(9, FUSION_WEIGHTS.none)).toBe(1);
    expect(shownScore(1.45, FUSION_WEIGHTS.none)).toBeCloseTo(0.5, 10);
    expect(shownScore(2.25, FUSION_WEIGHTS.contextual)).toBeCloseTo(0.5, 10);
  });
});
