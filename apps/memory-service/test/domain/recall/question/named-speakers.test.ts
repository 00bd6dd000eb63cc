import { expect, test } from '@jest/globals';
import { inFirstPerson, speakersNamed } from '../../../../src/domain/recall/question/named-speakers.ts';
import type { SpeakerNames } from '../../../../src/domain/recall/question/speaker-names.ts';

const speakers: SpeakerNames = {
  find: (word) => (word === 'Ann' ? 'ann' : null),
  findAgent: (words) => (words === 'code-bot' || words === 'code bot' ? 'code-bot' : null),
  hasOneCalled: () => false,
  findAgentByPart: (word) => (word === 'bot' ? 'code-bot' : null),
  findTeller: (word) => (word === 'data' ? 'data' : null),
};

test.each([
  ['Did Ann ask code-bot?', { Ann: 'ann', 'code-bot': 'code-bot' }],
  ['Did the code bot ask?', { 'the code bot': 'code-bot' }],
  ['What did the bot ask?', { 'the bot': 'code-bot' }],
  ['Who asked the bot?', {}],
  ['What did data say?', { data: 'data' }],
  ['Where is the data?', {}],
])('"%s" names %j', (text, named) => {
  expect(Object.fromEntries(speakersNamed(text, speakers))).toEqual(named);
});

test('a question about speakers becomes one in the first person, the longer name first', () => {
  const named = new Map([
    ['code', 'code'],
    ['code.bot', 'code.bot'],
  ]);
  expect(inFirstPerson("Did code.bot tell code of Ann's and his plan?", named)).toBe(
    "Did I tell I of Ann's and my plan?",
  );
});

test.each([
  ['ids', 'a-b '.repeat(50_000)],
  ['one id', 'a-'.repeat(100_000)],
  ['one word', 'a'.repeat(200_000)],
  ['agents by name', 'the desk '.repeat(22_000)],
  ['words', 'Ann '.repeat(50_000)],
])('looks for speakers in 4,000 characters of 200,000: %s', (_name, text) => {
  const asked: Record<keyof SpeakerNames, string[]> = {
    find: [],
    findAgent: [],
    hasOneCalled: [],
    findAgentByPart: [],
    findTeller: [],
  };
  const noting = (kind: keyof SpeakerNames) => (words: string) => {
    asked[kind].push(words);
    return null;
  };
  const noted = {
    find: noting('find'),
    findAgent: noting('findAgent'),
    hasOneCalled: () => false,
    findAgentByPart: noting('findAgentByPart'),
    findTeller: noting('findTeller'),
  };
  speakersNamed(text, noted);
  // "the a b" asks for "a b" and for "a".
  for (const words of Object.values(asked)) expect(words.join('').length).toBeLessThanOrEqual(2 * 4_000);
});
