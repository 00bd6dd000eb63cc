import { expect, test } from '@jest/globals';
import { askingPart } from '../../../../src/domain/recall/question/asking-part.ts';

test.each([
  ['The oven tripped. Who was there? I write the report.', 'Who was there?'],
  ['Who was there? And what did they do? Write it down.', 'Who was there? And what did they do?'],
  ['Fix the test.\n\nDid we have this before?', 'Did we have this before?'],
  ['She asked "who was there?" I said nothing.', 'She asked "who was there?"'],
  ['烤箱坏了。谁在那里？我写报告。', '谁在那里？'],
])('%j asks %j', (text, part) => {
  expect(askingPart(text)).toBe(part);
});

test.each(['Who was there?', 'Who was there? And when?', 'The oven tripped.', '', 'see https://a.example/?q=1 and go'])(
  '%j has no such part',
  (text) => {
    expect(askingPart(text)).toBeNull();
  },
);

test('is not looked for in a long text', () => {
  const mail = `Who was there? ${'It was late. '.repeat(200)}`;
  expect(askingPart(mail.slice(0, 2_000))).toBe('Who was there?');
  expect(askingPart(mail.slice(0, 2_001))).toBeNull();
});
