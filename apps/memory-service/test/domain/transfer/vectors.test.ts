import { InvalidInputError } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import { checkedVectors } from '../../../src/domain/transfer/vectors.ts';

const MODEL = { id: 'pair@1', dimension: 2 };
const TEXT = 'A short text is one chunk.';
/** Little-endian 32-bit floats. */
const base64 = (...floats: number[]) => {
  const bytes = Buffer.alloc(4 * floats.length);
  floats.forEach((float, index) => {
    bytes.writeFloatLE(float, 4 * index);
  });
  return bytes.toString('base64');
};
const checked = (fields: Record<string, unknown>, model: typeof MODEL | null = MODEL) =>
  checkedVectors(fields, { text: TEXT, model }).map((vector) => [...vector]);

test.each<[string, Record<string, unknown>, number[][]]>([
  ['none', {}, []],
  ['null', { vectors: null, embedding_model: 7 }, []],
  ['one of this model', { vectors: [base64(0, 1)], embedding_model: 'pair@1' }, [[0, 1]]],
  [
    'one of a length of nearly 1',
    { vectors: [base64(0, 1.009)], embedding_model: 'pair@1' },
    [[0, Math.fround(1.009)]],
  ],
  ['two for a text of one chunk', { vectors: [base64(0, 1), base64(1, 0)], embedding_model: 'pair@1' }, []],
  ['of another model, whatever they are', { vectors: [7], embedding_model: 'pair@2' }, []],
])('%s', (_what, fields, vectors) => {
  expect(checked(fields)).toEqual(vectors);
});

test('a store without a model takes none', () => {
  expect(checked({ vectors: [base64(0, 1)], embedding_model: 'pair@1' }, null)).toEqual([]);
});

const FORM = 'vectors must each be base64 of 2 32-bit floats, little-endian';
test.each<[string, Record<string, unknown>, string]>([
  ['of no model', { vectors: [] }, 'embedding_model must name the model of the vectors'],
  ['no list', { vectors: 'AAAA', embedding_model: 'pair@1' }, 'vectors must be a list, one for each chunk of the text'],
  ['no text', { vectors: [7], embedding_model: 'pair@1' }, FORM],
  ['too short', { vectors: [base64(1)], embedding_model: 'pair@1' }, FORM],
  ['too long', { vectors: [base64(1, 0, 0)], embedding_model: 'pair@1' }, FORM],
  ['of length 1.02', { vectors: [base64(0, 1.02)], embedding_model: 'pair@1' }, 'vectors must each be of length 1'],
  ['of length 0', { vectors: [base64(0, 0)], embedding_model: 'pair@1' }, 'vectors must each be of length 1'],
  ['not a number', { vectors: [base64(Number.NaN, 1)], embedding_model: 'pair@1' }, 'vectors must each be of length 1'],
])('vectors %s are refused', (_what, fields, message) => {
  expect(() => checked(fields)).toThrow(InvalidInputError);
  expect(() => checked(fields)).toThrow(message);
});
