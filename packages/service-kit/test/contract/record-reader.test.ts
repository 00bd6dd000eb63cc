import { describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../src/contract/openapi.ts';
import { recordReader } from '../../src/contract/record-reader.ts';
import { InvalidInputError } from '../../src/problems/errors.ts';

/** As contracts write it; requests are validated by the whole rule behind it. */
const NAME_PATTERN = '^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$';

function specOf(schemas: Record<string, object>): OpenApiDocument {
  return { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {}, components: { schemas } };
}

const NAME = { type: 'string', minLength: 1, maxLength: 3, pattern: NAME_PATTERN, 'x-must-be': 'a short name' };
const read = recordReader(
  specOf({
    Name: NAME,
    Row: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { $ref: '#/components/schemas/Name' },
        nick: { anyOf: [{ $ref: '#/components/schemas/Name' }, { type: 'null' }] },
        kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
        text: { type: 'string' },
        on: { type: 'boolean' },
        share: { type: 'number', minimum: 0, maximum: 1 },
        count: { type: 'integer', minimum: 0, maximum: 9 },
        list: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Name' } },
        parts: { type: 'array', maxItems: 2, items: { type: 'object', required: ['name'] } },
        extra: { type: 'object' },
      },
    },
  }),
  'Row',
);

function refusalOf(fields: Record<string, unknown>): string | null {
  try {
    read(fields);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.message;
  }
}

describe('a record', () => {
  test('that fits is returned as it is, with fields that the schema does not name', () => {
    const row = { id: 'x', nick: null, kind: null, list: [], other: [1], toString: 1 };
    expect(read(row)).toBe(row);
  });

  test.each<[Record<string, unknown>, string]>([
    [{}, 'id is required'],
    [{ id: null }, 'id must be a short name'],
    [{ id: 'long' }, 'id must be a short name'],
    [{ id: ' ' }, 'id must be a short name'],
    [{ id: 'a\u0007' }, 'id must be a short name'],
    [{ id: 'x', nick: 7 }, 'nick must be a short name'],
    [{ id: 'x', kind: 'c' }, 'kind must be one of a, b'],
    [{ id: 'x', text: null }, 'text must be a text'],
    [{ id: 'x', on: 'yes' }, 'on must be true or false'],
    [{ id: 'x', share: '0.5' }, 'share must be a number from 0 to 1'],
    [{ id: 'x', share: 1.01 }, 'share must be a number from 0 to 1'],
    [{ id: 'x', count: 0.5 }, 'count must be a whole number from 0 to 9'],
    [{ id: 'x', list: 'x' }, 'list must be a list of at most 2'],
    [{ id: 'x', list: ['a', 'b', 'c'] }, 'list must be a list of at most 2'],
    [{ id: 'x', list: ['a', ''] }, 'list/1 must be a short name'],
    [{ id: 'x', parts: [{ name: 1 }, {}] }, 'parts/1/name is required'],
    [{ id: 'x', parts: ['a'] }, 'parts/0 must be an object'],
    [{ id: 'x', extra: [] }, 'extra must be an object'],
  ])('%j is refused: %s', (fields, message) => {
    expect(refusalOf(fields)).toBe(message);
  });

  test('is held to the rule that a pattern stands for: half of a surrogate pair is no name', () => {
    expect(new RegExp(NAME_PATTERN).test('\ud800')).toBe(true);
    expect(refusalOf({ id: '\ud800' })).toBe('id must be a short name');
    // Characters are code points.
    expect(refusalOf({ id: '🐈🐈🐈' })).toBeNull();
  });
});

describe('a schema', () => {
  test('that is not there, or has a keyword that nobody knows, is refused when it is compiled', () => {
    expect(() => recordReader(specOf({}), 'Row')).toThrow('Row');
    const schema = { type: 'object', properties: { id: { type: 'string', maxLenght: 3 } } };
    expect(() => recordReader(specOf({ Row: schema }), 'Row')).toThrow('maxLenght');
  });
});
