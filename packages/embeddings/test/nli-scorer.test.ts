import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openNliScorer, type PairScorer } from '../src/index.ts';
import { logitOf } from '../src/pair-model.js';

/** Made by tools/tiny-nli.py. */
const TINY = fileURLToPath(new URL('tiny-nli', import.meta.url));

const FAST = fileURLToPath(new URL('../models/agent-memory-static-240', import.meta.url));

/** softmax(sum of the rows of all tokens)[contradiction]; the rows as in tools/tiny-nli.py, <s> a </s> </s> b </s> */
function probability(...words: [number, number, number][]): number {
  const sums = [0, 1, 2].map((label) =>
    words.reduce((sum, row) => sum + (row[label] as number), label === 0 ? 1.5 : 0),
  );
  const powers = sums.map(Math.exp);
  return (powers[2] as number) / powers.reduce((sum, power) => sum + power);
}
const NOT: [number, number, number] = [-1, 0, 3];
const OPEN: [number, number, number] = [0, 1, -1];
const CLOSED: [number, number, number] = [0, 0, 1.5];
const UNKNOWN: [number, number, number] = [0, 0.25, 0];

describe('a model for natural language inference', () => {
  let scorer: PairScorer;

  beforeAll(async () => {
    scorer = await openNliScorer({ model: TINY, offline: true });
  });
  afterAll(() => scorer.close());

  test('gives the probability of its label "contradiction", with the tokens that its kind has between two texts', async () => {
    const scores = await scorer.score([
      ['open', 'closed'],
      ['Open', 'not open'],
      ['', ''],
      ['the closed', 'open'],
    ]);
    const wanted = [
      probability(OPEN, CLOSED),
      probability(OPEN, NOT, OPEN),
      probability(),
      probability(UNKNOWN, CLOSED, OPEN),
    ];
    wanted.forEach((value, index) => {
      expect(scores[index]).toBeCloseTo(value, 5);
    });
  });

  test('reads no more tokens of both texts than it can', async () => {
    const [score] = await scorer.score([['not '.repeat(40), 'not '.repeat(40)]]);
    expect(score).toBeCloseTo(probability(...Array<[number, number, number]>(12).fill(NOT)), 5);
  });

  test('names itself with a fingerprint of its files', () => {
    expect(scorer.modelId).toMatch(/^tiny-nli@[0-9a-f]{12}$/);
  });
});

describe('a model that cannot serve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nli-model-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [{}, /names no label "contradiction" in id2label/],
    [{ id2label: { 0: 'positive', 1: 'negative' } }, /names no label "contradiction" in id2label/],
    [{ id2label: { 7: 'contradiction' } }, /it gives 3 numbers for a pair, and "contradiction" is label 7 of 1/],
    [{ id2label: { 0: 'entailment', 1: 'contradiction' } }, /it gives 3 numbers for a pair, and .* label 1 of 2/],
  ])('such as one with the config %j is refused', async (config, message) => {
    const own = mkdtempSync(join(folder, 'model-'));
    cpSync(TINY, own, { recursive: true });
    writeFileSync(join(own, 'config.json'), JSON.stringify(config));
    await expect(openNliScorer({ model: own, offline: true })).rejects.toThrow(message);
  });

  test('such as one that gives vectors is refused, whatever its labels are', async () => {
    const own = mkdtempSync(join(folder, 'model-'));
    cpSync(FAST, own, { recursive: true });
    cpSync(join(TINY, 'config.json'), join(own, 'config.json'));
    const opening = openNliScorer({ model: own, offline: true });
    await expect(opening).rejects.toThrow(/cannot be used .*numbers for a pair, and .* choose another model/);
  });

  test('such as one that is not here is refused, where nothing may be fetched', async () => {
    const opening = openNliScorer({ model: 'owner/nli', modelDir: folder, offline: true });
    await expect(opening).rejects.toThrow(/offline mode forbids its download/);
  });
});

test('a logit stays finite however sure the model is', () => {
  expect(logitOf([-500, 0, 600], { contradiction: 2, count: 3 })).toBeCloseTo(600, 6);
  expect(logitOf([2.5], null)).toBe(2.5);
});

test('one number alone is no opinion, whatever its label is', () => {
  expect(() => logitOf([2.5], { contradiction: 0, count: 1 })).toThrow('"contradiction" is label 0 of 1');
});
