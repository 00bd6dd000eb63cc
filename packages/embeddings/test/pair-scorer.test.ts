import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EmbedderStoppedError, ModelUnavailableError, openPairScorer, type PairScorer } from '../src/index.ts';
import { shortened } from '../src/pair-model.js';

interface Reference {
  readonly pairs: [string, string][];
  readonly probabilities: number[];
}

/** By the float model in PyTorch that the bundled one was made from: tools/contradiction/reference.py. */
const reference = JSON.parse(readFileSync(new URL('reference-pairs.json', import.meta.url), 'utf8')) as Reference;

describe('the bundled pair model', () => {
  let scorer: PairScorer;

  beforeAll(async () => {
    scorer = await openPairScorer({ model: 'bundled' });
  });
  afterAll(() => scorer.close());

  test('names itself with a fingerprint of its files', () => {
    expect(scorer.modelId).toMatch(/^contradiction-minilm@[0-9a-f]{12}$/);
  });

  test('gives the probabilities of the model that it was made from, but for the rounding to int8', async () => {
    const scores = await scorer.score(reference.pairs);
    const errors = reference.probabilities.map((wanted, i) => Math.abs(wanted - (scores[i] as number)));
    expect(Math.max(...errors)).toBeLessThan(0.2);
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.06);
  });

  test('gives a pair one score, whichever text comes first and whatever else is asked', async () => {
    const pairs = reference.pairs.slice(0, 4);
    const together = await scorer.score(pairs);
    for (const [index, [a, b]] of pairs.entries()) {
      const [turned] = await scorer.score([[b, a]]);
      expect(turned).toBeCloseTo(together[index] as number, 6);
    }
  });

  test('reads texts of any length and script', async () => {
    const scores = await scorer.score([
      ['', ''],
      ['x'.repeat(200_000), 'The office is closed.'],
      ['事務所は月曜日に閉まっています。', 'Офис открыт по понедельникам 🙂'],
    ]);
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0);
    for (const score of scores) expect(score).toBeLessThanOrEqual(1);
  });

  (platform() === 'linux' ? test : test.skip)('leaves the cores to whoever needs them first', () => {
    // Behind the name: state, ..., nice as the 17th.
    const niceOf = (thread: string) =>
      Number(
        readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[16],
      );
    const own = niceOf(String(process.pid));
    // Who is not root gives nobody more time than it has.
    const wanted = process.getuid?.() === 0 ? 10 : Math.max(10, getPriority());
    expect(readdirSync('/proc/self/task').map(niceOf)).toContain(wanted);
    expect(own).toBe(getPriority());
  });

  test('refuses what is asked after close', async () => {
    const closing = await openPairScorer({ model: 'bundled' });
    await closing.close();
    expect(closing.isReady()).toBe(false);
    await expect(closing.score([['a', 'b']])).rejects.toThrow(EmbedderStoppedError);
  });
});

describe('a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pair-model-'));
  const bundled = fileURLToPath(new URL('../models/contradiction-minilm', import.meta.url));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('without a model is refused by name', async () => {
    await expect(openPairScorer({ model: join(folder, 'nothing') })).rejects.toThrow(
      /There is no pair model in .*nothing: it needs onnx\/model_quantized\.onnx/,
    );
  });

  test('with a model that is for no pairs is refused by name', async () => {
    const model = fileURLToPath(new URL('../models/all-MiniLM-L6-v2', import.meta.url));
    await expect(openPairScorer({ model })).rejects.toThrow(/There is no pair model in .*: it needs .* and pair\.json/);
  });

  test('with a model that gives vectors is refused', async () => {
    const wrong = join(folder, 'sentence-model');
    cpSync(fileURLToPath(new URL('../models/agent-memory-static-240', import.meta.url)), wrong, { recursive: true });
    writeFileSync(join(wrong, 'pair.json'), '{"maxTokens":160}');
    await expect(openPairScorer({ model: wrong })).rejects.toThrow(/numbers for a pair instead of one/);
  });

  test.each(['{"maxTokens":"many"}', '{}', 'no json'])('with the settings %s is refused', async (settings) => {
    const own = mkdtempSync(join(folder, 'settings-'));
    cpSync(bundled, own, { recursive: true });
    writeFileSync(join(own, 'pair.json'), settings);
    await expect(openPairScorer({ model: own })).rejects.toThrow(ModelUnavailableError);
  });
});

test('two texts are cut to a common limit as the tokenizers library does: the longer one first', () => {
  /** One token at a time from the longer one. */
  const naive = (a: number, b: number, limit: number) => {
    let [left, right] = [a, b];
    while (left + right > limit) {
      if (left > right) left -= 1;
      else right -= 1;
    }
    return left + right;
  };
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), fc.integer({ min: 8, max: 200 }), (a, b, limit) => {
      const ids = (length: number) => Array.from({ length }, (_, index) => index);
      const [first, second] = shortened(ids(a), ids(b), limit);
      expect(first).toEqual(ids(first.length));
      expect(second).toEqual(ids(second.length));
      expect(first.length + second.length).toBe(naive(a, b, limit));
      if (a + b > limit)
        expect(Math.abs(first.length - second.length)).toBeLessThanOrEqual(Math.max(1, limit - 2 * Math.min(a, b)));
    }),
  );
});
