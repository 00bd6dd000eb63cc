import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { readQuestion } from '../../../src/domain/recall/question/question.ts';
import { termsOf } from '../../../src/domain/text/words/terms.ts';
import { EvidenceIndex } from '../../../src/search/evidence-index.ts';
import { AskedWords } from '../../../src/search/lexical/asked-words.ts';
import { anyProject } from '../../sample-memory.ts';

const NOW = Date.UTC(2026, 2, 18);
const DATE = '2026-03-18 Wednesday, 18 March 2026';
const ASKED = ['ant', 'bee', 'cow'];
const WORDS = [...ASKED, ...Array.from({ length: 20 }, (_, i) => `filler${String.fromCharCode(97 + i)}`)];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 150, size: 'max' })
  .map((words) => words.join(' '));

function find(texts: readonly string[], query = ASKED.join(' ')) {
  const index = new EvidenceIndex({ vectors: null });
  texts.forEach((said, ordinal) => {
    const memory = {
      agentId: 'ann',
      sessionId: 's',
      scope: 'TEAM',
      project: null,
      createdAt: NOW + ordinal,
      text: said,
    } as const;
    index.add(ordinal, { ...memory, speaker: 'Ann', role: 'user', tags: [] }, null);
  });
  const question = readQuestion(query, { speakers: index.knownSpeakers(anyProject('ann')), now: NOW });
  const request = {
    viewer: anyProject('ann'),
    vector: null,
    vectorRows: [],
    entityHits: new Map(),
    limit: texts.length,
  };
  const { evidence: candidates, bestTurn } = index.search.find(question, request);
  return { bestTurn, candidates: [...candidates].sort((a, b) => a.ordinal - b.ordinal) };
}

/** The naive twin: the shares of the long texts of a thread by their definition. It scores every passage of 40 terms and takes the first of the best. */
function naive(texts: readonly string[]) {
  const all = texts.map((said) => termsOf(`Ann ${said} ${DATE}`));
  const mean = (lengths: readonly number[]) => lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const windowLengths = all.map((_, at) => all.slice(Math.max(0, at - 2), at + 3).flat().length);
  const averages = {
    turn: Math.min(40, mean(all.map(({ length }) => length))),
    window: Math.min(200, mean(windowLengths)),
  };
  const idf = ASKED.map((word) => {
    const df = all.filter((terms) => terms.includes(word)).length;
    return Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
  });
  const weight = idf.reduce((sum, value) => sum + value, 0);
  const counts = (terms: readonly string[]) => ASKED.map((word) => terms.filter((term) => term === word).length);
  const turnShare = (terms: readonly string[], length: number) => {
    const rest = 0.9 * (0.6 + (0.4 * length) / averages.turn);
    const values = counts(terms).map((n, i) => (n === 0 ? 0 : (idf[i] as number) * (0.5 + (1.9 * n) / (n + rest))));
    const matched = values.filter((value) => value > 0).length;
    return (values.reduce((sum, value) => sum + value, 0) * Math.sqrt(matched / ASKED.length)) / (2.4 * weight);
  };
  return all.map((terms, at) => {
    let best = { share: 0, from: 0, until: Math.min(40, terms.length), held: '' };
    const passages: { share: number; held: string }[] = [];
    for (let from = 0; from < terms.length; from++) {
      if (!ASKED.includes(terms[from] as string)) continue;
      const passage = terms.slice(from, from + 40);
      const share = turnShare(passage, Math.min(40, terms.length));
      const held = counts(passage).join();
      passages.push({ share, held });
      if (share > best.share + 1e-12) best = { share, from, until: Math.min(from + 40, terms.length), held };
    }
    // Where two passages score the same with other words, rounding decides which is the best.
    const isClear = passages.every(({ share, held }) => held === best.held || best.share - share > 1e-9);
    const before = all
      .slice(Math.max(0, at - 2), at)
      .flat()
      .slice(-Math.max(0, 80 - best.from) || Number.POSITIVE_INFINITY);
    const leftBefore = 80 - best.from > 0 ? before : [];
    const leftAfter = Math.max(0, 80 - (terms.length - best.until));
    const after = all
      .slice(at + 1, at + 3)
      .flat()
      .slice(0, leftAfter);
    const window = [...leftBefore, ...terms.slice(Math.max(0, best.from - 80), best.until + 80), ...after];
    const rest = 1.2 * (0.6 + (0.4 * window.length) / averages.window);
    const sum = counts(window).reduce((total, n, i) => total + ((idf[i] as number) * 2.2 * n) / (n + rest), 0);
    return {
      isLong: terms.length > 40,
      turn: best.share,
      isWide: (windowLengths[at] as number) > 200,
      isClear,
      window: sum / (2.2 * weight),
    };
  });
}

describe('passages', () => {
  test('of long texts count by the best of them and by what is around it', () => {
    let long = 0;
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 9, size: 'max' }), (texts) => {
        const { candidates, bestTurn } = find(texts);
        const expected = naive(texts);
        for (const { ordinal, turn, window } of candidates) {
          const one = expected[ordinal] as (typeof expected)[number];
          if (one.isLong) expect(turn).toBeCloseTo(one.turn, 5);
          if (one.isWide && one.isClear) expect(window).toBeCloseTo(one.window, 5);
          if (one.isLong && one.isWide && one.isClear) long++;
        }
        expect(bestTurn).toBeCloseTo(Math.max(0, ...candidates.map(({ turn }) => turn)), 5);
      }),
      { seed: 1_300_062_102, numRuns: 150 },
    );
    expect(long).toBeGreaterThan(100);
  });

  test('put a sentence with the words before an answer that has them pages apart', () => {
    const filler = Array(100).fill('filler').join(' ');
    const { candidates } = find([`ant ${filler} bee ${filler} cow`, 'ant bee cow']);
    const [apart, together] = candidates.map(({ turn }) => turn) as [number, number];
    expect(together).toBeGreaterThan(2 * apart);
  });

  test('are not counted anew for each mention of a word that is said over and over', () => {
    const counted = jest.spyOn(AskedWords.prototype, 'turnShare');
    try {
      const { candidates } = find([ASKED.join(' ').concat(' ').repeat(9_000)]);
      expect(candidates[0]?.turn).toBeGreaterThan(0);
      // 27,000 mentions.
      expect(counted.mock.calls.length).toBeLessThan(20);
    } finally {
      counted.mockRestore();
    }
  });

  test('of a text of nothing but what was asked are measured over its first 2,000 mentions', () => {
    const seen = find([`${'ant '.repeat(2_000)}ant bee cow`]).candidates[0]?.turn as number;
    const whole = find([`${'ant '.repeat(1_990)}ant bee cow`]).candidates[0]?.turn as number;
    const alone = find(['ant '.repeat(2_001)]).candidates[0]?.turn as number;
    expect(whole).toBeGreaterThan(2 * alone);
    expect(seen).toBeLessThan(whole);
  });

  test('give nothing to a long text of which nothing was asked', () => {
    const { candidates, bestTurn } = find([Array(100).fill('filler').join(' ')]);
    expect(candidates).toEqual([expect.objectContaining({ turn: 0, window: 0 })]);
    expect(bestTurn).toBe(0);
  });
});
