import { describe, expect, test } from '@jest/globals';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const NAMES: Readonly<Record<string, string>> = {
  caroline: 'caroline',
  mel: 'mel',
  will: 'will',
  planner: 'planner',
  'code-bot': 'code-bot',
};
const AGENTS: Readonly<Record<string, string>> = { planner: 'planner', 'code-bot': 'code-bot', 'code bot': 'code-bot' };
const TELLERS: Readonly<Record<string, string>> = { data: 'data', planner: 'planner' };
const PARTS: Readonly<Record<string, string>> = { bot: 'code-bot', planner: 'planner' };
const speakers = {
  find: (word: string) => NAMES[word.toLowerCase()] ?? null,
  findAgent: (words: string) => AGENTS[words.toLowerCase()] ?? null,
  hasOneCalled: () => false,
  findAgentByPart: (word: string) => PARTS[word.toLowerCase()] ?? null,
  findTeller: (word: string) => TELLERS[word.toLowerCase()] ?? null,
};
const read = (text: string) => readQuestion(text, { speakers, now: 0 });

describe('a question', () => {
  test.each([
    ["What is Caroline's favourite book?", 'What is my favourite book?', 'caroline'],
    ['Where did Caroline take her dog after she came home?', 'Where did I take my dog after I came home?', 'caroline'],
    ['what did caroline buy', 'what did I buy', 'caroline'],
    ['Did Caroline meet Mel?', 'Did I meet I?', null],
    ['When will Caroline come?', 'When will I come?', 'caroline'],
    ['when will the tests run', 'when will the tests run', null],
    ['What did Code-Bot say?', 'What did I say?', 'code-bot'],
    ['What did code-bot say about the tests?', 'What did I say about the tests?', 'code-bot'],
    ['What did data say about the tests?', 'What did I say about the tests?', 'data'],
    ['Which tests did Data report?', 'Which tests did I report?', 'data'],
    ['Where is the Data of the tests?', 'Where is the Data of the tests?', null],
    ['Which tests did the planner want?', 'Which tests did I want?', 'planner'],
    ["What was the planner's reason?", 'What was my reason?', 'planner'],
    ['Why was the code bot against it?', 'Why was I against it?', 'code-bot'],
    ['What did the bot find?', 'What did I find?', 'code-bot'],
    ['Who switched off the bot?', 'Who switched off the bot?', null],
    ['Which planner app do we use?', 'Which planner app do we use?', null],
    ['What did planner say about Paris?', 'What did I say about Paris?', 'planner'],
    ['What has caroline bought in Paris?', 'What has I bought in Paris?', 'caroline'],
    ['What should planner notes hold in Paris?', 'What should planner notes hold in Paris?', null],
    ["planner's reason for PR 4", 'my reason for PR 4', 'planner'],
    ["The planners' reason for PR 4", "The planners' reason for PR 4", null],
    ['When planner said no to PR 4', 'When I said no to PR 4', 'planner'],
    ['Which planner saids are in PR 4?', 'Which planner saids are in PR 4?', null],
    ['Did the planner answer Mel?', 'Did I answer I?', null],
    ['Her dog is ill', 'Her dog is ill', null],
    ['The planners met Carolines', 'The planners met Carolines', null],
  ])('"%s" is embedded as "%s"', (text, denseText, speaker) => {
    expect(read(text)).toMatchObject({ text, denseText, speaker });
  });

  test('about what is coming up names no time where it has a subject', () => {
    const { asksAhead, days } = read('What is said about the upcoming launch?');
    expect({ asksAhead, days }).toEqual({ asksAhead: false, days: [] });
    expect(read('What is coming up?')).toMatchObject({ asksAhead: true, circumstance: { isAhead: true } });
  });

  test('has each of its words once', () => {
    expect(read('Dogs, dogs and the dog of the Smiths').terms).toEqual(['dog', 'smith']);
  });

  test('asks for the words of nobody in a role where it names a speaker', () => {
    expect(read('What does she say of my plan?').saidBy).toBe('user');
    expect(read('What does Caroline say of my plan?').saidBy).toBeNull();
  });

  test('asks for no present value where it names a time', () => {
    expect(readQuestion('What is the limit?', { speakers, now: 1 }).asksPresent).toBe(true);
    expect(readQuestion('What is the limit as of 3 May 1960?', { speakers, now: 1 }).asksPresent).toBe(false);
  });

  test.each([
    ...['x', 'X?', '7', 'a b', '"q"', '?!', 'ж', 'the', "I'm", 'ok', 'Thanks!', ' yes '].map(
      (text) => [text, false] as const,
    ),
    ...['ox', 'R&D', 'C++', '42', '好', '👍', 'WHO', 'Will', 'Who am I?', 'tea'].map((text) => [text, true] as const),
  ])('%j has a meaning to compare: %j', (text, hasMeaning) => {
    expect(read(text)).toMatchObject({ hasMeaning });
  });

  test('tells which of its terms are names of speakers', () => {
    const ann = { ...speakers, find: (word: string) => (word === 'Ann' || word === "Ann's" ? 'ann' : null) };
    expect(readQuestion("What do Ann's dogs eat?", { speakers: ann, now: 1 }).names).toEqual(['ann']);
    expect(readQuestion('What do dogs eat?', { speakers: ann, now: 1 }).names).toEqual([]);
  });
});

test('a message that tells something too has the form of what it asks', () => {
  const read = (text: string) => readQuestion(text, { speakers: NO_SPEAKERS, now: 0 });
  expect(read('My train leaves soon. What does the parcel weigh? Then I can go.').asksPresent).toBe(true);
  expect(read('When I was ill it broke. What did it cost? Then I can go.').asksWhen).toBe(false);
  expect(read('I make the list. Which books does Ann have? Then I can go.').asksList).toBe(true);
});
