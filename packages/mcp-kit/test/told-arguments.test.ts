import { expect, test } from '@jest/globals';
import { toldArguments } from '../src/told-arguments.ts';

const INPUT = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    line: { type: 'integer' },
    weight: { type: ['number', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', minItems: 1, items: { type: 'string' } },
    scope: { type: 'string', enum: ['TEAM', 'PRIVATE'] },
    whole: { type: 'boolean' },
    dismiss: { type: 'boolean', enum: [true] },
    note: { type: ['string', 'null'] },
  },
  required: ['name'],
};

test.each([
  [{ line: '5' }, { line: 5 }],
  [{ weight: '0.25' }, { weight: 0.25 }],
  [{ weight: '-3' }, { weight: -3 }],
  [{ tags: 'release' }, { tags: ['release'] }],
  [{ tags: '["release", "a, b"]' }, { tags: ['release', 'a, b'] }],
  [{ tags: '[]' }, { tags: [] }],
  [{ tags: '[draft' }, { tags: ['[draft'] }],
  [{ tags: '[1]' }, { tags: ['[1]'] }],
  [{ scope: 'private' }, { scope: 'PRIVATE' }],
  [{ whole: 'true' }, { whole: true }],
  [{ dismiss: 'true' }, { dismiss: true }],
])('%j means %j', (given, meant) => {
  expect(toldArguments(given, INPUT)).toEqual(meant);
});

test.each([
  { line: 'five' },
  { line: '5 lines' },
  { line: '0x10' },
  { line: '1e3' },
  { weight: 'Infinity' },
  { weight: '12345678901234567890' },
  { scope: 'secret' },
  { scope: 7 },
  { whole: 'yes' },
  { tags: ['a', 'b'] },
  { tags: [] },
  { name: '5' },
  { note: 'true' },
  { stranger: '5' },
  { line: { toString: '5' } },
])('%j stays as it is, for the contract to decide', (given) => {
  expect(toldArguments(given, INPUT)).toEqual(given);
});

test('what says nothing is left out, unless it is required', () => {
  const given = { line: null, note: '', dismiss: false, whole: false, name: '', tags: '', ids: '[]' };
  expect(toldArguments({ ids: [] }, INPUT)).toEqual({});
  expect(toldArguments(given, INPUT)).toEqual({
    whole: false,
    name: '',
  });
});
