import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Embedder, openEmbedder } from '../src/index.ts';

interface Reference {
  readonly texts: string[];
  readonly models: Record<string, { readonly head: number[][]; readonly cosines: number[][] }>;
}

/** By the tokenizers library and onnxruntime in Python: tools/reference-vectors.py. */
const reference = JSON.parse(readFileSync(new URL('reference-vectors.json', import.meta.url), 'utf8')) as Reference;

const MODELS = [
  // The tolerance of the static model is the rounding of the literals.
  { model: 'fast', name: 'agent-memory-static-240', dimension: 240, kind: 'static', maxTokens: 512, tolerance: 1e-4 },
  // The newer runtime behind the reference rounds some activations to another of their 256 steps.
  { model: 'accurate', name: 'all-MiniLM-L6-v2', dimension: 384, kind: 'contextual', maxTokens: 256, tolerance: 0.02 },
];

const at = <T>(values: readonly T[], index: number): T => values[index] as T;

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, axis) => sum + value * at(b as unknown as number[], axis), 0);
}

describe.each(MODELS)('the bundled model $model', ({ model, name, dimension, kind, maxTokens, tolerance }) => {
  let embedder: Embedder;
  const literal = reference.models[name] as Reference['models'][string];

  beforeAll(async () => {
    embedder = await openEmbedder({ model, offline: true });
  });
  afterAll(() => embedder.close());

  test('names itself with a fingerprint of its files', () => {
    expect(embedder.modelId).toMatch(new RegExp(`^${name}@[0-9a-f]{12}$`));
    expect([embedder.dimension, embedder.kind, embedder.maxTokens]).toEqual([dimension, kind, maxTokens]);
  });

  test('gives the vectors and cosines of the reference in Python', async () => {
    const vectors = await embedder.embed(reference.texts);
    let worst = 0;
    vectors.forEach((a, i) => {
      at(literal.head, i).forEach((value, axis) => {
        worst = Math.max(worst, Math.abs(value - at([...a], axis)));
      });
      vectors.forEach((b, j) => {
        worst = Math.max(worst, Math.abs(at(at(literal.cosines, i), j) - cosine(a, b)));
      });
    });
    expect(worst).toBeLessThan(tolerance);
  });

  test('gives vectors of unit length in the order of the texts, the same alone and among others', async () => {
    const texts = reference.texts.slice(0, 5);
    const together = await embedder.embed(texts);
    for (const [index, text] of texts.entries()) {
      const [alone] = await embedder.embed([text]);
      expect(Math.hypot(...at(together, index))).toBeCloseTo(1, 5);
      expect(cosine(at(together, index), alone as Float32Array)).toBeGreaterThan(0.99999);
    }
  });

  test('embeds any text: empty, blank, emoji, control characters, half a surrogate pair, any script, 200,000 characters', async () => {
    const texts = [
      '',
      ' \n\t',
      '🎉🚀',
      '\u0000\u0007',
      '\ud83d',
      'नमस्ते दुनिया',
      'שָׁלוֹם',
      '中'.repeat(200_000),
      'x'.repeat(200_000),
    ];
    const vectors = await embedder.embed(texts);
    expect(vectors.map((vector) => Math.hypot(...vector).toFixed(4))).toEqual(texts.map(() => '1.0000'));
  });

  test('gives no vector for no text', async () => {
    expect(await embedder.embed([])).toEqual([]);
  });
});
