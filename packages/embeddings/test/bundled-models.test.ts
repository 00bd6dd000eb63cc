import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Embedder, openEmbedder } from '../src/index.ts';

interface Vectors {
  readonly head: number[][];
  /** With the stored vectors of all texts. */
  readonly cosines: number[][];
}

interface Reference {
  readonly texts: string[];
  readonly models: Record<string, Vectors & { readonly answerable?: Vectors }>;
}

/** By the tokenizers library and onnxruntime in Python: tools/reference-vectors.py. */
const reference = JSON.parse(readFileSync(new URL('reference-vectors.json', import.meta.url), 'utf8')) as Reference;

const MODELS = [
  // The tolerance of the static model is the rounding of the literals.
  { model: 'fast', name: 'agent-memory-static-240', dimension: 240, kind: 'static', maxTokens: 512, tolerance: 1e-4 },
  // Another processor may round some activations to another of their 256 steps.
  { model: 'accurate', name: 'all-MiniLM-L6-v2', dimension: 384, kind: 'contextual', maxTokens: 256, tolerance: 0.02 },
];

const at = <T>(values: readonly T[], index: number): T => values[index] as T;

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, axis) => sum + value * at(b as unknown as number[], axis), 0);
}

function worstDifference(vectors: Float32Array[], stored: Float32Array[], { head, cosines }: Vectors): number {
  let worst = 0;
  vectors.forEach((a, i) => {
    at(head, i).forEach((value, axis) => {
      worst = Math.max(worst, Math.abs(value - at([...a], axis)));
    });
    stored.forEach((b, j) => {
      worst = Math.max(worst, Math.abs(at(at(cosines, i), j) - cosine(a, b)));
    });
  });
  return worst;
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
    expect(worstDifference(vectors, vectors, literal)).toBeLessThan(tolerance);
    expect(await embedder.embed(reference.texts, 'question')).toEqual(vectors);
  });

  test('gives the vectors of the role answerable that the reference in Python has for them', async () => {
    const vectors = await embedder.embed(reference.texts);
    const answerable = await embedder.embed(reference.texts, 'answerable');
    expect(embedder.judgesAnswers).toBe(literal.answerable !== undefined);
    expect(worstDifference(answerable, vectors, literal.answerable ?? literal)).toBeLessThan(tolerance);
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

describe('answerable questions to accurate', () => {
  let embedder: Embedder;
  const literal = reference.models['all-MiniLM-L6-v2'] as Reference['models'][string];

  beforeAll(async () => {
    embedder = await openEmbedder({ model: 'accurate', offline: true });
  });
  afterAll(() => embedder.close());

  test('have weights of their own, so the reference tells the roles apart', () => {
    const { cosines, answerable } = literal;
    const differences = cosines.flatMap((row, i) =>
      row.map((cosine, j) => Math.abs(cosine - at(at((answerable as Vectors).cosines, i), j))),
    );
    expect(Math.max(...differences)).toBeGreaterThan(0.05);
  });

  test('change no stored vector: the id is that of stores from before there was an answer model', () => {
    expect(embedder.modelId).toBe('all-MiniLM-L6-v2@a6889747e1b1');
  });

  test('and stored texts asked at the same time each have the vector of their role', async () => {
    const text = at(reference.texts, 0);
    const [[stored], [answerable], [storedAgain]] = await Promise.all([
      embedder.embed([text]),
      embedder.embed([text], 'answerable'),
      embedder.embed([text]),
    ]);
    expect(storedAgain).toEqual(stored);
    expect(answerable).not.toEqual(stored);
  });
});
